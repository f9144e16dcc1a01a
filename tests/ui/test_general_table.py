"""A game without a board of its own can be played on the full screen by keys and by mouse."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from duelbox.core.code import parse_code
from duelbox.core.errors import UnknownGame
from duelbox.registry import BUILT_IN, find_game, part
from duelbox.ui.game_board import Look
from duelbox.ui.general_board import ChoiceBoard, ChoiceBox, ChoiceScene, general_board
from duelbox.ui.glyphs import ASCII, UNICODE
from duelbox.ui.screens.puzzle_screen import PuzzleScreen
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.widgets.board import Worth
from tests.guest_games import TOY, WHOLE, toy_with
from tests.ui.conftest import Started
from tests.ui.person import Mouse, click_at, place_of, table, text_of

Install = Callable[[Path], None]


async def click_choice(screen: TableScreen, pilot: object, text: str) -> None:
    spot = screen.board.region.offset + screen.board.offset_of(text)
    await click_at(pilot, *spot)


async def test_a_guest_lies_beside_the_five_and_is_played(started: Started, installed: Install) -> None:
    installed(TOY)
    async with started() as (app, pilot):
        await Mouse(pilot).open_card(len(BUILT_IN) + 1)
        screen = table(app)
        assert "Left: 12" in text_of(app)
        await pilot.press("3", "enter")
        await pilot.press("right", "enter")
        await click_choice(screen, pilot, "2")
        assert "Player 1 takes 2." in text_of(app)
        await click_choice(screen, pilot, "2")
        assert "Left: 6" in text_of(app)
        assert [ply.move.number for ply in screen.session.plies if ply.move] == [3, 1, 2]
        await pilot.press("4", "enter")
        assert re.search(r"cannot take 4\..* 1 to 3\.", text_of(app))
        await pilot.press("escape", "3", "enter", "3", "enter")
        assert "Player 1 took the last counter." in text_of(app)
        await pilot.press("u")
        assert "Left: 3" in text_of(app)


async def test_a_guest_has_help_and_a_form_without_more_than_it_brings(started: Started, installed: Install) -> None:
    installed(TOY)
    async with started("toy-heap") as (app, pilot):
        await pilot.press("question_mark")
        first = find_game("toy-heap").INFO.goal.partition(".")[0]
        assert first in text_of(app)
        assert " Keys " in text_of(app)
        await pilot.press("escape", "v", "h", "n")
        assert "Toy Heap" in text_of(app)
        assert "the computer" not in text_of(app)
        assert "Oracle" not in text_of(app)


async def test_a_guest_that_is_gone_leaves_its_games_behind_and_nothing_else(
    started: Started, installed: Install, uninstalled: Install
) -> None:
    installed(TOY)
    for code in ("toy-heap:heap=1", "toy-heap"):
        async with started(code) as (app, pilot):
            await pilot.press("1", "enter")
    uninstalled(TOY)
    async with started(game="toy-heap") as (app, pilot):
        assert "Toy Heap" not in text_of(app)
        assert "Continue" not in text_of(app)
        await pilot.press("i")
        assert "toy-heap (not ins" in text_of(app)
        await pilot.press("enter")
        assert "toy-heap is not installed here." in text_of(app)
        await pilot.press("x")
        assert "toy-heap is not installed here." in text_of(app)
        await pilot.press("t")
        assert "toy-heap (not ins" in text_of(app)
        await pilot.press("escape", "escape")
        app.navigation.open_new_game()
        await pilot.pause()
        assert "Two Trails" in text_of(app)


async def test_a_guests_own_board_is_typed_and_pointed_at(started: Started, installed: Install) -> None:
    installed(WHOLE)
    async with started("two-heaps", p1="Ann", p2="Bo") as (app, pilot):
        await pilot.press("a", "3", "enter")
        assert table(app).session.code() == "two-heaps/a3"
        await pilot.press("v")
        x, y = place_of(app, "b:")
        for _ in range(2):
            await click_at(pilot, x + 5 * 5, y)
        assert table(app).session.code() == "two-heaps/a3.b5"


@pytest.mark.parametrize("name", ["board", "talk"])
async def test_a_guest_whose_table_or_words_are_broken_stops_nobody(
    started: Started, installed: Install, tmp_path: Path, name: str
) -> None:
    installed(toy_with(tmp_path, **{name: "import nowhere_at_all\n"}))
    with pytest.raises(UnknownGame) as refused:
        part("toy-heap", name, object)
    async with started(size=(100, 30)) as (app, pilot):
        await Mouse(pilot).open_card(len(BUILT_IN) + 1)
        assert "Number Circle Duel" in text_of(app), "home is still there"
        assert [note.message for note in app._notifications] == [refused.value.sentence]
        await pilot.press("1")
        assert table(app).session.game.INFO.id == "circle-duel"


@pytest.mark.parametrize("size", [(80, 14), (40, 8), (24, 5), (9, 3), (1, 1)])
@pytest.mark.parametrize("count", [0, 1, 7, 300])
def test_every_choice_that_is_drawn_can_be_pointed_at(size: tuple[int, int], count: int) -> None:
    choices = tuple(ChoiceBox(str(number), chosen=number == 2) for number in range(count))
    scene = ChoiceScene(("What it is.",), choices)
    drawing = ChoiceBoard.paint(scene, *size, "1")
    regions = list(drawing.targets.items())
    assert drawing.cursor_stops == tuple(str(number) for number in range(len(regions)))
    width, height = size
    if width >= 40 and height >= 8:
        assert regions or not count
        lines = drawing.canvas.dump().splitlines()
        for text, region in regions:
            assert 0 <= region.x <= region.right <= width
            assert 0 <= region.y <= region.bottom <= height
            assert text in lines[region.y + region.height // 2][region.x : region.right]
        left = count - len(regions)
        assert (f"and {left} more, to be typed" in drawing.canvas.dump()) == (left > 0)
        for (_, one), (_, two) in pairwise(regions):
            assert not one.overlaps(two)


def test_moves_of_a_hidden_game_are_shown_to_the_mover_only() -> None:
    state = parse_code("number-duel:deal=31524-51234", find_game).state
    game = find_game("number-duel")
    words = general_board(game)
    assert words.scene(game.view(state, None), Look(seat=None)).choices == ()
    assert words.scene(game.view(state, 1), Look(seat=1)).choices == ()
    mine = words.scene(game.view(state, 0), Look(seat=0, line="3x2", worths={"3x2": Worth("chance", "62%")}))
    assert ChoiceBox("3x2", chosen=True, worth=Worth("chance", "62%")) in mine.choices
    assert "51234" not in "".join(mine.lines)


def test_a_small_picture_tells_the_position_in_words() -> None:
    game = find_game("circle-duel")
    view = game.view(parse_code("circle-duel/4.5", find_game).state, None)
    for glyphs in (UNICODE, ASCII):
        drawn = general_board(game).picture(view, glyphs, 40, 10).dump()
        assert "Last pick: 5" in drawn


async def test_a_guest_without_puzzles_says_so(started: Started, installed: Install) -> None:
    installed(TOY)
    async with started() as (app, pilot):
        await pilot.press(*["down"] * len(BUILT_IN), "p")
        assert "Toy Heap has no puzzles yet" in text_of(app)
        await pilot.press("up", "p", "enter")
        assert "no puzzles yet" not in text_of(app)
        assert isinstance(app.screen, PuzzleScreen)
