"""A board of numbers on a ring: the track shows how far each player reaches, and the middle tells the story."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.geometry import Region

from duelbox.core.model import Seat
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene, no_room
from duelbox.ui.widgets.canvas import Canvas, FittingLine, StyledText, text_width
from duelbox.ui.widgets.cells import draw_cell, draw_number, frame_of, large_digits, number_start
from duelbox.ui.widgets.geometry import GIANT, HUGE, Ring, ring_layout

PAD = "\u2007"
"""A blank as wide as a digit, large or small; it aligns the numbers of a story."""
_TALL = 24
"""From this height of the middle on, the story has large digits."""
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
    """Numbers from 1 on, clockwise from the left of the top row."""

    cells: tuple[Cell, ...]
    reaches: tuple[Reach, ...] = ()
    """Later ones are drawn over earlier ones."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Pairs of numbers that a hint joins."""
    story: tuple[FittingLine, ...] = ()
    """The lines in the middle; all are shortened equally until they fit."""


class RingBoard(Board[RingScene]):
    """Draws a RingScene."""

    @staticmethod
    def paint(scene: RingScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the ring and its story."""
        canvas = Canvas(width, height)
        ring = ring_layout(len(scene.cells), width, height)
        if ring is None:
            return no_room(canvas)
        draw_ring(canvas, ring, scene, lambda region, cell: draw_node(canvas, region, cell, scene.glyphs, target))
        write_story(canvas, ring.middle, scene.story, scene.glyphs)
        targets = {str(cell.number): region for cell, region in zip(scene.cells, ring.cells, strict=True)}
        stops = tuple(str(cell.number) for cell in scene.cells if cell.legal)
        return Drawing(canvas, targets, stops, ring.middle, ring.line)


def draw_ring(canvas: Canvas, ring: Ring, scene: RingScene, draw: Callable[[Region, Cell], None]) -> None:
    """Draw the track, the reaches and the lines of a hint; then call `draw` for each number."""
    glyphs, count = scene.glyphs, len(ring.cells)
    _stroke(canvas, ring, ring.stretch(0, count), glyphs.track, "edge")
    for reach in scene.reaches:
        points = ring.stretch(reach.first - 1, reach.steps)
        _stroke(canvas, ring, points, glyphs.reach, f"{'low' if reach.low else 'seat'}-{reach.seat}")
    for pair in scene.pairs:
        for one, two in (pair, pair[::-1]):
            if (two - one) % count <= _NEAR:
                _stroke(canvas, ring, ring.stretch(one - 1, (two - one) % count), glyphs.reach, "best")
    for region, cell in zip(ring.cells, scene.cells, strict=True):
        draw(region, cell)


def _stroke(canvas: Canvas, ring: Ring, points: Sequence[int], chars: str, style: str) -> None:
    """Draw these points of the line."""
    for point in points:
        canvas.put(*ring.line[point], ring.sign(point, chars), style)


def draw_node(canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs, target: str | None) -> None:
    """Draw a number in its box or plainly on the track; a gap is a dot on the track."""
    cursor = target == str(cell.number)
    box, _, style = frame_of(cell, glyphs, cursor=cursor)
    if cell.gap and not box:
        x, y = region.x + region.width // 2, region.y + region.height // 2
        if region.height > 1:  # on one row, this would blank the whole track beside it
            canvas.fill(Region(x, y - 1, 1, 3), "text")
        canvas.put(x - 1, y, f" {glyphs.nobody} ", "dim")
    elif box or region.height == 1:
        canvas.fill(region, "text")
        draw_cell(canvas, region, cell, glyphs, cursor=cursor)
    else:
        put_number_on_track(canvas, region, cell.number, glyphs, style)
        if cell.hint:
            canvas.put(region.x + (region.width - len(cell.hint)) // 2, region.bottom - 1, cell.hint, "tag")


def put_number_on_track(canvas: Canvas, region: Region, number: int, glyphs: Glyphs, style: str) -> None:
    """Draw a number that cannot be taken now, at the place it would have in its box."""
    if region.size == GIANT and glyphs.unicode:
        region = Region(region.x + (GIANT.width - HUGE.width) // 2, region.y + (GIANT.height - HUGE.height) // 2, *HUGE)
        canvas.fill(region, "text")
        draw_number(canvas, region, number, glyphs, style)
    else:
        x, y = number_start(region, str(number))
        canvas.put(x - 1, y, f" {number} ", style)


def write_story(canvas: Canvas, middle: Region, lines: Sequence[FittingLine], glyphs: Glyphs) -> None:
    """Write lines in the middle, left-aligned; with large digits if there is room for them."""
    lengths = [line.length(middle.width) for line in lines]
    shortest = max((length for length in lengths if length is not None), default=0)
    words = [line.variants[min(shortest, len(line.variants) - 1)] for line in lines]
    blocks: list[tuple[StyledText, ...]] = [
        (tuple((text.replace(PAD, " "), style) for text, style in line),) for line in words
    ]
    if glyphs.unicode and middle.height >= _TALL:
        large = [_large(line) for line in words]
        blocks = large if all(text_width(block[0]) <= middle.width for block in large) else blocks
    high = len(blocks[0]) if blocks else 0
    pitch = high + int(middle.height >= 4 * len(blocks))
    x = middle.x + (middle.width - max((text_width(block[0]) for block in blocks), default=0)) // 2
    top = middle.y + (middle.height - pitch * (len(blocks) - 1) - high) // 2
    for at, block in enumerate(blocks):
        for row, line in enumerate(block, top + at * pitch):
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
