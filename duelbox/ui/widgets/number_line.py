"""The number line: numbers in rows that read as one line, or, in a ring, as a closed loop."""

from __future__ import annotations

from dataclasses import dataclass

from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene
from duelbox.ui.widgets.canvas import Canvas
from duelbox.ui.widgets.cells import draw_cell
from duelbox.ui.widgets.geometry import rows


@dataclass(frozen=True, slots=True)
class LineScene(Scene):
    """Numbers from 1 on."""

    cells: tuple[Cell, ...]
    ring: bool = False
    """Whether the ends are next to each other."""


class LineBoard(Board[LineScene]):
    """The number-line widget."""

    @staticmethod
    def paint(scene: LineScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the line."""
        canvas = Canvas(width, height, braille=scene.glyphs.braille)
        layout = rows(len(scene.cells), width, height, scene.ring)
        if layout is None:
            return Drawing(canvas)
        for region, cell in zip(layout.cells, scene.cells, strict=True):
            draw_cell(canvas, region, cell, scene.glyphs, cursor=target == str(cell.number))
        targets = {str(cell.number): region for cell, region in zip(scene.cells, layout.cells, strict=True)}
        return Drawing(canvas, targets, tuple(str(cell.number) for cell in scene.cells if cell.legal))
