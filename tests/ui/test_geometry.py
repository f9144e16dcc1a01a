"""Where things stand: in good order, apart, round."""

from itertools import pairwise

import pytest
from textual.geometry import Region

from duelbox.ui.widgets.cells import big
from duelbox.ui.widgets.geometry import Ring, Track, place

SIZES = [(80, 14), (80, 13), (120, 29), (84, 29), (60, 10), (60, 12), (100, 20), (40, 16)]


@pytest.mark.parametrize("count", range(4, 31))
def test_a_ring_keeps_apart_and_even(count: int) -> None:
    for size in SIZES:
        check_ring(count, size)


def check_ring(count: int, size: tuple[int, int]) -> None:
    ring = place(count, *size)
    check_apart(ring.cells, size)
    if isinstance(ring, Track):
        check_track(ring)
        return
    assert ring.cells[0].height > 1 or count <= 13
    first = ring.cells[0]
    axis = 2 * first.x + first.width
    for right, left in zip(ring.cells[1:], reversed(ring.cells[1:]), strict=True):
        assert (right.y, right.x + right.right) == (left.y, 2 * axis - left.x - left.right)


def check_track(track: Track) -> None:
    """One closed line, clockwise, from each number to the next and past no other; the middle is clear."""
    for at, cell in enumerate(track.cells):
        after = track.cells[(at + 1) % len(track.cells)]
        line = track.stretch(at)
        assert cell.contains(*line[0])
        assert after.contains(*line[-1])
        assert line[0] == track.stretch(at - 1)[-1]
        for (x1, y1), (x2, y2) in pairwise(line):
            assert (x1 == x2) != (y1 == y2)
            run = Region.from_corners(min(x1, x2), min(y1, y2), max(x1, x2) + 1, max(y1, y2) + 1)
            assert not any(run.overlaps(other) for other in track.cells if other not in (cell, after))
    xs = [cell.x for cell in track.cells]
    top = sum(cell.y == track.cells[0].y for cell in track.cells)
    assert xs[:top] == sorted(xs[:top])
    rooms = [track.room(y) for y in range(80)]
    assert sum(room > 20 for room in rooms) >= 3
    for y, room in enumerate(rooms):
        inside = Region(round(track.x - room / 2), y, room, 1)
        assert not (room and any(inside.overlaps(cell) for cell in track.cells))


@pytest.mark.parametrize(("source", "target", "way"), [(0, 2, (0, 1)), (0, 18, (18, 19)), (19, 0, (19,))])
def test_the_shorter_way_along_a_track(source: int, target: int, way: tuple[int, ...]) -> None:
    track = place(20, 80, 14)
    assert isinstance(track, Track)
    assert track.way(source, target) == way


def check_apart(cells: tuple[Region, ...], size: tuple[int, int]) -> None:
    """Nothing overlaps, nothing sticks out."""
    assert all(Region(0, 0, *size).contains_region(cell) for cell in cells)
    assert not any(one.overlaps(two) for at, one in enumerate(cells) for two in cells[:at])


@pytest.mark.parametrize(("count", "size"), [(10, (80, 14)), (10, (120, 29)), (9, (80, 14))])
def test_a_ring_is_round_where_it_can_be(count: int, size: tuple[int, int]) -> None:
    ring = place(count, *size)
    assert isinstance(ring, Ring)
    assert ring.rx / ring.ry == 2.0


@pytest.mark.parametrize("count", [4, 9, 10, 13])
def test_numbers_go_round_clockwise(count: int) -> None:
    ring = place(count, 100, 30)
    assert isinstance(ring, Ring)
    shares = [ring.share(at) for at in range(count)]
    assert shares[0] == 0
    assert shares == sorted(shares)
    assert all(step < 2.5 / count for step in (b - a for a, b in pairwise([*shares, 1])))


def test_the_middle_of_a_ring_has_room_and_its_edge_none() -> None:
    ring = place(10, 80, 14)
    assert ring.room(7) >= 12
    assert ring.room(0) == ring.room(13) == 0


def test_dots_on_a_ring_are_even() -> None:
    ring = Ring((Region(0, 0, 4, 1),), 40, 10, 18, 9)
    dots = list(ring.arc(gap=2))
    gaps = [((x2 - x1) ** 2 + 4 * (y2 - y1) ** 2) ** 0.5 for (x1, y1), (x2, y2) in pairwise(dots)]
    assert len(dots) > 50
    assert max(gaps) < 2.6
    assert min(gaps) > 1.4


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (10, 3), (20, 1)], ids=str)
def test_where_nothing_fits_nothing_stands(size: tuple[int, int]) -> None:
    assert place(30, *size) is None


@pytest.mark.parametrize("scale", [1, 2])
def test_large_numbers_are_even(scale: int) -> None:
    for text in ("0", "17", "-3", "99"):
        lines = big(text, scale)
        assert {len(line) for line in lines} == {scale * (4 * len(text) - 1)}
        assert len(lines) == (3 if scale == 1 else 5)
    assert len({big(digit, scale) for digit in "0123456789"}) == 10
