"""How one number is drawn, in the room there is: every state by its shape first, and then by its colour."""

from __future__ import annotations

from textual.geometry import Region, Spacing

from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import BLOCK, Canvas


def draw_cell(
    canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs, *, cursor: bool = False, outlined: bool = True
) -> None:
    """Draw a number in its cell: a box where it is three lines high, else one line.

    Without `outlined`, a free number stands alone: in a crowd, where outlines would be noise.
    """
    if region.height >= 3:
        _draw_box(canvas, region, cell, glyphs, cursor=cursor, outlined=outlined)
    elif region.width >= 4 and _rated(cell) and not cursor:
        _draw_rated(canvas, region, cell)
    elif region.width >= 4:
        text, style = _short(cell, glyphs, region.width, cursor=cursor, outlined=outlined)
        canvas.put(region.x, region.y, text.center(region.width), style)
        _colour_small(canvas, region, cell, glyphs, text.center(region.width))
    else:
        text, style = _tiny(cell, glyphs)
        canvas.put(region.x, region.y, text.rjust(region.width)[-region.width :], style)


def style_of(cell: Cell) -> str:
    """The style of a number."""
    if cell.flash:
        return "flash"
    if cell.owner is not None:
        return f"fill-{cell.owner}"
    if cell.chosen:
        return "chosen"
    if cell.legal:
        return "legal"
    return "free" if cell.open_to else "dim"


def _label(cell: Cell, glyphs: Glyphs, width: int) -> str:
    """The number with its owner's sign before it."""
    number = str(cell.number)
    if cell.owner is None:
        return number if len(number) % 2 == width % 2 else number + " " if width % 2 else " " + number
    return glyphs.seat(cell.owner) + number.rjust(2)


def _draw_box(canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs, *, cursor: bool, outlined: bool) -> None:
    x, y, width, height = region
    inner, row = width - 2, y + height // 2
    style = style_of(cell)
    if cell.gap and not cell.flash:
        canvas.put(x + width // 2, row, glyphs.nobody, "dim")
        return
    _outline(canvas, region, cell, glyphs, outlined=outlined)
    label = _label(cell, glyphs, inner)
    canvas.put(x + 1, row, label.center(inner)[:inner], style)
    if cell.owner is None and not cell.open_to and not cell.flash:
        canvas.put(x + width // 2, y, glyphs.nobody, "dim")
    if cell.owner is None and len(cell.open_to) == 1:
        seat = cell.open_to[0]
        canvas.put(x + width - 2, y, glyphs.small[seat], f"seat-{seat}")
    if cell.mark:
        mark = f" {cell.mark} " if len(cell.mark) + 2 <= inner else cell.mark
        canvas.put(x + (width - len(mark)) // 2, y + height - 1, mark, "mark")
    elif cell.why and not cell.legal:
        canvas.put(x + 1, y + height - 1, cell.why.center(inner)[:inner], "free")
    if cell.flash:
        canvas.put(x, row, "!", "flash")
        canvas.put(x + width - 1, row, "!", "flash")
    if cursor:
        canvas.put(x, row, glyphs.left, "legal")
        canvas.put(x + width - 1, row, glyphs.right, "legal")


def _outline(canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs, *, outlined: bool) -> None:
    if cell.owner is not None:
        seat = f"seat-{cell.owner}"
        if cell.last:
            canvas.fill(region, f"fill-{cell.owner}")
            canvas.box(region, glyphs.bold_box, f"fill-{cell.owner}")
        elif glyphs.braille:
            canvas.box(region, BLOCK, seat)
            canvas.fill(region.shrink(Spacing(1, 1, 1, 1)), f"fill-{cell.owner}")
        else:
            canvas.fill(region, f"fill-{cell.owner}")
    elif cell.flash:
        canvas.fill(region, "flash")
    elif cell.chosen:
        canvas.box(region, glyphs.heavy_box, "legal")
        canvas.fill(region.shrink(Spacing(1, 1, 1, 1)), "chosen")
    elif cell.legal and outlined:
        canvas.box(region, glyphs.box, "legal")
    elif len(cell.open_to) == 2 and outlined:
        canvas.box(region, glyphs.thin_box, "edge")


def _short(cell: Cell, glyphs: Glyphs, width: int, *, cursor: bool, outlined: bool) -> tuple[str, str]:
    """One line of four cells or more."""
    number, style = str(cell.number), style_of(cell)
    left, right = glyphs.brackets[0], glyphs.brackets[1]
    if cell.gap and not cell.flash:
        return glyphs.nobody, "dim"
    if cursor:
        return f"{glyphs.left}{number}{glyphs.right}", style
    if cell.flash:
        return f"!{'' if cell.owner is None else glyphs.seat(cell.owner)}{number}!"[:width], style
    if cell.owner is not None:
        side = glyphs.bold_box[3] if cell.last else ""
        text = glyphs.seat(cell.owner) + number + side
        return (side + text if len(text) < width else text), style
    if cell.chosen:
        return f"<{number}>", style
    if len(cell.open_to) == 1:
        small = glyphs.small[cell.open_to[0]]
        return (f"{left}{number}{small}" if cell.legal else f" {number}{small}"), style
    if cell.legal and outlined:
        return f"{left}{number}{right}", style
    return (number if cell.open_to else f"{glyphs.nobody}{number}"), style


def _rated(cell: Cell) -> bool:
    """Whether its mark can stand beside the number without being read as part of it."""
    return cell.mark != "" and cell.owner is None and not cell.flash and not cell.mark[0].isdigit()


def _draw_rated(canvas: Canvas, region: Region, cell: Cell) -> None:
    """The number, and apart from it, or at least lighter, what the verdict layer says of it."""
    number = str(cell.number)
    room = region.width - len(number)
    mark = cell.mark if len(cell.mark) <= room else cell.mark[:1]
    gap = len(mark) < room
    x = region.x + (room - len(mark) - gap) // 2
    canvas.put(x, region.y, number, style_of(cell))
    canvas.put(x + len(number) + gap, region.y, mark, "mark")


def _colour_small(canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs, text: str) -> None:
    """Give the hollow sign its player's colour."""
    if cell.owner is None and len(cell.open_to) == 1:
        seat = cell.open_to[0]
        at = text.find(glyphs.small[seat])
        if at >= 0:
            canvas.put(region.x + at, region.y, glyphs.small[seat], f"seat-{seat}")


def _tiny(cell: Cell, glyphs: Glyphs) -> tuple[str, str]:
    """Two cells: only numbers that may be taken are written out."""
    style = style_of(cell)
    if cell.owner is not None:
        return glyphs.seat(cell.owner) * (2 if cell.last else 1), f"seat-{cell.owner}"
    if cell.legal or cell.chosen or cell.flash:
        return str(cell.number), style
    if len(cell.open_to) == 1:
        return glyphs.small[cell.open_to[0]], f"seat-{cell.open_to[0]}"
    return ("-" if cell.open_to and not cell.gap else glyphs.nobody), "dim"
