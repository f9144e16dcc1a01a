"""The parts of home in its three layouts: what is drawn, what moves, and what a click does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from textual.geometry import Region
from textual.pilot import Pilot

from duelbox.store.settings import Settings
from duelbox.store.store import Store
from duelbox.ui.home_facts import HomeFacts
from duelbox.ui.home_known import facts_of
from duelbox.ui.screens.home_game import PlayButton
from tests.effort import sampled
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import SIZES, click_at, home_of, place_of, rows_of, text_of, until
from tests.ui.random_history import History, fill_store

TODAY = date(2026, 11, 26)
LARGER = ((80, 24), (60, 20), (120, 40), (100, 24), (200, 60), (61, 45), (100, 30), (79, 23), (80, 33), (130, 20))
SOME = LARGER[: sampled(4, 10)]


@pytest.fixture
def lived(tmp_path: Path) -> Iterator[tuple[Store, History]]:
    with Store.open(tmp_path / "home") as store:
        yield store, fill_store(store, 4, TODAY)


def chosen_row(app: Any) -> int:
    """The number of the row that is marked as chosen."""
    pointer = app.glyphs.pointer
    (row,) = (row for row in rows_of(app) if re.search(rf"{re.escape(pointer)} [1-9] ", row))
    return int(row.partition(f"{pointer} ")[2][0])


def place_in(app: Any, region: Region, text: str) -> tuple[int, int]:
    """The cell in a region where a text begins as a word."""
    for y in range(region.y, region.bottom):
        row = rows_of(app)[y][region.x : region.right]
        found = re.search(rf"(?<!\S){re.escape(text)}", row)
        if found:
            return region.x + found.start(), y
    raise AssertionError(f"no {text!r} in {region}:\n{text_of(app)}")


async def shown(pilot: Pilot[Any], facts: HomeFacts, chosen: int, said: str = "") -> str:
    """The screen with these facts."""
    home = home_of(pilot.app)
    home.facts = facts
    home.games.chosen = chosen
    home.show(said)
    await pilot.pause()
    return text_of(pilot.app)


@pytest.mark.parametrize("ascii_only", [False, True], ids=["signs", "ascii"])
@pytest.mark.parametrize("size", LARGER[: sampled(6, 10)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_all_that_is_chosen_is_drawn_at_every_size(
    lived: tuple[Store, History], started: Started, size: tuple[int, int], ascii_only: bool
) -> None:
    facts = facts_of(lived[0], Settings(), TODAY)
    async with started(size=size, ascii=ascii_only) as (app, pilot):
        for one in (
            facts,
            replace(facts, first=True, match=None, today=None),
            replace(facts, away="Ben waits: your move"),
        ):
            for at, game in enumerate(one.games):
                text = await shown(pilot, one, at)
                told = " ".join(re.sub(r"[^\w .;,':]", " ", text).split())
                for word in (
                    *game.title.split(),
                    game.preset,
                    *game.starts.split()[1:],
                    *(game.lately or game.goal).split(),
                ):
                    assert word in told
                assert chosen_row(app) == at + 1
                assert not ascii_only or text.isascii()
                assert ("Ben waits" in text) == bool(one.away)
                assert "Menu" in rows_of(app)[-1]


async def test_the_rows_and_the_button_never_move(
    lived: tuple[Store, History], tmp_path: Path, started: Started
) -> None:
    facts = facts_of(lived[0], Settings(), TODAY)
    with Store.open(tmp_path / "empty") as store:
        empty = facts_of(store, Settings(), TODAY)
    for size in SOME:
        async with started(size=size) as (app, pilot):
            places = set()
            for one in (facts, empty, replace(facts, match=None, today=None, away="Ben waits", due=0)):
                for at in range(len(facts.games)):
                    await shown(pilot, one, at, "Something was said.")
                    titles = [place_of(app, f"{number} {game.title}") for number, game in enumerate(one.games, 1)]
                    places.add((*titles, place_of(app, "↵ ", 10)))
            assert len(places) == 1


async def test_home_is_laid_out_anew_when_the_window_changes(lived: tuple[Store, History], started: Started) -> None:
    facts = facts_of(lived[0], Settings(), TODAY)
    async with started(size=(80, 24)) as (app, pilot):
        for width, height in (*SOME, (40, 10), *SOME[:2]):
            await pilot.resize_terminal(width, height)
            resized = await shown(pilot, facts, 2)
            async with started(size=(width, height)) as (_, other):
                assert resized == await shown(other, facts, 2)
            assert len(rows_of(app)) == height


async def test_the_next_row_draws_nothing_of_the_day(started: Started) -> None:
    async with started() as (app, pilot):
        home = home_of(app)
        with patch.object(home.today_card, "refresh") as day, patch.object(home.games, "refresh") as games:
            await pilot.press("down")
        assert games.called
        assert not day.called


async def test_the_card_of_a_day_that_is_done_says_what_comes_back(
    lived: tuple[Store, History], started: Started
) -> None:
    facts = facts_of(lived[0], Settings(), TODAY)
    assert facts.today is not None
    done = replace(facts.today, done="■ ■ □", ideas=("room", "fork", "reverse"), title="Three games")
    facts = replace(facts, today=done, coming="Wednesday: fork again")
    for size in SOME:
        async with started(size=size) as (app, pilot):
            text = await shown(pilot, facts, 0)
            assert "Today: done " in text
            assert "Wednesday: fork again" in text
            if not app.screen.has_class("-lines"):
                assert "Room ■  fork ■  reverse □" in text
                assert "Wednesday: fork again · one more game?" in text
            nothing_comes = await shown(pilot, replace(facts, coming=""), 0)
            assert "ne more game?" in nothing_comes


async def test_long_names_are_cut_and_keep_their_place(lived: tuple[Store, History], started: Started) -> None:
    facts = facts_of(lived[0], Settings(), TODAY)
    long = [
        replace(
            game,
            title=f"A game with a name that has no end {at}",
            preset="House rules of somebody with much to say",
            starts="Play somebody whose name nobody can read to its end. You go second.",
            next_step="lesson 12: everything that there is to know about it",
            lesson="lesson 12: everything that there is to know about it",
            record="1234½ : 1234½",
        )
        for at, game in enumerate(facts.games)
    ]
    assert facts.match is not None
    match = replace(facts.match, title=long[0].title, opponent="Bartholomew and Maximiliana", state="Bart to move")
    for size in SOME:
        async with started(size=size) as (_, pilot):
            short = await shown(pilot, facts, 0)
            text = await shown(pilot, replace(facts, games=tuple(long), match=match), 0)
            for before, after in zip(short.splitlines(), text.splitlines(), strict=True):
                frames = [[x for x, sign in enumerate(row) if sign in "│╮╯"] for row in (before, after)]
                assert set(frames[0][-1:]) <= {*frames[1][-1:]}, f"{size}: a frame has moved\n{text}"
            assert text.count("…") >= len(long)


async def test_home_shows_as_many_games_as_have_a_digit(lived: tuple[Store, History], started: Started) -> None:
    facts = facts_of(lived[0], Settings(), TODAY)
    games = (*facts.games, *(replace(game, title=f"Guest {at}") for at, game in enumerate(facts.games[:4], 1)))
    for size in SOME:
        async with started(size=size) as (_, pilot):
            text = await shown(pilot, replace(facts, games=games), 8)
            for at, game in enumerate(games, 1):
                assert f"{at} {game.title}" in text
            assert games[8].starts.removeprefix("Play ") in text
            assert re.search("f friend", text)


# -- the mouse


@pytest.mark.parametrize("size", [*SIZES, (120, 40)])
async def test_a_click_does_what_its_key_does(make_app: MakeApp, size: tuple[int, int]) -> None:
    places = {"t": "t ", "d": "d  Today", "c": "c  Continue", "f": "f friend", "o": "o ", "enter": "↵"}
    words = "t", "f", "o", "enter"
    app = make_app()
    fill_store(app.store, 4, date.today())
    async with app.run_test(size=size) as pilot:
        home = home_of(app)
        for key, text in places.items():
            opened = []
            for way in ("click", "key"):
                if way == "click":
                    part = home.query_one("#words").region if key in words else app.screen.region
                    await click_at(pilot, *place_in(app, part, text))
                else:
                    await pilot.press(key)
                await until(pilot, lambda: app.screen is not home)
                opened.append((type(app.screen), getattr(getattr(app.screen, "table", None), "game", None)))
                while app.screen is not home:
                    app.pop_screen()
                    await pilot.pause()
            assert opened[0] == opened[1], key


async def test_a_click_chooses_a_row_and_never_plays_it(started: Started) -> None:
    for size in (*SIZES, (120, 40)):
        async with started(size=size) as (app, pilot):
            x, y = place_of(app, "Digit Chain Duel")
            for _ in range(2):
                await click_at(pilot, x, y)
                assert home_of(app).row.id == "digit-chain"
                assert chosen_row(app) == 4


@pytest.mark.parametrize("size", [*SIZES, (120, 40)])
async def test_no_click_starts_a_game_but_one_on_a_button(started: Started, size: tuple[int, int]) -> None:
    async with started(size=size) as (app, pilot):
        home, played = home_of(app), []
        button = home.query_one(PlayButton).region
        for y in range(1, size[1] - 1):
            for x in (*range(y % 9, size[0], 9), button.x + 3):
                with patch.object(home, "run_action") as action:
                    await click_at(pilot, x, y)
                if any(call.args[0].startswith(("open", "play")) for call in action.call_args_list):
                    played.append((x, y))
        assert played
        assert all(button.contains(x, y) for x, y in played)


async def test_a_click_changes_preset_and_level(started: Started) -> None:
    async with started() as (app, pilot):
        home = home_of(app)
        for text, part in (("← →", "preset"), ("l level", "opponent")):
            before = getattr(home.row, part)
            await click_at(pilot, *place_of(app, text))
            assert getattr(home.row, part) != before


async def test_what_lies_under_the_mouse_shows_that_it_can_be_pressed(started: Started) -> None:
    async with started() as (app, pilot):
        home = home_of(app)
        for text in ("Digit Chain Duel", "f friend"):
            x, y = place_of(app, text)
            await pilot.hover(offset=(x, y))
            part = app.get_widget_at(x, y)[0]
            assert part.styles.pointer == "pointer"
            underlined = [one.text for one in app.screen._compositor.render_strips()[y] if one.style.underline]
            assert "".join(underlined) == text
        frame = home.query_one(PlayButton).region
        await pilot.hover(offset=frame.offset)
        assert home.query_one(PlayButton).has_pseudo_class("hover")
