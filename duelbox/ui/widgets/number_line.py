"""The number line: numbers in rows that wind like a snake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.geometry import Region

from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene
from duelbox.ui.widgets.canvas import Canvas, Line, words_width
from duelbox.ui.widgets.cells import draw_cell
from duelbox.ui.widgets.geometry import Turn, rows


@dataclass(frozen=True, slots=True)
class LineScene(Scene):
    """Numbers from 1 on; of the story, rows have no room for the line above the figure."""

    cells: tuple[Cell, ...]
    pairs: tuple[tuple[int, int], ...] = ()
    """Numbers that a hint joins."""
    figure: tuple[str, str] = ("", "")
    """The last number, and its style."""
    story: tuple[Line, ...] = ()
    """What is said below."""
    ring: bool = False
    """Whether the ends are next to each other."""


class LineBoard(Board[LineScene]):
    """The number-line widget."""

    @staticmethod
    def paint(scene: LineScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the line."""
        canvas = Canvas(width, height, braille=scene.glyphs.braille)
        layout = rows(len(scene.cells), width, height, ring=scene.ring)
        if layout is None:
            return Drawing(canvas)
        regions, turns = layout
        for turn in turns:
            _draw_turn(canvas, turn, scene.glyphs)
        for one, two in scene.pairs:
            _draw_pair(canvas, regions[one - 1], regions[two - 1], scene.glyphs)
        for region, cell in zip(regions, scene.cells, strict=True):
            canvas.fill(region, "text")
            draw_cell(canvas, region, cell, scene.glyphs, cursor=target == str(cell.number))
        _tell(canvas, regions, scene.story[bool(scene.figure[0]) :])
        targets = {str(cell.number): region for cell, region in zip(scene.cells, regions, strict=True)}
        return Drawing(canvas, targets, tuple(str(cell.number) for cell in scene.cells if cell.legal))


def _draw_pair(canvas: Canvas, one: Region, two: Region, glyphs: Glyphs) -> None:
    """A line between two numbers that a hint joins, where one stands right above the other."""
    upper, lower = sorted((one, two), key=lambda cell: cell.y)
    if upper.x == lower.x and 0 < lower.y - upper.bottom <= 1:
        x = upper.x + upper.width // 2
        canvas.path(((x, upper.bottom), (x, lower.y - 1)), glyphs.heavy_box, "best")


def _draw_turn(canvas: Canvas, turn: Turn, glyphs: Glyphs) -> None:
    """The line from the end of one row to the beginning of the next."""
    one, column, two = turn
    x1, x2 = (cell.right - 1 if column >= cell.right else cell.x for cell in (one, two))
    y1, y2 = (cell.y + cell.height // 2 for cell in (one, two))
    canvas.path(((x1, y1), (column, y1), (column, y2), (x2, y2)), glyphs.box, "edge")


def _tell(canvas: Canvas, cells: Sequence[Region], told: tuple[Line, ...]) -> None:
    """Side by side under the rows, where there is room."""
    bottom = max(cell.bottom for cell in cells)
    for length in (0, -1):
        words = tuple(piece for line in told for piece in (*line.variants[length], ("     ", "text")))[:-1]
        if canvas.height - bottom >= 3 and words_width(words) <= canvas.width:
            canvas.put_words((canvas.width - words_width(words)) // 2, bottom + (canvas.height - bottom) // 2, words)
            return
