"""Boards drawn small, in plain characters, for the cards of the home screen."""

from __future__ import annotations

from collections.abc import Sequence

from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.geometry import SHORT, place
from duelbox.ui.widgets.ring import RingBoard, RingScene

WIDTH, HEIGHT = 22, 5


def ring(scene: RingScene) -> tuple[str, ...]:
    """A ring, or the same numbers in rows where they are too many for a small one."""
    layout = place(len(scene.cells), WIDTH, HEIGHT)
    if layout is None or layout.cells[0].size != SHORT:
        return rows(scene.cells, scene.glyphs)
    return trimmed(RingBoard.paint(scene, WIDTH, HEIGHT, None).canvas.dump().splitlines())


def trimmed(lines: Sequence[str]) -> tuple[str, ...]:
    """Lines of one length, without the blank margins they share."""
    left = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    right = max(len(line.rstrip()) for line in lines)
    return tuple(line[left:right].ljust(right - left) for line in lines)


def rows(cells: Sequence[Cell], glyphs: Glyphs) -> tuple[str, ...]:
    """Numbers in rows that wind like a snake; where they are many, a sign for each."""
    numbered = len(cells) <= 7 * HEIGHT
    size, per = (3, 7) if numbered else (2, 11) if len(cells) <= 11 * HEIGHT else (1, 20)
    lines = []
    for row, start in enumerate(range(0, len(cells), per)):
        texts = [_text(cell, glyphs, numbered=numbered).rjust(size) for cell in cells[start : start + per]]
        line = "".join(reversed(texts) if row % 2 else texts)
        lines.append(line.rjust(per * size) if row % 2 else line.ljust(per * size))
    return tuple(lines)


def _text(cell: Cell, glyphs: Glyphs, *, numbered: bool) -> str:
    if cell.owner is not None:
        return glyphs.seat(cell.owner) + (str(cell.number) if numbered else "")
    if len(cell.open_to) == 1:
        return glyphs.small[cell.open_to[0]]
    if cell.gap or not cell.open_to:
        return glyphs.nobody
    return str(cell.number) if numbered else "-"
