"""Number Circle Duel on one trail, solved by pairing: the game is undirected vertex geography on a band round a ring.

If the first pick is free, Player 2 wins exactly when the free numbers can all be paired with neighbours: each pick is
answered by its partner. Later a pick wins exactly when some greatest set of pairs does not need its number: the rival
then has to pick a paired number and is answered by its partner. The rival never gets to an unpaired number, since that
would make room for one more pair. So a verdict is a count of pairs (`most_pairs`), linear in the size of the ring.

Counting turns needs a search of the paths that the picks may take, which grows exponentially with the numbers in reach
(for reach 1 there are only two). The search remembers positions, stops after `PLIES_NODES` of them for all moves
together, and leaves the other plies None.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise

from duelbox.core.model import listed, player
from duelbox.games.circle_duel.rules import View
from duelbox.games.circle_duel.solve.ideas import ODD_ONE_OUT, PARTNERS, SHUT_IN
from duelbox.solve.api import Analysis, Instead, Mark, Rated, Reason, Stop
from duelbox.solve.bits import each
from duelbox.solve.rating import Sign, analysis_from, best_first, rated

PLIES_NODES = 4_000  # positions looked at to count turns: about 10 ms
NAMED = 2  # a sentence names at most this many pairs

Pairs = list[tuple[int, int]]


def most_pairs(numbers: Iterable[int], size: int, reach: int) -> int:
    """The most pairs of neighbours that these numbers of a ring make.

    Numbers that follow each other at most `reach` steps apart form a chain. Its numbers pair off in their order, all
    of them or all but one, and no number has a neighbour in another chain.
    """
    ring = sorted(numbers)
    steps = pairwise([*ring, ring[0] + size]) if ring else ()
    ends = [at for at, (one, two) in enumerate(steps) if two - one > reach]
    if not ends:
        return len(ring) // 2
    return sum((end - start) // 2 for start, end in pairwise([*ends, ends[0] + len(ring)]))


def wins(numbers: Iterable[int], size: int, reach: int, last: int | None) -> bool:
    """True if the player to move wins a ring of any size with these numbers free, after the pick `last`."""
    free = set(numbers)
    most = most_pairs(free, size, reach)
    if last is None:
        return 2 * most < len(free)
    near = {(last + step - 1) % size + 1 for step in range(-reach, reach + 1)} & free
    return any(most_pairs(free - {number}, size, reach) == most for number in near)


class Near(dict[int, int]):
    """The bits of all numbers next to any number of a set; for the empty set all numbers, as for a first pick.

    Bit 0 stands for any number of the ring, bit n for the number n places further on.
    """

    def __init__(self, size: int, reach: int) -> None:
        steps = [step for step in range(-reach, reach + 1) if step]
        super().__init__({1 << at: sum({1 << (at + step) % size for step in steps} - {1 << at}) for at in range(size)})
        self[0] = (1 << size) - 1

    def __missing__(self, numbers: int) -> int:
        last = numbers & -numbers
        self[numbers] = self[last] | self[numbers ^ last]
        return self[numbers]

    def reached(self, at: int, free: int) -> int:
        """The free numbers that a path from this number can reach if nobody is in its way."""
        front = seen = self[at] & free
        while front:
            front = self[front] & free & ~seen
            seen |= front
        return seen

    def first_there(self, free: int, mine: int, theirs: int) -> tuple[int, int]:
        """The numbers that each player gets to first; the player to move comes first where both need as many picks."""
        here, there = self[mine] & free, self[theirs] & free
        first, second, seen_here, seen_there = 0, 0, here, there
        while here or there:
            first |= here & ~second
            second |= there & ~first
            here = self[here] & free & ~seen_here if here else 0
            there = self[there] & free & ~seen_there if there else 0
            seen_here, seen_there = seen_here | here, seen_there | there
        return first, second


class Paths:
    """Counts turns on a ring until it has looked at a given number of positions.

    The ring is seen from the last pick, so turned rings are one position.
    """

    def __init__(self, size: int, reach: int, nodes: int, check: Callable[[], None]) -> None:
        self._size, self._near = size, Near(size, reach)
        self._nodes, self._check = nodes, check
        self._known: dict[int, int] = {}

    def plies(self, last: int, free: int) -> int | None:
        """Turns to the end after this pick, an even number if it wins; None if there are too many paths."""
        try:
            return self._count(self._from(last, free))
        except TooManyPaths:
            return None

    def _from(self, place: int, free: int) -> int:
        return free >> place | free << self._size - place & self._near[0]

    def _count(self, free: int) -> int:
        choices = self._near[1] & free
        if not choices:
            return 0
        free = self._near.reached(1, free)  # numbers out of reach make no difference
        if free not in self._known:
            self._spend()
            self._known[free] = self._best(choices, free)
        return self._known[free]

    def _best(self, choices: int, free: int) -> int:
        quickest, longest = 0, 0
        for pick in each(choices):
            plies = 1 + self._count(self._from(pick.bit_length() - 1, free ^ pick))
            if plies == 1:
                return 1
            if plies & 1:
                quickest = min(quickest or plies, plies)
            else:
                longest = max(longest, plies)
        return quickest or longest

    def _spend(self) -> None:
        if self._nodes <= 0:
            raise TooManyPaths
        if self._nodes & 255 == 0:
            self._check()
        self._nodes -= 1


class TooManyPaths(Exception):
    """The count of turns was cut off."""


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """The verdict and its reason, then with the turns of every move."""
    most, free = _most_pairs(view, view.free), {*view.free}
    good = {number: _most_pairs(view, free - {number}) == most for number in view.choices}
    sign: Sign = 1 if any(good.values()) else -1
    moves = [rated(str(number), 1 if win else -1, None) for number, win in good.items()]
    yield analysis_from(view.mover, sign, None, moves, _reason(view, best_first(moves)).sentence, complete=False)
    paths = Paths(view.options.size, view.options.reach, PLIES_NODES, stop.check)
    left = sum(1 << number - 1 for number in free)
    for index, (number, win) in enumerate(good.items()):
        stop.check()
        plies = paths.plies(number - 1, left ^ 1 << number - 1)
        moves[index] = rated(str(number), 1 if win else -1, None if plies is None else plies + 1)
    yield analysis_from(view.mover, sign, turns_to_the_end(moves, sign), moves, _reason(view, best_first(moves)))


def turns_to_the_end(moves: Sequence[Rated], sign: Sign) -> int | None:
    """Turns to the end; None unless all moves that matter are counted, or one wins at once."""
    counts = [move.plies for move in moves if move.verdict == ("win" if sign == 1 else "loss")]
    known = [plies for plies in counts if plies is not None]
    if sign == 1 and 1 in known:
        return 1
    return None if len(known) < len(counts) else min(known) if sign == 1 else max(known)


def _most_pairs(view: View, numbers: Iterable[int]) -> int:
    return most_pairs(numbers, view.options.size, view.options.reach)


def _reason(view: View, moves: Sequence[Rated]) -> Reason:
    """The reason in terms of partners: those of a lost position, or those after the best pick."""
    best, them = moves[0], player(view.rival)
    pairs = _partners(view, None if best.verdict == "loss" else int(best.move))
    shown = (Mark("pairs", pairs=tuple((str(one), str(two)) for one, two in pairs)),) if pairs else ()
    if best.verdict == "loss":
        sentence = f"{them} can answer any pick with its partner: {_listed(pairs)}."
        if len(view.choices) == 1:
            sentence = f"You can only pick {pairs[0][0]}: {them} answers it with its partner {pairs[0][1]}."
        if view.last is None:
            sentence = f"The free numbers all go in pairs. {sentence}"
        return Reason(sentence, PARTNERS, shown=shown)
    pick, instead = best.move, _tempting(view, [one.move for one in moves if one.verdict == "loss"])
    if not pairs:
        sentence = f"Pick {pick}: no free number is next to it, so {them} cannot move."
        thought = "Look for a number that has no free one next to it."
        return Reason(sentence, SHUT_IN, thought, pick, instead=instead)
    sentence = f"Pick {pick}: it can stay single. Then answer any pick with its partner: {_listed(pairs)}."
    if len(pairs) == 1:
        sentence = f"Pick {pick}: it can stay single. Then answer {pairs[0][0]} with its partner {pairs[0][1]}."
    count = _most_pairs(view, {*view.free} - {int(pick)})
    thought = f"The free numbers make at most {count} pair{'' if count == 1 else 's'} of neighbours."
    thought = f"{thought} Find a number that those pairs can do without."
    return Reason(sentence, ODD_ONE_OUT, thought, pick, shown, instead)


def _tempting(view: View, wrong: Sequence[str]) -> Instead | None:
    """The wrong pick that looks most single, having the fewest free neighbours; None if no pick is wrong."""
    if not wrong:
        return None
    free = {*view.free}
    return refuted(view, min(wrong, key=lambda pick: len(free & {*view.neighbours(int(pick))})))


def refuted(view: View, move: str) -> Instead | None:
    """The answer to a wrong pick: a number that can then stay single."""
    left = {*view.free} - {int(move)}
    most, them = _most_pairs(view, left), player(view.rival)
    near = [number for number in view.neighbours(int(move)) if number in left]
    for number in near:
        rest = left - {number}
        if not rest & {*view.neighbours(number)}:
            return Instead(move, str(number), f"{them} picks {number}, and you cannot move")
    reply = next(number for number in near if _most_pairs(view, left - {number}) == most)
    return Instead(move, str(reply), f"{them} picks {reply} and has the partner of all you can pick")


def _listed(pairs: Pairs) -> str:
    """The first few pairs, and "and so on" for the rest."""
    some = [f"{number}-{mate}" for number, mate in pairs[:NAMED]]
    return f"{', '.join(some)} and so on" if len(pairs) > NAMED else listed(some)


def _partners(view: View, pick: int | None) -> Pairs:
    """The pairs that can come up: those of the next picks, then those of their neighbours, and so on.

    After a winning pick, the next pick is the opponent's; without a pick, it is the player's own.
    """
    free = {*view.free} - {pick}
    left, pairs, mates = free.copy(), Pairs(), dict[int, int]()
    todo = [number for number in (view.choices if pick is None else view.neighbours(pick)) if number in free]
    for number in todo:
        if number not in mates:
            # A number without a mate in every greatest set of pairs would make one more pair with the last pick.
            most = _most_pairs(view, left)
            near = (one for one in view.neighbours(number) if one in left)
            mate = next(one for one in near if _most_pairs(view, left - {number, one}) == most - 1)
            left -= {number, mate}
            pairs.append((number, mate))
            mates |= {number: mate, mate: number}
        todo += [near for near in view.neighbours(mates[number]) if near in free and near not in todo]
    return pairs


def is_won(view: View) -> bool:
    """True if the player to move wins."""
    return wins(view.free, view.options.size, view.options.reach, view.last)


def partners(view: View) -> tuple[dict[str, str], bool]:
    """The partners of a lost position; empty for a won one and for own trails."""
    if view.own or is_won(view):
        return {}, False
    return {str(one): str(two) for pair in _partners(view, None) for one, two in (pair, pair[::-1])}, True


# -- what a position comes to


def essence(view: View) -> Hashable:
    """The free numbers (on one trail, those within reach) and the other trail's end, up to turns and mirror images."""
    size, reach, numbers = view.options.size, view.options.reach, view.free
    theirs = view.picks[-1] if view.own and view.picks else None
    if view.last and not view.own:
        free = sum(1 << number - 1 for number in numbers)
        numbers = tuple(bit.bit_length() for bit in each(Near(size, reach).reached(1 << view.last - 1, free)))
    here = view.last or theirs
    seen = (
        (sorted((number - at) * way % size for number in numbers), 0 if theirs is None else (theirs - at) * way % size)
        for at in ((here,) if here else numbers)
        for way in (1, -1)
    )
    spots, end = min(seen)
    return view.own, size, reach, view.last is None, tuple(spots), end
