"""The calendar of the puzzles of the day: by keys and by mouse, with earlier days open and a result to share."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from duelbox.learn.daily import FIRST, daily, own_days, short_day
from duelbox.learn.puzzle_results import PuzzleResult
from duelbox.ui.screens.calendar import CalendarScreen
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.puzzle_screen import PuzzleScreen
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import click_on, stop_calendar, text_of, until

TODAY = FIRST + timedelta(days=45)


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_calendar(monkeypatch, TODAY)


def keep(app: Any, back: int, *, solved: bool) -> None:
    day = TODAY - timedelta(days=back)
    for puzzle in daily(day):
        attempt = PuzzleResult(grade=puzzle.grade, at_once=(solved,), seconds=61, day=day.isoformat())
        app.store.progress.add("puzzle", puzzle.code, attempt.model_dump(mode="json"))


async def test_days_are_looked_at_by_keys_and_an_earlier_one_is_solved(make_app: MakeApp) -> None:
    app = make_app()
    for back, solved in ((0, True), (2, False), (3, True), (4, True)):
        keep(app, back, solved=solved)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("d")
        await until(pilot, lambda: "1 day in a row. Your longest: 3." in text_of(app))
        screen = app.screen
        assert isinstance(screen, CalendarScreen), "today's is done"
        rows = re.findall(r"\w{3} +\d+ \w{3} \d{4} +([■□·]+)", text_of(app))
        assert rows[:5] == ["■■■", "···", "□□□", "■■■", "■■■"]
        assert "■■■  3 of 3 positions at once · 3:03" in text_of(app)
        await pilot.press("c")
        assert app.clipboard.startswith(f"duelbox {TODAY} · ")
        await pilot.press("down")
        assert "Still to do" in text_of(app)
        await pilot.press("enter")
        for number, puzzle in enumerate(daily(TODAY - timedelta(days=1)), 1):
            solving = app.screen
            assert isinstance(solving, PuzzleScreen)
            assert solving.table.trial.puzzle == puzzle
            assert f"{number} of 3 {'■' * (number - 1):·<3}" in text_of(app)
            for text in puzzle.line[::2]:
                await pilot.press(*text, "enter")
                await until(pilot, lambda: "is right" in text_of(app))
                await pilot.press("enter")
            assert f"The idea: {puzzle.idea}." in text_of(app)
            assert ("Enter: calendar" if number == 3 else "Enter: next position") in text_of(app)
            await app.workers.wait_for_complete()
            await pilot.press("enter")
        await until(pilot, lambda: "5 days in a row." in text_of(app))
        assert app.screen is screen
        await pilot.press("p")
        assert "All games" in text_of(app)
        await pilot.press("p", "escape")
        assert isinstance(app.screen, HomeScreen)


async def test_all_days_are_reached_and_none_to_come(make_app: MakeApp) -> None:
    app = make_app()
    keep(app, 0, solved=True)
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("d")
        await until(pilot, lambda: "1 day in a row" in text_of(app))
        screen = app.screen
        assert isinstance(screen, CalendarScreen)
        for keys, day in (
            (["down"] * 7, TODAY - timedelta(days=7)),
            (["ctrl+end"], FIRST),
            (["down"], FIRST),
            (["up"], FIRST + timedelta(days=1)),
            (["ctrl+home", "up"], TODAY),
        ):
            await pilot.press(*keys)
            assert screen.chosen == day
            assert f"{day:%a} {day.day:>2} {day:%b %Y}" in text_of(app)
        assert max(screen.shown) == TODAY


async def test_a_day_is_chosen_and_opened_by_mouse_alone(make_app: MakeApp) -> None:
    app = make_app()
    keep(app, 0, solved=True)
    async with app.run_test(size=(120, 30)) as pilot:
        await click_on(pilot, "  Today")
        await until(pilot, lambda: "1 day in a row" in text_of(app))
        yesterday = TODAY - timedelta(days=1)
        await click_on(pilot, f"{yesterday.day} {yesterday:%b %Y}")
        if isinstance(app.screen, CalendarScreen):  # it was chosen, and is opened by a second click
            assert app.screen.chosen == yesterday
            await click_on(pilot, f"{yesterday.day} {yesterday:%b %Y}")
        assert isinstance(app.screen, PuzzleScreen)
        assert short_day(TODAY - timedelta(days=1)) in text_of(app)
        for number in (2, 3):
            await click_on(pilot, "Next puzzle")
            assert f"{number} of 3" in text_of(app)
        await click_on(pilot, "Calendar")
        assert isinstance(app.screen, CalendarScreen)


async def test_statistics_tell_of_puzzles(started: Started) -> None:
    async with started(ascii=True, size=(60, 20)) as (app, pilot):
        app.navigation.open("calendar")
        await pilot.press("p")
        assert "No puzzle was solved yet." in text_of(app)
        await pilot.press("escape")
        keep(app, 0, solved=True)
        keep(app, 1, solved=False)
        await pilot.press("p")
        assert "1/1" in text_of(app)
        assert "0/1" in text_of(app)
        assert "Your strength" in text_of(app)
        assert "2 days in a row" in " ".join(text_of(app).split())


async def test_after_the_last_day_of_the_shelf_home_has_positions_of_today(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = FIRST + timedelta(days=own_days())
    stop_calendar(monkeypatch, day)
    async with started() as (app, pilot):
        await until(pilot, lambda: "d  Today" in text_of(app))
        await pilot.press("d")
        await until(pilot, lambda: isinstance(app.screen, PuzzleScreen))
        assert f"{short_day(day)} · 1 of 3" in text_of(app)
        assert app.screen.table.trial.puzzle == daily(day)[0]
