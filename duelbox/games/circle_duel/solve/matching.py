"""How many pairs of neighbours a ring of numbers holds, by a finite automaton that walks round it.

Two places are neighbours when at most `reach` (1 to 3) steps lie between them, so what has been walked past matters
only through its last `reach` places. For every set S of those, note the most pairs that leave all of S open, less the
most pairs at all: such a profile takes only a few dozen values, so that after its first steps a walk is one look-up a
place. The ring is cut open once and walked once for every choice of first places kept for partners across the cut.

Cost: at most 2^reach look-ups a place, linear in the ring whatever its gaps. A general matching (Edmonds) would serve
any graph, but takes as much code, and has to search for augmenting paths which a band this narrow never needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf


class Profile(dict[bool, tuple[int, "Profile"]]):
    """A state of the walk: `profile[free]` is the pairs gained with the next place, and the profile after it.

    Bit n of a set is the place n steps back; `best[S]` is -inf where S cannot be open, because of a gap or a claim.
    """

    def __init__(self, reach: int, best: tuple[float, ...]) -> None:
        super().__init__()
        self.reach, self.best = reach, best

    def __missing__(self, free: bool) -> tuple[int, Profile]:
        after = [self._pairs(opened, free) for opened in range(1 << self.reach)]
        step = int(after[0]), _profile(self.reach, tuple(pairs - after[0] for pairs in after))
        self[free] = step
        return step

    def _pairs(self, opened: int, free: bool) -> float:
        before = opened >> 1
        if opened & 1:
            return self.best[before] if free else -inf
        partners = [1 << back for back in range(self.reach) if free and not before >> back & 1]
        return max([self.best[before], *(self.best[before | one] + 1 for one in partners)])


@cache
def _profile(reach: int, best: tuple[float, ...]) -> Profile:
    return Profile(reach, best)


@cache
def _seam(steps: int) -> tuple[tuple[int, int, int], ...]:
    """Every way to pair first places with last ones across the cut: both sets (bit 0 next to the cut) and its size."""
    ways = {(0, 0)}
    for first in range(steps):
        for last in range(steps - first):
            ways |= {(a | 1 << first, b | 1 << last) for a, b in ways if not (a >> first | b >> last) & 1}
    return tuple((a, b, a.bit_count()) for a, b in sorted(ways))


class RingPairs:
    """The most pairs in a ring cut open before its first place, also without some places next to the cut.

    `missing` places between the last and the first are left out of the list; distances still count them.
    """

    def __init__(self, places: Sequence[bool], reach: int, missing: int = 0) -> None:
        self._places, self._reach = places, reach
        self._seam = _seam(max(reach - missing, 0))
        self._all_near = len(places) + missing <= 2 * reach + 1
        self._walks: dict[int, tuple[int, Profile]] = {}

    def pairs(self, start: int = 0, end: int = 0) -> int:
        """The most pairs without these free places; bit 0 of either set is the place next to the cut."""
        if self._all_near:
            return (sum(self._places) - start.bit_count() - end.bit_count()) // 2
        most: float = 0
        for first, last, size in self._seam:
            if not first & start and not last & end and self._are_free(first):
                gained, profile = self._walk(first | start)
                most = max(most, gained + size + profile.best[last | end])
        return int(most)

    def _are_free(self, first: int) -> bool:
        return all(self._places[place] for place in range(self._reach) if first >> place & 1)

    def _walk(self, kept: int) -> tuple[int, Profile]:
        """Pairs inside the open ring without the kept first places, and the profile at its end."""
        if kept not in self._walks:
            reach = self._reach
            head = [free and not kept >> place & 1 for place, free in enumerate(self._places[:reach])]
            profile = _profile(reach, (0, *[-inf] * ((1 << reach) - 1)))
            gained = 0
            for part in (head, self._places[reach:]):
                for free in part:
                    gain, profile = profile[free]
                    gained += gain
            self._walks[kept] = gained, profile
        return self._walks[kept]
