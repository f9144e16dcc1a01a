"""Facts that a key or a click cannot change are not worked out again at each of them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from textual.geometry import Region
from textual.pilot import Pilot

from duelbox.ui.widgets.lines import ClippedText
from tests.ui.conftest import Started, _calm
from tests.ui.person import table

MOST_CALLS = {
    "arrow": 5_900,
    "move": 15_200,
    "undo": 14_200,
    "home's arrow": 15_600,
}
"""Most calls of Python functions for each key, with those of Textual; a row is raised only for a reason."""
TIMES = 3
"""The least of so many presses counts, since a timer may paint the screen during one of them."""
COUNTED_ON = (3, 11)
"""Other versions of Python make other calls."""
RING_FILES = ("widgets/circle.py", "widgets/ring_board.py", "circle_duel/board.py", "number_circle/board.py")
MOST_OF_A_RING = 300
"""Calls of functions in these files that one key or click may take."""


@contextmanager
def counted() -> Iterator[Counter[tuple[str, str]]]:
    """The calls of functions made meanwhile, by file and name."""
    calls: Counter[tuple[str, str]] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            calls[frame.f_code.co_filename, frame.f_code.co_name] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(before)


async def calls_of(pilot: Pilot[Any], key: str) -> int:
    """The calls made for a key, except those that wait for the app to rest."""
    calls = 0
    waiting = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls, waiting
        of_waiting = frame.f_code is _calm.__code__
        if event == "call":
            waiting += of_waiting
            calls += not waiting
        elif event == "return":
            waiting -= of_waiting

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        await pilot.press(key)
    finally:
        sys.setprofile(before)
    return calls


def of_a_ring(calls: Counter[tuple[str, str]]) -> int:
    """The calls of functions that draw rings."""
    return sum(number for (file, _), number in calls.items() if file.endswith(RING_FILES))


def of_function(calls: Counter[tuple[str, str]], name: str) -> int:
    """The calls of functions of this name."""
    return sum(number for (_, called), number in calls.items() if called == name)


@pytest.mark.pinned
@pytest.mark.skipif(sys.version_info[:2] != COUNTED_ON, reason="calls are counted on one version of Python")
async def test_a_key_takes_no_more_calls_than_its_row_says(started: Started) -> None:
    at_table = (("arrow", "right"), ("move", "enter"), ("undo", "u"))
    counts: dict[str, list[int]] = {row: [] for row in MOST_CALLS}
    async with started("circle-duel", "Ann", "Bob") as (_, pilot):
        for row, key in TIMES * at_table:
            counts[row].append(await calls_of(pilot, key))
        await pilot.press("escape")
        for key in TIMES * ("down", "up"):
            counts["home's arrow"].append(await calls_of(pilot, key))
    too_many = {row: number for row, number in counts.items() if not 1_000 < min(number) <= MOST_CALLS[row]}
    assert not too_many


async def test_a_key_at_a_table_looks_at_its_own_bindings_alone(started: Started) -> None:
    async with started("circle-duel", "Ann", "Bob") as (app, pilot):
        await pilot.press("right")
        with counted() as calls:
            await pilot.press("right")
        bindings = sum(1 for _, bindings in app.screen._binding_chain for _ in bindings)
        assert bindings <= of_function(calls, "_check_action_state") <= bindings + 3


async def test_each_text_below_a_board_is_broken_into_lines_once(started: Started) -> None:
    async with started("circle-duel", "Ann", "Bob") as (app, pilot):
        await pilot.press("right")
        for key in ("enter", "u"):
            before = [paragraph for text in app.screen.query(ClippedText) for paragraph in text.words]
            with counted() as calls:
                await pilot.press(key)
            after = [paragraph for text in app.screen.query(ClippedText) for paragraph in text.words]
            new = [paragraph for paragraph in after if all(paragraph is not known for known in before)]
            assert 0 < of_function(calls, "wrap") <= len(new)


async def test_no_key_looks_for_links_in_parts_that_have_none(started: Started) -> None:
    async with started("circle-duel", "Ann", "Bob") as (_, pilot):
        for key in ("right", "enter", "u", "escape", "down", "up"):
            with counted() as calls:
                await pilot.press(key)
            assert of_function(calls, "render_line") > 0
            assert of_function(calls, "link_style") == of_function(calls, "_apply_link_style") == 0


async def test_the_binding_of_one_key_is_that_among_all_keys(started: Started) -> None:
    async with started("number-duel", "Ann", "Bob") as (app, pilot):
        for key in ("x", "right", "enter", "u", "v"):
            await pilot.press(key)
            screen = table(app)
            known = {key for _, bindings in screen._binding_chain for key, _ in bindings}
            assert known > screen.active_bindings.keys()
            for name in (*known, "no such key"):
                assert screen.active_binding(name) == screen.active_bindings.get(name)


@pytest.mark.parametrize("signs", ["auto", True])
async def test_a_key_asks_the_environment_nothing_and_seats_the_players_once(started: Started, signs: object) -> None:
    async with started("sequence-duel", "Ann", "bot:1", delay=10_000, ascii=signs) as (app, pilot):
        await pilot.press("1")
        with counted() as typed:
            await pilot.press("2")
        with counted() as played:
            await pilot.press("enter")
        assert len(table(app).session.plies) == 1
        for calls in (typed, played):
            assert of_function(calls, "plain") > 10
            assert of_function(calls, "needs_ascii") == 0
            assert of_function(calls, "player_in") < 10


@pytest.mark.parametrize("code", ["circle-duel:size=16,reach=2,trails=own,gaps=1,seed=1", "number-circle"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
async def test_a_ring_is_laid_out_once_for_all_clicks_and_keys(
    started: Started, code: str, size: tuple[int, int]
) -> None:
    async with started(code, "Ann", "Bob", size=size) as (app, pilot):
        board = table(app).board
        for plies in (1, 2):
            spot = board.offset_of(board.cursor_stops()[1])
            with counted() as chosen:
                await pilot.click(board, offset=spot)
            with counted() as played:
                await pilot.click(board, offset=spot)
            assert len(table(app).session.plies) == plies
            with counted() as moved:
                await pilot.press("right")
            for calls in (chosen, played, moved):
                assert 0 < of_a_ring(calls) <= MOST_OF_A_RING


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
async def test_an_arrow_key_draws_only_the_number_it_leaves_and_the_one_it_reaches(
    started: Started, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started("circle-duel:size=16,reach=2,trails=own,gaps=1,seed=1", "Ann", "Bob", size=size) as (app, pilot):
        board = table(app).board
        await pilot.press("right")
        drawn: list[Region] = []
        refresh = board.refresh

        def refreshed(*regions: Region, **more: Any) -> Any:
            drawn.extend(regions or [Region(0, 0, *board.size)])
            return refresh(*regions, **more)

        monkeypatch.setattr(board, "refresh", refreshed)
        for key in ("right", "down", "left"):
            left = board.target
            drawn.clear()
            await pilot.press(key)
            assert left is not None
            assert board.target not in (left, None)
            cells = [board.regions()[number] for number in (left, str(board.target))]
            assert drawn
            for region in drawn:  # a short gap between the two is sent along
                first = (region.x, region.y)
                last = (region.right - 1, region.bottom - 1)
                assert any(cell.contains(*first) for cell in cells)
                assert any(cell.contains(*last) for cell in cells)
