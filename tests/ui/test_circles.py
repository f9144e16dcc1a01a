"""The layout of a circle: equal distances, as round as the words inside allow; judged by slow counting."""

from __future__ import annotations

from itertools import combinations, product
from math import cos, hypot, pi, sin

import pytest
from textual.geometry import Region, Size

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.registry import find_game
from duelbox.ui.game_board import Look, board_of
from duelbox.ui.glyphs import ASCII, UNICODE, Glyphs
from duelbox.ui.widgets.circle import CARD, RATIOS, TALL, Circle, circle_layout
from duelbox.ui.widgets.geometry import Point, Racetrack
from duelbox.ui.widgets.ring_board import RingLayout, ring_of

SIZES = ((80, 16), (60, 12), (83, 28), (152, 44), (80, 15), (70, 14), (100, 20), (120, 33))
STORY = (Size(41, 3), Size(29, 3))
FINE = 20_000
"""Steps round an ellipse of the slow judge."""


def layout(code: str, size: tuple[int, int], glyphs: Glyphs = UNICODE) -> RingLayout | None:
    """The layout of a board."""
    played = parse_code(code, find_game)
    scene = board_of(played.game.INFO.id).scene(played.game.view(played.state, 0), Look(seat=0, glyphs=glyphs))
    return ring_of(scene, *size, wide=played.game.INFO.id == "number-circle")


def points(wide: float, high: float) -> list[tuple[float, float]]:
    """An ellipse, clockwise from the top."""
    return [(wide * sin(2 * pi * at / FINE), -high * cos(2 * pi * at / FINE)) for at in range(FINE)]


def slow_places(count: int, wide: float, high: float) -> list[tuple[float, float]]:
    """Points at equal distances along an ellipse, a row counted as two columns."""
    around = points(wide, high)
    steps = [hypot((x2 - x1) / 2, y2 - y1) for (x1, y1), (x2, y2) in zip(around, around[1:] + around[:1], strict=True)]
    whole, gone, out = sum(steps), 0.0, []
    for point, step in zip(around, steps, strict=True):
        if gone >= len(out) * whole / count - 1e-9:
            out.append(point)
        gone += step
    return out[:count]


@pytest.mark.parametrize(("size", "count"), product(SIZES, (4, 7, 9, 10, 13, 16, 21)), ids=str)
def test_numbers_stand_at_equal_distances_clockwise_from_the_top(size: tuple[int, int], count: int) -> None:
    circle = circle_layout(count, *size, STORY)
    if circle is None:
        return
    first, cell = circle.cells[0], circle.cells[0].size
    lowest = max(one.y for one in circle.cells)
    high = (size[1] - cell.height) / 2
    assert first.y == 0
    assert abs(first.x + cell.width / 2 - size[0] / 2) <= 1
    assert lowest <= 2 * high
    rightmost = max(one.x for one in circle.cells) - first.x
    # Half the width is not known to the judge: some width within a column explains every place.
    assert any(
        all(
            abs(one.x - first.x - x) <= 1 and abs(one.y - high - y) <= 1
            for one, (x, y) in zip(circle.cells, slow_places(count, wide, high), strict=True)
        )
        for wide in (rightmost + at / 4 for at in range(-4, 3 * cell.width))
    )


@pytest.mark.parametrize("count", range(4, 31))
def test_a_circle_is_symmetric_and_its_cells_touch_nowhere(count: int) -> None:
    for size, wide in product(SIZES, (False, True)):
        circle = circle_layout(count, *size, STORY, wide=wide)
        if circle is None:
            continue
        assert all(Region(0, 0, *size).contains_region(cell) for cell in circle.cells)
        for one, other in combinations(circle.cells, 2):
            assert abs(one.x - other.x) > one.width or abs(one.y - other.y) >= one.height
        first = circle.cells[0]
        for one, other in zip(circle.cells[1:], circle.cells[:0:-1], strict=True):
            assert (one.x - first.x, one.y) == (first.x - other.x, other.y)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_room_inside_is_free_and_holds_the_story(size: tuple[int, int]) -> None:
    for count in range(4, 31):
        circle = circle_layout(count, *size, STORY)
        if circle is None:
            continue
        taken = {dot.cell for dot in (*circle.outer, *circle.inner)}
        for room in circle.rooms:
            assert not any(room.overlaps(cell) for cell in circle.cells)
            assert not any(room.contains(*cell) for cell in taken)
        assert any(circle.holds(story) for story in STORY)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_circle_is_as_round_as_its_words_allow(size: tuple[int, int]) -> None:
    """Among circles made for less, each rounder one has no room for the words."""
    for count in range(4, 22):
        circle = circle_layout(count, *size, STORY[:1])
        if circle is None:
            continue
        for words in range(1, STORY[0].width):
            rounder = circle_layout(count, *size, (Size(words, 3),))
            if (
                rounder is not None
                and rounder.cells[0].size == circle.cells[0].size
                and flatness(rounder) < flatness(circle)
            ):
                for_the_card = size[1] < TALL and circle.holds(CARD)
                assert not rounder.holds(STORY[0]) or (for_the_card and not rounder.holds(CARD))


