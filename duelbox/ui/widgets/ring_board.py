"""A board of numbers on a ring: the track shows how far each player reaches, and the middle tells the story."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from rich.cells import cell_len
from textual.geometry import Region, Size, Spacing

from duelbox.core.model import Seat
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene, no_room
from duelbox.ui.widgets.canvas import Canvas, FittingLine, StyledText, text_width
from duelbox.ui.widgets.cells import draw_cell, draw_number, frame_of, large_digits, number_start
from duelbox.ui.widgets.circle import TALL, Circle, circle_layout
from duelbox.ui.widgets.geometry import BOX, GIANT, HUGE, Racetrack, racetrack_layout

RingLayout = Circle | Racetrack
PAD = "\u2007"
"""A blank as wide as a digit, large or small; it aligns the numbers of a story."""
_TALL = 32
"""From this many rows on, the story and the numbers on the track have large digits."""
_LARGE = 4
"""The rows of a line with large digits, and the blank one below it."""
_ON_TRACK = Spacing(1, 1, 1, 1)
"""The track comes so near to a large number without a box."""
_APART = 2
"""At most so many lines have a blank row between them."""
_NEAR = 3
"""Most steps between two numbers that a hint joins by a line; farther ones share only a letter."""


@dataclass(frozen=True, slots=True)
class Reach:
    """A stretch of the track, clockwise, that a player reaches."""

    first: int
    steps: int
    seat: Seat
    low: bool = False
    """It is drawn faintly, as the other player's."""


@dataclass(frozen=True, slots=True)
class RingScene(Scene):
    """Numbers from 1 on, clockwise from the top, or on a racetrack from the left of the top row."""

    cells: tuple[Cell, ...]
    reaches: tuple[Reach, ...] = ()
    """Later ones are drawn over earlier ones."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Pairs of numbers that a hint joins."""
    story: tuple[FittingLine, ...] = ()
    """The lines in the middle; all are shortened equally until they fit."""
    stories: tuple[Size, ...] = ()
    """The sizes of the longest words that the rules can bring into the middle: whole, and shortened."""
    small: bool = False
    """It is a thumbnail."""

    def untold(self) -> Self:
        """The ring without words in the middle."""
        return replace(self, story=())


