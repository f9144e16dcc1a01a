"""Number Circle Duel with own trails, solved by search: a number that one player picks is closed to the other.

A set of numbers is the bits of an integer. The search ends where no number is within reach of both trails: there the
longer path wins. Until then it remembers positions, without the free numbers that nobody can reach. By symmetry all
first picks on an empty ring are equal, and after one pick the ring equals its mirror image, so fewer picks are tried.

Cost: it grows by a third with each free number for steps of 1 and 2, and doubles for steps of 3. All moves of
`MOST_FREE` numbers are rated in 20 ms in the median and 0.2 s at most; the reason takes up to 0.2 s more on rings with
gaps. Turns are counted by searching one turn deeper each time, until `PLIES_NODES` more positions have been looked at
for all moves together; the rest stays None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from duelbox.games.circle_duel.rules import View
from duelbox.games.circle_duel.solve.reasons import TrailReasons
from duelbox.games.circle_duel.solve.shared_trail import Near, TooManyPaths, turns_to_the_end
from duelbox.solve.api import Analysis, Instead, Rated, Stop
from duelbox.solve.bits import each
from duelbox.solve.rating import Sign, analysis_from, rated

PLIES_NODES = 10_000  # positions looked at to count turns: 60 to 100 ms
_OFTEN = 63
_NEVER = 99

Key = tuple[int, int, int]


class Trails:
    """A search that remembers positions. A trail is named by the bit of its last number, 0 before its first pick."""

    def __init__(self, size: int, reach: int, check: Callable[[], None]) -> None:
        self.near = Near(size, reach)
        self._check, self._asked, self._most = check, 0, 0
        self._won: dict[Key, bool] = {}
        self._within: dict[Key, tuple[int, int]] = {}
        self._paths: dict[tuple[int, int], int] = {}
        self.first: Counter[int] = Counter()
        """The number of times that each number was found to win as the first pick of a trail."""

    def longest(self, at: int, free: int) -> int:
        """The most picks that a trail can make in a row."""
        free = self.near.reached(at, free)
        most, known = free.bit_count(), self._paths.get((at, free))
        if known is None:
            known = 0
            for bit in each(self.near[at] & free):
                known = max(known, 1 + self.longest(bit, free ^ bit))
                if known == most:
                    break
            self._paths[at, free] = known
        return known

    def apart(self, free: int, mine: int, theirs: int) -> bool:
        """True if no number is left that both trails can reach."""
        return not self.near.reached(mine, free) & self.near.reached(theirs, free)

    def wins(self, free: int, mine: int, theirs: int) -> bool:
        """True if the player to move wins; `mine` is that player's trail."""
        key = free, mine, theirs
        known = self._won.get(key)
        if known is None:
            known = self._won[key] = self._wins(free, mine, theirs)
        return known

    def _wins(self, free: int, mine: int, theirs: int) -> bool:
        choices, others = self.near[mine] & free, self.near[theirs] & free
        if not choices or (not others & (others - 1) and others | choices == choices):
            return bool(choices)  # no pick, or a pick that leaves the other player none
        here, there = self.near.reached(mine, free), self.near.reached(theirs, free)
        if not here & there:
            return self.longest(mine, here) > self.longest(theirs, there)
        if free != here | there:
            return self.wins(here | there, mine, theirs)
        self._spend()
        order: list[tuple[int, int]] = []
        while choices:
            bit = choices & -choices
            choices ^= bit
            known = self._won.get((free ^ bit, theirs, bit))
            if known is None:
                order.append(((others & ~bit).bit_count() - 2 * (self.near[bit] & free & ~bit).bit_count(), bit))
            elif not known:
                return True
        order.sort()
        if not mine:  # a first pick that wins against one number wins against most
            order.sort(key=lambda item: -self.first[item[1]])
        for _, bit in order:
            if not self.wins(free ^ bit, theirs, bit):
                self.first[bit] += not mine
                return True
        return False

    def begin(self) -> None:
        """Start a new count of positions; what the search remembers stays."""
        self._asked = self._most = 0

    def turns(self, free: int, mine: int, theirs: int) -> int | None:
        """Turns to the end if the winner hurries and the loser delays; None if counting them takes too long."""
        self._most = self._most or self._asked + PLIES_NODES
        try:
            turns = int(self.wins(free, mine, theirs))
            while not self._ends(free, mine, theirs, turns):
                turns += 2
        except TooManyPaths:
            return None
        return turns

    def _spend(self) -> None:
        self._asked += 1
        if not self._asked & _OFTEN:
            self._check()
        if self._most and self._asked > self._most:
            raise TooManyPaths

    def _ends(self, free: int, mine: int, theirs: int, turns: int) -> bool:
        """True if the game ends within these turns: for an odd number the player to move wins it, else loses it."""
        choices, others = self.near[mine] & free, self.near[theirs] & free
        if not choices:
            return True
        if turns < 2:
            return bool(turns) and any(not others & ~bit for bit in each(choices))
        here, there = self.near.reached(mine, free), self.near.reached(theirs, free)
        if not here & there:
            return turns >= (2 * self.longest(theirs, there) + 1 if turns & 1 else 2 * self.longest(mine, here))
        free = here | there
        key = free, mine, theirs
        longer, within = self._within.get(key, (0, _NEVER))
        if longer < turns < within:
            self._spend()
            if turns & 1:
                ends = any(
                    not self.wins(free ^ bit, theirs, bit) and self._ends(free ^ bit, theirs, bit, turns - 1)
                    for bit in each(choices)
                )
            else:
                ends = all(self._ends(free ^ bit, theirs, bit, turns - 1) for bit in each(choices))
            longer, within = self._within[key] = (longer, turns) if ends else (turns, within)
        return turns >= within


