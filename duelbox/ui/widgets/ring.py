"""The circle: numbers round a ring, strokes to those that may follow, the story of the game in the middle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from textual.geometry import Region, Spacing

from duelbox.core.model import SEATS, Seat
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene
from duelbox.ui.widgets.canvas import Canvas, Line, words_width
from duelbox.ui.widgets.cells import draw_cell
from duelbox.ui.widgets.figures import big
from duelbox.ui.widgets.geometry import Point, Ring, place


@dataclass(frozen=True, slots=True)
class Halves:
    """A number that can be added or subtracted: one cell for each."""

    minus: Cell
    plus: Cell


@dataclass(frozen=True, slots=True)
class RingScene(Scene):
    """Numbers from 1 on, clockwise from the top."""

    cells: tuple[Cell, ...]
    source: int | None = None
    """Where the strokes to the next numbers start."""
    reached: tuple[int, ...] = ()
    """Where they end."""
    signed: bool = False
    """Whether every number is two targets, one to subtract and one to add it."""
    halves: Mapping[int, Halves] = field(default_factory=dict)
    """Numbers drawn with both signs."""
    markers: tuple[int, int] | None = None
    """The numbers that the players stand on."""
    mover: Seat | None = None
    """Whose colour the strokes have."""
    figure: tuple[str, str] = ("", "")
    """The large number in the middle, and its style."""
    story: tuple[Line, ...] = ()
    """What is said in the middle; the first line above the figure."""

    @property
    def stroke(self) -> str:
        """The style of the strokes."""
        return "legal" if self.mover is None else f"seat-{self.mover}"


class RingBoard(Board[RingScene]):
    """The circle widget."""

    @staticmethod
    def paint(scene: RingScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the ring, and the story in the middle."""
        ring = place(len(scene.cells), width, height, wide=scene.signed)
        if ring is None:
            return Drawing(Canvas(width, height))
        return draw_ring(scene, ring, Canvas(width, height, braille=scene.glyphs.braille), target)

    def step(self, dx: int, dy: int) -> str | None:
        """As on any board; where nothing lies above or below, these two change a number's sign."""
        before, after = self.target, super().step(dx, dy)
        if dy and before is not None and after == before:
            turned = ("+" if before[0] == "-" else "-") + before[1:]
            self.target = turned if turned in self.stops() else before
        return self.target if after is not None else None


def draw_ring(scene: RingScene, ring: Ring, canvas: Canvas, target: str | None) -> Drawing:
    """Draw numbers round a ring: first the lines, then what stands on them."""
    dots = [dot for dot in ring.arc(gap=1.5) if not _inside(dot, ring.cells)]
    if len(dots) > len(ring.cells):  # a few specks here and there would look like dirt
        canvas.dots(dots, "edge", scene.glyphs.dot)
    _strokes(canvas, ring, scene)
    for region, cell in zip(ring.cells, scene.cells, strict=True):
        canvas.fill(region, "text")
        _draw_node(canvas, region, cell, scene, target)
    _join(canvas, ring, scene)
    _middle(canvas, ring, scene)
    return Drawing(canvas, _targets(ring, scene), _stops(scene))


def _targets(ring: Ring, scene: RingScene) -> dict[str, Region]:
    if not scene.signed:
        return {str(cell.number): region for cell, region in zip(scene.cells, ring.cells, strict=True)}
    targets: dict[str, Region] = {}
    for cell, region in zip(scene.cells, ring.cells, strict=True):
        half = region.width // 2
        targets[f"-{cell.number}"] = Region(region.x, region.y, half, region.height)
        targets[f"+{cell.number}"] = Region(region.x + half, region.y, region.width - half, region.height)
    return targets


def _stops(scene: RingScene) -> tuple[str, ...]:
    if not scene.signed:
        return tuple(str(cell.number) for cell in scene.cells if cell.legal)
    return tuple(
        f"{sign}{number}"
        for number, halves in scene.halves.items()
        for sign, cell in (("+", halves.plus), ("-", halves.minus))
        if cell.legal
    )


def _draw_node(canvas: Canvas, region: Region, cell: Cell, scene: RingScene, target: str | None) -> None:
    halves = scene.halves.get(cell.number)
    here = tuple(seat for seat in SEATS if scene.markers and scene.markers[seat] == cell.number)
    if here:
        _draw_place(canvas, region, cell, here, scene.glyphs)
    if halves is not None:
        _draw_halves(canvas, region, cell, halves, scene.glyphs, boxed=not here)
        crowded = region.height >= 3 and region.width < 7  # no room for a sign beside both halves
        for seat in here if crowded else ():
            at = region.x + 1 if seat == 0 else region.right - 2
            canvas.put(at, region.y, scene.glyphs.seat(seat), f"fill-{seat}")
    elif not here:
        draw_cell(canvas, region, cell, scene.glyphs, cursor=target == str(cell.number))
    if target is not None and target in (f"-{cell.number}", f"+{cell.number}"):
        row = region.y + region.height // 2
        outside = region.height == 1
        x, sign = (
            (region.x - outside, scene.glyphs.left) if target[0] == "-" else (region.right - 1, scene.glyphs.right)
        )
        canvas.put(x, row, sign, "legal")


