"""Whatever the link loses, doubles or reorders, and whoever is killed: both sides end with one and the same match."""

from __future__ import annotations

import pytest

from tests.effort import tries
from tests.net import lossy


@pytest.mark.parametrize("code", lossy.CODES)
def test_no_match_is_stuck_or_differs_and_nothing_is_lost(code: str) -> None:
    tally = lossy.Tally()
    for seed in range(tries(16)):
        lossy.play(code, seed, tally)
    assert not tally.faults
    assert tally.kills
    assert tally.connections_lost
