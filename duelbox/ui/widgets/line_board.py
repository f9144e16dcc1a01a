"""A board of numbers in rows that wind like a snake; on a ring, a line leads from the end back to the start."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from textual.geometry import Region

from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene
from duelbox.ui.widgets.canvas import Canvas, FittingLine, text_width
from duelbox.ui.widgets.cells import draw_cell
from duelbox.ui.widgets.geometry import Snake, snake_layout


@dataclass(frozen=True, slots=True)
class LineScene(Scene):
    """The numbers from 1 up."""

    cells: tuple[Cell, ...]
    ring: bool = False
    """The ends are next to each other."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Pairs of numbers that a hint joins."""
    stretches: tuple[tuple[int, ...], ...] = ()
    """Groups of neighbouring numbers that a hint marks."""
    legend: FittingLine | None = None
    """The meaning of the signs under the numbers."""


class LineBoard(Board[LineScene]):
    """Draws a LineScene."""

    @staticmethod
    def paint(scene: LineScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the rows, the hint and the legend."""
        canvas = Canvas(width, height)
        layout = snake_layout(len(scene.cells), width, height, ring=scene.ring)
        if layout is None:
            return Drawing(canvas)
        for link in layout.links:
            canvas.put(link.x, link.y, scene.glyphs.box[1] * link.width, "edge")
        for turn in layout.turns:
            canvas.path(turn, scene.glyphs.box, "edge")
        for stretch in scene.stretches:
            _bracket(canvas, [layout.cells[number - 1] for number in stretch], scene.glyphs)
        for one, two in scene.pairs:
            _join(canvas, layout.cells[one - 1], layout.cells[two - 1], scene.glyphs)
        for region, cell in zip(layout.cells, scene.cells, strict=True):
            draw_cell(canvas, region, cell, scene.glyphs, cursor=target == str(cell.number))
        if scene.legend is not None and not scene.stretches:
            _explain(canvas, layout, scene.legend)
        targets = {str(cell.number): region for cell, region in zip(scene.cells, layout.cells, strict=True)}
        return Drawing(canvas, targets, tuple(str(cell.number) for cell in scene.cells if cell.legal))


def _join(canvas: Canvas, one: Region, two: Region, glyphs: Glyphs) -> None:
    """Draw a line between two numbers if one stands right above the other."""
    upper, lower = sorted((one, two), key=lambda cell: cell.y)
    if upper.x == lower.x and 0 < lower.y - upper.bottom < upper.height:
        x = upper.x + upper.width // 2
        canvas.path(((x, upper.bottom), (x, lower.y - 1)), glyphs.heavy_box, "best")


def _bracket(canvas: Canvas, cells: list[Region], glyphs: Glyphs) -> None:
    """Draw a bracket under each row of a stretch."""
    for y, row in groupby(cells, key=lambda cell: cell.bottom):
        regions = list(row)
        left, right = min(cell.x for cell in regions), max(cell.right for cell in regions)
        canvas.put(left, y, glyphs.box[6] + glyphs.box[5] * (right - left - 2) + glyphs.box[4], "best")


def _explain(canvas: Canvas, layout: Snake, legend: FittingLine) -> None:
    """Write the legend in the middle of the room under the rows."""
    words, bottom = legend.fitting(canvas.width - 2), max(cell.bottom for cell in layout.cells)
    canvas.put_text((canvas.width - text_width(words)) // 2, bottom + (canvas.height - bottom) // 2, words)
