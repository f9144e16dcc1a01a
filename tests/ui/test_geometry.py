"""Layouts: numbers in order, without overlaps, rings closed."""

from itertools import pairwise, product

import pytest
from textual.geometry import Region

from duelbox.ui.widgets.cells import large_digits
from duelbox.ui.widgets.geometry import Racetrack, racetrack_layout

SIZES = [(80, 16), (60, 12), (83, 28), (152, 48), (80, 14), (100, 20), (46, 9), (40, 16)]


@pytest.mark.parametrize("count", range(4, 31))
def test_a_ring_is_one_line_through_all_its_numbers(count: int) -> None:
    for size, wide in product(SIZES, (False, True)):
        ring = racetrack_layout(count, *size, wide=wide)
        if ring is None:
            assert size[0] < 60, "every window has room for every ring"
        else:
            check_ring(ring, size)


def check_ring(ring: Racetrack, size: tuple[int, int]) -> None:
    """Check that one closed line leads clockwise from number to number, and that the middle is clear."""
    check_apart(ring.cells, size)
    for (x1, y1), (x2, y2) in pairwise((*ring.line, ring.line[0])):
        assert abs(x1 - x2) + abs(y1 - y2) == 1
    assert len(set(ring.line)) == len(ring.line)
    assert list(ring.at) == sorted(ring.at)
    for place_, cell in enumerate(ring.cells):
        under = [ring.line[point] for point in ring.stretch(place_, 1)]
        assert under[0] == (cell.x + cell.width // 2, cell.y + cell.height // 2)
        near = (cell, ring.cells[(place_ + 1) % len(ring.cells)])
        assert not any(other.contains(*point) for other in ring.cells if other not in near for point in under)
    assert not any(ring.middle.overlaps(cell) for cell in ring.cells)
    assert not any(ring.middle.contains(*point) for point in ring.line)
    top = sum(cell.y == 0 for cell in ring.cells)
    xs = [cell.x for cell in ring.cells[:top]]
    assert xs == sorted(xs)
    assert 0 <= top - sum(cell.bottom == size[1] for cell in ring.cells) <= 1
    corners = [ring.sign(point, "╭─╮│╯─╰│") for point in range(len(ring.line))]
    assert "".join(sign for sign in corners if sign in "╭╮╯╰") == "╭╮╯╰"


@pytest.mark.parametrize(
    ("count", "size", "split", "cell", "pitch", "span"),
    [
        (9, (80, 16), (3, 2, 2), (7, 3), 20, 59),
        (10, (80, 16), (3, 3, 2), (7, 3), 20, 59),
        (13, (80, 16), (5, 4, 2), (7, 3), 14, 75),
        (15, (80, 16), (6, 5, 2), (7, 3), 12, 79),
        (21, (80, 16), (8, 7, 3), (7, 3), 9, 80),
        (30, (80, 16), (12, 12, 3), (5, 3), 6, 79),
        (13, (60, 12), (6, 5, 1), (7, 3), 8, 59),
        (30, (60, 12), (12, 12, 3), (4, 1), 4, 58),
        (13, (83, 28), (5, 4, 2), (11, 5), 14, 83),
        (15, (83, 28), (6, 5, 2), (11, 5), 12, 83),
        (15, (152, 48), (6, 5, 2), (19, 11), 22, 151),
    ],
)
def test_numbers_of_a_ring_are_as_large_as_there_is_room_for(
    count: int,
    size: tuple[int, int],
    split: tuple[int, int, int],
    cell: tuple[int, int],
    pitch: int,
    span: int,
) -> None:
    cells = racetrack_layout(count, *size).cells
    top, bottom = sum(one.y == 0 for one in cells), sum(one.bottom == size[1] for one in cells)
    assert (top, bottom, (count - top - bottom) // 2) == split
    assert cells[0].size == cell
    assert cells[1].x - cells[0].x == pitch
    assert max(one.right for one in cells) - min(one.x for one in cells) == span


def check_apart(cells: tuple[Region, ...], size: tuple[int, int]) -> None:
    """Check that nothing overlaps or sticks out."""
    assert all(Region(0, 0, *size).contains_region(cell) for cell in cells)
    assert not any(one.overlaps(two) for at, one in enumerate(cells) for two in cells[:at])


@pytest.mark.parametrize(("first", "steps", "ends"), [(0, 2, (0, 2)), (18, 4, (18, 2)), (-2, 4, (18, 2))])
def test_a_stretch_of_a_ring_goes_clockwise(first: int, steps: int, ends: tuple[int, int]) -> None:
    ring = racetrack_layout(20, 80, 16)
    points = ring.stretch(first, steps)
    assert (points[0], points[-1]) == (ring.at[ends[0]], ring.at[ends[1]])
    assert all((after - before) % len(ring.line) == 1 for before, after in pairwise(points))
    assert len(ring.stretch(3, 25)) == len(ring.line)


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (10, 3), (20, 1)], ids=str)
def test_where_nothing_fits_nothing_stands(size: tuple[int, int]) -> None:
    assert racetrack_layout(30, *size) is None


@pytest.mark.parametrize("scale", [1, 2])
def test_large_numbers_are_even(scale: int) -> None:
    for text in ("0", "17", "-3", "99"):
        lines = large_digits(text, scale)
        assert {len(line) for line in lines} == {scale * (4 * len(text) - 1)}
        assert len(lines) == (3 if scale == 1 else 5)
    assert len({large_digits(digit, scale) for digit in "0123456789"}) == 10
