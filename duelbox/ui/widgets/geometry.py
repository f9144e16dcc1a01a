"""The layouts of rings and of rows of numbers: pure functions of how many numbers there are and of the size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil

from textual.geometry import Offset, Region, Size

from duelbox.ui.glyphs import Glyphs

GIANT, HUGE, LARGE, BOX, SMALL = Size(19, 11), Size(11, 5), Size(9, 5), Size(7, 3), Size(5, 3)
SHORT = Size(4, 1)
"""The sizes of a number's cell."""
ASPECT = 2.0
"""A terminal's cell is about this many times higher than wide."""
_SIDES = 3
"""Most numbers at each end of a ring, as long as the other numbers fit into its two rows."""
_STORY, _CARD = 45, 9
"""The room inside a ring: columns for the story, if the window has them, and rows that large cells must leave."""

Point = tuple[int, int]
Place = tuple[Point, float]
"""A cell of a track, and the way to it from the first number, counted in numbers."""


@dataclass(frozen=True, slots=True)
class Racetrack:
    """A ring of two rows joined at the ends, clockwise from the first number of the top row.

    It stands where a circle has no room, and where there are no braille dots to draw one.
    """

    cells: tuple[Region, ...]
    line: tuple[Point, ...]
    """Every cell of the closed line through them, clockwise."""
    at: tuple[int, ...]
    """The point of the line under the middle of each number."""
    middle: Region
    """Free of numbers and of the line, with room for the story."""

    def stretch(self, first: int, steps: int) -> tuple[int, ...]:
        """The points of the line from one number to the number so many steps on, clockwise; at most the whole line."""
        count, points = len(self.cells), len(self.line)
        if steps >= count:
            return tuple(range(points))
        start, end = self.at[first % count], self.at[(first + steps) % count]
        return tuple(at % points for at in range(start, end + 1 if end >= start else end + points + 1))

    def signs(self, first: int, steps: int, glyphs: Glyphs, *, reach: bool) -> Iterable[tuple[Point, str]]:
        """The signs of the line from one number to the number so many steps on; heavier ones for a `reach`."""
        chars = glyphs.reach if reach else glyphs.track
        return ((self.line[point], self.sign(point, chars)) for point in self.stretch(first, steps))

    @property
    def track(self) -> tuple[Place, ...]:
        """Every cell of the line with its place, counted in numbers."""
        share = len(self.cells) / len(self.line)
        return tuple((point, at * share) for at, point in enumerate(self.line))

    def room(self, height: int) -> Region:
        """So many rows in the middle, without width if there are fewer."""
        x, y, width, high = self.middle
        if height > high:
            return Region(x, y, 0, height)
        return Region(x, y + (high - height) // 2, width, height)

    @property
    def rooms(self) -> tuple[Region, ...]:
        """The middle."""
        return (self.middle,)

    def sign(self, point: int, chars: str) -> str:
        """The sign with which the line is drawn at a point; `chars` as for `Canvas.box`."""
        x, y = self.line[point]
        before, after = self.line[point - 1], self.line[(point + 1) % len(self.line)]
        if before[1] == y == after[1]:
            return chars[1]
        if before[0] == x == after[0]:
            return chars[3]
        top, left = max(before[1], after[1]) > y, max(before[0], after[0]) > x
        return chars[(0 if left else 2) if top else 6 if left else 4]


def toward(places: Sequence[Offset], here: int, dx: int, dy: int) -> int:
    """The place an arrow key leads to: the nearest in its direction, or else the farthest in the other one."""

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
def racetrack_layout(count: int, width: int, height: int, *, wide: bool = False) -> Racetrack | None:
    """The racetrack with the largest cells that fit; `wide` cells have room for two buttons.

    It depends on the count and the size alone, so that no number moves during a game.
    """
    for size in (GIANT, HUGE, Size(9, 3) if wide else BOX, SMALL, SHORT):
        if (track := _track(count, width, height, size)) is not None:
            return track
    return None


def _track(count: int, width: int, height: int, size: Size) -> Racetrack | None:
    """The ring with cells of one size, if they fit; at the ends, the line shows between the numbers."""
    free, half = height - 2 * size.height, size.width // 2
    if size.height > 3 and free < _CARD:
        return None
    most = max(1, min(_SIDES, free // (size.height + 2), (count + 1) // 4))
    for sides in range(most, count // 2 if free >= 3 else 0):
        top = (count - 2 * sides + 1) // 2
        spaced = sides * (size.height + 1) - 1 <= free
        if not spaced and (size.height > 3 or sides > _SIDES or sides * size.height > free):
            return None
        cap = max(size.width + (13 if top <= 4 else 7), 5 * height // (2 * sides + 2))
        for margin in (half + 2, half + 1)[: 1 if size.width in (7, 9) else 2]:
            pitch = min(cap, (width - 2 * margin - size.width) // max(1, top - 1))
            if pitch >= size.width + (size.height > 1) and 2 * margin + size.width <= width:
                return _laid_out(count, Region(0, 0, width, height), size, sides, pitch)
    return None


def _laid_out(count: int, field: Region, size: Size, sides: int, pitch: int) -> Racetrack:
    """A ring in the middle of a field, with so many numbers at each end and so many columns from number to number."""
    top, half = (count - 2 * sides + 1) // 2, size.width // 2
    span = (top - 1) * pitch + size.width
    wide = next((wide for wide in (span + 2 * (half + more) for more in (3, 2, 1)) if wide <= field.width), field.width)
    wide = max(wide, min(field.width, 2 * size.width + _STORY))
    x, bottom = (field.width - wide) // 2, field.height - size.height
    right, start = x + wide - size.width, x + (wide - span) // 2
    each, more = divmod(bottom - size.height * (sides + 1), sides + 1)
    wider = sorted(range(sides + 1), key=lambda gap: abs(2 * gap - sides))[:more]  # the middle gaps first
    spaces = [each + (gap in wider) for gap in range(sides + 1)]
    ends = [sum(spaces[: at + 1]) + (at + 1) * size.height for at in range(sides)]
    bottom_count = count - top - 2 * sides
    low = x + (wide - ((bottom_count - 1) * pitch + size.width)) // 2
    cells = [Region(start + at * pitch, 0, *size) for at in range(top)]
    cells += [Region(right, y, *size) for y in ends]
    cells += [Region(low + at * pitch, bottom, *size) for at in reversed(range(bottom_count))]
    cells += [Region(x, y, *size) for y in reversed(ends)]
    x1, x2, y1, y2 = x + half, right + half, size.height // 2, bottom + size.height // 2
    line = [(at, y1) for at in range(x1, x2)] + [(x2, at) for at in range(y1, y2)]
    line += [(at, y2) for at in range(x2, x1, -1)] + [(x1, at) for at in range(y2, y1, -1)]
    points = tuple(line.index((cell.x + half, cell.y + size.height // 2)) for cell in cells)
    inner = x + size.width + 2
    middle = Region(inner, size.height, right - 2 - inner, bottom - size.height)
    return Racetrack(tuple(cells), tuple(line), points, middle)


Path = tuple[tuple[int, int], ...]
"""The corners of a line."""
Cells = tuple[Size, int, tuple[int, int]]
CELLS = (
    (Size(19, 11), 2, (1, 3)),
    (Size(11, 7), 1, (1, 4)),
    (LARGE, 0, (1, 4)),
    (Size(7, 4), 0, (1, 2)),
    (Size(5, 4), 0, (1, 2)),
    (BOX, 0, (1, 2)),
    (SMALL, 0, (1, 1)),
    (SHORT, 1, (1, 2)),
    (SHORT, 0, (1, 2)),
)
"""Cells in rows, the largest first: size, columns between two cells, fewest and most lines between two rows."""
TILES = (
    (Size(6, 3), 0, (1, 1)),
    (Size(4, 4), 0, (1, 1)),
    *((Size(width, 1), 0, (0, 1)) for width in (4, 3, 2, 1)),
)
"""The same for thumbnails."""


@dataclass(frozen=True, slots=True)
class Snake:
    """Numbers in rows that wind like a snake, so that neighbours stay next to each other."""

    cells: tuple[Region, ...]
    links: tuple[Region, ...]
    """The gaps between neighbours in a row."""
    turns: tuple[Path, ...]
    """The lines from row to row, and the line around the left side that closes a ring."""


@lru_cache(maxsize=64)
def snake_layout(
    count: int, width: int, height: int, *, ring: bool = False, cells: tuple[Cells, ...] = CELLS
) -> Snake | None:
    """The rows with the largest cells that fit; ten in a row if that takes no more rows.

    A ring has an even number of rows, so that its end is on the same side as its start.
    """
    for size, gap, (least, most) in cells:
        full = (width - 4 * ring + gap) // (size.width + gap)
        if full < 1:
            continue
        lines = ceil(count / full)
        lines += ring and lines % 2
        per = 10 if full >= 10 and (lines - 1) * 10 < count <= lines * 10 else ceil(count / lines)
        spare = height - lines * size.height
        if (lines - 1) * per < count and spare >= (lines - 1) * least:
            down = max(least, min(most, spare // lines))
            return _snake(count, per, size, (size.width + gap, size.height + down), (width, height), ring)
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
        first, last = (cell.y + (size.height - 1) // 2 for cell in (cells[0], cells[-1]))
        turns.append(((cells[-1].x - 1, last), (left - 2, last), (left - 2, first), (left - 1, first)))
    return Snake(tuple(cells), tuple(links), tuple(turns))
