"""Boards drawn small, for home, the archive and the form of a new game."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Region

from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets import geometry
from duelbox.ui.widgets.board import STYLES, Cell
from duelbox.ui.widgets.canvas import Canvas, StyledText, text_width
from duelbox.ui.widgets.cells import draw_cell, frame_of, sign_of


def content_of(canvas: Canvas) -> list[Content]:
    """A drawing as lines of text."""
    rows = (canvas.row(y) for y in range(canvas.height))
    return [Content.assemble(*((text, STYLES[style]) for text, style in row)) for row in rows]


def centred_text(lines: Sequence[StyledText], width: int, height: int, glyphs: Glyphs) -> Canvas:
    """Lines of text in the middle, left-aligned."""
    canvas = Canvas(width, height)
    left = (width - max(map(text_width, lines), default=0)) // 2
    for y, words in enumerate(lines, (height - len(lines)) // 2):
        canvas.put_text(left, y, words)
    return canvas


def numbers_in_rows(cells: Sequence[Cell], width: int, height: int, glyphs: Glyphs, *, ring: bool = False) -> Canvas:
    """Numbers in rows that wind like a snake; if they are many, only a sign for each."""
    canvas = Canvas(width, height)
    layout = geometry.snake_layout(len(cells), width, height, ring=ring, cells=geometry.TILES)
    for turn in () if layout is None else layout.turns:
        canvas.path(turn, glyphs.box, "edge")
    for region, cell in zip(() if layout is None else layout.cells, cells, strict=False):
        if region.width > 3:
            draw_cell(canvas, region, cell, glyphs, outlined=False)
        elif region.width == 3:
            draw_small(canvas, region, cell, glyphs)
        else:
            sign, style = sign_of(cell, glyphs)
            canvas.put(region.x, region.y, sign or "-", style or f"seat-{cell.owner}" if sign else "free")
    return canvas


def draw_small(
    canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs, *, cursor: bool = False, bright: bool = False
) -> None:
    """A number in three columns: a sign and two digits."""
    if cell.gap and not cell.flash:
        canvas.put(region.x + 2, region.y, glyphs.nobody, "dim")
        return
    style, sign = frame_of(cell, glyphs, cursor=cursor)[2], sign_of(cell, glyphs)[0] or " "
    if cell.owner is not None:
        style = f"seat-{cell.owner}"
    elif cell.legal and (cursor or cell.chosen):
        sign = glyphs.left
    elif cell.worth is not None:
        sign = glyphs.verdict(cell.worth.verdict) or sign
    elif bright and not cell.legal:
        style = "text"
    canvas.put(region.x, region.y, f"{'!' if cell.flash else sign}{cell.number:>2}", "flash" if cell.flash else style)
    if cell.hint and cell.owner is None:
        canvas.put(region.x, region.y, cell.hint[0], "tag")
