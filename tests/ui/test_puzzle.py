"""Puzzles, by keys and by mouse, with hints, the answer and a result to share."""

from __future__ import annotations

import re
from datetime import date
from threading import Event, current_thread, main_thread
from typing import Any

import pytest

from duelbox.core.game import AnyGame
from duelbox.learn import puzzles, trial
from duelbox.learn.practice import next_puzzle
from duelbox.learn.puzzles import PRACTICE, Puzzle, Solving, puzzles_in
from duelbox.learn.trial import Attempt
from duelbox.solve import analyse, difference
from duelbox.solve.api import Analysis, Instead
from duelbox.table.prompts import WORKING
from duelbox.ui.screens.calendar import CalendarScreen
from duelbox.ui.screens.history import HistoryScreen
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.lesson_screen import LessonScreen
from duelbox.ui.screens.puzzle_screen import PuzzleScreen
from duelbox.ui.screens.you import YouScreen
from tests.ui.conftest import Started
from tests.ui.person import TIME_LIMIT, click_on, text_of, until

PUZZLE = Puzzle(code="sequence-duel/5.8.19.17.12.2.4", grade=3, line=("14", "10", "7"))
CHANCE = Puzzle(code="number-duel:hand=6,seed=590/1x1.3x3.6x1.1x1", grade=2, line=("2x1",))


def puzzle(app: object) -> PuzzleScreen:
    screen = app.screen
    assert isinstance(screen, PuzzleScreen)
    return screen


async def test_the_first_next_of_a_puzzle_from_the_command_line_gives_another(started: Started) -> None:
    async with started() as (app, pilot):
        first = next_puzzle([])
        app.navigation.open_puzzles([first])
        await pilot.pause()
        await pilot.press("n")
        assert puzzle(app).table.trial.puzzle != first


async def test_a_line_is_solved_by_keys_and_kept(started: Started) -> None:
    async with started(size=(60, 20)) as (app, pilot):
        app.navigation.open_puzzles([PUZZLE, CHANCE], date(2027, 1, 6))
        await pilot.pause()
        assert "Your move: win." in text_of(app)
        assert "Wed 6 Jan" in text_of(app)
        await pilot.press("h", "1", "6", "enter")
        assert " claims " in text_of(app)
        await pilot.press("enter", "1", "4", "enter", "enter", "7", "enter", "enter")
        assert "0 of 1 position at once" in text_of(app)
        assert "Solved" in text_of(app)
        await pilot.press("c")
        assert app.clipboard.startswith("duelbox 2027-01-06 · Three games ★★★")
        await app.workers.wait_for_complete()
        ((code, kept),) = app.store.progress.all("puzzle")
        assert (code, kept["at_once"], kept["hints"]) == (PUZZLE.code, [False, True], 1)
        assert not app.store.history()
        await pilot.press("enter")
        assert puzzle(app).table.trial.puzzle == CHANCE
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


async def test_the_task_stays_to_be_read_below_a_long_list_of_house_rules(started: Started) -> None:
    room = next(one for one in puzzles_in(PRACTICE) if one.idea == "room" and one.grade == 3)
    async with started(size=(60, 20)) as (app, pilot):
        app.navigation.open_puzzles([room])
        await pilot.pause()
        assert "House rules: " in text_of(app)
        await pilot.press("h")
        assert "Hint 1 of 3" in text_of(app)
        assert "Your move: win." in text_of(app)


async def test_each_position_is_worked_out_once_and_never_on_the_event_loop(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[bool, object]] = []

    def watched(game: AnyGame, view: object, *more: Any) -> Analysis:
        asked.append((current_thread() is main_thread(), view))
        return analyse(game, view, *more)

    def refuted(game: AnyGame, view: object, move: str, *more: Any) -> Instead | None:
        asked.append((current_thread() is main_thread(), (view, move)))
        return difference(game, view, move, *more)

    monkeypatch.setattr(puzzles, "analyse", watched)
    monkeypatch.setattr(trial, "difference", refuted)
    async with started() as (app, pilot):
        app.navigation.open_puzzles([PUZZLE])
        await pilot.pause()
        assert len(asked) == 1, "to tell what is asked for"
        await pilot.press("h", "h")
        assert len(asked) == 1
        for keys, count in (
            (("1", "6", "enter"), 2),
            (("x", "left", "h", "backspace", "backspace"), 2),
            (("1", "4", "enter", "enter"), 3),
        ):
            await pilot.press(*keys)
            assert len(asked) == count
    assert not any(on_loop for on_loop, _ in asked)
    assert len({repr(view) for _, view in asked}) == len(asked)