def _draw_place(canvas: Canvas, region: Region, cell: Cell, here: tuple[Seat, ...], glyphs: Glyphs) -> None:
    """The number that a player stands on, or both do: filled, Player 1's sign at the left, Player 2's at the right."""
    one = replace(cell, owner=here[0])
    draw_cell(canvas, region, one, glyphs)
    row, half = region.y + region.height // 2, region.width // 2
    inset = 1 if region.height >= 3 else 0
    canvas.put(region.x + inset, row, " " * (region.width - 2 * inset), "")
    if len(here) == 2:
        right = Region(region.x + half, region.y, region.width - half, region.height)
        canvas.tint(right, "seat-1")
        inside = right if cell.last or not inset or not glyphs.braille else right.shrink(Spacing(1, 1, 1, 0))
        canvas.tint(inside, "fill-1")
    canvas.put(region.x + (region.width - 1) // 2, row, str(cell.number), "")
    for seat in here:
        inset = max(1, region.width // 2 - 2) if region.height >= 3 else 0
        x = region.x + inset if seat == 0 else region.right - 1 - max(inset, region.width == 4)
        canvas.put(x, row, glyphs.seat(seat), "")


def _draw_halves(canvas: Canvas, region: Region, cell: Cell, halves: Halves, glyphs: Glyphs, *, boxed: bool) -> None:
    """The number with its minus and its plus; one that is not allowed shows as a dot."""
    row = region.y + region.height // 2
    if region.height >= 3 and boxed:
        canvas.box(region, glyphs.heavy_box if halves.minus.chosen or halves.plus.chosen else glyphs.box, "legal")
    middle = region.x + (region.width - 1) // 2
    reach = 2 if region.width > 5 and boxed else 1  # beside a marker there is less room
    if boxed:
        canvas.put(middle, row, str(cell.number), "flash" if cell.flash else "legal")
    for sign, half, x in (("-", halves.minus, middle - reach), ("+", halves.plus, middle + reach)):
        style = "chosen" if half.chosen else "legal" if half.legal else "dim"
        canvas.put(x, row, sign if half.legal or half.chosen else glyphs.nobody, style)
    if region.height >= 3:
        _draw_marks(canvas, region, halves.minus.mark, halves.plus.mark)


def _draw_marks(canvas: Canvas, region: Region, minus: str, plus: str) -> None:
    """Below the two halves, apart from each other and from the outline; where there is no room, no more than signs."""
    if len(minus) + len(plus) + 1 > region.width:
        minus, plus = minus[:1], plus[:1]
    inset = 1 if len(minus) + len(plus) < region.width - 2 else 0
    if minus:
        canvas.put(region.x + inset, region.bottom - 1, f"{minus} ", "mark")
    if plus:
        canvas.put(region.right - inset - len(plus) - 1, region.bottom - 1, f" {plus}", "mark")


def _strokes(canvas: Canvas, ring: Ring, scene: RingScene) -> None:
    """Brighter lines from the source to the numbers that may follow: along the ring, or across it for a leap."""
    if scene.source is None:
        return
    count = len(ring.cells)
    for number in scene.reached:
        start, end = ring.way(scene.source - 1, number - 1)
        steps = min((number - scene.source) % count, (scene.source - number) % count)
        if steps <= 1:
            canvas.dots(ring.arc(start, end, gap=0.5), scene.stroke, scene.glyphs.dot)
        else:
            canvas.dots(ring.leap(start, end, gap=0.5), scene.stroke, scene.glyphs.dot)


def _join(canvas: Canvas, ring: Ring, scene: RingScene) -> None:
    """What a stroke would say, where the cells touch: a bar on the outline of the number that may follow."""
    if scene.source is None:
        return
    source = ring.cells[scene.source - 1]
    for number in scene.reached:
        cell = ring.cells[number - 1]
        dots = ring.arc(*ring.way(scene.source - 1, number - 1), gap=0.5)
        seen = any(not _inside(dot, (source, cell)) for dot in dots)
        below = source.bottom == cell.y
        if not seen and cell.height >= 3 and (below or cell.bottom == source.y):
            x = (max(source.x, cell.x) + min(source.right, cell.right)) // 2
            canvas.put(x, cell.y if below else cell.bottom - 1, scene.glyphs.heavy_box[3], scene.stroke)


def _inside(dot: Point, cells: Iterable[Region]) -> bool:
    """Whether one of these cells covers a dot."""
    return any(cell.contains(*map(int, dot)) for cell in cells)


def _middle(canvas: Canvas, ring: Ring, scene: RingScene) -> None:
    """The story: a line, the figure, more lines; the largest figure that leaves room for all that is said."""
    text, style = scene.figure
    caption, told = scene.story[:1], scene.story[1:]
    for lines, above in product(_figures(text, scene.glyphs, canvas.height), (caption, ())):
        parts = [*above, *(Line((((line, style),),)) for line in lines), *told]
        top = round(ring.y - len(parts) / 2)
        rooms = [ring.room(row) for row in range(top, top + len(parts))]
        lengths = [part.length(room) for part, room in zip(parts, rooms, strict=True)]
        if None not in lengths:
            break
    # What is said shorter in one of the lower lines is said shorter in all.
    upper = len(parts) - len(told)
    length = max((length for length in lengths[upper:] if length is not None), default=0)
    for at, (part, room) in enumerate(zip(parts, rooms, strict=True)):
        words = part.fitting(room) if at < upper else part.variants[min(length, len(part.variants) - 1)]
        if words_width(words) <= room:
            canvas.put_words(round(ring.x - words_width(words) / 2), top + at, words)


def _figures(text: str, glyphs: Glyphs, height: int) -> list[tuple[str, ...]]:
    """The figure, largest first, down to nothing."""
    if not text:
        return [()]
    if not glyphs.braille:
        return [(text,), ()]
    return [*([(*big(text, 2), "")] if height >= 20 else []), big(text, 1), (text,), ()]
