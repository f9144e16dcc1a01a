"""A short storm for each game; the long one is `python -m tests.bench.storm`."""

from __future__ import annotations

import pytest

from tests.bench.storm import GAMES, storm
from tests.effort import sampled


@pytest.mark.parametrize("game", GAMES[: sampled(2, 5)])
def test_a_short_storm_is_weathered(game: str) -> None:
    events = sampled(200, 400)
    assert f"{events} events" in storm(game, events)
