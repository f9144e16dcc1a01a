"""The map that asks, as a class would use it: by keys in the smallest window, by mouse in a usual one."""

from __future__ import annotations

import pytest

from duelbox.store.settings import LastUsed
from duelbox.ui.screens.investigate import InvestigateScreen
from duelbox.ui.screens.rules_map import RulesMapScreen
from tests.ui.conftest import MakeApp
from tests.ui.person import WAYS, Mouse, Person, click_at, click_on, rows_of, text_of, until

OWN_TRAILS = {"circle-duel": LastUsed(options={"size": "10", "reach": "2", "trails": "own", "gaps": "1"})}
SHARED = {"circle-duel": LastUsed(options={"size": "9", "reach": "2", "gaps": "1"})}


def screen(person: Person) -> InvestigateScreen:
    found = person.app.screen
    assert isinstance(found, InvestigateScreen), f"no investigation, but {found}"
    return found


def said(person: Person) -> str:
    return " ".join(text_of(person.app).replace("│", " ").split())


async def open_cell(person: Person, value: int) -> None:
    """Open a cell of the row."""
    found = screen(person).found
    (cell,) = (cell for cell in found.row() if found.shown(cell) == str(value))
    if isinstance(person, Mouse):
        chosen = found.here == cell
        for _ in range(2 - chosen):
            await click_on(person.pilot, f"{value:>3} ")
    else:
        across = value - int(found.shown(found.here))
        await person.pilot.press(*["right" if across > 0 else "left"] * abs(across), "enter")
    await until(person.pilot, lambda: cell in screen(person).facts)
    await until(person.pilot, lambda: screen(person).found.is_open(cell))


async def write_even(person: Person) -> None:
    """Write the conjecture that the first player wins when the ring is even."""
    await person.do("Conjecture")
    if isinstance(person, Mouse):
        await click_on(person.pilot, "even")
    else:
        await person.pilot.press("down", "right", "right")
    await person.do("Done")


@pytest.mark.parametrize("way", ["Keys-60", "Mouse-80"])
async def test_a_row_is_opened_claimed_tested_and_its_first_pick_found(way: str, make_app: MakeApp) -> None:
    kind, size = WAYS[way]
    app = make_app(None, delay=0, last=OWN_TRAILS)
    async with app.run_test(size=size) as pilot:
        person: Person = kind(pilot)
        await pilot.press("n", "f3")
        await person.do("Investigate")
        assert "opened 0 of 22" in said(person)
        assert not {"●", "◆"} & set(rows_of(app)[3] + rows_of(app)[4]), "nothing is told before it is asked"
        await person.do("Why?")
        assert "Write a conjecture first" in said(person)
        for value in (10, 11, 9):
            await open_cell(person, value)
        await write_even(person)
        assert "stands on 3 of 3 open" in said(person)
        await person.do("Why?")
        assert "Test it first" in said(person)
        await person.do("Test 5")
        await until(pilot, lambda: "None broke it" in said(person))
        assert "opened 8 of 22" in said(person)
        await person.do("Why?")
        assert "Checked by duelbox to 25. No proof is known here." in said(person)
        await open_cell_again(person)
        await until(pilot, lambda: screen(person).mode == "pick")
        await try_pick(person, "1")
        await until(pilot, lambda: "1 does not win" in said(person))
        await try_pick(person, right_pick(person))
        await until(pilot, lambda: "That is the middle." in said(person) and "Is it so in other cells?" in said(person))
        await person.do("Map")
        assert isinstance(app.screen, RulesMapScreen)
        await person.do("Investigate")
        await until(pilot, lambda: "opened 8 of 22" in said(person))
        assert "stands on 8 of 8 open" in said(person), "kept in progress"


async def open_cell_again(person: Person) -> None:
    """Choose the open cell of ten numbers, and ask for its first pick."""
    if isinstance(person, Mouse):
        await click_on(person.pilot, " 10 ")
        await click_on(person.pilot, " 10 ")
    else:
        await person.pilot.press("right", "enter")


def right_pick(person: Person) -> str:
    """The number opposite the only gap of ten places."""
    moves = {int(move) for move in screen(person).moves}
    (gap,) = set(range(1, 11)) - moves
    return str((gap + 4) % 10 + 1)


async def try_pick(person: Person, move: str) -> None:
    if isinstance(person, Mouse):
        listed = next(row for row in rows_of(person.app) if " 2 3 4 " in row or " 7 8 9 " in row)
        x = f" {listed} ".index(f" {move} ")
        await click_at(person.pilot, x, rows_of(person.app).index(listed))
    else:
        await person.pilot.press(*move, "enter")


