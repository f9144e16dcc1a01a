"""The pool: nine rows by first digit, the row to be answered lit, the current number large beside it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.geometry import Region, Size

from duelbox.core.model import Seat
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene
from duelbox.ui.widgets.canvas import Canvas
from duelbox.ui.widgets.cells import draw_cell
from duelbox.ui.widgets.figures import big


@dataclass(frozen=True, slots=True)
class PoolScene(Scene):
    """The numbers 1 to 99."""

    cells: tuple[Cell, ...]
    digit: int | None
    """The digit to begin with; None where any number will do."""
    current: int | None
    owner: Seat | None
    """Who picked the current number."""
    ending: bool
    """Whether a number ending in 0 wins at once."""
    over: bool = False


class PoolBoard(Board[PoolScene]):
    """The pool widget."""

    @staticmethod
    def paint(scene: PoolScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the pool."""
        canvas = Canvas(width, height, braille=scene.glyphs.braille)
        size = Size(4, 1) if width >= 52 else Size(2, 1)
        pitch = size.width + 1
        left, top = max(0, (width - 10 * pitch) // 2), max(0, (height - 9) // 2)
        targets = {}
        for cell in scene.cells:
            tens, ones = divmod(cell.number, 10)
            row, column = (tens - 1, ones + 1) if tens else (ones - 1, 0)
            region = Region(left + column * pitch, top + row, *size)
            targets[str(cell.number)] = region
            draw_cell(canvas, region, cell, scene.glyphs, cursor=target == str(cell.number))
        for digit in range(1, 10):
            if scene.digit == digit:
                canvas.put(left - 2, top + digit - 1, scene.glyphs.up, "legal")
        if scene.current is not None:
            for row, line in enumerate(big(str(scene.current), 1)):
                canvas.put(1, top + row, line, f"seat-{scene.owner}")
        return Drawing(canvas, targets, tuple(str(cell.number) for cell in scene.cells if cell.legal))
