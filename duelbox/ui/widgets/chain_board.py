"""A board for chains of numbers by digits: dominoes, the row of numbers that may follow, and the other rows below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from textwrap import wrap

from textual.geometry import Offset, Region, Size, Spacing

from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene
from duelbox.ui.widgets.canvas import Canvas, StyledText, text_width
from duelbox.ui.widgets.cells import draw_cell, fits_large_digits, large_digits
from duelbox.ui.widgets.geometry import BOX, LARGE, SHORT, SMALL
from duelbox.ui.widgets.thumbnails import centred_text, draw_small

_TINY = Size(3, 1)
_INSIDE = Spacing(1, 1, 1, 1)
_SIZES = (
    (Size(13, 7), Size(11, 7), SMALL, 6, 4),
    (LARGE, Size(7, 5), _TINY, 3, 2),
    (BOX, BOX, _TINY, 3, 1),
)
"""Sizes of dominoes, of cells in the row that may follow, and of numbers in the other rows; then the columns and lines
from one of these numbers to the next. The largest sizes come first."""


@dataclass(frozen=True, slots=True)
class ChainScene(Scene):
    """The numbers 1 to 99 and the chain."""

    cells: tuple[Cell, ...]
    chain: tuple[Cell, ...] = ()
    """The picked numbers in order."""
    zeros: bool = True
    """Numbers may end in 0."""
    digit: int | None = None
    """The first digit of the next number; None if any number may follow."""
    draft: str | None = ""
    """The text in the open domino; None when the chain has ended."""
    heading: StyledText = ()
    """The title of the row that may follow."""
    note: StyledText = ()
    """The effect of a pick, written beside the heading."""


@dataclass(frozen=True, slots=True)
class ChainLayout:
    """The places of dominoes, numbers and labels."""

    dominoes: tuple[Region, ...]
    rows: tuple[tuple[Region, ...], ...]
    """The places of numbers by first digit; the one-digit number comes first."""
    pitch: int
    """Columns from one number of a row to the next."""
    labels: tuple[Offset, ...]
    """The places of the first digit and of the count before each row."""
    answers: tuple[Region, ...] = ()
    """Larger places for the row that may follow; empty if it stays among the other rows."""
    heading: int = -1
    """The line of the heading above them."""

    def target(self, place: Region, width: int) -> Region:
        """The region in which a click hits a number: the blank behind a number belongs to it."""
        if place.size != self.rows[0][0].size:
            return place
        return Region(place.x, place.y, min(self.pitch, width - place.x), place.height)

    def place(self, number: int, digit: int | None) -> Region | None:
        """The place of a number, given the first digit of the next one; None for a number that may not end in 0."""
        first, last = divmod(number, 10)
        zeros = len(self.rows[0]) == 11
        row = self.answers if self.answers and digit == (first or last) else self.rows[(first or last) - 1]
        return row[0] if not first else row[last + zeros] if last or zeros else None


@lru_cache(maxsize=32)
def chain_layout(width: int, height: int, zeros: bool) -> ChainLayout | None:
    """The layout with the largest cells that fit; in little room the row that may follow stays among the others."""
    count = 10 + zeros
    for domino, cell, small, pitch, down in _SIZES:
        label = (6 if 2 * (6 + count * pitch) + 4 <= width else 5) if zeros else 7
        span = label + count * pitch
        spare = height - domino.height - 1 - cell.height - 4 * down - small.height
        if spare < 0 or max(count * cell.width, 2 * span + 2) > width:
            continue
        above, middle, below = (min(4, (spare + at) // 4) for at in (1, 2, 3))
        head = above + domino.height + middle
        top, left = head + 1 + cell.height + below, (width // 2 - span + (pitch - small.width)) // 2
        labels = tuple(Offset(left + at // 5 * (width // 2), top + at % 5 * down) for at in range(10))
        return ChainLayout(
            _across(domino, width, above),
            tuple(_row(at, label, small, pitch, count) for at in labels[:9]),
            pitch,
            tuple(Offset(at.x, at.y + small.height // 2) for at in labels),
            _row(Offset(0, head + 1), (width - count * cell.width) // 2, cell, cell.width, count),
            head,
        )
    label = 6 if zeros else 7
    for pitch in (5, 4):
        span = label + count * pitch - (pitch - SHORT.width)
        if span <= width and height >= 9:
            chain = BOX.height if height >= 9 + BOX.height else 0
            spare, left = height - 9 - chain, (width - span) // 2
            above, top = spare // 3, chain + spare // 3 + (spare + 1) // 3
            labels = tuple(Offset(left, top + at) for at in range(9))
            rows = tuple(_row(at, label, SHORT, pitch, count) for at in labels)
            return ChainLayout(_across(BOX, width, above) if chain else (), rows, pitch, labels)
    return None


def _row(at: Offset, label: int, size: Size, pitch: int, count: int) -> tuple[Region, ...]:
    """A row of places behind a label of this width."""
    return tuple(Region(at.x + label + place * pitch, at.y, *size) for place in range(count))


def _across(size: Size, width: int, y: int) -> tuple[Region, ...]:
    """A row of as many dominoes as fit, with a column on the left for the sign of older numbers."""
    count = width // (size.width + 1)
    return _row(Offset(0, y), max(1, (width - count * (size.width + 1) + 1) // 2), size, size.width + 1, count)


class ChainBoard(Board[ChainScene]):
    """Draws a ChainScene."""

    @staticmethod
    def paint(scene: ChainScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the chain and all numbers."""
        canvas = Canvas(width, height)
        layout = chain_layout(width, height, scene.zeros)
        if layout is None:
            return Drawing(canvas)
        drafted = [
            cell.number % 10 for cell in scene.cells if cell.legal and (cell.chosen or str(cell.number) == target)
        ]
        targets: dict[str, Region] = {}
        for cell in scene.cells:
            region = layout.place(cell.number, scene.digit)
            if region is None:
                continue
            targets[str(cell.number)] = layout.target(region, width)
            cursor, open_now = target == str(cell.number), int(str(cell.number)[0]) in drafted
            if region.size == _TINY:
                draw_small(canvas, region, cell, scene.glyphs, cursor=cursor, bright=open_now)
            else:
                draw_cell(canvas, region, cell, scene.glyphs, cursor=cursor)
        _draw_labels(canvas, layout, scene, drafted)
        if layout.dominoes:
            draw_chain(canvas, layout.dominoes, scene)
        return Drawing(canvas, targets, tuple(str(cell.number) for cell in scene.cells if cell.legal))


