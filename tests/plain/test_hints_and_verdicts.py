"""Hints and verdicts in lines: right ones, for the player to move, and recorded as help."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbox.core.code import parse_code
from duelbox.core.model import Voice
from duelbox.registry import find_game
from duelbox.solve import explained, sentences
from duelbox.solve.api import Analysis
from duelbox.store.store import Store
from duelbox.table import thinking
from tests.command_line import play, told_after
from tests.guest_games import TOY

CODES = (
    "circle-duel:size=18,reach=2/5.7.8",
    "number-circle/+2.+9",
    "sequence-duel:size=9/5",
    "digit-chain:zero=wild/26.61",
    "number-duel:deal=31524-51234/3x2",
)


def analysed(code: str) -> Analysis:
    played = parse_code(code, find_game)
    state = played.state
    *_, found = explained(played.game, played.game.view(state, state.turn))
    return found


def called(text: str) -> str:
    return text.replace("Player 1", "Ann").replace("Player 2", "Ben")


@pytest.mark.parametrize("code", CODES)
def test_the_verdict_is_that_of_the_solver(code: str) -> None:
    found = analysed(code)
    hidden = code.startswith("number-duel")
    out = play(code, *([""] if hidden else []), "verdict").out
    assert called(f"verdict\n{sentences.outlook(found, Voice(you=found.turn))} {sentences.reason(found)}\n") in out


@pytest.mark.parametrize("code", CODES)
def test_hints_come_in_three_steps_and_begin_anew_after_a_move(code: str) -> None:
    found = analysed(code)
    hidden = [""] if code.startswith("number-duel") else []
    out = play(code, *hidden, "hint", "hint", "hint", "hint", found.advice, *hidden, "hint").out
    told = [called(sentences.hint(found, step)) for step in (1, 2, 3, 3)]
    assert [line for line in out.splitlines() if line in told][:4] == told
    after = re.findall(r"^Hint (\d) of \d", out, re.MULTILINE)[4:]
    assert after in ([], ["1"])
    assert after or "The code of this game" in out or " is your only move." in out


def test_no_verdict_is_told_to_who_may_not_see_the_hand() -> None:
    out = play("number-duel:deal=31524-51234", "verdict", "hint").out
    assert out.count("Ask at your turn: press Enter first.\n") == 2
    assert " can win" not in out
    assert "With best play" not in out


def test_a_game_that_is_over_has_no_verdict() -> None:
    assert "verdict\nThe game is over.\n" in play("sequence-duel:size=5", "resign", "verdict").out


@pytest.mark.parametrize("word", ["hint", "verdict"])
def test_help_marks_the_game_as_assisted(word: str) -> None:
    play("sequence-duel:size=5", "1", word, "resign", "no")
    play("sequence-duel:size=5", "1", "resign", "no")
    with Store.open() as store:
        assert sorted(one.finished[0].assisted for one in store.history()) == [False, True]


def test_a_guest_without_a_solver_says_so(installed: Callable[[Path], None]) -> None:
    installed(TOY)
    assert "hint\nNothing can be worked out in " in play("toy-heap", "hint").out


def test_a_verdict_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "VERDICT_SECONDS", -1.0)
    assert told_after(play("sequence-duel:size=40", "hint").out, "hint") == sentences.TOO_LONG
