"""Number Circle with a total each: a race, in which the players can at most get in each other's way.

With sharing the two never touch: who needs fewer turns wins, and these are found by a search outwards from one's own
place, all totals at once as the bits of integers. Cost: a few shifts a turn.

Without sharing a marker blocks the place it stands on. Then the position is searched for a win in 1 move, in 2 and so
on, for either player in turn, so that the first answer found is exact, its length included. What keeps this small: a
player who even alone could not hit the target in the moves left cannot win, and as long as there is no floor, the
total of one who could not any more does not matter to the other. Cost: typically some hundred positions; it grows with
about the fourth power of the gaps, since both totals and the slack of both players widen with them: milliseconds
when the players are 60 from the target, tenths of a second or more when they are 100 from it and close to each other.

It ends: with a floor every game that can be forced is over within 31 moves (found by solving every target and every
rule backwards in full), so a longer one is a draw. Without a floor a total can fall for ever, but every position in
which both are within 52 of the target is won by someone (found likewise, treating wider gaps as lost for neither);
for those further out it is not proven that the search must end, only that what it answers is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import count

from duelbox.solve.api import Stopped
from duelbox.solve.rating import Sign
from duelbox.solve.steps import FREE, PLACES, STEPS, House

LONGEST = 31
"""The longest forced win with a floor, in moves."""
DEEPEST = 200
"""Searches without a floor give up after so many moves: both players are then some 700 or more from the target."""
MEMORY = 150_000
"""Positions remembered at a time for each player: some 40 MB."""
TABLED = 256
NEVER = 10**6

Runner = tuple[int, int, int]
"""A place, where the marker came from, and the gap to the target."""
Race = tuple[int, int, int, int, int, int, bool]
"""Two runners in a row, and whether it is the first one's turn."""


def alone(house: House, runner: Runner) -> int | None:
    """The turns (forced passes included) to the target with nobody in the way; None when it cannot be hit."""
    place, came, gap = runner
    reach = -1 if house.widest is None else (2 << house.widest) - 1
    seen: dict[tuple[int, int], int] = defaultdict(int)
    front = {(place, came): 1 << gap}

    for turns in count(1):
        following: dict[tuple[int, int], int] = defaultdict(int)
        for (place, came), gaps in front.items():
            stuck = gaps
            for to, then, number in STEPS[house.backtracking][place][came]:
                following[to, then] |= (gaps >> number | gaps << number) & reach
                stuck &= (1 << number) - 1 & ~(reach >> number)
            following[place, FREE] |= stuck
        if any(gaps & 1 for gaps in following.values()):
            return turns
        front = {marker: fresh for marker, gaps in following.items() if (fresh := gaps & ~seen[marker])}
        for marker, gaps in front.items():
            seen[marker] |= gaps
        if not front:
            return None
    raise AssertionError


@cache
def _fewest(widest: int | None) -> list[list[int]]:
    """For each place and gap, the moves to the target of a marker that may always turn round, and pass for nothing.

    Without a floor the table is made half as wide again, so that no way down misses what is above it.
    """
    size = TABLED * 3 // 2 if widest is None else widest + 1
    fewest = [[0] + [NEVER] * (size - 1) for _ in PLACES]
    front = [(place, 0) for place in PLACES]
    for moves in count(1):
        following = []
        for to, left in front:
            for place in ((to - 1) % 9, (to + 1) % 9):
                for gap in (left - to - 1, left + to + 1):
                    if 0 < gap < size and fewest[place][gap] == NEVER:
                        fewest[place][gap] = moves
                        following.append((place, gap))
        front = following
        if not front:
            return [gaps[:TABLED] for gaps in fewest]
    raise AssertionError


