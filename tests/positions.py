"""Helpers of tests: positions from codes, refusals of moves and the numbers in them, records as JSON, and a stop flag
that sets itself."""

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

# A fixed copy, since saved records look like this.
SAMPLE = (Path(__file__).parent / "golden" / "record.json").read_text(encoding="utf-8").rstrip()


def at(code: str) -> Any:
    """The state of a position code."""
    return parse_code(code, find_game).state


def legal(code: str) -> list[str]:
    """The legal moves as text."""
    game = parse_code(code, find_game).game
    return [game.format_move(move) for move in game.legal_moves(game.view(at(code), None))]


def refused(code: str, text: str, seat: Seat | None = None) -> str:
    """The sentence that refuses this move, by the player to move unless a seat is given."""
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
    """The numbers that a refusal calls free."""
    _, found, free = sentence.partition(" Free for you: ")
    assert found, f"nothing is said to be free in {sentence!r}"
    return expanded(free.removesuffix("."))


class Patience(Stop):
    """A stop flag that is set after so many checks."""

    def __init__(self, checks: int) -> None:
        super().__init__()
        self.checks = checks

    def check(self) -> None:
        self.checks -= 1
        if self.checks < 0:
            self.stop()
        super().check()
