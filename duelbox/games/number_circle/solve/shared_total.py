"""Number Circle with one total for both: the whole game backwards from its wins, draws included.

A position is two markers, where each came from, and the gap between total and target; the player to move comes first,
so that both seats share one table. All gaps of one pair of markers are the bits of one integer, and a step is a shift:
a layer of the search (all wins, or losses, in so many moves) costs a few shifts for each pair of markers it changes.
What no layer reaches is a draw: nobody can force the target, and play may go on for ever.

Without a floor the total has no lower end, but gaps above `FAR` are all draws. Whoever plays only to keep the total
down, and counts on nothing from the other, can keep it from ever rising by more than 42 in all, whatever the markers
and the rules on sharing and turning (the least such bound, by value iteration; the tests compute it again). So from a
gap above 42 either player can keep the total under the target for ever.

Cost: at most 81 x 9 pairs of markers times 42 gaps, each settled once; 68 layers at the most, some 10 to 30 ms in all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import product

from duelbox.games.number_circle.solve.moves import FREE, FROM_ABOVE, FROM_BELOW, PLACES, STEPS, House
from duelbox.solve.rating import Sign

FAR = 42  # without a floor, a wider gap can be kept open for ever by either player

Layer = dict[int, int]  # bits of gaps by pair of markers


def pair(place: int, came: int, other: int, other_came: int) -> int:
    """The number of a pair of markers, the mover's first."""
    return ((place * 3 + came) * 9 + other) * 3 + other_came


@cache
def links(backtracking: bool, sharing: bool) -> tuple[list[list[tuple[int, int]]], list[list[tuple[int, int]]]]:
    """Steps from each pair of markers to the one the rival then moves from, with the number; and the same backwards."""
    there: list[list[tuple[int, int]]] = [[] for _ in range(729)]
    back: list[list[tuple[int, int]]] = [[] for _ in range(729)]
    sources = (FREE,) if backtracking else (FREE, FROM_BELOW, FROM_ABOVE)
    for place, came, other, other_came in product(PLACES, sources, PLACES, sources):
        start = pair(place, came, other, other_came)
        for to, came_then, number in STEPS[backtracking][place][came]:
            if sharing or to != other:
                end = pair(other, other_came, to, came_then)
                there[start].append((end, number))
                back[end].append((start, number))
    return there, back


class Tug:
    """Wins and losses of the player to move, for all positions of one set of house rules."""

    def __init__(self, house: House, check: Callable[[], None]) -> None:
        self._open = (2 << (house.widest or FAR)) - 2
        """The gaps from 1 to the widest."""
        self._kept = self._open if house.widest else (2 << FAR + 9) - 2
        """The gaps a step may lead to; without a floor those above `FAR` too, which are draws."""
        self._there, self._back = links(house.backtracking, house.sharing)
        self._stuck = [self._open] * 729
        for start, steps in enumerate(self._there):
            for _, number in steps:
                self._stuck[start] &= ~(self._open >> number << number | self._kept >> number)
        self._won, self._lost = [0] * 729, [0] * 729
        self.layers: list[tuple[Layer, Layer]] = [({}, {})]
        """What is won, and what is lost, in so many moves."""
        self._grow(check)

    def value(self, markers: int, gap: int) -> tuple[Sign, int | None]:
        """What a gap and pair of markers are worth to the player to move, and in how many moves."""
        for plies, (won, lost) in enumerate(self.layers):
            if won.get(markers, 0) >> gap & 1:
                return 1, plies
            if lost.get(markers, 0) >> gap & 1:
                return -1, plies
        return 0, None

    def _grow(self, check: Callable[[], None]) -> None:
        hits = {start: sum(1 << number for _, number in steps) for start, steps in enumerate(self._there)}
        won, lost = self._settled(hits, {})
        while won or lost:
            check()
            self.layers.append((won, lost))
            won, lost = self._settled(self._forcing(lost), self._forced(won))

    def _forcing(self, lost: Layer) -> Layer:
        """Positions with a step to one of these, which the rival loses."""
        found: Layer = defaultdict(int)
        for end, gaps in lost.items():
            for start, number in self._back[end]:
                found[start] |= (gaps << number | gaps >> number) & self._open
        return found

    def _forced(self, won: Layer) -> Layer:
        """Positions with a step to one of these, where every other step is to a win for the rival as well."""
        found = self._forcing(won)
        for start, gaps in found.items():
            for end, number in self._there[start]:
                others = self._kept & ~self._won[end]
                gaps &= ~(others << number | others >> number)
            found[start] = gaps
        return found

    def _settled(self, won: Layer, lost: Layer) -> tuple[Layer, Layer]:
        """A new layer without what was known, and with the positions whose mover can only pass into it."""
        layer: tuple[Layer, Layer] = ({}, {})
        queue = [(0, start, gaps) for start, gaps in won.items()] + [(1, start, gaps) for start, gaps in lost.items()]
        while queue:
            side, start, gaps = queue.pop()
            gaps &= ~(self._won[start] | self._lost[start])
            if not gaps:
                continue
            known = self._lost if side else self._won
            known[start] |= gaps
            layer[side][start] = layer[side].get(start, 0) | gaps
            queue += [(1 - side, passer, gaps & self._stuck[passer]) for passer in self._passers(start)]
        return layer

    def _passers(self, start: int) -> list[int]:
        """The pairs of markers from which a pass leads to this one: who passes is then free to turn."""
        place, came, other, other_came = start // 81, start // 27 % 3, start // 3 % 9, start % 3
        return [pair(other, before, place, came) for before in range(3)] if other_came == FREE else []


_tables: dict[House, Tug] = {}


def tug(house: House, check: Callable[[], None]) -> Tug:
    """The table of these house rules, made once: there are 48, some 25 MB in all."""
    if house not in _tables:
        _tables[house] = Tug(house, check)
    return _tables[house]