class Search:
    """Looks for forced wins in one race and in what may become of it."""

    def __init__(self, house: House, check: Callable[[], None]) -> None:
        self._house, self._check = house, check
        self._steps = STEPS[house.backtracking]
        self._fewest = _fewest(house.widest)
        self._known: tuple[dict[Race, tuple[int, int]], dict[Race, tuple[int, int]]] = ({}, {})
        self._looked = 0

    def worth(self, race: Race) -> tuple[Sign, int | None]:
        """What a race with a turn to come is worth to its first runner, and the moves to the end."""
        turned = (*race[3:6], *race[:3], not race[6])
        for moves in count(1):
            if self._forces(race, moves, 0):
                return 1, moves
            if self._forces(turned, moves, 1):
                return -1, moves
            if self._house.widest is not None and moves > LONGEST:
                return 0, None
            if moves > DEEPEST:
                raise Stopped
        raise AssertionError

    def settled(self, race: Race) -> Race | None:
        """The race with the turn passed on to someone who can move; None when nobody could even turning round."""
        place, came, gap, other, other_came, other_gap, first = race
        while not (
            self._options(place, came, gap, other) if first else self._options(other, other_came, other_gap, place)
        ):
            if not self._options(place, FREE, gap, other) and not self._options(other, FREE, other_gap, place):
                return None
            if first:
                came = FREE
            else:
                other_came = FREE
            first = not first
        return place, came, gap, other, other_came, other_gap, first

    def _options(self, place: int, came: int, gap: int, other: int) -> list[Runner]:
        """Where a marker may be after one step, with the other one at its place: first what adds."""
        house, found = self._house, []
        for to, then, number in self._steps[place][came]:
            if house.sharing or to != other:
                if number <= gap:
                    found.append((to, then, gap - number))
                if house.widest is None or gap + number <= house.widest:
                    found.append((to, then, gap + number))
        return found

    def _need(self, place: int, gap: int) -> int:
        return self._fewest[place][gap] if gap < TABLED else (gap + 8) // 9

    def _forces(self, race: Race, moves: int, side: int) -> bool:
        """Whether the first runner can force a win within so many moves of both."""
        place, came, gap, other, other_came, other_gap, first = race
        mine = theirs = moves
        if self._house.widest is None:
            # Then passes come in pairs: a marker is stuck only head on against the other, which is stuck as well.
            mine, theirs = ((moves + 1) // 2, moves // 2) if first else (moves // 2, (moves + 1) // 2)
        if self._need(place, gap) > mine:
            return False
        key = race
        if self._house.widest is None and self._need(other, other_gap) > theirs:
            key = place, came, gap, other, other_came, -1, first
        known = self._known[side]
        fails, wins = known.get(key, (0, NEVER))
        if moves <= fails or moves >= wins:
            return moves >= wins
        self._count(known)
        forced = (self._attack if first else self._defence)(race, moves, side)
        fails, wins = known.get(key, (0, NEVER))
        known[key] = (fails, min(wins, moves)) if forced else (max(fails, moves), wins)
        return forced

    def _attack(self, race: Race, moves: int, side: int) -> bool:
        place, came, gap, *rest = race
        other, other_came, other_gap, _ = rest
        options = self._options(place, came, gap, other)
        if any(not left for _, _, left in options):
            return True
        options.sort(key=lambda runner: self._need(runner[0], runner[2]))
        for runner in options:
            after = self.settled((*runner, other, other_came, other_gap, False))
            if after is not None and self._forces(after, moves - 1, side):
                return True
        return False

    def _defence(self, race: Race, moves: int, side: int) -> bool:
        place, came, gap, other, other_came, other_gap, _ = race
        replies = self._options(other, other_came, other_gap, place)
        # First what may be in the way, then what comes nearest to a hit.
        replies.sort(key=lambda runner: ((runner[0] - place) % 9 not in (1, 8), self._need(runner[0], runner[2])))
        for runner in replies:
            if not runner[2]:
                return False
            after = self.settled((place, came, gap, *runner, True))
            if after is None or not self._forces(after, moves - 1, side):
                return False
        return True

    def _count(self, known: dict[Race, tuple[int, int]]) -> None:
        self._looked += 1
        if self._looked & 255 == 0:
            self._check()
        if len(known) > MEMORY:
            known.clear()
