"""Whatever the link loses, doubles or reorders, and whoever is killed: both sides end with one and the same match."""

from __future__ import annotations

from tests.effort import sampled
from tests.net import lossy


def test_no_match_is_stuck_or_differs_and_nothing_is_lost() -> None:
    tally = lossy.Tally()
    for code in lossy.CODES:
        for seed in range(sampled(4, 1_000)):
            lossy.play(code, seed, tally)
    assert not tally.faults
    assert tally.kills > 5
    assert tally.connections_lost > 10
    assert tally.ends.keys() == {"play", "resignation", "agreement", "claim"}
