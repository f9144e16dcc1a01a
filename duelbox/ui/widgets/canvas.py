"""A canvas of styled cells, for boards to draw on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

BLOCK = "▗▄▖▌▘▀▝▐"
"""Corners and sides of a filled box, in the order of `Glyphs.box`."""
_GAP = 12
"""Two changes with fewer cells between them are sent as one: moving the cursor would take more bytes."""

StyledText = tuple[tuple[str, str], ...]
"""A line of text as (text, style) pieces."""


def text_width(words: StyledText) -> int:
    """The width of a line of text in cells."""
    return sum(cell_len(text) for text, _ in words)


def shortened(text: str, width: int) -> str:
    """A text of at most so many cells; one that is cut ends in "…"."""
    if cell_len(text) <= width:
        return text
    return f"{set_cell_size(text, width - 1).rstrip()}…"


@lru_cache(1024)
def _is_narrow(text: str) -> bool:
    """Every sign of the text takes one cell."""
    return text.isascii() or all(cell_len(char) == 1 for char in text)


@dataclass(frozen=True, slots=True)
class FittingLine:
    """A line in several lengths, the longest first; the first that fits is drawn."""

    variants: tuple[StyledText, ...]

    def length(self, width: int) -> int | None:
        """The index of the longest variant that fits this width; None if none does."""
        return next((at for at, words in enumerate(self.variants) if text_width(words) <= width), None)

    def fitting(self, width: int) -> StyledText:
        """The longest variant of at most this width, or nothing."""
        at = self.length(width)
        return () if at is None else self.variants[at]


class Canvas:
    """Cells with a character and a style name each; drawing outside of it is clipped."""

    def __init__(self, width: int, height: int) -> None:
        self.size = Size(width, height)
        self.width, self.height = self.size
        self._chars = [[" "] * width for _ in range(height)]
        self._styles = [["text"] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str) -> None:
        """Write text; the style "" keeps the styles that are there."""
        if not 0 <= y < self.height:
            return
        first = max(0, x)
        end = min(self.width, x + len(text))
        row = self._chars[y]
        if _is_narrow(text) and "" not in row[max(0, first - 1) : end + 1]:  # the usual case: no wide sign in sight
            if first < end:
                row[first:end] = text[first - x : end - x]
                if style:
                    self._styles[y][first:end] = [style] * (end - first)
            return
        for char in text:
            size = 1 if char.isascii() else cell_len(char)
            if size == 0 and 0 < x <= self.width:
                # A mark joins the sign before it.
                self._chars[y][x - 1 if self._chars[y][x - 1] else x - 2] += char
            for at, part in ((x, char), (x + 1, ""))[:size]:
                if 0 <= x <= self.width - size:
                    self._set(at, y, part, style)
            x += size

    def _set(self, x: int, y: int, char: str, style: str) -> None:
        """Change one cell; if it was half of a wide sign, blank the other half."""
        row = self._chars[y]
        if row[x] == "" and char:
            row[x - 1] = " "
        if x + 1 < self.width and row[x + 1] == "" and char:
            row[x + 1] = " "
        row[x] = char
        if style:
            self._styles[y][x] = style

    def put_each(self, signs: Iterable[tuple[tuple[int, int], str]], style: str) -> None:
        """Write signs of one cell each, none of them over half of a wide sign."""
        for (x, y), sign in signs:
            if 0 <= x < self.width and 0 <= y < self.height:
                self._chars[y][x] = sign
                self._styles[y][x] = style

    def put_text(self, x: int, y: int, words: StyledText) -> None:
        """Write pieces of text one after the other."""
        for text, style in words:
            self.put(x, y, text, style)
            x += cell_len(text)

    def fill(self, region: Region, style: str) -> None:
        """Blank a region."""
        for y in range(region.y, region.bottom):
            self.put(region.x, y, " " * region.width, style)

    def tint(self, region: Region, style: str) -> None:
        """Change the style of a region and leave its text."""
        for y in range(max(0, region.y), min(self.height, region.bottom)):
            for x in range(max(0, region.x), min(self.width, region.right)):
                self._styles[y][x] = style

    def box(self, region: Region, chars: str, style: str) -> None:
        """Draw an outline; `chars` are the corners and sides clockwise from the top left (see `Glyphs.box`)."""
        x, y, width, height = region
        self.put(x, y, chars[0] + chars[1] * (width - 2) + chars[2], style)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, chars[7], style)
            self.put(x + width - 1, row, chars[3], style)
        self.put(x, y + height - 1, chars[6] + chars[5] * (width - 2) + chars[4], style)

    def path(self, corners: Sequence[tuple[int, int]], chars: str, style: str) -> None:
        """Draw a line through corners, each straight above or beside the one before; `chars` as for `box`."""
        for (x1, y1), (x2, y2) in pairwise(corners):
            if y1 == y2:
                self.put(min(x1, x2), y1, chars[1] * (abs(x2 - x1) + 1), style)
            for y in range(min(y1, y2), max(y1, y2) + 1) if x1 == x2 else ():
                self.put(x1, y, chars[3], style)
        for (x1, y1), (x, y), (x2, y2) in zip(corners, corners[1:], corners[2:], strict=False):
            right = max(x1, x2) > x
            corner = 0 if right else 2
            if max(y1, y2) <= y:
                corner = 6 if right else 4
            if (x1, y1) != (x, y) != (x2, y2) and (x1 == x) != (x2 == x):
                self.put(x, y, chars[corner], style)

    def patched(self, other: Canvas, regions: Iterable[Region]) -> Canvas:
        """A copy with these regions taken from another picture of the same size."""
        made = Canvas(self.width, self.height)
        made._chars, made._styles = ([[*row] for row in rows] for rows in (self._chars, self._styles))
        for x, top, width, height in regions:
            for y in range(top, top + height):
                for rows, theirs in ((made._chars, other._chars), (made._styles, other._styles)):
                    rows[y][x : x + width] = theirs[y][x : x + width]
        return made

    def changes(self, other: Canvas) -> list[Region]:
        """The parts of rows in which another picture of this size differs."""
        out: list[Region] = []
        for y in range(self.height):
            if self._chars[y] == other._chars[y] and self._styles[y] == other._styles[y]:
                continue
            mine, theirs = (tuple(zip(one._chars[y], one._styles[y], strict=True)) for one in (self, other))
            start = end = -1
            for x in range(self.width):
                half = "" in (self._chars[y][x], other._chars[y][x])  # of a wide sign, send both halves
                if mine[x] != theirs[x] or (half and x == end):
                    if start >= 0 and x - end > _GAP:
                        out.append(Region(start, y, end - start, 1))
                        start = -1
                    start, end = (x if start < 0 else start), x + 1
            out.append(Region(start, y, end - start, 1))
        return out

    def refresh(self, widget: Widget, before: Canvas | None) -> None:
        """Let a widget that showed another picture, or none, draw the changes: a key should send few bytes."""
        if before is None or before.size != self.size:
            widget.refresh()
        elif changes := before.changes(self):
            widget.refresh(*changes)

    def row(self, y: int) -> list[tuple[str, str]]:
        """A row as (text, style) pieces."""
        pieces, x = [], 0
        for style, run in groupby(self._styles[y]):
            end = x + len(list(run))
            pieces.append(("".join(self._chars[y][x:end]), style))
            x = end
        return pieces

    def strip(self, y: int, style: Callable[[str], Style]) -> Strip:
        """A row for the screen."""
        return Strip([Segment(text, style(name)) for text, name in self.row(y)], self.width)

    def dump(self) -> str:
        """The characters alone, for tests and goldens."""
        return "\n".join("".join(row).rstrip() for row in self._chars)
