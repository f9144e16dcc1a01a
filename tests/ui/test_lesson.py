"""Lessons, by keys alone and by mouse alone; wrong tries are answered and taken back."""

from __future__ import annotations

import asyncio
from itertools import cycle

import pytest

from duelbox.learn.course_test import QUESTIONS, is_known
from duelbox.learn.lessons import course_in, found_in, key_of, lessons_of
from duelbox.registry import BUILT_IN, find_game
from duelbox.ui import motion
from duelbox.ui.screens.course_test import CourseTestScreen
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.lesson_screen import LessonScreen
from duelbox.ui.screens.local_table import LocalScreen
from duelbox.ui.screens.puzzle_screen import PuzzleScreen
from duelbox.ui.screens.results_screen import ResultsScreen
from tests.effort import sampled
from tests.ui.conftest import Started
from tests.ui.person import SIZES, click_at, click_on, text_of, until

PARTNERS = found_in(lessons_of("circle-duel"), "partners")


def lesson(app: object) -> LessonScreen:
    screen = app.screen
    assert isinstance(screen, LessonScreen)
    return screen


@pytest.mark.parametrize(("game_id", "size"), zip([*BUILT_IN][: sampled(3, 5)], cycle(SIZES), strict=False))
async def test_a_lesson_is_taken_by_keys_alone(started: Started, game_id: str, size: tuple[int, int]) -> None:
    async with started(size=size) as (app, pilot):
        app.navigation.open_lesson(game_id)
        await pilot.pause()
        course = lesson(app).table.trial
        while True:
            assert course.asked.split(".")[0][:40] in " ".join(text_of(app).split())
            await pilot.press(*course.right[0], "enter")
            assert "is right" in text_of(app)
            await pilot.press("enter")
            if lesson(app).table.over:
                break
        assert "Take this along" in text_of(app)
        await app.workers.wait_for_complete()
        done = app.store.progress.newest("lesson")
        solved = [*range(len(course.lesson.step))]
        assert done == {key_of(game_id, course.lesson): {"step": 0, "done": True, "solved": solved}}
        await pilot.press("enter")
        assert (course.number, course.at) == (1, 0)
        assert f"2 {course.lesson.title}" in text_of(app)
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)
        assert not app.store.history(), "a lesson is no game"


async def test_the_end_of_a_lesson_leads_to_puzzles_and_to_a_game(started: Started) -> None:
    async with started() as (app, pilot):
        app.navigation.open_lesson("sequence-duel", 4)
        await pilot.pause()
        await pilot.press(*"nnnn")
        assert "Take this along" in text_of(app)
        await pilot.press("p")
        await pilot.pause()
        assert isinstance(app.screen, PuzzleScreen)
        assert app.screen.table.game.INFO.id == "sequence-duel"
        await pilot.press("escape", "g")
        await pilot.pause()
        assert isinstance(app.screen, LocalScreen)
        assert app.screen.table.options == find_game("sequence-duel").PRESETS[0].options


async def test_a_step_is_done_by_mouse_alone(started: Started) -> None:
    async with started() as (app, pilot):
        app.navigation.open_lesson("number-duel")
        await pilot.pause()
        screen = lesson(app)
        await pilot.press("h")
        assert "Hint 1 of 3" in text_of(app)
        await pilot.press("h", "h")
        assert screen.state.line == screen.table.trial.right[0]
        await click_on(pilot, "Answer")
        await click_on(pilot, "Enter")
        assert "is right" in text_of(app)
        await click_on(pilot, "Enter: next step")
        assert screen.table.trial.at == 1
        await click_on(pilot, "Back")
        assert screen.table.trial.at == 0


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_the_task_stays_to_be_read_while_something_else_is_said(started: Started, size: tuple[int, int]) -> None:
    async with started(size=size) as (app, pilot):
        app.navigation.open_lesson("circle-duel", PARTNERS)
        await pilot.pause()
        step = lesson(app).table.trial.step
        question = step.say.rpartition(". ")[2]
        for keys in (["h"], ["a"], ["backspace", "enter"], ["7", "7", "enter"]):
            await pilot.press(*keys)
            note = lesson(app).state.prompts.note
            assert step.say not in note, "something else is said now"
            assert question in text_of(app)


async def test_the_pairs_of_a_task_are_drawn_until_a_move_is_tried(started: Started) -> None:
    async with started() as (app, pilot):
        app.navigation.open_lesson("circle-duel", found_in(lessons_of("circle-duel"), "why-pairs-win"))
        await pilot.pause()
        step = lesson(app).table.trial.step
        assert len(step.pairs) == 2
        [mark] = lesson(app).table.shown
        assert (mark.kind, mark.pairs) == ("pairs", step.pairs)
        drawn = lesson(app).board.drawing().canvas.dump()
        await pilot.press("2", "enter")
        assert all(mark.pairs != step.pairs for mark in lesson(app).table.shown)
        assert lesson(app).board.drawing().canvas.dump() != drawn


async def test_a_step_that_was_shown_comes_again_from_the_end(started: Started) -> None:
    async with started() as (app, pilot):
        app.navigation.open_lesson("circle-duel", 0)
        await pilot.pause()
        course = lesson(app).table.trial
        while not lesson(app).table.over:
            keys = ["a", "enter"] if course.at == 1 else [*course.right[0], "enter"]
            await pilot.press(*keys, "enter")
        assert "Seen" in text_of(app)
        await click_on(pilot, "b: step 2 again")
        assert course.at == 1
        await app.workers.wait_for_complete()
        mark = app.store.progress.newest("lesson")[key_of("circle-duel", course.lesson)]
        assert (mark["done"], mark["solved"]) == (False, [0, 2, 3, 4, 5])


