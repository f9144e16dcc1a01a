"""Number Circle with a total each: a race, in which the players can at most get in each other's way.

With sharing and no floor the two never touch: who needs fewer turns wins, and these are found by a search outwards from
one's own place, all totals at once as the bits of integers. Cost: a few shifts a turn.

With a floor someone may be stuck and has to pass, and without sharing a marker blocks the place it stands on. Then the
position is searched for a win in 1 move, in 2 and so on, for either player in turn, so that the first answer found is
exact, its length included. A player who even alone could not hit the target in the moves left cannot win: that keeps it
to some hundred positions typically. Every game with a floor that can be forced is over within 31 moves (found by
solving every target and every rule backwards in full), so a longer one is a draw.

Without a floor and without sharing gaps can be as wide as the players like: that is `blocking_race`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from functools import cache, lru_cache

from duelbox.games.number_circle.solve.moves import FREE, PLACES, STEPS, House, Runner
from duelbox.solve.rating import Sign

LONGEST = 31  # the longest forced win with a floor, in moves
MEMORY = 150_000  # positions remembered at a time for each player: some 40 MB
NEVER = 10**6

Race = tuple[int, int, int, int, int, int, bool]  # two runners in a row, and whether it is the first one's turn


@lru_cache(maxsize=16)
def route(backtracking: bool, runner: Runner) -> tuple[int, ...]:
    """What to add (or subtract: negative) one after the other on a shortest way to the target, without a floor."""
    place, came, gap = runner
    steps = STEPS[backtracking]
    layers: list[dict[tuple[int, int], int]] = [{(place, came): 1 << gap}]
    while not any(gaps & 1 for gaps in layers[-1].values()):
        following: dict[tuple[int, int], int] = defaultdict(int)
        for (place, came), gaps in layers[-1].items():
            for to, then, number in steps[place][came]:
                following[to, then] |= gaps >> number | gaps << number
        layers.append(following)
    marker, left = next(marker for marker, gaps in layers[-1].items() if gaps & 1), 0
    way: list[int] = []
    for layer in layers[-2::-1]:
        marker, change = next(
            ((place, came), change)
            for (place, came), gaps in layer.items()
            for to, then, number in steps[place][came]
            for change in (number, -number)
            if (to, then) == marker and left + change > 0 and gaps >> left + change & 1
        )
        left += change
        way.append(change)
    return tuple(reversed(way))


@cache
def _fewest(widest: int) -> list[list[int]]:
    """For each place and gap, the moves to the target of a marker that may always turn round, and pass for nothing."""
    fewest = [[0] + [NEVER] * widest for _ in PLACES]
    todo = deque((place, 0) for place in PLACES)
    while todo:
        to, left = todo.popleft()
        for place in ((to - 1) % 9, (to + 1) % 9):
            for gap in (left - to - 1, left + to + 1):
                if 0 < gap <= widest and fewest[place][gap] == NEVER:
                    fewest[place][gap] = fewest[to][left] + 1
                    todo.append((place, gap))
    return fewest


class Search:
    """Looks for forced wins in one race with a floor and in what may become of it."""

    def __init__(self, house: House, widest: int, check: Callable[[], None]) -> None:
        self._sharing, self._widest, self._check = house.sharing, widest, check
        self._steps = STEPS[house.backtracking]
        self._fewest = _fewest(widest)
        self._known: tuple[dict[Race, tuple[int, int]], dict[Race, tuple[int, int]]] = ({}, {})
        self._looked = 0

    def worth(self, race: Race) -> tuple[Sign, int | None]:
        """What a race with a turn to come is worth to its first runner, and the moves to the end."""
        turned = (*race[3:6], *race[:3], not race[6])
        for moves in range(1, LONGEST + 1):
            if self._forces(race, moves, 0):
                return 1, moves
            if self._forces(turned, moves, 1):
                return -1, moves
        return 0, None

    def settled(self, race: Race) -> Race | None:
        """The race with the turn passed on to someone who can move; None when nobody could even turning round."""
        place, came, gap, other, other_came, other_gap, first = race
        while not self._options(*((place, came, gap, other) if first else (other, other_came, other_gap, place))):
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
        found = []
        for to, then, number in self._steps[place][came]:
            if self._sharing or to != other:
                if number <= gap:
                    found.append((to, then, gap - number))
                if gap + number <= self._widest:
                    found.append((to, then, gap + number))
        return found

    def _forces(self, race: Race, moves: int, side: int) -> bool:
        """Whether the first runner can force a win within so many moves of both."""
        if self._fewest[race[0]][race[2]] > moves:
            return False
        known = self._known[side]
        fails, wins = known.get(race, (0, NEVER))
        if moves <= fails or moves >= wins:
            return moves >= wins
        self._looked += 1
        if self._looked & 255 == 0:
            self._check()
        if len(known) > MEMORY:
            known.clear()
        forced = (self._attack if race[6] else self._defence)(race, moves, side)
        fails, wins = known.get(race, (0, NEVER))
        known[race] = (fails, min(wins, moves)) if forced else (max(fails, moves), wins)
        return forced

    def _attack(self, race: Race, moves: int, side: int) -> bool:
        place, came, gap, other, other_came, other_gap, _ = race
        options = self._options(place, came, gap, other)
        if any(not left for _, _, left in options):
            return True
        options.sort(key=lambda runner: self._fewest[runner[0]][runner[2]])
        for runner in options:
            after = self.settled((*runner, other, other_came, other_gap, False))
            if after is not None and self._forces(after, moves - 1, side):
                return True
        return False

    def _defence(self, race: Race, moves: int, side: int) -> bool:
        place, came, gap, other, other_came, other_gap, _ = race
        replies = self._options(other, other_came, other_gap, place)
        # First what may be in the way, then what comes nearest to a hit.
        replies.sort(key=lambda runner: ((runner[0] - place) % 9 not in (1, 8), self._fewest[runner[0]][runner[2]]))
        for runner in replies:
            if not runner[2]:
                return False
            after = self.settled((place, came, gap, *runner, True))
            if after is None or not self._forces(after, moves - 1, side):
                return False
        return True
