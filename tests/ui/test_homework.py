"""Homework on the screen: a set is typed or pasted, done, left in the middle, handed in, and seen by a teacher."""

from __future__ import annotations

import re

import pytest
from textual.events import Key

from duelbox.learn.handed_in import read_lines
from duelbox.learn.homework import read_set
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.homework import HandInScreen, HomeworkScreen, SetScreen
from duelbox.ui.screens.panel_screen import PanelScreen
from duelbox.ui.screens.puzzle_screen import PuzzleScreen
from tests.learn.test_homework import SET, moves, work
from tests.ui.conftest import Started
from tests.ui.person import text_of, until

SIZES = ((80, 24), (60, 20))


async def type_set(pilot, name: str = SET, pupil: str = "Ann") -> None:
    await pilot.press("p", *name, "down", *pupil, "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, HomeworkScreen | HandInScreen))


async def solve(pilot, *typed: str) -> None:
    """Type moves, each with Enter, and Enter to go on."""
    for move in typed:
        await until(pilot, lambda: pilot.app.screen.table.looking)
        await pilot.press(*move, "enter")
        await until(pilot, lambda: "is right" in text_of(pilot.app))
        await pilot.press("enter")


@pytest.mark.parametrize("size", SIZES)
async def test_a_set_is_typed_done_and_handed_in(started: Started, size: tuple[int, int]) -> None:
    one, two = read_set(SET).puzzles
    async with started(size=size) as (app, pilot):
        await type_set(pilot)
        assert "room-7-2 · 1 of 2" in text_of(app)
        await solve(pilot, *moves(one))
        assert "Right at once. 1 of 2 done: r-" in text_of(app)
        assert "Enter: next position" in text_of(app)
        await pilot.press("enter", "h")
        await solve(pilot, *moves(two))
        assert "Right, with help. 2 of 2 done: rh" in text_of(app)
        assert "Enter: the line to hand in" in text_of(app)
        await pilot.press("enter")
        assert "room-7-2 is done" in text_of(app)
        await pilot.press("c")
        ((found,), faults) = read_lines(app.clipboard)
        assert (found.pupil, found.signs, faults) == ("Ann", "rh", [])
        shown = " ".join(re.sub("[│╭╮╰╯─]", " ", text_of(app)).split())
        assert read_lines(shown)[0] == [found], "the whole line can be read off the screen"
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


async def test_a_set_left_in_the_middle_is_offered_and_goes_on(started: Started) -> None:
    one, two = read_set(SET).puzzles
    async with started() as (app, pilot):
        await type_set(pilot)
        await pilot.press("a", "escape")
        await app.workers.wait_for_complete()
        await pilot.press("p")
        assert "room-7-2: the idea room, Number Circle Duel. 2 positions, 0 done." in text_of(app)
        await pilot.press("enter")
        await solve(pilot, *moves(one))
        await pilot.press("enter", "escape")
        await app.workers.wait_for_complete()
        await pilot.press("p")
        assert "2 positions, 1 done." in text_of(app)
        await pilot.press("enter")
        assert "room-7-2 · 2 of 2" in text_of(app)
        await solve(pilot, *moves(two))
        await pilot.press("enter")
        assert isinstance(app.screen, HandInScreen)
        await app.workers.wait_for_complete()
    async with started() as (app, pilot):
        await type_set(pilot)
        assert isinstance(app.screen, HandInScreen), "the line can be had again"


async def test_a_position_is_skipped_and_comes_again(started: Started) -> None:
    async with started() as (app, pilot):
        await type_set(pilot)
        for place in ("1 of 2", "2 of 2", "1 of 2"):
            assert f"room-7-2 · {place}" in text_of(app)
            await pilot.press("n")


@pytest.mark.parametrize("pasted", [SET, " Room 7 2\n", f"duelbox puzzle {SET}", f"duelbox puzzle {SET} --plain"])
async def test_a_pasted_name_of_a_set_fills_the_form(started: Started, pasted: str) -> None:
    async with started() as (app, pilot):
        app.navigation.paste(pasted)
        await pilot.pause()
        assert isinstance(app.screen, SetScreen)
        await pilot.press("enter")
        await until(pilot, lambda: "Type your name" in text_of(app))
        await pilot.press(*"Ben", "enter")
        await until(pilot, lambda: isinstance(app.screen, HomeworkScreen))
        assert app.screen.table.homework.set.name == SET


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("rom-7-10", "There is no idea 'rom'."),
        ("room-7-21", "A set has 1 to 20 puzzles, not 21."),
        ("room", "'room' is no set."),
    ],
)
async def test_a_wrong_name_is_refused_and_nothing_opens(started: Started, typed: str, says: str) -> None:
    async with started(size=(60, 20)) as (app, pilot):
        await pilot.press("p", *typed, "enter")
        await until(pilot, lambda: says in " ".join(re.sub("[│╭╮╰╯─]", " ", text_of(app)).split()))
        assert isinstance(app.screen, SetScreen)


async def test_a_name_typed_while_the_form_still_opens_is_kept(started: Started) -> None:
    async with started() as (app, pilot):
        for key in f"p{SET}":
            app.post_message(Key(key, key))
        await until(pilot, lambda: f"{SET}: the idea room" in text_of(app))
        await pilot.press("down", *"Ann", "enter")
        await until(pilot, lambda: isinstance(app.screen, HomeworkScreen))


async def test_keys_that_come_all_at_once_fill_both_rows(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("p")
        for key in (*SET, "down", *"Ann", "enter"):
            app.post_message(Key(key, key if len(key) == 1 else None))
        await until(pilot, lambda: isinstance(app.screen, HomeworkScreen))
        assert (app.screen.table.homework.set.name, app.screen.table.homework.pupil) == (SET, "Ann")


async def test_enter_without_a_set_opens_a_puzzle_near_ones_strength(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("p")
        assert re.search("▸ Puzzle +a puzzle near your strength", text_of(app))
        assert "For homework, type its name here, such as room-7-10." in " ".join(text_of(app).replace("│", "").split())
        await pilot.press("enter")
        assert isinstance(app.screen, PuzzleScreen)


@pytest.mark.parametrize("where", ["home", "form"])
async def test_a_teacher_pastes_lines_and_sees_a_table(started: Started, where: str) -> None:
    lines = "\n".join(work(pupil=pupil).line for pupil in ("Ann", "Ben"))
    pasted = f"{lines}\n{work(pupil='Cem').line[:50]}\x1b[2J\n"
    async with started(size=(60, 20)) as (app, pilot):
        if where == "home":
            app.navigation.paste(pasted)
        else:
            await pilot.press("p")
            app.screen.form.entry.insert_text_at_cursor(" ".join(pasted.split()))
            await pilot.pause()
            await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, PanelScreen))
        await until(pilot, lambda: "Ben" in text_of(app))
        shown = text_of(app)
        assert re.search(r"Ann +rw +1/2 +0 +4:05", shown)
        assert "last bracket." in shown
        assert "\x1b" not in shown
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


async def test_ten_thousand_pasted_lines_leave_the_screen_usable(started: Started) -> None:
    async with started() as (app, pilot):
        app.navigation.paste("\n".join(work(pupil=f"Pupil {at}").line for at in range(10_000)))
        await until(pilot, lambda: isinstance(app.screen, PanelScreen))
        await pilot.press("end")
        await until(pilot, lambda: "Only the first 1000 lines were read." in text_of(app))
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)