async def test_a_try_that_takes_long_is_worked_out_while_the_screen_answers(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, judged = Event(), Solving.attempt

    def slow(solving: Solving, text: str) -> Attempt:
        assert known.wait(TIME_LIMIT)
        return judged(solving, text)

    monkeypatch.setattr(Solving, "attempt", slow)
    monkeypatch.setattr("duelbox.table.trial_table.JUDGING", 0)
    async with started() as (app, pilot):
        app.navigation.open_puzzles([PUZZLE])
        await pilot.pause()
        await pilot.press("1", "6", "enter")
        assert WORKING in text_of(app)
        await pilot.press("enter", "1", "h", "a")
        assert WORKING in text_of(app), "nothing but leaving can be done meanwhile"
        known.set()
        await until(pilot, lambda: "Not yet" in text_of(app))
        known.clear()
        await pilot.press("enter", "1", "4", "enter", "escape")
        assert isinstance(app.screen, HomeScreen)
        known.set()


async def test_a_puzzle_is_solved_by_mouse_with_the_answer_shown(started: Started) -> None:
    async with started() as (app, pilot):
        app.navigation.open_puzzles([CHANCE])
        await pilot.pause()
        assert "find the best chance" in text_of(app)
        await click_on(pilot, "Answer")
        await click_on(pilot, "Enter")
        assert "is right" in text_of(app)
        await click_on(pilot, "Enter: the result")
        assert "answer shown" in text_of(app)
        assert re.search("Done +Enter", text_of(app)), "nobody solved it"


ENDING = Puzzle(
    code="digit-chain:zero=no-tens,gaps=50,seed=6683/69.96.63.37.76.61.16.62.23.39.99.97.79.94", grade=2, line=("46",)
)


@pytest.mark.parametrize("done", [ENDING, CHANCE])
async def test_after_the_last_move_one_still_sees_it_from_the_same_seat(started: Started, done: Puzzle) -> None:
    async with started() as (app, pilot):
        app.navigation.open_puzzles([done])
        await pilot.pause()
        hidden = text_of(app).count("╱╱╱╱╱╱╱")
        seat = puzzle(app).session.turn
        await pilot.press(*done.line[0], "enter")
        assert f"{done.line[0]} is right" in text_of(app)
        assert puzzle(app).state.table.people == (seat,)
        assert hidden - 3 <= text_of(app).count("╱╱╱╱╱╱╱") <= hidden, "a card has three rows"
        await pilot.press("enter")
        assert "1 of 1 move at once" in text_of(app)


async def test_home_offers_a_puzzle_and_the_daily_one(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("p", "enter")
        assert puzzle(app).table.trial.puzzle.grade in range(1, 6)
        await pilot.press("escape", "d")
        assert isinstance(app.screen, PuzzleScreen) or "There is no puzzle of the day" in text_of(app)


async def test_the_palette_leads_to_puzzles_from_anywhere(started: Started) -> None:
    async with started("circle-duel/4") as (app, pilot):
        for title in ("Puzzle", "The puzzles of the day"):
            (command,) = [one for one in app.get_system_commands(app.screen) if one.title == title]
            command.callback()
            await pilot.pause()
            if title == "Puzzle":
                await pilot.press("enter")
            assert isinstance(app.screen, PuzzleScreen) or "There is no puzzle of the day" in text_of(app)
            await pilot.press("escape")
        for title, screen in (("Calendar", CalendarScreen), ("You", YouScreen)):
            (command,) = [one for one in app.get_system_commands(app.screen) if one.title == title]
            command.callback()
            await pilot.pause()
            assert isinstance(app.screen, screen)
            await pilot.press("escape")


async def test_another_puzzle_comes_each_time_one_is_skipped(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("p", "enter")
        seen = []
        for _ in range(14):
            await until(pilot, lambda: WORKING not in text_of(app))
            seen.append(puzzle(app).table.trial.puzzle.code)
            await pilot.press("n")
        assert len(set(seen)) == 14


async def test_ten_puzzles_of_an_idea_lead_back_to_where_they_were_opened(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("i", "tab")
        await until(pilot, lambda: "shut in" in text_of(app))
        await pilot.press("down", "down", "down", "down", "p")
        for at in range(1, 11):
            await until(pilot, lambda at=at: f" {at} of 10 " in text_of(app))
            assert app.screen.table.trial.puzzle.idea == "shut in"
            await pilot.press("a", "enter", "enter")
            assert f"Enter: {'next puzzle' if at < 10 else 'leave'}" in text_of(app)
            await pilot.press("enter")
        assert isinstance(app.screen, YouScreen)
        await until(pilot, lambda: "10 of 25" not in text_of(app) and "1 of 25 ideas met" in text_of(app))
        assert app.screen.shown[0].idea == "shut in"
        await pilot.press("enter")
        assert isinstance(app.screen, LessonScreen)
        assert app.screen.table.trial.lesson.name == "shut-in"
        await pilot.press("escape", "tab")
        assert isinstance(app.screen, HistoryScreen)
