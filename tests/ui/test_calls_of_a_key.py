"""Facts that a key cannot change are not worked out again at each key."""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.ui.conftest import Started
from tests.ui.person import table


async def calls_of(pilot: Pilot[Any], *keys: str) -> Counter[str]:
    """The calls of functions, by name, while these keys are pressed and drawn."""
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            calls[frame.f_code.co_name] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        await pilot.press(*keys)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("signs", ["auto", True])
async def test_a_key_asks_the_environment_nothing_and_seats_the_players_once(started: Started, signs: object) -> None:
    async with started("sequence-duel", "Ann", "bot:1", delay=10_000, ascii=signs) as (app, pilot):
        await pilot.press("1")
        typed = await calls_of(pilot, "2")
        played = await calls_of(pilot, "enter")
        assert len(table(app).session.plies) == 1
        for calls in (typed, played):
            assert calls["plain"] > 10
            assert calls["needs_ascii"] == 0
            assert calls["player_in"] < 10
