"""The pool: nine rows by first digit, the row to be answered lit, the current number large beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from textual.geometry import Region, Size

from duelbox.core.model import Seat
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene
from duelbox.ui.widgets.canvas import Canvas, Words, words_width
from duelbox.ui.widgets.cells import draw_cell
from duelbox.ui.widgets.figures import big
from duelbox.ui.widgets.geometry import BOX, SHORT, SMALL, TINY

GUTTER = 5
"""Room for the arrow, the first digit and a rule, before a row."""
COUNT = 5
"""Room for how many are left, after a row."""
PANEL = 15
"""Room for the current number."""


@dataclass(frozen=True, slots=True)
class PoolScene(Scene):
    """The numbers 1 to 99."""

    cells: tuple[Cell, ...]
    lit: frozenset[int] = frozenset()
    """The first digits that may come next."""
    any_goes: bool = False
    """Whether any number will do, so that none needs an outline."""
    current: int | None = None
    owner: Seat | None = None
    """Who picked the current number."""
    told: tuple[Words, ...] = ()
    """What is said about the next number, under the current one."""
    tens: str = ""
    """What is said over the numbers ending in 0."""
    rival: Seat | None = None
    """Who will have to answer."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the numbers stand."""

    cells: tuple[Region, ...]
    size: Size
    left: int
    top: int
    panel: int | None
    """Where the current number stands large, if it does."""
    tight: bool
    """Whether there is no blank between the numbers."""

    def row(self, digit: int) -> int:
        """The middle line of the row of a first digit."""
        return self.top + (digit - 1) * self.size.height + self.size.height // 2


@lru_cache(maxsize=16)
def grid(width: int, height: int) -> Grid | None:
    """The largest cells that fit, best with the current number beside them."""
    boxes = ((BOX, 0, PANEL), (SMALL, 0, PANEL), (BOX, 0, 0), (SMALL, 0, 0))
    short = ((SHORT, 1, PANEL), (SHORT, 1, 0), (SHORT, 0, 0), (TINY, 1, 0))
    for size, blank, panel in (*boxes, *short):
        pitch = size.width + blank
        span = 11 * pitch - blank + GUTTER + COUNT
        if span + panel > width or 9 * size.height > height:
            continue
        left = (width - span - panel) // 2
        header = 1 if height > 9 * size.height else 0
        top = (height - 9 * size.height + header) // 2
        first = left + panel + GUTTER
        cells = []
        for number in range(1, 100):
            tens, ones = divmod(number, 10)
            row, column = (tens - 1, ones + 1) if tens else (ones - 1, 0)
            cells.append(Region(first + column * pitch, top + row * size.height, *size))
        return Grid(tuple(cells), size, first, top, left if panel else None, tight=not blank)
    return None


class PoolBoard(Board[PoolScene]):
    """The pool widget."""

    @staticmethod
    def paint(scene: PoolScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the pool."""
        canvas = Canvas(width, height, braille=scene.glyphs.braille)
        layout = grid(width, height)
        if layout is None:
            return Drawing(canvas)
        for region, cell in zip(layout.cells, scene.cells, strict=True):
            if layout.tight and region.height == 1:
                cell = replace(cell, mark=cell.mark[:1])
            _draw_number(canvas, region, cell, scene, cursor=target == str(cell.number))
        _draw_margins(canvas, layout, scene, target)
        if layout.panel is not None:
            _draw_panel(canvas, layout, scene)
        targets = {str(cell.number): region for region, cell in zip(layout.cells, scene.cells, strict=True)}
        return Drawing(canvas, targets, tuple(str(cell.number) for cell in scene.cells if cell.legal))


def _draw_number(canvas: Canvas, region: Region, cell: Cell, scene: PoolScene, *, cursor: bool) -> None:
    """A number; one that was picked leaves its player's sign in its place."""
    if cell.owner is not None and not (cell.last or cell.flash):
        x, y = region.x + (region.width - 1) // 2, region.y + region.height // 2
        canvas.put(x, y, scene.glyphs.seat(cell.owner), f"faint-{cell.owner}")
    else:
        draw_cell(canvas, region, cell, scene.glyphs, cursor=cursor, outlined=cell.legal and not scene.any_goes)


def _draw_margins(canvas: Canvas, layout: Grid, scene: PoolScene, target: str | None) -> None:
    """First digits, the arrow, and how many are left; beside what a number would leave the rival, their sign."""
    named = next((cell.number for cell in scene.cells if str(cell.number) == target or cell.chosen), None)
    for digit in range(1, 10):
        row, lit = layout.row(digit), digit in scene.lit and not scene.any_goes
        style = "legal" if lit else "free"
        canvas.put(layout.left - GUTTER, row, f"{scene.glyphs.up if lit else ' '} {digit}", style)
        left = sum(1 for cell in scene.cells if cell.open_to and int(str(cell.number)[0]) == digit)
        right = layout.cells[-1].right
        canvas.put(right + 1, row, f"{left:>2}", style)
        if named is not None and named % 10 == digit and scene.rival is not None:
            canvas.put(right + 4, row, scene.glyphs.seat(scene.rival), f"seat-{scene.rival}")
    canvas.path(
        ((layout.left - 1, layout.top), (layout.left - 1, layout.top + 9 * layout.size.height - 1)),
        scene.glyphs.box,
        "edge",
    )
    if layout.top > 0 and scene.tens:
        region = layout.cells[9]
        canvas.put(region.x + (region.width - len(scene.tens)) // 2, layout.top - 1, scene.tens, "free")
    if layout.top > 0:
        canvas.put(layout.cells[-1].right, layout.top - 1, "left", "free")


def _draw_panel(canvas: Canvas, layout: Grid, scene: PoolScene) -> None:
    """The current number, whose it is, and what may follow."""
    if scene.current is None or scene.owner is None or layout.panel is None:
        lines: list[Words] = [*scene.told]
    else:
        style = f"seat-{scene.owner}"
        text = str(scene.current)
        large = layout.size == BOX
        figure = ((*big(text, 2), "") if large else big(text, 1)) if scene.glyphs.braille else (text,)
        above = ((scene.glyphs.seat(scene.owner), style), (" picked", "free"))
        lines = [above, *(((line, style),) for line in figure), *scene.told]
    top = layout.top + (9 * layout.size.height - len(lines)) // 2
    for row, words in enumerate(lines, top):
        canvas.put_words((layout.panel or 0) + (PANEL - 2 - words_width(words)) // 2, row, words)
