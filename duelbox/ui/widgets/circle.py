"""The layout of a ring as a circle: numbers on an ellipse, as round as the words inside it allow.

Pure functions of the count of numbers and of sizes. The track is drawn with braille dots, two columns and four rows of
them in each cell of the terminal.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from math import ceil, copysign, cos, hypot, pi, sin
from typing import NamedTuple

from textual.geometry import Region, Size

from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.geometry import ASPECT, BOX, GIANT, HUGE, SHORT, SMALL, Place, Point

RATIOS = (1.0, 1.15, 1.3, 1.45, 1.6, 1.8, 2.0, 2.15, 2.3, 2.45, 2.6)
"""Width to height of an ellipse, a row counted as two columns; the first that fits is taken."""
TALL = 24
"""From this many rows on, an ellipse is rounder, and its cells may be large."""
_ROUND = 1.6
"""The flattest ellipse of a tall board."""
_LOW, _FEW = 14, 10
"""A board of fewer rows has room for so many numbers at most, in cells of seven columns."""
_HUGE, _GIANT = 24, 40
"""The fewest rows for large digits and for full ones."""
CARD = Size(40, 7)
"""The smallest card of the end."""
_FOR_THE_CARD = 2
"""The ellipse of a low board is so many steps flatter at most for the card to stand inside."""
BUTTONS = Size(9, 3)
"""A cell with room for two buttons."""
_AIR = 2
"""Blank columns left and right of the words, together."""
_NOISE = 1e-6
_ANGLES = 720
"""Points at which the length of an ellipse is measured."""
_BITS = ((0x1, 0x8), (0x2, 0x10), (0x4, 0x20), (0x40, 0x80))
"""The bits of a braille sign, by row and column of its dots."""
_BRAILLE = 0x2800


class Dot(NamedTuple):
    """One dot of the track."""

    cell: Point
    bit: int
    place: float
    """The way to it from the first number, counted in numbers."""


@dataclass(frozen=True, eq=False)
class Circle:
    """Numbers at equal distances on an ellipse, clockwise from the top, and the dots of the track through them.

    Two circles are equal only if they are the same one: what is worked out from a circle is kept by it.
    """

    cells: tuple[Region, ...]
    field: Size
    outer: tuple[Dot, ...]
    """The track."""
    inner: tuple[Dot, ...]
    """A second row of dots inside it, drawn where a player reaches."""

    @cached_property
    def track(self) -> tuple[Place, ...]:
        """Every cell of the track with its place, counted in numbers."""
        places: dict[Point, float] = {}
        for dot in (*self.outer, *self.inner):
            places.setdefault(dot.cell, dot.place)
        return tuple(places.items())

    @cached_property
    def outer_bits(self) -> dict[Point, int]:
        """The dots of the track in each cell."""
        bits: dict[Point, int] = {}
        for dot in self.outer:
            bits[dot.cell] = bits.get(dot.cell, 0) | dot.bit
        return bits

    def signs(self, first: int, steps: int, glyphs: Glyphs, *, reach: bool) -> Sequence[tuple[Point, str]]:
        """The signs of the track from one number to the number so many steps on; `reach` adds the second row of dots.

        Cells at both ends keep the dots beyond the stretch.
        """
        return _signs(self, first, steps, reach)

    @cached_property
    def _free(self) -> tuple[tuple[int, int], ...]:
        """In each row, the first column right of everything on the left, and the first taken one on the right."""
        left, right = [0] * self.field.height, [self.field.width] * self.field.height
        middle = self.field.width / 2
        for x, top, width, height in self.cells:
            for y in range(top, top + height):
                if x + width / 2 < middle:
                    left[y] = max(left[y], x + width)
                else:
                    right[y] = min(right[y], x)
        for (x, y), _, _ in (*self.outer, *self.inner):
            if x + 1 / 2 < middle:
                left[y] = max(left[y], x + 1)
            else:
                right[y] = min(right[y], x)
        return tuple(zip(left, right, strict=True))

    def room(self, height: int) -> Region:
        """The widest region of so many rows in the middle that is free of numbers and track, with air beside it."""
        top = max(0, round((self.field.height - height) / 2))
        rows = self._free[top : top + height]
        if not rows or height > self.field.height:
            return Region(0, top, 0, height)
        lefts, rights = zip(*rows, strict=True)
        left = max(lefts)
        right = min(rights)
        return Region(left + _AIR // 2, top, max(0, right - left - _AIR), height)

    def holds(self, words: Size) -> bool:
        """True if words of this size fit in the middle."""
        return self.room(words.height).width >= words.width

    @cached_property
    def rooms(self) -> tuple[Region, ...]:
        """The rooms of all heights, the lowest and widest first."""
        rooms = [self.room(height) for height in range(1, self.field.height + 1)]
        return tuple([room for room in rooms if room.width])


@lru_cache(maxsize=256)
def _signs(circle: Circle, first: int, steps: int, reach: bool) -> tuple[tuple[Point, str], ...]:
    """The signs of a stretch of the track, see `Circle.signs`."""
    count = len(circle.cells)
    bits = circle.outer_bits
    lit: dict[Point, int] = {}
    for cell, _, place in circle.outer:
        if (place - first) % count <= steps:
            lit[cell] = bits[cell]
    if reach:
        for cell, bit, place in circle.inner:
            if (place - first) % count <= steps:
                lit[cell] = lit.get(cell, bits.get(cell, 0)) | bit
    return tuple([(cell, chr(_BRAILLE + dots)) for cell, dots in lit.items()])


@lru_cache(maxsize=64)
def circle_layout(
    count: int, width: int, height: int, stories: tuple[Size, ...] = (), *, wide: bool = False, tokens: bool = False
) -> Circle | None:
    """The circle with the largest cells that fit, as round as it can be around its words; None if none fits.

    `stories` are the sizes of the longest words that the rules can bring there, the most wanted first; `wide` cells
    have room for two buttons, `tokens` may be as small as one row. Nothing else counts, so that no number moves
    during a game.
    """
    field = Size(width, height)
    if height < _LOW and count > _FEW and not tokens:
        return None
    low = height < TALL
    ratios = [ratio for ratio in RATIOS if low or ratio <= _ROUND]
    for cell in _cells(height, wide=wide, tokens=tokens):
        circles = [circle for ratio in ratios if (circle := _circle(count, field, cell, ratio)) is not None]
        for story in stories or (Size(0, 1),):
            fitting = [circle for circle in circles if circle.holds(story)]
            with_card = [circle for circle in fitting[: _FOR_THE_CARD + 1] if circle.holds(CARD)]
            if with_card and stories and low:
                return with_card[0]
            if fitting:
                return fitting[0]
    return None


def _cells(height: int, *, wide: bool, tokens: bool) -> Sequence[Size]:
    """The sizes of cells that may be tried, the largest first."""
    sizes = []
    if height >= _GIANT:
        sizes.append(GIANT)
    if height >= _HUGE:
        sizes.append(HUGE)
    sizes.append(BUTTONS if wide else BOX)
    if height >= _LOW and not wide:
        sizes.append(SMALL)
    if tokens:
        sizes.append(SHORT)
    return sizes


@lru_cache(maxsize=256)
def _circle(count: int, field: Size, cell: Size, ratio: float) -> Circle | None:
    """The circle with cells of one size; None if two of them touch."""
    high = (field.height - cell.height) / 2
    wide = min((field.width - cell.width) / 2 - 1, high * ASPECT * ratio)
    if high <= 0 or wide <= 0:
        return None
    middle = (field.width - cell.width + 1) // 2
    cells = []
    for x, y in _points(wide / (ASPECT * high), count):
        # Left and right are mirror images, and two numbers that should be level are, whatever floats make of them.
        top = ceil(high + high * y - 0.5 - _NOISE)
        beside = copysign(round(abs(wide * x) - _NOISE), x)
        cells.append(Region(middle + int(beside), top, *cell))
    for one, other in combinations(cells, 2):
        if _touch(one, other):
            return None
    outer, inner = _dots(count, field, (middle + cell.width / 2, field.height / 2), (wide, high))
    return Circle(tuple(cells), field, outer, inner)


def _touch(one: Region, other: Region) -> bool:
    """True for cells that share a row without a column between them."""
    return abs(one.x - other.x) <= one.width and abs(one.y - other.y) < one.height


@lru_cache(maxsize=64)
def _lengths(flatness: float) -> tuple[float, ...]:
    """The length of an ellipse so many times wider than high, clockwise from the top, up to each angle."""
    lengths = [0.0]
    x1 = 0.0
    y1 = -1.0
    for at in range(1, _ANGLES + 1):
        angle = 2 * pi * at / _ANGLES
        x2 = flatness * sin(angle)
        y2 = -cos(angle)
        lengths.append(lengths[-1] + hypot(x2 - x1, y2 - y1))
        x1 = x2
        y1 = y2
    return tuple(lengths)


def _points(flatness: float, count: int) -> list[tuple[float, float]]:
    """So many points at equal distances from the top on, as fractions of half the width and half the height."""
    lengths = _lengths(flatness)
    points = []
    for at in range(count):
        way = at / count * lengths[-1]
        after = max(1, bisect_left(lengths, way))
        before = lengths[after - 1]
        angle = 2 * pi * (after - 1 + (way - before) / (lengths[after] - before)) / _ANGLES
        points.append((flatness * sin(angle) / flatness, -cos(angle)))
    return points


def _dots(
    count: int, field: Size, centre: tuple[float, float], half: tuple[float, float]
) -> tuple[tuple[Dot, ...], tuple[Dot, ...]]:
    """The dots of the track, and of the row inside it; `half` is half the width and half the height of the ellipse."""
    wide, high = half
    steps = round(16 * (wide + 2 * high)) + 8
    outer = dict[tuple[int, int], float]()
    inner = dict[tuple[int, int], float]()
    for step, (x, y) in enumerate(_points(wide / (ASPECT * high), steps)):
        column = centre[0] + wide * x
        row = centre[1] + high * y
        place = count * step / steps
        outer.setdefault((int(2 * column), int(4 * row)), place)
        slope = hypot(x, y)
        inner.setdefault((int(2 * column - x / slope), int(4 * row - y / slope)), place)
    return _in_field(outer, field), _in_field(inner, field)


def _in_field(dots: dict[tuple[int, int], float], field: Size) -> tuple[Dot, ...]:
    """The dots by the cells they are in; dots outside of the board are left out."""
    width, height = field
    inside = []
    for (x, y), place in dots.items():
        if 0 <= x // 2 < width and 0 <= y // 4 < height:
            inside.append(Dot((x // 2, y // 4), _BITS[y % 4][x % 2], place))
    return tuple(inside)
