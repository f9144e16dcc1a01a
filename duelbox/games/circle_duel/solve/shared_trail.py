"""Number Circle Duel, solved by pairing: the game is undirected vertex geography on a band round a ring.

With the first pick free, Player 2 wins if and only if the free numbers go wholly into pairs of neighbours: each pick
is answered with its partner. Later a pick wins if and only if some greatest set of pairs of the numbers then free does
without it: the rival must enter a pair, is answered with the partner, and never reaches a number without one, for
that would make room for one more pair. So a verdict is a count of pairs (`matching`), linear in the ring.

The number of turns is another matter: it needs a search of the paths that the picks may take, which grows
exponentially with the numbers in reach (for reach 1 there are only two). The search remembers positions, is cut off
after `PLIES_NODES` of them for all moves together, and leaves the plies it could not count as None.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from duelbox.core.model import listed
from duelbox.games.circle_duel.rules import View
from duelbox.games.circle_duel.solve.ideas import ODD_ONE_OUT, PARTNERS, SHUT_IN
from duelbox.games.circle_duel.solve.matching import RingPairs
from duelbox.solve.api import Analysis, Mark, Rated, Reason, Stop
from duelbox.solve.rating import Sign, analysis_from, best_first, rated

PLIES_NODES = 4_000  # positions looked at to count turns: about 10 ms
NAMED = 3  # so many pairs are named


def wins(places: Sequence[bool], reach: int, last: int | None) -> bool:
    """Whether the player to move wins: `places` says which numbers (0 upwards) are free, `last` is the last pick.

    For rings of any size: a view's are small, so that the cost is linear can be tested and measured only here.
    """
    if last is None:
        return 2 * RingPairs(places, reach).pairs() < sum(places)
    return any(_winning(places, reach, last, _near(len(places), reach, last)))


def _near(size: int, reach: int, place: int) -> list[int]:
    """The neighbours of a place, ascending."""
    return sorted({(place + step) % size for step in range(-reach, reach + 1)} - {place})


def _winning(places: Sequence[bool], reach: int, last: int | None, choices: Sequence[int]) -> Iterator[bool]:
    """For each choice whether it wins: whether as many pairs are left without it (and it is free)."""
    if last is None:
        most = RingPairs(places, reach).pairs()
        for place in choices:
            yield RingPairs([*places[place:], *places[:place]], reach).pairs(start=1) == most
        return
    size = len(places)
    ring = RingPairs([*places[last + 1 :], *places[:last]], reach, missing=1)
    most = ring.pairs()
    for place in choices:
        steps = (place - last) % size
        without = {"start": 1 << steps - 1} if steps <= reach else {"end": 1 << size - steps - 1}
        yield places[place] and ring.pairs(**without) == most


class Paths:
    """Counts turns on a ring, remembering positions, until it has looked at so many of them.

    The ring is seen from the last pick: bit n is the number n places further on. So turned rings are one position.
    """

    def __init__(self, size: int, reach: int, nodes: int, check: Callable[[], None]) -> None:
        self._size, self._all = size, (1 << size) - 1
        self._near = [sum(1 << near for near in _near(size, reach, place)) for place in range(size)]
        self._nodes, self._check = nodes, check
        self._known: dict[int, int] = {}

    def plies(self, last: int, free: int) -> int | None:
        """Turns to the end after this pick: even when it wins; None when there are too many paths."""
        try:
            return self._count(self._from(last, free))
        except _TooManyPaths:
            return None

    def _from(self, place: int, free: int) -> int:
        return free >> place | free << self._size - place & self._all

    def _count(self, free: int) -> int:
        choices = self._near[0] & free
        if not choices:
            return 0
        free = self._reached(choices, free)
        if free not in self._known:
            self._spend()
            self._known[free] = self._best(choices, free)
        return self._known[free]

    def _best(self, choices: int, free: int) -> int:
        quickest, longest = 0, 0
        while choices:
            pick = choices & -choices
            choices ^= pick
            plies = 1 + self._count(self._from(pick.bit_length() - 1, free ^ pick))
            if plies == 1:
                return 1
            if plies & 1:
                quickest = min(quickest or plies, plies)
            else:
                longest = max(longest, plies)
        return quickest or longest

    def _reached(self, front: int, free: int) -> int:
        """The free numbers a path from here can reach; the others make no difference."""
        seen = front
        while front:
            place = front & -front
            new = self._near[place.bit_length() - 1] & free & ~seen
            seen |= new
            front = front ^ place | new
        return seen

    def _spend(self) -> None:
        if self._nodes <= 0:
            raise _TooManyPaths
        if self._nodes & 255 == 0:
            self._check()
        self._nodes -= 1


class _TooManyPaths(Exception):
    """The search was cut off."""


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """The verdict and its reason, then with all moves rated, then with their plies."""
    turn, choices = view.mover, view.choices
    free = set(view.free)
    places = [number in free for number in view.numbers]
    last = None if view.last is None else view.last - 1
    good = list(_winning(places, view.options.reach, last, [number - 1 for number in choices]))
    sign: Sign = 1 if any(good) else -1
    moves = [rated(str(number), 1 if win else -1, None) for number, win in zip(choices, good, strict=True)]
    yield analysis_from(turn, sign, None, moves, _reason(view, best_first(moves)[0]), complete=False)
    paths = Paths(view.options.size, view.options.reach, PLIES_NODES, stop.check)
    left = sum(1 << number - 1 for number in free)
    for index, (number, win) in enumerate(zip(choices, good, strict=True)):
        stop.check()
        plies = paths.plies(number - 1, left ^ 1 << number - 1)
        moves[index] = rated(str(number), 1 if win else -1, None if plies is None else plies + 1)
    best = best_first(moves)[0]
    pairs = tuple((str(one), str(two)) for one, two in _answers(view, best))
    idea = PARTNERS if best.verdict == "loss" else ODD_ONE_OUT if pairs else SHUT_IN
    shown = (Mark("pairs", pairs=pairs),) if pairs else ()
    reason = Reason(_reason(view, best), idea, _thought(view, best), shown=shown)
    yield analysis_from(turn, sign, turns_to_the_end(moves, sign), moves, reason)


def turns_to_the_end(moves: Sequence[Rated], sign: Sign) -> int | None:
    """The turns to the end, where all the moves that matter are counted (or one wins at once)."""
    counts = [move.plies for move in moves if move.verdict == ("win" if sign == 1 else "loss")]
    known = [plies for plies in counts if plies is not None]
    if sign == 1 and 1 in known:
        return 1
    return None if len(known) < len(counts) else min(known) if sign == 1 else max(known)


def _reason(view: View, best: Rated) -> str:
    """The partners that decide: the opponent's after a lost position's picks, your own after the best pick."""
    pick, pairs = best.move, _answers(view, best)
    if best.verdict == "loss":
        if len(view.choices) == 1:
            return f"You can only pick {pairs[0][0]}, and they answer it with its partner {pairs[0][1]}."
        lead = "The free numbers all go in pairs, so they" if view.last is None else "They"
        return f"{lead} can answer any pick with its partner: {_told(pairs)}."
    if not pairs:
        return f"Pick {pick}: no free number is next to it, so they cannot move."
    if len(pairs) == 1:
        return f"Pick {pick}, then answer {pairs[0][0]} with its partner {pairs[0][1]}."
    return f"Pick {pick}, which stays single, then answer any pick with its partner: {_told(pairs)}."


def _thought(view: View, best: Rated) -> str:
    """The idea of a winning pick, without the number."""
    if best.verdict == "loss":
        return ""
    pick = int(best.move)
    left = [number != pick and number in view.free for number in view.numbers]
    if not any(left[number - 1] for number in view.neighbours(pick)):
        return "Look for a number that has no free one next to it."
    pairs = RingPairs(left, view.options.reach).pairs()
    many = "1 pair" if pairs == 1 else f"{pairs} pairs"
    return f"The free numbers make at most {many} of neighbours. Find a number that those pairs can do without."


def _told(pairs: Sequence[tuple[int, int]]) -> str:
    """The first of the partners, and that there are more."""
    told = [f"{number}-{mate}" for number, mate in pairs[:NAMED]]
    return f"{', '.join(told)} and so on" if len(pairs) > NAMED else listed(told)


def _answers(view: View, best: Rated) -> list[tuple[int, int]]:
    """The partners that can come up: those of what may be picked next, then those of what is next to them, and so on.

    In a lost position what may be picked next is the player's own pick, else the opponent's after the best pick.
    """
    pick = None if best.verdict == "loss" else int(best.move)
    places = [number in view.free and number != pick for number in view.numbers]
    todo = [number for number in (view.choices if pick is None else view.neighbours(pick)) if places[number - 1]]
    free, most = tuple(places), RingPairs(places, view.options.reach).pairs()
    found, mates = list[tuple[int, int]](), dict[int, int]()
    for number in todo:
        if number not in mates:
            # There is one: a number without a mate in some greatest set of pairs would make a pair with the last pick.
            near = view.neighbours(number)
            mate = next(mate for mate in near if _kept(places, view.options.reach, number, mate, most))
            places[number - 1] = places[mate - 1] = False
            most -= 1
            found.append((number, mate))
            mates |= {number: mate, mate: number}
        todo += [near for near in view.neighbours(mates[number]) if free[near - 1] and near not in todo]
    return found


def _kept(places: list[bool], reach: int, number: int, mate: int, most: int) -> bool:
    """Whether two neighbours are a pair of some greatest set of pairs of these places."""
    if not places[number - 1] or not places[mate - 1]:
        return False
    places[number - 1] = places[mate - 1] = False
    kept = RingPairs(places, reach).pairs() == most - 1
    places[number - 1] = places[mate - 1] = True
    return kept


def is_won(view: View) -> bool:
    """The player to move wins on one trail."""
    free = set(view.free)
    return wins([n in free for n in view.numbers], view.options.reach, None if view.last is None else view.last - 1)


def partners(view: View) -> tuple[dict[str, str], bool]:
    """The pairs of a lost position on one trail; none of any other."""
    if view.own or is_won(view):
        return {}, False
    pairs = _answers(view, rated("", -1, None))
    return {str(one): str(two) for pair in pairs for one, two in (pair, pair[::-1])}, True


# -- what a position comes to


def essence(view: View) -> Hashable:
    """The free numbers that can still be reached, seen from the last pick; with two trails, all and both ends."""
    size, last = view.options.size, view.last
    if view.own:
        return "own", size, view.options.reach, last is None, _of_both(view)
    if last is None:
        turns = [[(number - at) % size for number in view.free] for at in view.free]
        spots = min(min(sorted(one), sorted(_mirrored(one, size))) for one in turns)
        return size, view.options.reach, tuple(spots)
    free, reached, todo = set(view.free), set[int](), [last]
    while todo:
        fresh = free.intersection(view.neighbours(todo.pop())) - reached
        reached |= fresh
        todo += fresh
    seen = [(number - last) % size for number in reached]
    return size, view.options.reach, tuple(min(sorted(seen), sorted(_mirrored(seen, size))))


def _of_both(view: View) -> Hashable:
    """The free numbers and the other trail's end, seen from one's own, or from wherever there is to see from."""
    theirs = view.picks[-1] if view.picks else None
    size, here = view.options.size, view.last or theirs
    return min(
        (
            tuple(sorted((number - at) * way % size for number in view.free)),
            0 if theirs is None else (theirs - at) * way % size,
        )
        for at in ((here,) if here else view.free)
        for way in (1, -1)
    )


def _mirrored(places: list[int], size: int) -> list[int]:
    return [-place % size for place in places]
