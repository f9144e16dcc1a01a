"""Number Circle with one total for both, or with a floor: solved backwards from its wins, draws included.

A position is two markers, the places they came from, and the gaps between totals and target. One player attacks; the
gaps that the attacker wins are the bits of one integer for each pair of markers, with either player to move. With a
total each, a row for each gap of the attacker has a column for each gap of the defender; with one total, a bit for each
gap is enough. A step is a shift: a layer of the search (all positions won in the same number of moves) costs a few
shifts for each pair of markers it changes. A position in no layer is a draw: nobody can force the target, and play may
go on for ever.

Without a floor the total has no lower end, but gaps above `FAR` are all draws. A player who only holds the total down
can keep it from ever rising by more than 42 in all, whatever the other does, and under all rules on sharing and turning
back (the least such bound, by value iteration; the tests compute it again). So from a gap above 42 either player can
keep the total under the target for ever.

Cost: at most 81 x 9 pairs of markers times 42 gaps, or 20 x 20, each settled once; at most 68 layers, and 5 to 50 ms in
all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import product

from duelbox.games.number_circle.solve.steps import FREE, FROM_ABOVE, FROM_BELOW, PLACES, STEPS, HouseRules, Runner
from duelbox.solve.rating import Sign

FAR = 42  # without a floor, a wider gap can be kept open for ever by either player
MOST_TABLES = 24  # 2 MB each at the most

Layer = dict[int, int]  # bits of gaps, by pair of markers


def _pair(place: int, came: int, other: int, other_came: int) -> int:
    """The index of a pair of markers, the mover's first."""
    return ((place * 3 + came) * 9 + other) * 3 + other_came


@cache
def _links(backtracking: bool, sharing: bool) -> tuple[list[list[tuple[int, int]]], list[list[tuple[int, int]]]]:
    """The steps from each pair of markers to the pair that the rival then moves from, with their numbers; and
    backwards."""
    there: list[list[tuple[int, int]]] = [[] for _ in range(729)]
    back: list[list[tuple[int, int]]] = [[] for _ in range(729)]
    sources = (FREE,) if backtracking else (FREE, FROM_BELOW, FROM_ABOVE)
    for place, came, other, other_came in product(PLACES, sources, PLACES, sources):
        start = _pair(place, came, other, other_came)
        for to, came_then, number in STEPS[backtracking][place][came]:
            if sharing or to != other:
                end = _pair(other, other_came, to, came_then)
                there[start].append((end, number))
                back[end].append((start, number))
    return there, back


class Table:
    """The positions that the attacker wins under one set of house rules: side 0 with the attacker to move, side 1 with
    the defender."""

    def __init__(self, house: HouseRules, check: Callable[[], None]) -> None:
        self._shared, widest = house.shared, house.widest or FAR
        self._gaps = (2 << widest) - 2
        # A row is wide enough that no step leads into another one.
        self._row = 0 if self._shared else widest + 10
        self._rows = 1 if self._shared else sum(1 << gap * self._row for gap in range(1, widest + 1))
        self._open = self._gaps * self._rows
        # The gaps that a step may lead to; without a floor also those above `FAR`, which are draws.
        kept = self._gaps if house.widest else (2 << FAR + 9) - 2
        self._kept = kept * self._rows
        self._there, self._back = _links(house.backtracking, house.sharing)
        self._hits = [[self._where(side, 1 << number) for number in range(10)] for side in (0, 1)]
        stuck = [self._gaps] * 729
        for start, steps in enumerate(self._there):
            for _, number in steps:
                stuck[start] &= ~(self._gaps >> number << number | kept >> number)
        self._stuck = [[self._where(side, gaps) for gaps in stuck] for side in (0, 1)]
        self._won = [0] * 729, [0] * 729
        self._layers: list[tuple[Layer, Layer]] = [({}, {})]
        """The positions won in exactly this many moves."""
        self._grow(check)

    def value(self, mover: Runner, other: Runner) -> tuple[Sign, int | None]:
        """The value for the player to move, and the moves to the end; a shared total is read from the other runner."""
        markers = _pair(*mover[:2], *other[:2])
        mine, theirs = other[2] if self._shared else mover[2], other[2]
        for plies, (won, lost) in enumerate(self._layers):
            if won.get(markers, 0) >> mine * self._row + theirs & 1:
                return 1, plies
            if lost.get(markers, 0) >> theirs * self._row + mine & 1:
                return -1, plies
        return 0, None

    def _where(self, side: int, gaps: int) -> int:
        """The positions in which the mover has one of these gaps, with any gap of the other."""
        if side or self._shared:
            return gaps * self._rows
        return sum(self._gaps << gap * self._row for gap in range(gaps.bit_length()) if gaps >> gap & 1)

    def _grow(self, check: Callable[[], None]) -> None:
        hits = {start: sum(self._hits[0][number] for _, number in steps) for start, steps in enumerate(self._there)}
        layer = self._settled(hits, {})
        while any(layer):
            check()
            self._layers.append(layer)
            won, held = layer
            layer = self._settled(self._stepped(0, held), self._forced(self._stepped(1, won)))

    def _stepped(self, side: int, layer: Layer) -> Layer:
        """The mover's positions with a step into this layer, in which the other player is to move."""
        positions: Layer = defaultdict(int)
        for end, gaps in layer.items():
            for start, number in self._back[end]:
                positions[start] |= self._shifted(side, gaps, number) & self._open
        return positions

    def _forced(self, positions: Layer) -> Layer:
        """Of these positions of the defender, those in which all other steps lose as well."""
        for start, gaps in positions.items():
            for end, number in self._there[start]:
                gaps &= ~(self._shifted(1, self._kept & ~self._won[0][end], number) | self._hits[1][number])
            positions[start] = gaps
        return positions

    def _shifted(self, side: int, gaps: int, number: int) -> int:
        """The gaps from which a step onto this number leads to these gaps."""
        by = number if side or self._shared else number * self._row
        return gaps << by | gaps >> by

    def _settled(self, won: Layer, held: Layer) -> tuple[Layer, Layer]:
        """A new layer: the positions not known before, and those whose mover can only pass into it."""
        layer: tuple[Layer, Layer] = ({}, {})
        queue = [(0, start, gaps) for start, gaps in won.items()] + [(1, start, gaps) for start, gaps in held.items()]
        while queue:
            side, start, gaps = queue.pop()
            gaps &= ~self._won[side][start]
            if not gaps:
                continue
            self._won[side][start] |= gaps
            layer[side][start] = layer[side].get(start, 0) | gaps
            place, came, other, other_came = start // 81, start // 27 % 3, start // 3 % 9, start % 3
            for before in range(3) if other_came == FREE else ():  # a player who passed is free to turn back
                passer = _pair(other, before, place, came)
                queue.append((1 - side, passer, gaps & self._stuck[1 - side][passer]))
        return layer


_tables: dict[HouseRules, Table] = {}


def table(house: HouseRules, check: Callable[[], None]) -> Table:
    """The table of these house rules; a few are remembered."""
    if house not in _tables:
        made = Table(house, check)
        if len(_tables) >= MOST_TABLES:
            _tables.clear()
        _tables[house] = made
    return _tables[house]
