"""What tests share: a position by its code, a refusal by its text, the numbers in it; a record as it is saved;
and a flag that goes up by itself."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from duelbox.core.code import parse_code
from duelbox.core.errors import MoveError
from duelbox.core.model import Seat
from duelbox.registry import find_game
from duelbox.solve.api import Stop
from duelbox.testing.laws import assert_refused, attempt

NOON = datetime(2024, 5, 4, 12, 0, tzinfo=UTC)

# Written down once: records that people have saved look like this.
SAMPLE = (Path(__file__).parent / "golden" / "record.json").read_text(encoding="utf-8").rstrip()


def at(code: str) -> Any:
    """The state a code names."""
    return parse_code(code, find_game).state


def legal(code: str) -> list[str]:
    """What may be played there, as text."""
    game = parse_code(code, find_game).game
    return [game.format_move(move) for move in game.legal_moves(game.view(at(code), None))]


def refused(code: str, text: str, seat: Seat | None = None) -> str:
    """The sentence that refuses this text here, for the player to move unless a seat is named."""
    played = parse_code(code, find_game)
    state = played.state
    seat = state.turn if seat is None else seat
    if seat is None:
        pytest.fail(f"{code} is over")
    answer = attempt(played.game, state, seat, text)
    assert_refused(answer)
    assert isinstance(answer, MoveError)
    return answer.sentence


def expanded(words: str) -> set[int]:
    """The numbers of "1-9, 11, 12 and 14"."""
    found: set[int] = set()
    for word in words.replace(" and ", ", ").split(", "):
        first, _, last = word.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def free_in(sentence: str) -> set[int]:
    """The numbers a refusal says are free."""
    _, found, free = sentence.partition(" Free for you: ")
    assert found, f"nothing is said to be free in {sentence!r}"
    return expanded(free.removesuffix("."))


class Patience(Stop):
    """Says stop after so many checks."""

    def __init__(self, checks: int) -> None:
        super().__init__()
        self.checks = checks

    def check(self) -> None:
        self.checks -= 1
        if self.checks < 0:
            self.stop()
        super().check()