def _bit(number: int | None) -> int:
    return 0 if number is None else 1 << number - 1


class Spot(NamedTuple):
    """A position: the free numbers, the trail of the player to move, and the other trail."""

    free: int
    mine: int
    theirs: int

    def after(self, bit: int) -> Spot:
        """The position after a pick."""
        return Spot(self.free ^ bit, self.theirs, bit)


def _search(view: View, stop: Stop) -> tuple[Trails, Spot]:
    """The search for this ring, shared by all analyses with the same stop flag, and the position."""
    ring = view.options.size, view.options.reach
    trails: Trails = stop.memory.setdefault(ring, Trails(*ring, stop.check))
    trails.begin()
    return trails, Spot(sum(map(_bit, view.free)), _bit(view.last), _bit(view.picks[-1] if view.picks else None))


def wins(view: View, stop: Stop) -> bool:
    """True if the player to move wins."""
    trails, spot = _search(view, stop)
    return any(not trails.wins(*spot.after(_bit(first))) for first in dict.fromkeys(_alike(view).values()))


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """The verdict once it is known, then with all moves rated and the reason, then with the turns."""
    trails, spot = _search(view, stop)
    alike = _alike(view)
    moves, good, known = list[Rated](), dict[int, bool](), False
    for number in view.choices:
        like = alike[number]
        good[number] = good[like] if like in good else not trails.wins(*spot.after(_bit(number)))
        moves.append(rated(str(number), 1 if good[number] else -1, None))
        if good[number] and not known:
            known = True
            yield analysis_from(view.mover, 1, None, moves, f"Pick {number}.", complete=False)
    right = [str(number) for number in view.choices if good[number]]
    wrong = [str(number) for number in view.choices if not good[number]]
    sign: Sign = 1 if right else -1
    if not known:
        yield analysis_from(view.mover, sign, None, moves, "Every pick loses.", complete=False)
    reason = TrailReasons(view, trails, spot).why(right, wrong)
    yield analysis_from(view.mover, sign, None, moves, reason.sentence, complete=False)
    for at, number in enumerate(view.choices):
        stop.check()
        like = alike[number]
        plies = moves[view.choices.index(like)].plies if like < number else _plies(trails, spot.after(_bit(number)))
        moves[at] = rated(str(number), 1 if good[number] else -1, plies)
    trails.begin()
    yield analysis_from(view.mover, sign, turns_to_the_end(moves, sign), moves, reason)


def refuted(view: View, move: str, stop: Stop) -> Instead | None:
    """The answer to a wrong pick, and what it takes."""
    return TrailReasons(view, *_search(view, stop)).refuted(move)


def _plies(trails: Trails, after: Spot) -> int | None:
    turns = trails.turns(*after)
    return None if turns is None else turns + 1


def _alike(view: View) -> Mapping[int, int]:
    """For each pick the first one that equals it by symmetry: on an empty ring all, after one pick its mirror image."""
    if view.gaps or len(view.picks) > 1:
        return {number: number for number in view.choices}
    if not view.picks:
        return dict.fromkeys(view.choices, 1)
    first, size = view.picks[0], view.options.size
    mirrored = {number: (2 * first - number - 1) % size + 1 for number in view.choices}
    return {number: min(number, mirror) for number, mirror in mirrored.items()}
