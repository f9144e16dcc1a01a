"""Boards drawn small, for the cards of the home screen."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import STYLES, Cell
from duelbox.ui.widgets.canvas import Canvas, Words, words_width


def content(canvas: Canvas) -> list[Content]:
    """A drawing as lines of text."""
    rows = (canvas.row(y) for y in range(canvas.height))
    return [Content.assemble(*((text, STYLES[style]) for text, style in row)) for row in rows]


def written(lines: Sequence[Words], width: int, height: int, glyphs: Glyphs) -> Canvas:
    """Lines of words in the middle, all beginning in one column."""
    canvas = Canvas(width, height, braille=glyphs.braille)
    left = (width - max(map(words_width, lines), default=0)) // 2
    for y, words in enumerate(lines, (height - len(lines)) // 2):
        canvas.put_words(left, y, words)
    return canvas


def rows(cells: Sequence[Cell], width: int, height: int, glyphs: Glyphs) -> Canvas:
    """Numbers in rows that wind like a snake; where they are many, a sign for each."""
    size = next((size for size in (4, 3, 2) if len(cells) <= width // size * height), 1)
    per = min(max(1, width // size), 5 if size == 4 and len(cells) <= 5 * height else len(cells))
    lines: list[Words] = []
    for row, start in enumerate(range(0, len(cells), per)):
        words = [_word(cell, glyphs, size) for cell in cells[start : start + per]]
        words += [(" " * size, "text")] * (per - len(words))
        lines.append(tuple(reversed(words) if row % 2 else words))
    return written(lines[:height], width, height, glyphs)


def _word(cell: Cell, glyphs: Glyphs, size: int) -> tuple[str, str]:
    """A number with the sign of who has it or may take it."""
    sign, style = " ", "legal" if cell.legal else "text"
    if cell.owner is not None:
        sign, style = glyphs.seat(cell.owner), f"seat-{cell.owner}"
    elif len(cell.open_to) == 1:
        sign, style = glyphs.small[cell.open_to[0]], f"faint-{cell.open_to[0]}"
    elif cell.gap or not cell.open_to:
        return glyphs.nobody.center(size), "dim"
    if size < 3:
        return (sign if sign != " " else "-").ljust(size), style
    return f"{sign}{cell.number}".ljust(size), style
