"""Draws one number of a board, at any size; every state has a shape of its own, and a colour only adds to it.

An outlined box can be clicked now, a filled box is taken, and a number without a box cannot be taken now. A number
never moves within its cell. Large digits are drawn with blocks, three by five dots each.
"""

from __future__ import annotations

from functools import lru_cache

from textual.geometry import Region, Spacing

from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Cell, Worth
from duelbox.ui.widgets.canvas import BLOCK, Canvas

_INSIDE = Spacing(1, 1, 1, 1)
_NARROW = 3
"""The inner columns of the smallest box."""


def draw_cell(
    canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs, *, cursor: bool = False, outlined: bool = True
) -> None:
    """Draw a number in its cell: in a box of three rows or more, else as a few signs on one row.

    `outlined=False` leaves out the box of numbers that can be taken, for pictures too small for many outlines.
    """
    if region.height >= 3:
        _draw_box(canvas, region, cell, glyphs, cursor=cursor, outlined=outlined)
    else:
        text, style = _token(cell, glyphs, cursor=cursor, outlined=outlined)
        canvas.put(region.x + (region.width - 4) // 2, region.y, text.ljust(4), style)
        if cell.hint and text.startswith(cell.hint):
            canvas.put(region.x + (region.width - 4) // 2, region.y, cell.hint, "tag")


def style_of_worth(worth: Worth) -> str:
    """The style of a rated move; a losing move stays as readable as any other."""
    if worth.verdict == "win":
        return "best" if worth.best else "win"
    return "text" if worth.verdict == "loss" else "legal"


def outline_of_worth(worth: Worth, glyphs: Glyphs) -> str:
    """The outline of a rated move: dashed for a loss, doubled for the best move."""
    return glyphs.thin_box if worth.verdict == "loss" else glyphs.bold_box if worth.best else glyphs.box


def frame_of(cell: Cell, glyphs: Glyphs, *, cursor: bool = False, outlined: bool = True) -> tuple[str, str, str]:
    """The box of a cell ("" for none), the style of the box, and the style inside it."""
    if cell.owner is not None:
        seat = f"seat-{cell.owner}"
        box = glyphs.bold_box if cell.last else BLOCK if glyphs.unicode else glyphs.box
        return box, seat, f"fill-{cell.owner}" if glyphs.unicode else seat
    if cell.flash:
        return glyphs.heavy_box, "legal", "flash"
    if cell.legal and (cursor or cell.chosen):
        return glyphs.heavy_box, "legal", "chosen"
    if cell.chosen:
        return "", "", "chosen"
    if cell.worth is not None:
        style = style_of_worth(cell.worth)
        dim = cell.worth.verdict == "loss" and cell.worth.played is None
        return outline_of_worth(cell.worth, glyphs), "edge" if dim else style, style
    if cell.legal:
        return glyphs.box if outlined else "", "legal" if cell.tint is None else f"seat-{cell.tint}", "legal"
    return "", "", "free" if cell.open_to else "dim"


def sign_of(cell: Cell, glyphs: Glyphs) -> tuple[str, str]:
    """The sign and style of the owner, or of the only player who may still take it; a dot if nobody may."""
    if cell.owner is not None:
        return glyphs.seat(cell.owner), ""
    if cell.worth is not None and cell.worth.played is not None:
        return glyphs.seat(cell.worth.played), f"seat-{cell.worth.played}"
    if len(cell.open_to) == 1:
        (seat,) = cell.open_to
        return (glyphs.safe if cell.safe else glyphs.hollow)[seat], f"seat-{seat}"
    return ("", "") if cell.open_to or cell.legal else (glyphs.nobody, "dim")


def number_start(region: Region, text: str) -> tuple[int, int]:
    """The cell where a number in plain digits begins: the middle, or above the sign in a cell of four rows."""
    inner = region.width - 2
    row = 1 if region.height == 4 else region.height // 2
    if region.height == 3 and inner == _NARROW:  # at the right, so that a digit leaves a blank behind the sign
        return region.x + 1 + inner - len(text), region.y + row
    return region.x + 1 + (inner - len(text) + 1) // 2, region.y + row


def fits_large_digits(region: Region, glyphs: Glyphs) -> bool:
    """True if a cell has room for two large digits with a sign beside them."""
    return region.height >= 5 and region.width >= 11 and glyphs.unicode


def draw_number(canvas: Canvas, region: Region, number: int, glyphs: Glyphs, style: str) -> None:
    """Draw a number in the middle of its cell, in large digits if they fit."""
    text = str(number)
    if not fits_large_digits(region, glyphs):
        canvas.put(*number_start(region, text), text, style)
        return
    full, flat = region.height >= 9 and region.width >= 19, region.height == 5
    lines = large_digits(text, 2 if full else 1, low=flat, narrow=flat and len(text) > 1)
    x = region.x + 1 + (region.width - 1 - len(lines[0])) // 2
    if flat and len(text) > 1:  # two digits leave the sign its column, and a blank one
        x = region.x + 3
    for y, line in enumerate(lines, region.y + (region.height - len(lines)) // 2):
        canvas.put(x, y, line, style)


def _draw_box(canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs, *, cursor: bool, outlined: bool) -> None:
    x, y, width, height = region
    if cell.gap and not cell.flash:
        canvas.put(x + width // 2, y + height // 2, glyphs.nobody, "dim")
        return
    box, edge, inside = frame_of(cell, glyphs, cursor=cursor, outlined=outlined)
    if inside == "chosen" and height == 5 and fits_large_digits(region, glyphs):
        box = BLOCK  # half a cell of ink on every side of large digits, which no outline leaves them
    if box:
        canvas.box(region, box, edge)
    if box or inside == "chosen":
        canvas.fill(region.shrink(_INSIDE), inside)
    draw_number(canvas, region, cell.number, glyphs, inside)
    _draw_signs(canvas, region, cell, glyphs, inside)
    if cell.owner is not None or cell.flash:
        return
    edge = edge or inside
    if cell.worth is not None:
        canvas.put(x + width // 2, y, glyphs.verdict(cell.worth.verdict), inside if inside != "chosen" else "legal")
    text, style = (cell.hint, "tag") if cell.hint else ("" if cell.worth is None else cell.worth.figure, "free")
    if text:
        text = f" {text} " if len(text) + 2 <= width - 2 else text
        canvas.put(x + (width - len(text)) // 2, y + height - 1, text, style)


def _draw_signs(canvas: Canvas, region: Region, cell: Cell, glyphs: Glyphs, inside: str) -> None:
    """Draw the sign of the owner, or of the only player who may take it; and a "!" on a number in the way."""
    x, y, width, height = region
    row = y + height // 2
    sign, style = sign_of(cell, glyphs)
    if height == 4:
        at = x + width // 2, y + 2
    elif height == 3:
        at = x + 1, row
    else:
        corner = cell.owner is not None or (height == 5 and fits_large_digits(region, glyphs))
        at = (x + 1, y + 1) if corner else (x + width // 2, y + height - 2)
    canvas.put(*at, sign, style if style and inside not in ("chosen", "flash") else inside)
    if cell.flash:
        at = (x + 1, y + 2) if height > 4 else (x + 1 if width < 7 else x + width - 2, number_start(region, "0")[1])
        canvas.put(*at, "!", inside)


def _token(cell: Cell, glyphs: Glyphs, *, cursor: bool, outlined: bool) -> tuple[str, str]:
    """A number on one row as (text, style): a sign, the number, and a sign, at most four cells."""
    number = f"{cell.number:>2}"  # a digit leaves a blank behind the sign
    if cell.gap and not cell.flash:
        return f" {glyphs.nobody}", "dim"
    _, edge, style = frame_of(cell, glyphs, cursor=cursor, outlined=outlined)
    if cell.flash:
        return f"!{'' if cell.owner is None else glyphs.seat(cell.owner)}{number}!"[:4], "flash"
    if cell.owner is not None:
        return f"{glyphs.seat(cell.owner)}{number}{glyphs.right if cell.last else ''}", f"fill-{cell.owner}"
    if cell.legal and (cursor or cell.chosen):
        return f"{glyphs.left}{number}{glyphs.right}", style
    only = sign_of(cell, glyphs)[0] if len(cell.open_to) == 1 else ""
    if cell.hint and len(cell.hint) + len(number) < 4:
        return f"{cell.hint}{number}{only}", style
    if cell.worth is not None:
        sign = glyphs.verdict(cell.worth.verdict) or glyphs.brackets[0]
        return f"{sign}{number}{'*' if cell.worth.best else only or glyphs.brackets[1] * (sign == '[')}", style
    if cell.legal and outlined:
        return f"{glyphs.brackets[0]}{number}{only or glyphs.brackets[1]}", edge
    return (f" {number}{only}" if cell.open_to else f"{glyphs.nobody}{number}"), style


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
"""Five rows of three dots for each sign; each row is an octal digit."""
_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


@lru_cache(maxsize=256)
def large_digits(text: str, scale: int, *, low: bool = False, narrow: bool = False) -> tuple[str, ...]:
    """A number in large digits: three lines at scale 1 (two dots a line, `low` begins half a line lower), five at 2.

    A `narrow` 1 has no foot.
    """
    rows = [_dots(text, row, narrow=narrow) for row in range(5)]
    if scale == 2:
        return tuple("".join("██" if dot else "  " for dot in row) for row in rows)
    blank = [False] * len(rows[0])
    rows = [blank, *rows] if low else [*rows, blank]
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return tuple("".join(_HALVES[dots] for dots in zip(*pair, strict=True)) for pair in pairs)


def _dots(text: str, row: int, *, narrow: bool) -> list[bool]:
    """One row of dots, with a blank column between signs."""
    out: list[bool] = []
    for sign in text:
        bits = int(_SIGNS.get(sign, _SIGNS[" "])[row])
        dots = [bool(bits & bit) for bit in (4, 2, 1)]
        if narrow and sign == "1":
            dots = [row == 1, True]
        if out:
            out.append(False)
        out += dots
    return out
