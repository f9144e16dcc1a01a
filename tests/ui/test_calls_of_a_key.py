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

from tests.ui.conftest import Started
from tests.ui.person import table

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


def of_a_ring(calls: Counter[tuple[str, str]]) -> int:
    """The calls of functions that draw rings."""
    return sum(number for (file, _), number in calls.items() if file.endswith(RING_FILES))


def of_function(calls: Counter[tuple[str, str]], name: str) -> int:
    """The calls of functions of this name."""
    return sum(number for (_, called), number in calls.items() if called == name)


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
