"""A short storm for every game; the long one is `python -m tests.bench.storm`."""

from __future__ import annotations

import pytest

from tests.bench.storm import GAMES, storm


@pytest.mark.parametrize("game", GAMES)
def test_a_short_storm_is_weathered(game: str) -> None:
    assert "400 events" in storm(game, 400)
