"""A file of sums of up to three runs; it settles most sums of up to six.

The ceiling of a part is the least whole number that is never worse for Left, whoever begins. Its floor is the same for
Right. So Left, moving first, loses if the ceilings of all parts and the surplus add up to 0 or less, since Right
answers every claim in its part; and wins if the ceiling of one part and the floors of the others add up to 1 or more,
since Right needs the whole ceiling in the one, and in the others Left answers.

The file has the ceiling of all parts of up to 57 numbers, a byte each; floors are ceilings with the players exchanged.
`python -m tests.games.sequence_duel.make_tables` computes it, and the tests compare. Reading its 0.7 MB takes some 5
ms, and a sum of six 5 µs. A search with it does a fifth of the work, or less.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from zlib import decompress

FILE = Path(__file__).with_name("ceilings.parts")
LONGEST = 57  # the most numbers of a part
ZERO = 16
"""The byte of ceiling 0."""

Slot = tuple[int, int, int, int, int]
"""A run in the file: its length, its contributions to an index as shortest, middle and longest run, and its mean."""

Part = tuple[int, int, int]
"""The places of three runs in a sum, counted from 1, the shortest first; 0 stands for no run."""


def lengths() -> list[tuple[int, int, int]]:
    """The lengths of the runs of all parts, ascending; 0 stands for no run, and no run has length 1."""
    some = [0, *range(2, LONGEST // 2 + 1)]
    pairs = [(one, two) for one in some for two in some if one <= two <= (LONGEST - one) // 2]
    return [(*pair, most) for pair in pairs for most in range(pair[1], LONGEST - sum(pair) + 1) if most != 1]


_COUNT = len(lengths())
_FLIPPED = 124 * _COUNT


def slot(length: int, rank: int, mean: int) -> Slot:
    """A run by its length, its ends (-2 if both are Right's, 2 if both are Left's) and its mean."""
    kind = (rank + 2) * _COUNT
    return length, 25 * kind, 5 * kind, length + kind, mean


_NONE = slot(0, 0, 0)


@cache
def _table() -> tuple[dict[int, dict[int, int]], bytes]:
    """The first index by lengths of the shortest and the middle run, less the latter; and the ceilings."""
    first: dict[int, dict[int, int]] = {}
    for place, (short, middle, most) in enumerate(lengths()):
        first.setdefault(short, {})[middle] = place - most
    return first, decompress(FILE.read_bytes())


def _splits(count: int) -> Iterator[tuple[Part, Part]]:
    """The ways to cut a sum of four to six runs into two parts, each once."""
    for size in range(count - 3, 4):
        for more in combinations(range(2, count + 1), size - 1):
            rest = [at for at in range(2, count + 1) if at not in more]
            one, other = [0] * (3 - size) + [1, *more], [0] * (3 - len(rest)) + rest
            yield (one[0], one[1], one[2]), (other[0], other[1], other[2])


_SPLITS = {count: list(_splits(count)) for count in (4, 5, 6)}


def settled(runs: list[Slot], surplus: int) -> bool | None:
    """True if Left, moving first, wins these runs with this many more private numbers than Right; None if the file
    can't tell."""
    if len(runs) > 6 or sum([one[0] for one in runs]) > LONGEST:
        return None
    first, ceilings = _table()
    if len(runs) <= 3:
        least, middle, most = [_NONE] * (3 - len(runs)) + runs
        return ceilings[first[least[0]][middle[0]] + least[1] + middle[2] + most[3]] + surplus > ZERO
    runs = [_NONE, *runs]
    lost, won = 2 * ZERO - surplus, -surplus
    for (a, b, c), (d, e, f) in _SPLITS[len(runs) - 1]:
        least, middle, most = runs[a], runs[b], runs[c]
        start = first[least[0]][middle[0]]
        place = start + least[1] + middle[2] + most[3]
        ceiling, turned = ceilings[place], ceilings[2 * (start + most[0]) + _FLIPPED - place]
        least, middle, most = runs[d], runs[e], runs[f]
        start = first[least[0]][middle[0]]
        place = start + least[1] + middle[2] + most[3]
        other = ceilings[place]
        if ceiling + other <= lost:
            return False
        if other - turned > won or ceiling - ceilings[2 * (start + most[0]) + _FLIPPED - place] > won:
            return True
    return None
