"""The pool: nine rows by first digit, the row to be answered lit, the current number large beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from textual.geometry import Region, Size

from duelbox.core.model import Seat
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene
from duelbox.ui.widgets.canvas import Canvas, Words, words_width
from duelbox.ui.widgets.cells import big, draw_cell
from duelbox.ui.widgets.geometry import BOX, HUGE, LARGE, SHORT, SMALL, TINY

GUTTER, NARROW = 5, 3
"""Room for the arrow, the first digit and a rule, before a row."""
COUNT = 3
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
    """Where the cells begin."""
    top: int
    gutter: int
    pitch: int
    rise: int
    panel: int | None
    """Where the current number stands large, if it does."""

    def row(self, digit: int) -> int:
        """The middle line of the row of a first digit."""
        return self.top + (digit - 1) * self.rise + self.size.height // 2

    def targets(self) -> dict[str, Region]:
        """Where each number is to be hit: a blank belongs to the number before it."""
        ends = [self.cells[9].x] * 9 + [min(cell.x + self.pitch, self.cells[-1].right) for cell in self.cells[9:]]
        return {
            str(number): Region(cell.x, cell.y, end - cell.x, cell.height)
            for number, (cell, end) in enumerate(zip(self.cells, ends, strict=True), 1)
        }


@lru_cache(maxsize=16)
def grid(width: int, height: int) -> Grid | None:
    """The largest cells that fit, best with the current number beside them."""
    boxes = ((HUGE, 0, PANEL), (LARGE, 0, PANEL), (BOX, 0, PANEL), (SMALL, 0, PANEL), (BOX, 0, 0), (SMALL, 0, 0))
    tries = [(*box, GUTTER) for box in boxes]
    tries += [(SHORT, 1, PANEL, GUTTER), (SHORT, 1, 0, GUTTER), (SHORT, 1, 0, NARROW), (SHORT, 0, 0, NARROW)]
    for size, blank, panel, gutter in (*tries, (TINY, 1, 0, NARROW)):
        pitch = size.width + blank
        # A single digit on one line needs a column less.
        first = pitch - (size == SHORT and blank > 0)
        span = panel + gutter + first + 10 * pitch - blank + COUNT
        if span + (gutter == GUTTER) > width or 9 * size.height > height:
            continue
        margin = (width - span + 1) // 2
        rise = size.height + (size.height == 1 and height > 18)
        header = 1 if height > 9 * rise else 0
        top = (height - 9 * rise + header) // 2
        left = margin + panel + gutter
        cells = []
        for number in range(1, 100):
            tens, ones = divmod(number, 10)
            row, x = (tens - 1, first + ones * pitch) if tens else (ones - 1, 0)
            cells.append(Region(left + x, top + row * rise, *size))
        return Grid(tuple(cells), size, left, top, gutter, pitch, rise, margin if panel else None)
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
            _draw_number(canvas, region, cell, scene, cursor=target == str(cell.number))
        _draw_margins(canvas, layout, scene, target)
        if layout.panel is not None:
            _draw_panel(canvas, layout, scene)
        return Drawing(canvas, layout.targets(), tuple(str(cell.number) for cell in scene.cells if cell.legal))


def _draw_number(canvas: Canvas, region: Region, cell: Cell, scene: PoolScene, *, cursor: bool) -> None:
    """A number; one that was picked leaves its player's sign in its place."""
    if cell.owner is not None and not (cell.last or cell.flash):
        x, y = region.x + (region.width - 1) // 2, region.y + region.height // 2
        canvas.put(x, y, scene.glyphs.seat(cell.owner), f"faint-{cell.owner}")
    else:
        draw_cell(canvas, region, cell, scene.glyphs, cursor=cursor, outlined=cell.legal and not scene.any_goes)


def _draw_margins(canvas: Canvas, layout: Grid, scene: PoolScene, target: str | None) -> None:
    """First digits, the arrow, and how many are left; beside what a number would leave the rival, their sign."""
    chosen = (cell for cell in scene.cells if cell.legal and (str(cell.number) == target or cell.chosen))
    named = next(chosen, None)
    x, right = layout.left - layout.gutter, layout.cells[-1].right
    for digit in range(1, 10):
        row, lit = layout.row(digit), digit in scene.lit and not scene.any_goes
        style = "legal" if lit else "free"
        canvas.put(x, row, scene.glyphs.up if lit else " ", style)
        if named is not None and named.number % 10 == digit and scene.rival is not None:
            canvas.put(x, row, scene.glyphs.seat(scene.rival), f"seat-{scene.rival}")
        canvas.put(layout.left - layout.gutter // 2 - 1, row, str(digit), style)
        left = sum(1 for cell in scene.cells if cell.open_to and int(str(cell.number)[0]) == digit)
        canvas.put(right + 1, row, f"{left:>2}", style)
    canvas.path(
        ((layout.left - 1, layout.top), (layout.left - 1, layout.top + 9 * layout.rise - 1)),
        scene.glyphs.box,
        "edge",
    )
    if layout.top > 0 and scene.tens:
        region = layout.cells[9]
        canvas.put(region.x + (region.width - len(scene.tens)) // 2, layout.top - 1, scene.tens, "free")
    if layout.top > 0:
        canvas.put(right - 1, layout.top - 1, "left", "free")


def _draw_panel(canvas: Canvas, layout: Grid, scene: PoolScene) -> None:
    """The current number, whose it is, and what may follow."""
    if scene.current is None or scene.owner is None or layout.panel is None:
        lines: list[Words] = [*scene.told]
    else:
        style = f"seat-{scene.owner}"
        text = str(scene.current)
        large = layout.size in (BOX, LARGE, HUGE)
        figure = ((*big(text, 2), "") if large else big(text, 1)) if scene.glyphs.braille else (text,)
        above = ((scene.glyphs.seat(scene.owner), style), (" picked", "free"))
        lines = [above, *(((line, style),) for line in figure), *scene.told]
    top = layout.top + (9 * layout.rise - len(lines)) // 2
    for row, words in enumerate(lines, top):
        canvas.put_words((layout.panel or 0) + (PANEL - 2 - words_width(words)) // 2, row, words)
