"""How one number is drawn, in the room there is: every state by its shape first, and then by its colour.

Large numbers are drawn with blocks: three by five dots a sign.
"""

from __future__ import annotations

from functools import lru_cache

from textual.geometry import Region, Spacing

from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Cell, Worth
from duelbox.ui.widgets.canvas import BLOCK, Canvas
from duelbox.ui.widgets.geometry import HUGE


def draw_cell(
    canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs, *, cursor: bool = False, outlined: bool = True
) -> None:
    """Draw a number in its cell: a box where it is three lines high, else one line.

    Without `outlined`, a free number stands alone: in a crowd, where outlines would be noise.
    """
    if region.height >= 3:
        _draw_box(canvas, region, cell, glyphs, cursor=cursor, outlined=outlined)
    elif region.width >= 4:
        text, style = _short(cell, glyphs, cursor=cursor, outlined=outlined)
        at = region.x + (region.width - len(text)) // 2
        canvas.put(at, region.y, text, style)
        if cell.hint and text.startswith(cell.hint):
            canvas.put(at, region.y, cell.hint, "tag")
        if cell.owner is None and len(cell.open_to) == 1:  # the hollow sign has its player's colour
            (seat,) = cell.open_to
            if glyphs.small[seat] in text:
                canvas.put(at + text.index(glyphs.small[seat]), region.y, glyphs.small[seat], f"seat-{seat}")
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
        return "legal" if cell.worth is None else style_of_worth(cell.worth)
    return "free" if cell.open_to else "dim"


def style_of_worth(worth: Worth) -> str:
    """The style of a move that the verdict layer rates."""
    if worth.best and worth.verdict != "loss":
        return "best"
    return {"win": "win", "draw": "free", "loss": "dim", "": "free"}.get(worth.verdict, "legal")


def outline_of_worth(worth: Worth, glyphs: Glyphs) -> str:
    """Doubled for the best, dashed for a loss."""
    return glyphs.bold_box if worth.best else glyphs.thin_box if worth.verdict == "loss" else glyphs.box


def _label(cell: Cell, glyphs: Glyphs, width: int) -> str:
    """The number with its owner's sign before it."""
    number = str(cell.number)
    if cell.owner is None:
        return number if len(number) % 2 == width % 2 else number + " " if width % 2 else " " + number
    return glyphs.seat(cell.owner) + number.rjust(2)