def _draw_labels(canvas: Canvas, layout: ChainLayout, scene: ChainScene, drafted: Sequence[int]) -> None:
    """Draw the heading and the label of each row."""
    for digit, at in enumerate(layout.labels[:9], 1):
        room = layout.rows[digit - 1][0].x - at.x
        if layout.answers and digit == scene.digit:
            canvas.put(at.x, at.y, f"{digit}_", "free")
            canvas.put(at.x + room, at.y, "above", "free")
            continue
        _draw_label(canvas, at, room, digit, scene, bright=digit in (*drafted, scene.digit))
    if layout.heading >= 0:
        canvas.put_text(2, layout.heading, scene.heading)
        if text_width(scene.heading) + 2 + text_width(scene.note) <= canvas.width - 4:
            canvas.put_text(canvas.width - 2 - text_width(scene.note), layout.heading, scene.note)
        canvas.put(*layout.labels[9], _legend(scene), "free")


def _legend(scene: ChainScene) -> str:
    """The first label that has a count, in words."""
    digit = 1
    if scene.digit == 1:
        digit = 2
    count = _free(scene, digit)
    begin = "begin"
    if count == 1:
        begin = "begins"
    return f"{digit}_{count:>2}: {count} left {begin} with {digit}"


def _free(scene: ChainScene, digit: int) -> int:
    """The free numbers that begin with a digit."""
    return sum(1 for cell in scene.cells if cell.open_to and int(str(cell.number)[0]) == digit)


def _draw_label(canvas: Canvas, at: Offset, room: int, digit: int, scene: ChainScene, *, bright: bool) -> None:
    """Draw the label of a row: its first digit and the count of free numbers."""
    free = _free(scene, digit)
    canvas.put(at.x, at.y, f"{digit}_", "legal" if bright else "free")
    canvas.put(at.x + (2 if room < 6 else 3), at.y, f"{free:>2}", "text" if bright else "free")
    canvas.put(at.x + room - 1, at.y, scene.glyphs.box[3], "edge")


