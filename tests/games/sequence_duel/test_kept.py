"""What is kept of long lines and rings against the search."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from duelbox.games.sequence_duel.solve import kept
from duelbox.games.sequence_duel.solve.snort import HOME, OPEN, Search, flipped, halves, run
from tests.effort import SHARE, sampled
from tests.games.sequence_duel.kept_claims import packed, won

ALL = list(product(kept.SIZES, (False, True)))


def test_what_is_kept_is_what_the_search_finds() -> None:
    rng, search, wins = Random(1), Search(lambda: None), 0
    for _ in range(sampled(60, 2_000)):
        size, ring = rng.choice(ALL)
        runs = rng.choice(list(kept.shapes(size, ring)))
        assert kept.wins(runs, size, ring) == search.wins(0, runs)
        wins += search.wins(0, runs)
    assert wins


@pytest.mark.skipif(SHARE > 1, reason="takes an hour; python -m tests.check --long does it")
def test_the_whole_file_is_what_the_search_finds() -> None:
    assert packed(at for size, ring in ALL for at in won(size, ring)) == kept.FILE.read_bytes()


@pytest.mark.parametrize("ring", [False, True])
def test_every_position_after_three_claims_has_a_place_of_its_own(ring: bool) -> None:
    shapes = {tuple(sorted(runs)) for runs in kept.shapes(60, ring)}
    assert len({kept.place(runs, 60, ring) for runs in shapes}) == len(shapes)


@pytest.mark.parametrize("size", kept.SIZES)
def test_first_claims_are_won_as_the_laws_say(size: int) -> None:
    search = Search(lambda: None)
    for cell in range(2, size):
        runs = [*map(flipped, halves(run(OPEN, size), cell))]
        assert cell in (2, size - 1) or kept.wins(runs, size, False) == search.wins(0, runs)
    assert kept.wins([run(HOME, size - 1, -1)], size, True) == (size % 2 == 0)