def _draw_box(canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs, *, cursor: bool, outlined: bool) -> None:
    x, y, width, height = region
    inner, row = width - 2, y + height // 2
    if cell.gap and not cell.flash:
        canvas.put(x + width // 2, row, glyphs.nobody, "dim")
        return
    _outline(canvas, region, cell, glyphs, outlined=outlined)
    draw_number(canvas, region, cell, glyphs)
    if cell.worth is not None and cell.owner is None and not cell.flash:
        canvas.put(x + width // 2, y, glyphs.verdict(cell.worth.verdict), style_of_worth(cell.worth))
    elif cell.owner is None and not cell.open_to and not cell.flash:
        canvas.put(x + width // 2, y, glyphs.nobody, "dim")
    if cell.owner is None and len(cell.open_to) == 1:
        seat = cell.open_to[0]
        canvas.put(x + width - 2, y, glyphs.small[seat], f"seat-{seat}")
    told, style = "" if cell.worth is None else cell.worth.figure, "free"
    if cell.hint:
        told, style = cell.hint, "tag"
    if told:
        told = f" {told} " if len(told) + 2 <= inner else told
        canvas.put(x + (width - len(told)) // 2, y + height - 1, told, style)
    elif cell.why and not cell.legal:
        canvas.put(x + 1, y + height - 1, cell.why.center(inner)[:inner], "free")
    if cell.flash:
        canvas.put(x, row, "!", "flash")
        canvas.put(x + width - 1, row, "!", "flash")
    if cursor:
        canvas.put(x, row, glyphs.left, "legal")
        canvas.put(x + width - 1, row, glyphs.right, "legal")


def draw_number(canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs) -> None:
    """The number with its owner's sign; large, where there is room."""
    inner, row, style = region.width - 2, region.y + region.height // 2, style_of(cell)
    if region.size != HUGE or not glyphs.braille:
        canvas.put(region.x + 1, row, _label(cell, glyphs, inner).center(inner)[:inner], style)
        return
    draw_figure(canvas, region, cell.number, style)
    if cell.owner is not None:
        canvas.put(region.x + region.width // 2, region.y, glyphs.seat(cell.owner), style)


def draw_figure(canvas: Canvas, region: Region, number: int, style: str) -> None:
    """A number in the middle, three lines high."""
    for y, line in enumerate(big(str(number), 1), region.y + region.height // 2 - 1):
        canvas.put(region.x + (region.width - len(line)) // 2, y, line, style)


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
    elif cell.worth is not None:
        canvas.box(region, outline_of_worth(cell.worth, glyphs), style_of_worth(cell.worth))
    elif cell.legal and outlined:
        canvas.box(region, glyphs.box, "legal")
    elif (len(cell.open_to) == 2 and outlined) or cell.hint:
        canvas.box(region, glyphs.thin_box, "edge")


def _short(cell: Cell, glyphs: Glyphs, *, cursor: bool, outlined: bool) -> tuple[str, str]:
    """One line of four signs: what is said of a number stands before it, so that it can't be read as the next one's."""
    number, style = str(cell.number), style_of(cell)
    left, right = glyphs.brackets[0], glyphs.brackets[1]
    if cell.gap and not cell.flash:
        return glyphs.nobody, "dim"
    said = "" if cell.worth is None else glyphs.verdict(cell.worth.verdict)
    if cursor:
        return f"{glyphs.left}{number}{said or glyphs.right}", style
    if cell.flash:
        return f"!{'' if cell.owner is None else glyphs.seat(cell.owner)}{number}!"[:4], style
    if cell.owner is not None:
        side = glyphs.bold_box[3] if cell.last else ""
        text = glyphs.seat(cell.owner) + number + side
        return (side + text if len(text) < 4 else text), style
    if cell.chosen:
        return f"<{number}{said or '>'}", style
    only = glyphs.small[cell.open_to[0]] if len(cell.open_to) == 1 else " "
    if cell.hint and len(cell.hint) + len(number) < 4:
        return f"{cell.hint}{number}{only}", style
    if cell.worth is not None:
        return f"{said}{number}{(said or '*') if cell.worth.best else only}", style
    if only != " ":
        return (f"{left}{number}{only}" if cell.legal else f" {number}{only}"), style
    if cell.legal and outlined:
        return f"{left}{number}{right}", style
    return (number if cell.open_to else f"{glyphs.nobody}{number}"), style


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


_SIGNS = {
    "0": "75557",
    "1": "26227",
    "2": "71747",
    "3": "71717",
    "4": "55711",
    "5": "74717",
    "6": "74757",
    "7": "71111",
    "8": "75757",
    "9": "75717",
    "-": "00700",
    " ": "00000",
}
"""Five rows of three dots; each row an octal digit."""
_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


@lru_cache(maxsize=256)
def big(text: str, scale: int) -> tuple[str, ...]:
    """A number as lines: three of them at scale 1 (half a line a dot), five at scale 2 (two cells a dot)."""
    rows = [_dots(text, row) for row in range(5)]
    if scale == 2:
        return tuple("".join("██" if dot else "  " for dot in row) for row in rows)
    blank = [False] * len(rows[0])
    pairs = zip(rows[::2], [*rows[1::2], blank], strict=True)
    return tuple("".join(_HALVES[dots] for dots in zip(*pair, strict=True)) for pair in pairs)


def _dots(text: str, row: int) -> list[bool]:
    """One row of dots, with a gap between signs."""
    out: list[bool] = []
    for sign in text:
        bits = int(_SIGNS.get(sign, _SIGNS[" "])[row])
        out += [False] * bool(out) + [bool(bits & bit) for bit in (4, 2, 1)]
    return out