async def test_a_wrong_conjecture_is_broken_and_a_proved_one_shows_why(make_app: MakeApp) -> None:
    app = make_app(None, delay=0, last=SHARED)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", "f3", "g", "k", "enter", "plus")
        await until(pilot, lambda: "breaks it" in text_of(app))
        assert "▽" in text_of(app)
        await pilot.press("plus")
        await until(pilot, lambda: "Change your conjecture with k" in text_of(app))
        await pilot.press("k", "down", "right", "right", "enter", "plus")
        await until(pilot, lambda: "None broke it" in text_of(app))
        await pilot.press("w")
        await until(pilot, lambda: "Why it always holds" in text_of(app))
        assert "1   2   3   4" in text_of(app)
        assert "a   a   b   b" in text_of(app)
        await pilot.press("escape", "n")
        assert "Number of gaps 2" in text_of(app)
        assert "Nothing yet" in text_of(app)


async def test_the_rule_that_is_counted_comes_across(make_app: MakeApp) -> None:
    app = make_app(None, delay=0)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "down", "down", "n", "f3", "1", "g")
        assert isinstance(app.screen, InvestigateScreen)
        assert app.screen.found.map.x.key == "gaps"


@pytest.mark.parametrize("size", [(60, 20), (200, 60)])
async def test_the_row_scrolls_with_its_cursor(size: tuple[int, int], make_app: MakeApp) -> None:
    app = make_app(None, delay=0, last={"sequence-duel": LastUsed(options={"size": "9"})})
    async with app.run_test(size=size) as pilot:
        await pilot.press("down", "down", "n", "f3", "g")
        assert isinstance(app.screen, InvestigateScreen)
        app.screen.action_choose(54)
        await pilot.press("right")
        row = next(row for row in rows_of(app) if row.startswith(" Numbers"))
        assert row.split()[-1] == "60"


async def test_where_every_first_pick_wins_none_is_asked_for(make_app: MakeApp) -> None:
    app = make_app(None, delay=0, last=SHARED)
    async with app.run_test(size=(80, 24)) as pilot:
        person = WAYS["Keys-60"][0](pilot)
        await pilot.press("n", "f3", "g")
        await open_cell(person, 10)
        await pilot.press("enter")
        await until(pilot, lambda: "Every first pick wins in the first deal." in said(person))
        assert screen(person).mode == ""
        row = next(row for row in rows_of(app) if row.startswith(" First pick"))
        assert row.split()[-1] == "any"


async def test_one_of_several_first_picks_that_win_is_called_that(make_app: MakeApp) -> None:
    app = make_app(None, delay=0, last=OWN_TRAILS)
    async with app.run_test(size=(80, 24)) as pilot:
        person = WAYS["Keys-60"][0](pilot)
        await pilot.press("n", "f3", "g")
        await open_cell(person, 12)
        await pilot.press("enter")
        await until(pilot, lambda: "3 of 11 first picks win. Find one of them." in said(person))
        await pilot.press("1", "2", "enter")
        assert "12 wins: it is one of 3 that do." in said(person)


async def test_no_first_pick_wins_is_said_of_the_deals_tried_alone(make_app: MakeApp) -> None:
    app = make_app(None, delay=0, last=SHARED)
    async with app.run_test(size=(80, 24)) as pilot:
        person = WAYS["Keys-60"][0](pilot)
        await pilot.press("n", "f3", "g")
        await open_cell(person, 9)
        await pilot.press("enter")
        await until(pilot, lambda: "no first pick wins in the 20 deals tried" in said(person))
        await pilot.press("up")
        await open_cell(person, 10)
        await pilot.press("enter")
        await until(pilot, lambda: "here no first pick wins" in said(person))


async def test_a_row_says_that_it_goes_on_and_what_a_figure_means(make_app: MakeApp) -> None:
    last = {"circle-duel": LastUsed(options={"size": "12", "reach": "2", "gaps": "6"})}
    app = make_app(None, delay=0, last=last)
    async with app.run_test(size=(60, 20)) as pilot:
        person = WAYS["Keys-60"][0](pilot)
        await pilot.press("n", "f3", "g")
        assert rows_of(app)[2].startswith(" Numbers")
        assert rows_of(app)[2].endswith("›")
        assert "first wins 40%" not in said(person)
        await open_cell(person, 12)
        assert "40 first wins 40%" in said(person)
        await pilot.press(*["right"] * 14)
        assert "‹" in rows_of(app)[2]
        assert not rows_of(app)[2].endswith("›")