def draw_chain(canvas: Canvas, places: Sequence[Region], scene: ChainScene) -> None:
    """Draw the end of the chain from left to right, each number joined to the next, and the open domino."""
    glyphs, room = scene.glyphs, len(places) - (scene.draft is not None)
    shown = scene.chain[-room:]
    row = places[0].y + places[0].height // 2
    if len(shown) < len(scene.chain):
        canvas.put(places[0].x - 1, row, ("…" if glyphs.unicode else "~"), "free")
    for place, cell in zip(places, shown, strict=False):
        draw_cell(canvas, place, cell, glyphs)
        if cell.number > 9:
            style = f"fill-{cell.owner}" if glyphs.unicode else f"seat-{cell.owner}"
            canvas.fill(place.shrink(_INSIDE), style)
            canvas.put(place.x + 1, place.y + 1, glyphs.seat(cell.owner or 0), style)
            _halves(canvas, place, str(cell.number), glyphs, style)
            canvas.put(place.right - 2, place.y + 1, "!" * cell.flash, "flash")
        if place != places[-1] and (cell is not shown[-1] or scene.draft is not None):
            canvas.put(place.right, row, glyphs.heavy_box[1], f"seat-{cell.owner}")
    if scene.draft is not None:
        place = places[len(shown)]
        canvas.box(place, glyphs.heavy_box, "legal")
        _halves(canvas, place, scene.draft, glyphs, "legal")


def _halves(canvas: Canvas, place: Region, text: str, glyphs: Glyphs, style: str) -> None:
    """Draw two digits with a line between them."""
    row, middle = place.y + place.height // 2, place.x + place.width // 2
    if place.size == BOX:
        middle += 1  # a blank between the sign and the first digit, as some terminals draw ◆ two cells wide
    rule = style if style.startswith("fill") else "edge"
    canvas.path(((middle, place.y + 1), (middle, place.bottom - 2)), glyphs.box, rule)
    for right, digit in enumerate(text.ljust(2)[:2]):
        lines = large_digits(digit, 1) if digit.isdigit() and fits_large_digits(place, glyphs) else (digit,)
        wide, margin = len(lines[0]), len(lines[0]) > 1
        x = middle + 1 + margin if right else middle - wide - margin
        for y, line in enumerate(lines, row - len(lines) // 2):
            canvas.put(x, y, line, style)


def chain_thumbnail(scene: ChainScene, width: int, height: int) -> Canvas:
    """The end of the chain and the rows around the one that may follow; in little room, only the free numbers."""
    glyphs, count, label = scene.glyphs, 10 + scene.zeros, 6 if scene.zeros else 7
    rows, span = min(9, height - BOX.height - 1), label + 3 * count
    if span > width or rows < 1:
        return _written(scene, width, height)
    canvas = Canvas(width, height)
    top, left = (height - rows - BOX.height - 1) // 2, (width - span) // 2
    draw_chain(canvas, _across(BOX, width, top), scene)
    first = min(max(1, (scene.digit or 5) - rows // 2), 10 - rows)
    for at in range(rows):
        place, digit = Offset(left, top + BOX.height + 1 + at), first + at
        _draw_label(canvas, place, label, digit, scene, bright=digit == scene.digit)
        numbers = (digit, *range(10 * digit + (not scene.zeros), 10 * digit + 10))
        for number, region in zip(numbers, _row(place, label, _TINY, 3, count), strict=True):
            draw_small(canvas, region, scene.cells[number - 1], glyphs)
    return canvas


def _written(scene: ChainScene, width: int, height: int) -> Canvas:
    """The last picks on one line, and below it as many of the possible next numbers as fit."""
    picks = [(f"{scene.glyphs.seat(one.owner or 0)}{one.number} ", f"seat-{one.owner}") for one in scene.chain]
    free = wrap(" ".join(str(one.number) for one in scene.cells if one.legal), width)
    lines: list[StyledText] = [tuple(picks[-max(1, width // 4) :])] if picks else []
    lines += [((line, "legal"),) for line in free]
    return centred_text(lines[:height], width, height, scene.glyphs)