def flatness(circle: Circle) -> float:
    """About how many times wider than high a circle is."""
    columns, rows = zip(*(dot.cell for dot in circle.outer), strict=True)
    return (max(columns) - min(columns)) / 2 / max(1, max(rows) - min(rows))


def test_a_tall_board_has_a_rounder_circle_than_a_low_one() -> None:
    for size, count in product(SIZES, range(4, 22)):
        circle = circle_layout(count, *size, STORY)
        if circle is not None:
            assert flatness(circle) <= (1.6 if size[1] >= TALL else RATIOS[-1]) + 0.3


@pytest.mark.parametrize(
    ("code", "size", "cell", "flat"),
    [
        ("circle-duel", (80, 16), (7, 3), 1.8),
        ("circle-duel", (60, 12), (7, 3), 2.45),
        ("circle-duel", (83, 28), (11, 5), 1.0),
        ("circle-duel", (83, 24), (11, 5), 1.45),
        ("circle-duel", (83, 23), (7, 3), 1.45),
        ("circle-duel:size=16,reach=2,trails=own,gaps=1", (80, 16), (7, 3), 2.3),
        ("circle-duel:size=16,reach=2,trails=own,gaps=1", (83, 28), (7, 3), 1.0),
        ("circle-duel:size=16,reach=2,trails=own,gaps=1", (152, 44), (11, 5), 1.0),
        ("circle-duel:size=21,reach=2,trails=own,gaps=2", (80, 16), (5, 3), 2.45),
        ("circle-duel:size=21,reach=2,trails=own,gaps=2", (83, 28), (7, 3), 1.45),
        ("number-circle:target=12,shared_total=on,floor=0", (80, 16), (9, 3), 1.3),
        ("number-circle:target=12,shared_total=on,floor=0", (83, 28), (11, 5), 1.0),
        ("number-circle", (80, 16), (9, 3), 2.3),
    ],
)
def test_each_preset_has_the_largest_cells_and_the_roundest_ring(
    code: str, size: tuple[int, int], cell: tuple[int, int], flat: float
) -> None:
    circle = layout(code, size)
    assert isinstance(circle, Circle)
    assert circle.cells[0].size == cell
    assert flatness(circle) == pytest.approx(flat, abs=0.12)


def test_where_only_short_signs_would_fit_on_a_circle_it_is_a_racetrack() -> None:
    for size, count in product(SIZES, range(4, 31)):
        for trails in ("own", "shared"):
            code = f"circle-duel:size={count},reach=2,trails={trails}"
            try:
                ring = layout(code, size)
            except DuelboxError:  # more free numbers than own trails take
                continue
            assert ring is not None
            if isinstance(ring, Racetrack):
                assert circle_layout(count, *size, ()) is None
            else:
                assert ring.cells[0].height > 1
    assert isinstance(layout("circle-duel:size=11", (60, 12)), Racetrack)
    assert isinstance(layout("circle-duel:size=26", (80, 16)), Racetrack)
    assert isinstance(layout("circle-duel", (80, 16), ASCII), Racetrack)
    assert isinstance(layout("number-circle", (80, 16), ASCII), Racetrack)
    assert isinstance(layout("number-circle", (60, 12)), Circle)


def test_a_thumbnail_is_a_circle_even_of_short_signs() -> None:
    circle = circle_layout(16, 38, 9, tokens=True)
    assert circle is not None
    assert circle.cells[0].size == (4, 1)


def test_the_track_leads_round_through_every_number_in_order() -> None:
    for size, count in product(SIZES, (4, 9, 16)):
        circle = circle_layout(count, *size, STORY)
        if circle is None:
            continue
        for at, cell in enumerate(circle.cells):
            near = [place for point, place in circle.track if cell.contains(*point)]
            assert any(min(abs(place - at), count - abs(place - at)) < 0.3 for place in near)
        shown = dict(circle.signs(1, 2, UNICODE, reach=False))
        places = dict(circle.track)
        assert all(0.8 <= places[point] <= 3.2 for point in shown)
        both = dict(circle.signs(1, 2, UNICODE, reach=True))
        assert dots(both) > 1.5 * dots(shown)


def dots(signs: dict[Point, str]) -> int:
    """The dots of these braille signs."""
    return sum((ord(sign) - 0x2800).bit_count() for sign in signs.values())