async def test_a_wrong_try_is_answered_and_taken_back_by_any_key_or_click_or_by_itself(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started() as (app, pilot):
        app.navigation.open_lesson("circle-duel", PARTNERS)
        await pilot.pause()
        screen = lesson(app)
        await pilot.press("n", "n", "n", "1", "0", "enter")
        assert "Teacher picks 1" in text_of(app)
        assert screen.table.trial.step.say[:30] in " ".join(text_of(app).split()), "the task can still be read"
        assert len(screen.session.plies) == 4
        await pilot.press("1")
        assert (screen.table.attempt, len(screen.session.plies)) == (None, 2)
        assert screen.state.line == "1", "a digit takes the try back and begins the next one"
        await pilot.press("backspace")
        assert screen.table.trial.step.say[:30] in text_of(app)
        for _ in range(2):
            await click_at(pilot, *(screen.board.region.offset + screen.board.offset_of("10")))
        assert "Teacher picks 1" in text_of(app)
        await click_on(pilot, "Enter: try again")
        assert screen.table.attempt is None
        monkeypatch.setattr("duelbox.table.trial_table.TAKEN_BACK", 0.01)
        await pilot.press("1", "0", "enter")
        await until(pilot, lambda: screen.table.attempt is None)
        await pilot.press("7", "enter")
        assert "Free for you: 1, 10." in text_of(app)
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


async def test_a_wrong_try_is_taken_back_by_itself_after_some_seconds(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started() as (app, pilot):
        app.navigation.open_lesson("circle-duel", PARTNERS)
        await pilot.pause()
        await pilot.press("n", "n", "n", "1", "0", "enter")
        loop = asyncio.get_running_loop()
        clock = loop.time
        for seconds, answered in ((4, True), (15, False)):
            monkeypatch.setattr(loop, "time", lambda seconds=seconds: clock() + seconds)
            await pilot.pause()
            assert ("Teacher picks 1" in text_of(app)) == answered


async def test_home_leads_to_the_lesson_of_the_chosen_game_and_goes_on_where_it_was_left(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("down", "down", "t")
        screen = lesson(app)
        assert screen.table.trial.session.game.INFO.id == "sequence-duel"
        course = screen.table.trial
        while course.at == 0:  # the step is played to the end
            await pilot.press(*course.right[0], "enter")
            await until(pilot, lambda: screen.table.attempt is not None)
            await pilot.press("enter")
        await pilot.press("escape")
        await app.workers.wait_for_complete()
        await pilot.press("t")
        assert lesson(app).table.trial.at == 1


async def test_the_arrows_skip_and_go_back(started: Started) -> None:
    async with started() as (app, pilot):
        app.navigation.open_lesson("sequence-duel")
        await pilot.pause()
        await pilot.press("right", "right")
        assert lesson(app).table.trial.at == 2
        await pilot.press("left")
        assert lesson(app).table.trial.at == 1
        await pilot.press("down", "right", "enter")
        assert lesson(app).table.trial.at == 1, "where a number is pointed at, the arrows choose"
        assert lesson(app).table.attempt is not None


async def test_a_try_is_narrated_while_the_board_still_moves(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motion, "FILL", 1000.0)
    async with started(animation="full") as (app, pilot):
        app.navigation.open_lesson("sequence-duel")
        await pilot.pause()
        await pilot.press("5", "enter")
        assert lesson(app).held
        assert "● You claim 5" in text_of(app)


async def test_the_pane_offers_no_key_that_a_lesson_lacks(started: Started) -> None:
    async with started(size=(120, 40)) as (app, pilot):
        await pilot.press("t")
        await until(pilot, lambda: "a hint, in three steps" in text_of(app))
        assert "who wins with best play" not in text_of(app)
        await pilot.press("escape", "1")
        await until(pilot, lambda: "who wins with best play" in text_of(app))


async def test_the_test_ends_a_course_and_its_results_are_listed(started: Started) -> None:
    async with started() as (app, pilot):
        lessons = course_in(lessons_of("circle-duel"), "two-trails")
        for one in lessons:
            app.store.progress.add("lesson", key_of("circle-duel", one), {"step": 0, "done": True})
        app.navigation.open_lesson("circle-duel")
        await pilot.pause()
        assert isinstance(app.screen, CourseTestScreen), "only the test of the course is left"
        test = app.screen.table.trial
        for number in range(QUESTIONS):
            assert f"question {number + 1} of {QUESTIONS}" in text_of(app)
            if number == 1:
                await pilot.press("h")
            if number == 2:
                await pilot.press("n")
                continue
            await pilot.press(*test.right[0], "enter")
            await until(pilot, lambda: "is right" in text_of(app))
            await pilot.press("enter")
        assert "6 of 8 right at once, 1 with help, 1 wrong" in text_of(app)
        assert "You know this course." in " ".join(text_of(app).split())
        await app.workers.wait_for_complete()
        assert is_known("circle-duel", "two-trails", app.store.progress.newest("lesson"))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ResultsScreen) and bool(app.screen.shown))
        shown = text_of(app)
        assert shown.count("at once") >= 6
        assert "with help" in shown
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)
