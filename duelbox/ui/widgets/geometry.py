"""Where things stand on a board: pure functions of a number of things and a size, the same for drawing and pointing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import atan2, ceil, cos, hypot, log, pi, sin

from textual.geometry import Offset, Region, Size

GIANT, HUGE, LARGE, BOX, SMALL = Size(19, 11), Size(11, 5), Size(9, 5), Size(7, 3), Size(5, 3)
SHORT, TINY = Size(4, 1), Size(2, 1)
"""The sizes a number's cell may have."""
ASPECT = 2.0
"""How many times higher than wide a terminal's cell is."""
_ROUND = (1.0, 1.1, 1.2, 1.3, 1.4)
_OVAL = (*_ROUND, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
"""How many times wider than a circle a ring may be, in the order they are tried."""
_STEPS = 360
_MANY = 13
"""More than so many numbers on a small circle would be a scatter."""
_STORY = 25
"""A track encloses so many columns, so that there is room for the story."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Ring:
    """Numbers round an ellipse, the first at the top, clockwise."""

    cells: tuple[Region, ...]
    x: float
    y: float
    rx: float
    ry: float

    def at(self, share: float, depth: float = 1.0) -> Point:
        """A point some share of the way round, on the ellipse or (depth below 1) inside it."""
        angle = 2 * pi * share
        return self.x + self.rx * depth * sin(angle), self.y - self.ry * depth * cos(angle)

    def arc(self, start: float = 0.0, end: float = 1.0, gap: float = 1.0) -> Iterator[Point]:
        """Dots along the ellipse from one share of the way round to another; `gap` cells (across) between them."""
        return even([self.at(start + (end - start) * step / _STEPS) for step in range(_STEPS + 1)], gap)

    def leap(self, start: float, end: float, gap: float) -> Iterator[Point]:
        """Dots along a curve that bends inwards between two places, past those between them."""
        past = self.cells[0].width / 2 + 2
        depth = min(0.6, max(0.0, 1 - 2 * past / max(self.rx, 1)))
        (x0, y0), (x1, y1), (x2, y2) = self.at(start), self.at((start + end) / 2, depth), self.at(end)
        curve = []
        for step in range(_STEPS + 1):
            t = step / _STEPS
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
            curve.append((a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2))
        return even(curve, gap)

    def share(self, place: int) -> float:
        """How far round the ellipse a place is, from 0 to 1."""
        cell = self.cells[place]
        x, y = cell.x + cell.width / 2 - self.x, cell.y + cell.height / 2 - self.y
        return (atan2(x / max(self.rx, 0.5), -y / max(self.ry, 0.5)) / (2 * pi)) % 1

    def way(self, source: int, target: int) -> tuple[float, float]:
        """From one place to another, the shorter way round: the shares where it starts and ends."""
        start = self.share(source)
        return start, start + (self.share(target) - start + 0.5) % 1 - 0.5

    def room(self, row: int) -> int:
        """How wide a text in the middle of a row may be, clear of the numbers and of the ring."""
        room = 2 * self.rx
        for cell in self.cells:
            clear, apart = (0, 2) if cell.height > 1 else (1, 4)
            if cell.y - clear <= row < cell.bottom + clear:
                if cell.x < self.x + 1 and self.x - 1 < cell.right:
                    return 0
                if cell.y <= row < cell.bottom:
                    room = min(room, 2 * min(abs(cell.x - self.x), abs(cell.right - self.x)) - apart)
        inside = 1 - ((row + 0.5 - self.y) / max(self.ry, 0.5)) ** 2
        return int(min(room, 2 * self.rx * max(0.0, inside) ** 0.5 - 4))


@dataclass(frozen=True, slots=True)
class Track:
    """Numbers along a racetrack, the first at the top left, clockwise: two rows, joined by a column at each end."""

    cells: tuple[Region, ...]
    x: float
    y: float
    columns: tuple[int, int]
    """Where the line runs down at the right end, and up at the left one."""

    def stretch(self, place: int) -> tuple[tuple[int, int], ...]:
        """The line from the middle of a cell to the middle of the next, with a corner where it turns."""
        one, two = self._middle(place), self._middle((place + 1) % len(self.cells))
        if one[0] == two[0] or one[1] == two[1]:
            return one, two
        return one, (one[0], two[1]) if one[0] in self.columns else (two[0], one[1]), two

    def _middle(self, place: int) -> tuple[int, int]:
        cell = self.cells[place]
        ends = self.cells[0].y, max(cell.y for cell in self.cells)
        x = cell.x + (cell.width - 1) // 2
        return x if cell.y in ends else min(self.columns, key=lambda column: abs(column - x)), cell.y + cell.height // 2

    def way(self, source: int, target: int) -> tuple[int, ...]:
        """The places whose stretches lead from one place to another, the shorter way round."""
        count = len(self.cells)
        ahead = (target - source) % count
        first, steps = (source, ahead) if ahead <= count - ahead else (target, count - ahead)
        return tuple((first + at) % count for at in range(steps))

    def room(self, row: int) -> int:
        """How wide a text in the middle of a row may be, clear of the numbers."""
        size = self.cells[0].size
        bottom = max(cell.y for cell in self.cells)
        inside = self.cells[0].bottom <= row < bottom
        return max(0, self.columns[0] - self.columns[1] - size.width - 3) if inside else 0


def even(curve: Iterable[Point], gap: float) -> Iterator[Point]:
    """Points of a finely drawn curve at even distances as the eye sees them."""
    gone = gap
    before: Point | None = None
    for x, y in curve:
        if before is not None:
            gone += hypot(x - before[0], (y - before[1]) * ASPECT)
        before = (x, y)
        if gone >= gap:
            gone -= gap
            yield x, y


def toward(places: Sequence[Offset], here: int, dx: int, dy: int) -> int:
    """Where an arrow key leads: to the nearest place that way, or else round to the farthest the other way."""

    def way(at: int) -> tuple[float, float]:
        x, y = (places[at].x - places[here].x) / ASPECT, places[at].y - places[here].y
        return x * dx + y * dy, abs(x * dy) + abs(y * dx)

    ways = {at: way(at) for at in range(len(places)) if at != here}
    ahead = [at for at, (along, _) in ways.items() if along > 0]
    if ahead:
        return min(ahead, key=lambda at: ways[at][0] + 2 * ways[at][1])
    behind = [at for at, (along, _) in ways.items() if along < 0]
    return min(behind, key=lambda at: ways[at][::-1], default=here)


@lru_cache(maxsize=64)
def place(count: int, width: int, height: int, *, wide: bool = False) -> Ring | Track | None:
    """The largest cells that stand round an ellipse without touching, or, where they are many, along a racetrack.

    `wide` asks for wide cells even where that makes the ring a little less round.
    """
    boxes = ((HUGE, _ROUND[:3]), (LARGE, _ROUND[:3]), (BOX, _ROUND[2:] if wide else _ROUND[:2]), (SMALL, _ROUND))
    for size, stretches in boxes:
        for stretch in stretches:
            if (ring := _ring(count, width, height, size, 1, ASPECT * stretch)) is not None:
                return ring
        if count > _MANY and (track := _track(count, width, height, size)) is not None:
            return track
    for size in (BOX, SMALL, *[SHORT] * (count > _MANY)):
        if (track := _track(count, width, height, size)) is not None:
            return track
    for size, gap in ((SHORT, 1), (SHORT, 0), (TINY, 1)):
        for stretch in _OVAL:
            if (ring := _ring(count, width, height, size, gap, ASPECT * stretch)) is not None:
                return ring
    return None


def _track(count: int, width: int, height: int, size: Size) -> Track | None:
    """Cells of one size along a racetrack: the one nearest to twice as wide as high, with blanks where they fit."""
    best: tuple[float, int, int, int] | None = None
    inset = size.width // 2 + 2
    for sides in range(1, (count - 4) // 2 + 1):
        top = (count - 2 * sides + 1) // 2
        for gap, down in ((4, 1), (4, 0), (2, 1), (1, 1), (1, 0), (0, 0)):
            wide, high = top * (size.width + gap) - gap + 2 * inset, size.height * (sides + 2) + down * (sides + 1)
            story = high - 2 * size.height, wide - 2 * size.width
            if wide > width or high > height or story[0] < max(3, 2 * size.height - 3) or story[1] < _STORY:
                continue
            cost = abs(log(wide / high / ASPECT / 2)) + (0.5 if not gap else 0) + (0.25 if not down else 0)
            if best is None or cost < best[0]:
                best = (cost, sides, gap, down)
    if best is None:
        return None
    _, sides, gap, down = best
    top = (count - 2 * sides + 1) // 2
    pitch, rise = size.width + gap, size.height + down
    wide, high = top * pitch - gap + 2 * inset, rise * (sides + 2) - down
    left, upper = (width - wide) // 2, (height - high) // 2
    right, lower = left + wide - size.width, upper + high - size.height
    short = (top * 2 + 2 * sides - count) * pitch // 2
    cells = [Region(left + inset + at * pitch, upper, *size) for at in range(top)]
    cells += [Region(right, upper + at * rise, *size) for at in range(1, sides + 1)]
    bottom = count - top - 2 * sides
    cells += [Region(left + inset + short + at * pitch, lower, *size) for at in reversed(range(bottom))]
    cells += [Region(left, upper + at * rise, *size) for at in range(sides, 0, -1)]
    middle = (size.width - 1) // 2
    return Track(tuple(cells), left + wide / 2, upper + high / 2, (right + middle, left + middle))


def _ring(count: int, width: int, height: int, size: Size, gap: int, aspect: float) -> Ring | None:
    """Cells of one size round one ellipse, if they keep apart."""
    width -= (width - size.width) % 2  # so that the top cell stands in the middle
    room_x, room_y = (width - size.width) / 2, (height - size.height) / 2
    if room_x < 0 or room_y < 0:
        return None
    ry = min(room_y, room_x / aspect)
    rx = min(room_x, ry * aspect)
    cells: list[Region] = []
    for at, (x, y) in enumerate(_spread(count, rx, ry, size, gap)):
        if 0 < count - at < at:
            # The left half is the right half mirrored, so that rounding keeps it even.
            twin = cells[count - at]
            cells.append(Region(width - twin.right, twin.y, *size))
        else:
            cells.append(Region(ceil(room_x + x - 0.5), ceil(room_y + y - 0.5), *size))
    wide = [Region(cell.x, cell.y, cell.width + gap, cell.height) for cell in cells]
    apart = all(not one.overlaps(two) for at, one in enumerate(wide) for two in wide[:at])
    return Ring(tuple(cells), width / 2, height / 2, rx, ry) if apart else None


def _spread(count: int, rx: float, ry: float, size: Size, gap: int) -> list[Point]:
    """Centres with even room between the cells: distances are measured in cells, across or down, whichever is more."""
    angles = [2 * pi * step / _STEPS for step in range(_STEPS + 1)]
    points = [(rx * sin(angle), -ry * cos(angle)) for angle in angles]
    far = [0.0]
    for (x1, y1), (x2, y2) in pairwise(points):
        far.append(far[-1] + max(abs(x2 - x1) / (size.width + gap), abs(y2 - y1) / size.height))
    out: list[Point] = []
    step = 0
    for number in range(count):
        while step < _STEPS and far[step] < far[-1] * number / count - 1e-9:
            step += 1
        out.append(points[step])
    return out


Path = tuple[tuple[int, int], ...]
"""A line along these corners."""
Cells = tuple[Size, int, tuple[int, int]]
CELLS = (
    (Size(19, 11), 2, (1, 3)),
    (Size(11, 7), 1, (1, 2)),
    (LARGE, 0, (1, 2)),
    (Size(7, 4), 0, (1, 2)),
    (Size(5, 4), 0, (1, 2)),
    (BOX, 0, (1, 2)),
    (SMALL, 0, (1, 1)),
    (SHORT, 1, (1, 2)),
    (SHORT, 0, (1, 2)),
)
"""Cells in rows, the largest first: their size, the columns between two, the fewest and most lines between two rows."""
TILES = (
    (Size(6, 3), 0, (1, 1)),
    (Size(4, 4), 0, (1, 1)),
    *((Size(width, 1), 0, (0, 1)) for width in (4, 3, 2, 1)),
)
"""The same for a small picture of a board."""


@dataclass(frozen=True, slots=True)
class Snake:
    """Numbers in rows that wind like a snake, so that neighbours stay next to each other."""

    cells: tuple[Region, ...]
    links: tuple[Region, ...]
    """What lies between neighbours in a row that do not touch."""
    turns: tuple[Path, ...]
    """The lines from row to row, and the one round the left that closes a ring."""


@lru_cache(maxsize=64)
def rows(count: int, width: int, height: int, *, ring: bool = False, cells: tuple[Cells, ...] = CELLS) -> Snake | None:
    """The largest cells that fit: ten in a row where that takes no more rows.

    A ring has an even number of rows, so that its end is on the same side as its start.
    """
    for size, apart, (least, most) in cells:
        full = (width - 4 * ring + apart) // (size.width + apart)
        if full < 1:
            continue
        lines = ceil(count / full)
        lines += ring and lines % 2
        per = 10 if full >= 10 and (lines - 1) * 10 < count <= lines * 10 else ceil(count / lines)
        spare = height - lines * size.height
        if (lines - 1) * per < count and spare >= (lines - 1) * least:
            down = max(least, min(most, spare // lines))
            return _snake(count, per, size, (size.width + apart, size.height + down), (width, height), ring)
    return None


def _snake(count: int, per: int, size: Size, pitch: tuple[int, int], room: tuple[int, int], ring: bool) -> Snake:
    span = per * pitch[0] - pitch[0] + size.width, (ceil(count / per) - 1) * pitch[1] + size.height
    spare = room[1] - span[1]
    left, top = (room[0] - span[0]) // 2, (spare if spare < 4 else spare - 2) // 2
    cells = []
    for row, column in (divmod(at, per) for at in range(count)):
        column = per - 1 - column if row % 2 else column
        cells.append(Region(left + column * pitch[0], top + row * pitch[1], *size))
    links: list[Region] = []
    turns: list[Path] = []
    for one, two in pairwise(cells):
        x, y = one.x + size.width // 2, one.y + size.height // 2
        if one.y != two.y and one.bottom < two.y:
            turns.append(((x, one.bottom), (x, two.y - 1)))
        elif one.y == two.y and pitch[0] > size.width and size.height > 1:
            links.append(Region(min(one.right, two.right), y, pitch[0] - size.width, 1))
    if ring:
        first, last = (cell.y + size.height // 2 for cell in (cells[0], cells[-1]))
        turns.append(((cells[-1].x - 1, last), (left - 2, last), (left - 2, first), (left - 1, first)))
    return Snake(tuple(cells), tuple(links), tuple(turns))