class RingBoard(Board[RingScene]):
    """Draws a RingScene."""

    @staticmethod
    def paint(scene: RingScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the ring and its story."""
        canvas = Canvas(width, height)
        ring = ring_of(scene, width, height)
        if ring is None:
            return no_room(canvas)
        draw_ring(canvas, ring, scene, lambda region, cell: draw_node(canvas, region, cell, scene.glyphs, target))
        write_story(canvas, ring, scene.story, scene.glyphs)
        targets = {str(cell.number): region for cell, region in zip(scene.cells, ring.cells, strict=True)}
        stops = tuple(str(cell.number) for cell in scene.cells if cell.legal)
        return Drawing(canvas, targets, stops, ring.rooms, ring.track)


def ring_of(scene: RingScene, width: int, height: int, *, wide: bool = False) -> RingLayout | None:
    """The layout of a ring: a circle, or a racetrack where only short signs would fit on one, and in ASCII.

    `wide` cells have room for two buttons. A thumbnail is a circle even of short signs.
    """
    count = len(scene.cells)
    if scene.glyphs.unicode:
        circle = circle_layout(count, width, height, scene.stories, wide=wide, tokens=scene.small)
        if circle is not None:
            return circle
    return racetrack_layout(count, width, height, wide=wide)


def draw_ring(canvas: Canvas, ring: RingLayout, scene: RingScene, draw: Callable[[Region, Cell], None]) -> None:
    """Draw the track, the reaches and the lines of a hint; then call `draw` for each number."""
    glyphs, count = scene.glyphs, len(ring.cells)

    def stroke(first: int, steps: int, style: str, *, reach: bool) -> None:
        canvas.put_each(ring.signs(first, steps, glyphs, reach=reach), style)

    stroke(0, count, "edge", reach=False)
    for reach in scene.reaches:
        style = f"low-{reach.seat}" if reach.low else f"seat-{reach.seat}"
        stroke(reach.first - 1, reach.steps, style, reach=True)
    for pair in scene.pairs:
        for one, two in (pair, pair[::-1]):
            if (two - one) % count <= _NEAR:
                stroke(one - 1, (two - one) % count, "best", reach=True)
    for region, cell in zip(ring.cells, scene.cells, strict=True):
        draw(region, cell)


def draw_node(canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs, target: str | None) -> None:
    """Draw a number in its box or plainly on the track; a gap is a dot on the track."""
    cursor = target == str(cell.number)
    box, _, style = frame_of(cell, glyphs, cursor=cursor)
    if cell.gap and not box:
        x, y = region.x + region.width // 2, region.y + region.height // 2
        canvas.put(x - 1, y, f" {glyphs.nobody} ", "dim")
    elif box or region.height == 1:
        canvas.fill(region, "text")
        draw_cell(canvas, region, cell, glyphs, cursor=cursor)
    else:
        if style == "free" and region.size == BOX and canvas.height >= TALL:
            style = "strong"  # as large as it can be here, which is smaller than elsewhere on such a board
        put_number_on_track(canvas, region, cell.number, glyphs, style)
        if cell.hint:
            below = region.y + region.height // 2 + 1
            canvas.put(region.x + (region.width - len(cell.hint)) // 2, below, cell.hint, "tag")


def put_number_on_track(canvas: Canvas, region: Region, number: int, glyphs: Glyphs, style: str) -> None:
    """Draw a number that cannot be taken now, at the place it would have in its box."""
    if region.size == GIANT and glyphs.unicode:
        region = Region(region.x + (GIANT.width - HUGE.width) // 2, region.y + (GIANT.height - HUGE.height) // 2, *HUGE)
    if region.size == HUGE and glyphs.unicode and canvas.height >= _TALL:
        canvas.fill(region.shrink(_ON_TRACK) if style != "chosen" else region, style)
        draw_number(canvas, region, number, glyphs, style)
    else:
        x, y = number_start(region, str(number))
        canvas.put(x - 1, y, f" {number} ", style)


def write_story(canvas: Canvas, ring: RingLayout, lines: Sequence[FittingLine], glyphs: Glyphs) -> None:
    """Write lines in the middle, left-aligned; with large digits if there is room for them."""
    if not lines:
        return
    apart = 2 if len(lines) <= _APART else 1
    room = ring.room(apart * (len(lines) - 1) + 1)
    if not room.width:
        apart, room = 1, ring.room(len(lines))
    lengths = [line.length(room.width) for line in lines]
    shortest = max((length for length in lengths if length is not None), default=0)
    words = [line.variants[min(shortest, len(line.variants) - 1)] for line in lines]
    blocks: list[tuple[StyledText, ...]] = [
        (tuple((text.replace(PAD, " "), style) for text, style in line),) for line in words
    ]
    if glyphs.unicode and canvas.height >= _TALL:
        large = [_large(line) for line in words]
        high = ring.room(_LARGE * len(lines) - 1)
        if all(text_width(block[0]) <= high.width for block in large):
            apart = _LARGE
            room = high
            blocks = large
    x = room.x + (room.width - max(text_width(block[0]) for block in blocks)) // 2
    for y, block in zip(range(room.y, room.bottom, apart), blocks, strict=True):
        for row, line in enumerate(block, y):
            canvas.put_text(x, row, line)


def _large(words: StyledText) -> tuple[StyledText, ...]:
    """A line as three rows: numbers in large digits, other text in the middle row."""
    rows: list[list[tuple[str, str]]] = [[], [], []]
    for text, style in words:
        parts = (text,) if any(char.isalpha() for char in text) else re.findall(r"\d+|\D+", text.replace(PAD, 4 * " "))
        for part in parts:
            lines = large_digits(part, 1) if part.isdigit() else (" " * cell_len(part), part, " " * cell_len(part))
            for row, line in zip(rows, lines, strict=True):
                row.append((line, style))
    return tuple(map(tuple, rows))
