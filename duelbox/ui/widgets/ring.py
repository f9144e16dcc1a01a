"""The circle: numbers round a ring, strokes to those that may follow, the story of the game in the middle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from textual.geometry import Region

from duelbox.core.model import SEATS, Seat
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene
from duelbox.ui.widgets.canvas import Canvas, Line, Words, words_width
from duelbox.ui.widgets.cells import draw_cell
from duelbox.ui.widgets.figures import big
from duelbox.ui.widgets.geometry import ASPECT, Ring, place


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


class RingBoard(Board[RingScene]):
    """The circle widget."""

    @staticmethod
    def paint(scene: RingScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the ring, and the story in the middle."""
        canvas = Canvas(width, height, braille=scene.glyphs.braille)
        ring = place(len(scene.cells), width, height)
        if ring is None:
            return Drawing(canvas)
        canvas.dots(ring.points(gap=1.0), "edge", scene.glyphs.dot)
        _strokes(canvas, ring, scene)
        for region, cell in zip(ring.cells, scene.cells, strict=True):
            canvas.fill(region, "text")
            _draw_node(canvas, region, cell, scene, target)
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
    here = [seat for seat in SEATS if scene.markers and scene.markers[seat] == cell.number]
    if halves is not None:
        _draw_halves(canvas, region, cell, halves, scene.glyphs, target)
    else:
        draw_cell(canvas, region, cell, scene.glyphs, cursor=target == str(cell.number))
    for seat in here:
        _draw_marker(canvas, region, seat, scene.glyphs)


def _draw_marker(canvas: Canvas, region: Region, seat: Seat, glyphs: Glyphs) -> None:
    """A player's sign where they stand: Player 1's at the left, Player 2's at the right."""
    row = region.y + region.height // 2
    inset = 1 if region.height >= 3 else 0
    x = region.x + inset if seat == 0 else region.right - 1 - inset
    canvas.put(x, row, glyphs.seat(seat), f"seat-{seat}")


def _draw_halves(
    canvas: Canvas, region: Region, cell: Cell, halves: Halves, glyphs: Glyphs, target: str | None
) -> None:
    """The number with its minus and its plus."""
    number = str(cell.number)
    row = region.y + region.height // 2
    if region.height >= 3:
        chars = glyphs.heavy_box if halves.minus.chosen or halves.plus.chosen else glyphs.box
        canvas.box(region, chars, "legal")
    canvas.put(region.x + region.width // 2, row, number, "legal")
    inset = 1 if region.height >= 3 else 0
    for sign, half, x in (("-", halves.minus, region.x + inset), ("+", halves.plus, region.right - 1 - inset)):
        style = "chosen" if half.chosen else "legal" if half.legal else "dim"
        canvas.put(x, row, sign if half.legal or half.chosen else glyphs.nobody, style)
        if target == f"{sign}{number}":
            at, arrow = (x - 1, glyphs.left) if sign == "-" else (x + 1, glyphs.right)
            canvas.put(at, row, arrow, "legal")
        if half.mark and region.height >= 3:
            at = region.x + 1 if sign == "-" else region.right - 1 - len(half.mark)
            canvas.put(at, region.bottom - 1, half.mark, "mark")


def _strokes(canvas: Canvas, ring: Ring, scene: RingScene) -> None:
    """Brighter lines from the source to the numbers that may follow: along the ring, or across it for a leap."""
    if scene.source is None:
        return
    count = len(ring.cells)
    style = "legal" if scene.mover is None else f"seat-{scene.mover}"
    start = ring.share(scene.source - 1)
    for number in scene.reached:
        end = ring.share(number - 1)
        way = (end - start + 0.5) % 1 - 0.5
        steps = min((number - scene.source) % count, (scene.source - number) % count)
        if steps <= 1:
            canvas.dots(ring.points(start, start + way, gap=0.25), style, scene.glyphs.dot)
        else:
            canvas.dots(_leap(ring, start, way), style, scene.glyphs.dot)


def _leap(ring: Ring, start: float, way: float) -> list[tuple[float, float]]:
    """A curve between two places that bends inwards, past those between them."""
    from math import cos, pi, sin

    def point(share: float, depth: float) -> tuple[float, float]:
        angle = 2 * pi * share
        return ring.x + ring.rx * depth * sin(angle), ring.y - ring.ry * depth * cos(angle)

    (x0, y0), (x1, y1), (x2, y2) = point(start, 1), point(start + way / 2, 0.55), point(start + way, 1)
    count = max(8, int((abs(x2 - x0) / ASPECT + abs(y2 - y0)) * 8))
    curve = []
    for step in range(count + 1):
        t = step / count
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        curve.append((a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2))
    return curve


def _room(canvas: Canvas, ring: Ring, row: int) -> int:
    """How wide a text in the middle of a row may be without coming near a number."""
    room = float(canvas.width)
    for cell in ring.cells:
        if cell.y <= row < cell.bottom:
            nearest = min(abs(cell.x - ring.x), abs(cell.right - ring.x))
            crossing = cell.x < ring.x < cell.right
            room = 0 if crossing else min(room, 2 * nearest - 4)
    inside = 1 - ((row + 0.5 - ring.y) / max(ring.ry, 0.5)) ** 2
    return int(min(room, 2 * ring.rx * max(0.0, inside) ** 0.5 - 4))


def _middle(canvas: Canvas, ring: Ring, scene: RingScene) -> None:
    """The story: a line, the figure, more lines; what does not fit is left out."""
    text, style = scene.figure
    above, below = scene.story[:1], scene.story[1:]
    for lines in _figures(text, scene.glyphs):
        total = len(above) + len(lines) + len(below)
        top = round(ring.y - total / 2)
        rows = range(top, top + total)
        figure_rows = rows[len(above) : len(above) + len(lines)]
        if all(_room(canvas, ring, row) >= len(line) for row, line in zip(figure_rows, lines, strict=True)):
            break
    for row, line in zip(figure_rows, lines, strict=True):
        canvas.put(round(ring.x - len(line) / 2), row, line, style)
    said = list(zip((*rows[: len(above)], *rows[len(above) + len(lines) :]), (*above, *below), strict=True))
    for row, one in said:
        words: Words | None = one.fitting(_room(canvas, ring, row))
        if words:
            canvas.put_words(round(ring.x - words_width(words) / 2), row, words)


def _figures(text: str, glyphs: Glyphs) -> list[tuple[str, ...]]:
    """The figure, largest first, down to nothing."""
    if not text:
        return [()]
    sizes = [big(text, 2), big(text, 1)] if glyphs.braille else []
    return [*sizes, (text,), ()]
