"""`duelbox solve` with a time limit: a position that takes too long does not affect the others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from duelbox.commands import solve
from duelbox.core.game import AnyGame
from duelbox.solve import explained
from duelbox.solve.api import Analysis, Stop, Stopped
from tests.command_line import run


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """Records the seconds given for each position; a sequence of 60 gets no time."""
    seconds: list[float | None] = []

    def stop(limit: float | None) -> Stop:
        seconds.append(limit)
        return Stop(None if limit is None else -1.0)

    def hard(game: AnyGame, view: Any, flag: Stop) -> Iterator[Analysis]:
        if view.options.texts().get("size") == "60":
            flag.check()
            raise Stopped
        yield from explained(game, view)

    monkeypatch.setattr(solve, "Stop", stop)
    monkeypatch.setattr(solve, "explained", hard)
    return seconds


def test_a_position_that_takes_too_long_leaves_the_others_their_answer(given: list[float | None]) -> None:
    codes = "circle-duel/4\nsequence-duel:size=60\ncircle-duel/5\n"
    ran = run("solve", "-", "--json", typed=codes)
    one, late, other = map(json.loads, ran.out.splitlines())
    sentence = "This position was not worked out in 60 s. --seconds 0 takes all the time it needs."
    assert late == {"code": "sequence-duel:size=60", "error": sentence, "at": None}
    assert (one["verdict"], other["verdict"]) == ("win", "win")
    ran_in_text = run("solve", "-", "--seconds", "5", typed=codes)
    assert ran_in_text.err == f"sequence-duel:size=60: {sentence.replace('60', '5')}\n"
    assert ran_in_text.out.count("Number Circle Duel") == 2
    assert ran.status == ran_in_text.status == 1
    assert given == [60] * 3 + [5] * 3


def test_a_position_may_take_all_the_time_it_needs(given: list[float | None]) -> None:
    ran = run("solve", "sequence-duel:size=60", "--seconds", "0")
    assert re.fullmatch(r"sequence-duel:size=60: .* longer .*\n", ran.err)
    assert given == [None]
    assert run("solve", "circle-duel", "--seconds", "-1").status == 2
