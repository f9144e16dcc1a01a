"""The length of Snort on a line with best play: the winner hurries, the loser delays.

A game ends when the loser cannot claim, so its length follows from the number of claims that the loser still makes.
Private numbers add to that number as they are: nobody claims one while contested numbers are left, since a claim of a
contested number leaves the rival no more than before and keeps the private one for later. So only contested runs are
searched, once for each number of claims asked about: the winner needs one move that still wins and keeps the loser to
that number; the loser has all moves. Opposite runs do not cancel here, since they take time.

Cost. The number of sums grows about 1.5-fold with every contested number, to some 10,000 at 20; the search sees a
quarter of them, in 10 to 20 ms, for all first moves on a line of 20.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from operator import itemgetter

from duelbox.games.sequence_duel.solve.snort import (
    FRONT,
    HALF,
    HOME,
    Run,
    Search,
    Sum,
    cells,
    claims,
    flipped,
    halves,
    run,
)

MOST_KNOWN = 150_000  # the memory is cleared at this many sums: about 50 MB

RankedClaim = tuple[int, int, Sum]
"""A claim: its promise (less is better), the private numbers that it makes, and the runs that it leaves."""

_PRIVATE = {run(HALF, 1): 1, run(HOME, 1): 1, run(HOME, 2): 2}
_GONE = {run(HALF, 0), run(HOME, 0), run(HOME, 0, -1), run(FRONT, 0), run(FRONT, 1)}
_NEVER = 99
_HOPE = itemgetter(0)

_bounds: dict[tuple[Sum, int, bool], tuple[int, int]] = {}


def forget() -> None:
    """Clear the memory."""
    _bounds.clear()
    _ways.cache_clear()
    _most.cache_clear()


def sorted_out(runs: Iterable[Run]) -> tuple[int, int, Sum]:
    """Left's private numbers, Right's, and the contested runs."""
    left = right = 0
    contested: list[Run] = []
    for one in runs:
        if one in _PRIVATE:
            left += _PRIVATE[one]
        elif -one in _PRIVATE:
            right += _PRIVATE[-one]
        elif one not in _GONE:
            contested.append(one)
    return left, right, tuple(sorted(contested))


@cache
def _most(one: Run) -> int:
    """Right's claims in a run that Left never enters."""
    return len(cells(flipped(one)))


def _most_of(runs: Sum) -> int:
    return sum(map(_most, runs))


def _worth(one: Run) -> int:
    """A guess of Right's claims in a run, in sixteenths, by which good moves are tried first."""
    length, kind = abs(one) >> 2, abs(one) & 3
    if kind == FRONT:
        return 7 * length - 5
    if kind == HOME:
        return 7 * length + (5 if one < 0 else -11)
    return 7 * length + (1 if one < 0 else -5)


@cache
def _ways(one: Run, left: bool) -> list[RankedClaim]:
    """The claims of one player in a run: Right wants many claims, Left wants to leave few."""
    ways: set[RankedClaim] = set()
    mine = one if left else flipped(one)
    for cell in claims(mine):
        private, _, runs = sorted_out(halves(mine, cell))
        if not left:
            runs = tuple(map(flipped, runs))
        change = sum(map(_worth, runs)) - _worth(one)
        ways.add((change if left else -change - 16 * private, private, runs))
    return sorted(ways)


class TurnCount:
    """Counts turns; what it finds is remembered for later counts."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def plies(self, mine: int, theirs: int, contested: Sum) -> int:
        """Turns to the end with best play, Left moving first, by both players' private numbers and the contested
        runs."""
        if self._search.wins(mine - theirs, contested):
            return 2 * (theirs + self._least(contested, mine - theirs, True)) + 1
        turned = tuple(sorted(map(flipped, contested)))
        return 2 * (mine + self._least(turned, theirs - mine, False))

    def _least(self, runs: Sum, ahead: int, left: bool) -> int:
        """The contested claims that Right makes if Left wins, with this many more private numbers."""
        most = 0
        is_enough = self._kept if left else self._held
        while not is_enough(runs, ahead, most):
            most += 1
        return most

    def _kept(self, runs: Sum, ahead: int, most: int) -> bool:
        """True if Left, to move, can win and keep Right to this many contested claims."""
        if not runs:
            return ahead > 0
        key = runs, ahead, True
        low, high = _bounds.get(key) or (0, _most_of(runs))
        if most < low or most >= high:
            return most >= high
        self._search.spend()
        for private, after in _choices(runs, True):
            if self._held(after, ahead + private, most):
                _bounds[key] = low, most
                return True
        _bounds[key] = most + 1, high
        return False

    def _held(self, runs: Sum, ahead: int, most: int) -> bool:
        """True if Left, with Right to move, can win and keep Right to this many contested claims."""
        if not runs:
            return ahead >= 0
        key = runs, ahead, False
        low, high = _bounds.get(key) or self._first_bounds(runs, ahead)
        if most < low or most >= high:
            return most >= high
        for private, after in _choices(runs, False):
            if most <= private or not self._kept(after, ahead - private, most - 1 - private):
                _bounds[key] = most + 1, high
                return False
        _bounds[key] = low, most
        return True

    def _first_bounds(self, runs: Sum, ahead: int) -> tuple[int, int]:
        if len(_bounds) > MOST_KNOWN:
            _bounds.clear()
        lost = self._search.wins(-ahead, map(flipped, runs))
        bounds = (_NEVER, _NEVER) if lost else (1, _most_of(runs))
        _bounds[runs, ahead, False] = bounds
        return bounds


def _choices(runs: Sum, left: bool) -> Iterator[tuple[int, Sum]]:
    """The private numbers and runs after each claim of one player, the promising ones first."""
    choices = [(hope, private, at, new) for at, one in enumerate(runs) for hope, private, new in _ways(one, left)]
    choices.sort(key=_HOPE)
    for _, private, at, new in choices:
        yield private, tuple(sorted(runs[:at] + runs[at + 1 :] + new))
