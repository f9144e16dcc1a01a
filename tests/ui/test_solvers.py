"""Solvers at the table that have no answer, and rules too hard to be judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from threading import Event as Flag
from typing import Any

import pytest
from textual import events

from duelbox.core.game import AnyGame
from duelbox.solve import sentences, stream
from duelbox.solve.api import Analysis, Stop, Stopped
from duelbox.table.hints import analysed
from duelbox.table.state import TableState
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import mouse, table, text_of, until


@pytest.fixture
def hopeless(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let every analysis fail; returns the games that were asked about."""
    asked: list[str] = []

    def stream(game: AnyGame, view: Any, stop: Stop) -> Iterator[Analysis]:
        asked.append(game.INFO.id)
        raise Stopped
        yield  # makes this function a generator

    monkeypatch.setattr("duelbox.solve.stream", stream)
    monkeypatch.setattr("duelbox.rules_lab.facts.worth", lambda *_: next(stream(*_)))
    return asked


@pytest.mark.parametrize("key", ["v", "h"])
async def test_a_position_that_can_not_be_worked_out_is_said_to_be_one(
    started: Started, hopeless: list[str], key: str
) -> None:
    async with started("circle-duel") as (app, pilot):
        await pilot.press(key)
        await until(pilot, lambda: sentences.TOO_LONG in text_of(app))
        table(app).sync()
        await pilot.pause()
        assert len(hopeless) == 1, "nobody has asked again"
        await pilot.press(*("v", "v") if key == "v" else ("h",))
        await until(pilot, lambda: len(hopeless) == 2)
        await until(pilot, lambda: sentences.TOO_LONG in text_of(app))
        await pilot.press("4", "enter")
        if key == "v":  # it is shown for every position
            await until(pilot, lambda: len(hopeless) == 3)
        else:
            assert sentences.TOO_LONG not in text_of(app)


@pytest.mark.usefixtures("hopeless")
async def test_rules_that_can_not_be_judged_are_said_to_be_such(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbox.rules_lab.preset_facts.facts_of_preset", lambda *_: None)
    async with started("circle-duel") as (app, pilot):
        await pilot.press("n")
        await until(pilot, lambda: "Who wins takes too long to work out." in text_of(app))


async def test_ratings_come_a_few_times_a_second_and_the_last_one_always(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Analysis] = []

    def slowly(game: AnyGame, view: Any, stop: Stop) -> Iterator[Analysis]:
        *_, last = stream(game, view, stop)
        for now[0] in range(60):
            yield replace(last, moves=last.moves[:1], complete=False)
        yield last

    now = [0]
    monkeypatch.setattr("duelbox.solve.stream", slowly)
    monkeypatch.setattr("duelbox.table.thinking.monotonic", lambda: now[0] / 100)

    def note(state: TableState, analysis: Analysis) -> None:
        drawn.append(analysis)
        analysed(state, analysis)

    monkeypatch.setattr("duelbox.table.thinking.analysed", note)
    app = make_app("sequence-duel:size=7")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("v")
        await until(pilot, lambda: drawn and drawn[-1].complete)
        assert [len(one.moves) for one in drawn] == [1, 1, 1, 7], "five a second, for six tenths of one"


@pytest.mark.parametrize("key", ["v", "h"])
async def test_what_was_stopped_has_not_given_up(started: Started, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    ended = Flag()

    def stream(game: AnyGame, view: Any, stop: Stop) -> Iterator[Analysis]:
        try:
            while True:
                stop.check()
        finally:
            ended.set()
        yield

    monkeypatch.setattr("duelbox.solve.stream", stream)
    async with started("circle-duel") as (app, pilot):
        await pilot.press(key, "question_mark")
        await until(pilot, ended.is_set)
        await pilot.press("escape")
        assert "Working it out" in text_of(app)
        assert not table(app).state.given_up


async def test_a_search_waits_until_what_was_typed_is_seen_but_for_no_mouse_that_moves(started: Started) -> None:
    async with started("circle-duel") as (app, pilot):
        await until(pilot, app.at_rest.is_set)
        app.note_input(mouse(events.MouseMove, 1, 1))
        assert app.at_rest.is_set()
        app.note_input(events.Key("right", None))
        assert not app.at_rest.is_set()
        app.screen.refresh()
        await until(pilot, app.at_rest.is_set)
