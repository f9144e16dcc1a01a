"""A file of the winners of long lines and rings after three claims; after one or two, all next claims are looked up.

A search would take seconds for the claims of a line of 60. `python -m tests.games.sequence_duel.make_tables` computes
the file, and the tests compare. Reading its 0.3 MB takes some 2 ms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from zlib import decompress

from duelbox.games.sequence_duel.solve.snort import FRONT, HALF, HOME, OPEN, Run, Sum, claims, flipped, halves, run

FILE = Path(__file__).with_name("three.claims")
SIZES = range(54, 61)


def wins(runs: Sequence[Run], size: int, ring: bool) -> bool | None:
    """True if Left wins with the next claim, having as many claims as Right or one fewer; None if the file can't
    tell."""
    claimed = len(runs) - (not ring)
    if size not in SIZES or claimed > 3 or OPEN in (one & 3 for one in runs if one > 0):
        return None
    if claimed == 3:
        at = place(runs, size, ring)
        return bool(_bits()[at >> 3] >> (at & 7) & 1)
    return any(not wins(after, size, ring) for after in _after(runs))


def _after(runs: Sequence[Run]) -> Iterator[Sum]:
    """The runs after each claim of Left's that may be needed, with the players exchanged."""
    turned = tuple(map(flipped, runs))
    for at, one in enumerate(runs):
        for cell in claims(one):
            yield (*turned[:at], *turned[at + 1 :], *map(flipped, halves(one, cell)))


def place(runs: Sequence[Run], size: int, ring: bool) -> int:
    """The bit of these runs, in which Right claimed the first and second of three places and Left the third."""
    fronts = sorted(one >> 2 for one in runs if one > 0 and one & 3 == FRONT)
    first = 0 if ring else -min(one for one in runs if abs(one) & 3 == HALF) >> 2
    if ring or len(fronts) == 1:
        second = first + 1 + sum(-one >> 2 for one in runs if one < 0 and -one & 3 == HOME)
        third = second + 1 + fronts[0]
    else:
        third = first + 1 + fronts[0]
        second = third + 1 + fronts[1]
    before = sum(other * other * (other + 1) for other in SIZES if other < size)
    return before + ((size if ring else first) * size + second) * size + third


def shapes(size: int, ring: bool) -> Iterator[Sum]:
    """The runs of all lines or rings of this size in which Left has claimed one number, and Right two."""
    free = size - 3
    for one in range(free + 1):
        for other in range(1, free - one + 1):
            rest = free - one - other
            if ring and rest:
                yield run(HOME, one, -1), run(FRONT, other), run(FRONT, rest)
            for last in range(0 if ring else rest + 1):
                yield run(HALF, last, -1), run(HOME, one, -1), run(FRONT, other), run(HALF, rest - last)
                if last:
                    yield run(HALF, one, -1), run(FRONT, other), run(FRONT, last), run(HALF, rest - last, -1)


@cache
def _bits() -> bytes:
    return decompress(FILE.read_bytes())
