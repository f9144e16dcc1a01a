"""Where things stand on a board: pure functions of a number of things and a size, the same for drawing and pointing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, cos, hypot, pi, sin

from textual.geometry import Region, Size

TIERS = (Size(7, 3), Size(5, 3), Size(4, 1), Size(2, 1))
"""The sizes a number's cell may have, best first."""
ASPECT = 2.0
"""How many times higher than wide a terminal's cell is."""
_STEPS = 720


@dataclass(frozen=True, slots=True)
class Ring:
    """Numbers round an ellipse, the first at the top, clockwise."""

    cells: tuple[Region, ...]
    x: float
    y: float
    rx: float
    ry: float

    def points(self, start: float = 0.0, end: float = 1.0, gap: float = 0.5) -> Iterator[tuple[float, float]]:
        """Dots along the ellipse from one share of the way round to another, at even distances."""
        length = 2 * pi * hypot(self.rx / ASPECT, self.ry) / 2**0.5
        count = max(1, round(abs(end - start) * length / gap * ASPECT))
        for step in range(count + 1):
            angle = 2 * pi * (start + (end - start) * step / count)
            yield self.x + self.rx * sin(angle), self.y - self.ry * cos(angle)

    def share(self, place: int) -> float:
        """How far round the ellipse a place is, from 0 to 1."""
        return _share(self, *_middle(self.cells[place]))


def _middle(cell: Region) -> tuple[float, float]:
    return cell.x + cell.width / 2, cell.y + cell.height / 2


def _share(ring: Ring, x: float, y: float) -> float:
    from math import atan2

    dx, dy = (x - ring.x) / max(ring.rx, 0.5), (y - ring.y) / max(ring.ry, 0.5)
    return (atan2(dx, -dy) / (2 * pi)) % 1


@lru_cache(maxsize=64)
def place(count: int, width: int, height: int, aspect: float = ASPECT) -> Ring | None:
    """The largest cells that stand round an ellipse without touching; round where it can be, else wider than high."""
    for size, most in ((TIERS[0], 1.0), (TIERS[1], 1.3), (TIERS[2], 2.0), (TIERS[2], 9.0), (TIERS[3], 9.0)):
        for stretch in (1.0, 1.15, 1.3, 1.6, 2.0, 2.5, 3.0, 4.0, 6.0, 9.0):
            if stretch > most:
                break
            ring = _ring(count, width, height, size, aspect * stretch)
            if ring is not None:
                return ring
    return None


def _ring(count: int, width: int, height: int, size: Size, aspect: float) -> Ring | None:
    """Cells of one size round one ellipse, if they keep apart."""
    room_x, room_y = (width - size.width) / 2, (height - size.height) / 2
    if room_x < 0 or room_y < 0:
        return None
    ry = min(room_y, room_x / aspect)
    rx = min(room_x, ry * aspect)
    middle_x, middle_y = width / 2, height / 2
    centres = _spread(count, rx, ry, size)
    cells: list[Region] = []
    for at, (x, y) in enumerate(centres):
        mirror = count - at
        if 0 < mirror < at:
            # The left half is the right half mirrored, so that rounding keeps it even.
            twin = cells[mirror]
            cells.append(Region(width - twin.right, twin.y, *size))
        else:
            cells.append(Region(_near(middle_x + x - size.width / 2), _near(middle_y + y - size.height / 2), *size))
    if not _apart(cells):
        return None
    return Ring(tuple(cells), middle_x, middle_y, rx, ry)


def _near(number: float) -> int:
    return ceil(number - 0.5)


def _spread(count: int, rx: float, ry: float, size: Size) -> list[tuple[float, float]]:
    """Centres with even room between the cells: distances are measured in cells, across or down, whichever is more."""
    angles = [2 * pi * step / _STEPS for step in range(_STEPS + 1)]
    points = [(rx * sin(angle), -ry * cos(angle)) for angle in angles]
    far = [0.0]
    for (x1, y1), (x2, y2) in pairwise(points):
        far.append(far[-1] + max(abs(x2 - x1) / (size.width + 1), abs(y2 - y1) / size.height))
    out: list[tuple[float, float]] = []
    step = 0
    for number in range(count):
        while step < _STEPS and far[step] < far[-1] * number / count - 1e-9:
            step += 1
        out.append(points[step])
    return out


def _apart(cells: list[Region]) -> bool:
    """Whether no two cells touch side by side or overlap."""
    wide = [Region(cell.x, cell.y, cell.width + 1, cell.height) for cell in cells]
    return all(not one.overlaps(two) for at, one in enumerate(wide) for two in wide[:at])


@dataclass(frozen=True, slots=True)
class Rows:
    """Numbers in rows."""

    cells: tuple[Region, ...]
    counts: tuple[int, ...]
    """How many stand in each row."""


@lru_cache(maxsize=64)
def rows(count: int, width: int, height: int, ring: bool = False) -> Rows | None:
    """The largest cells that fit, in as few rows as they fit in, evenly filled."""
    for size in TIERS:
        gap = 0 if size.height > 1 else 1
        most = (width + gap) // (size.width + gap)
        if most < 1:
            continue
        lines = ceil(count / most)
        if ring and lines % 2 and lines > 1:
            lines += 1
        pitch = size.height
        if lines * pitch > height:
            continue
        if lines * (pitch + 1) - 1 <= height:
            pitch += 1
        return _snake(count, lines, width, height, size, pitch, gap)
    return None


def _snake(count: int, lines: int, width: int, height: int, size: Size, pitch: int, gap: int) -> Rows:
    per = ceil(count / lines)
    left = (width - per * (size.width + gap) + gap) // 2
    top = (height - lines * pitch + pitch - size.height) // 2
    cells = []
    for at in range(count):
        row, column = divmod(at, per)
        cells.append(Region(left + column * (size.width + gap), top + row * pitch, *size))
    counts = tuple(min(per, count - row * per) for row in range(lines))
    return Rows(tuple(cells), counts)
