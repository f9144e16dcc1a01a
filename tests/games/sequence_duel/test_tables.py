"""The solver's files of long lines, rings and parts, against the search."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from zlib import decompress

import pytest

from duelbox.games.sequence_duel.solve import ceiling_table, claim_table, snort
from duelbox.games.sequence_duel.solve.snort import HOME, OPEN, Search, flipped, halves, run
from duelbox.solve.api import Stop
from tests.effort import SHARE, sampled
from tests.games.sequence_duel import make_tables
from tests.games.sequence_duel.make_tables import LENGTHS, SHORTEST, ceilings, laid, packed, patient, runs_of, won

ALL = list(product(claim_table.SIZES, (False, True)))
whole = pytest.mark.skipif(SHARE > 1, reason="takes ten minutes; python -m tests.check --long does it")


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Search:
    """A search that uses no file and never clears its memory."""
    monkeypatch.setattr(snort, "MOST_KNOWN", snort.MOST_KNOWN)
    return patient()


def test_what_is_kept_of_claims_is_what_the_search_finds(alone: Search) -> None:
    rng, wins = Random(1), 0
    for _ in range(sampled(20, 400)):
        size, ring = rng.choice(ALL)
        runs = rng.choice(list(claim_table.shapes(size, ring)))
        assert claim_table.wins(runs, size, ring) == alone.searched(0, runs)
        wins += alone.searched(0, runs)
    assert wins


def test_every_ceiling_is_the_least_that_is_never_worse(alone: Search) -> None:
    rng, seen = Random(2), 0
    while seen < sampled(40, 4_000):
        at, ranks = rng.randrange(len(LENGTHS)), tuple(rng.randrange(5) for _ in range(3))
        runs = runs_of(LENGTHS[at], (ranks[0], ranks[1], ranks[2]))
        if runs and len(snort.reduced(runs)[1]) == len(runs):
            place = at + len(LENGTHS) * (25 * ranks[0] + 5 * ranks[1] + ranks[2])
            ceiling = ceiling_table._table()[1][place] - ceiling_table.ZERO
            assert not alone.searched(-ceiling, runs)
            assert alone.searched(1 - ceiling, runs)
            seen += 1


def test_parts_tell_of_sums_what_the_search_finds(alone: Search) -> None:
    rng, told = Random(3), {False: 0, True: 0}
    runs = [one for one in snort.HEAT if abs(one) >> 2 <= 12]
    for _ in range(4_000):
        left = snort.reduced(rng.choice(runs) for _ in range(rng.randint(1, 6)))[1]
        mean = snort.mean(left) - (-(-snort.mean(left) >> 20) + rng.randint(0, 2) << 20)
        wins = snort._by_parts(left, mean) if left else None
        if wins is not None:
            surplus = mean - snort.mean(left) >> 20
            assert wins == alone.searched(surplus, left)
            told[wins] += 1
    assert min(told.values()) > 500


@whole
def test_the_files_are_what_the_search_finds(alone: Search) -> None:
    assert decompress(packed(at for size, ring in ALL for at in won(alone, size, ring))) == claim_table._bits()
    assert decompress(laid({short: bytes(ceilings(alone, short)) for short in SHORTEST})) == ceiling_table._table()[1]


def test_the_script_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped after some short lines and parts, it writes the same as in one go."""
    monkeypatch.setattr(snort, "MOST_KNOWN", snort.MOST_KNOWN)
    monkeypatch.setattr(claim_table, "SIZES", range(7, 9))
    monkeypatch.setattr(make_tables, "LENGTHS", [(0, 0, 2), (0, 2, 3), (2, 2, 2), (2, 2, 3)])
    monkeypatch.setattr(make_tables, "SHORTEST", [0, 2])
    files = []
    for begun in (0, 2, 5):
        monkeypatch.setattr(claim_table, "FILE", tmp_path / f"claims {begun}")
        monkeypatch.setattr(ceiling_table, "FILE", tmp_path / f"parts {begun}")
        state = tmp_path / f"state {begun}"
        if begun:
            state.write_text("".join((tmp_path / "state 0").read_text().splitlines(keepends=True)[:begun]))
        make_tables.main(state)
        files.append((claim_table.FILE.read_bytes(), ceiling_table.FILE.read_bytes(), state.read_text()))
    assert files[0] == files[1] == files[2]


@pytest.mark.parametrize("ring", [False, True])
def test_every_position_after_three_claims_has_a_place_of_its_own(ring: bool) -> None:
    shapes = {tuple(sorted(runs)) for runs in claim_table.shapes(60, ring)}
    assert len({claim_table.place(runs, 60, ring) for runs in shapes}) == len(shapes)


@pytest.mark.parametrize("size", claim_table.SIZES)
def test_first_claims_are_won_as_the_laws_say(size: int) -> None:
    search = Search(Stop().check)
    for cell in range(3, size - 1):
        runs = [*map(flipped, halves(run(OPEN, size), cell))]
        assert claim_table.wins(runs, size, False) == search.wins(0, runs)
    assert claim_table.wins([run(HOME, size - 1, -1)], size, True) == (size % 2 == 0)
