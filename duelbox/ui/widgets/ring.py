"""The circle: numbers round a ring or a racetrack, strokes to those that may follow, the story in the middle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise, product

from textual.geometry import Region, Spacing

from duelbox.core.model import SEATS, Seat
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene
from duelbox.ui.widgets.canvas import BLOCK, Canvas, Line, words_width
from duelbox.ui.widgets.cells import big, draw_cell, draw_number, outline_of_worth, style_of_worth
from duelbox.ui.widgets.geometry import HUGE, Point, Ring, Track, place


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
    trails: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """What each player has picked in order, where each goes their own way."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Numbers that a hint joins."""
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


_RIGHT = Spacing(0, 1, 0, 0)
_STROKE = 3
"""A stroke of fewer dots is a speck."""


def draw_ring(scene: RingScene, ring: Ring | Track, canvas: Canvas, target: str | None) -> Drawing:
    """Draw numbers round a ring: first the lines, then what stands on them."""
    draw_lines = _draw_track if isinstance(ring, Track) else _draw_dots
    draw_lines(canvas, ring, scene)  # type: ignore[arg-type]
    for region, cell in zip(ring.cells, scene.cells, strict=True):
        if not cell.gap:  # a line runs on through a gap, and up to a single digit
            canvas.fill(region if region.height > 1 or cell.number > 9 else region.shrink(_RIGHT), "text")
        _draw_node(canvas, region, cell, scene, target)
    _middle(canvas, ring, scene)
    return Drawing(canvas, _targets(ring, scene), _stops(scene))


def _draw_dots(canvas: Canvas, ring: Ring, scene: RingScene) -> None:
    """A thin ring of dots, brighter lines from the source to what may follow, both trails, and what a hint joins."""
    glyphs = scene.glyphs
    canvas.dots(_between(ring), "edge", glyphs.dot)
    joined = [(scene.source, number, scene.stroke) for number in scene.reached if scene.source is not None]
    trodden = [(*pair, f"seat-{seat}") for seat in SEATS for pair in pairwise(scene.trails[seat])]
    for at, (one, two, style) in enumerate((*trodden, *joined, *((*pair, "best") for pair in scene.pairs))):
        not_gone_yet = trodden and len(trodden) <= at < len(trodden) + len(joined)
        dots = _stroke(ring, one, two, 1.5 if not_gone_yet else 0.5)  # a way not gone yet is lighter
        canvas.dots(dots, style, glyphs.dot)
        if at < len(trodden) and dots:  # the player's own sign on the way they went
            x, y = map(int, dots[len(dots) // 5])
            canvas.put(x, y, glyphs.seat(0 if style == "seat-0" else 1), style)


@lru_cache(maxsize=256)
def _stroke(ring: Ring, one: int, two: int, gap: float) -> tuple[Point, ...]:
    """The dots between two numbers that lie on no cell, along the ring to the next one, else across; a few are none."""
    count, (start, end) = len(ring.cells), ring.way(one - 1, two - 1)
    near = min((two - one) % count, (one - two) % count) <= 1
    dots = ring.arc(start, end, gap) if near else ring.leap(start, end, gap)
    seen = tuple(dot for dot in dots if not _inside(dot, ring.cells))
    return seen if len(seen) >= _STROKE else ()


@lru_cache(maxsize=16)
def _between(ring: Ring) -> tuple[Point, ...]:
    """The dots of the ring that lie between its cells."""
    dots = tuple(dot for dot in ring.arc(gap=0.6) if not _inside(dot, ring.cells))
    return dots if len(dots) > 2 * len(ring.cells) else ()  # a few specks here and there would look like dirt


def _draw_track(canvas: Canvas, track: Track, scene: RingScene) -> None:
    """One line through all numbers, heavier from the source to what may follow, along trails, and what a hint joins."""
    for place_ in range(len(track.cells)):
        canvas.path(track.stretch(place_), scene.glyphs.box, "edge")
    for seat, box in zip(SEATS, (scene.glyphs.heavy_box, scene.glyphs.bold_box), strict=True):
        for one, two in pairwise(scene.trails[seat]):
            for place_ in track.way(one - 1, two - 1):
                canvas.path(track.stretch(place_), box, f"seat-{seat}")
    joined = [(scene.source, number, scene.stroke) for number in scene.reached if scene.source is not None]
    if any(scene.trails):  # one line is not enough for where they went and where they may go
        joined = []
    for one, two, style in (*joined, *((*pair, "best") for pair in scene.pairs)):
        for place_ in track.way(one - 1, two - 1):
            canvas.path(track.stretch(place_), scene.glyphs.heavy_box, style)


def _targets(ring: Ring | Track, scene: RingScene) -> dict[str, Region]:
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
    large = region.size == HUGE and glyphs.braille
    for y in range(row - large, row + large + 1):
        canvas.put(region.x + inset, y, " " * (region.width - 2 * inset), "")
    if len(here) == 2:
        right = Region(region.x + half, region.y, region.width - half, region.height)
        canvas.tint(right, "seat-1")
        inside = right if cell.last or not inset or not glyphs.braille else right.shrink(Spacing(1, 1, 1, 0))
        canvas.tint(inside, "fill-1")
    if large:
        draw_number(canvas, region, cell.number, glyphs, "")
    else:
        canvas.put(region.x + (region.width - 1) // 2, row, str(cell.number), "")
    if large and len(here) == 2:  # one sign stands over the number, two beside each other
        middle = region.x + region.width // 2
        canvas.put(middle, region.y, (glyphs.bold_box if cell.last else BLOCK)[1], "")
        for seat in here:
            canvas.put(middle + 2 * seat - 1, region.y, glyphs.seat(seat), f"fill-{seat}")
    for seat in here if not large else ():
        inset = max(1, region.width // 2 - 2) if region.height >= 3 else 0
        x = region.x + inset if seat == 0 else region.right - 1 - max(inset, region.width == 4)
        canvas.put(x, row, glyphs.seat(seat), "")


def _draw_halves(canvas: Canvas, region: Region, cell: Cell, halves: Halves, glyphs: Glyphs, *, boxed: bool) -> None:
    """The number with its minus and its plus; one that is not allowed shows as a dot."""
    row, tall = region.y + region.height // 2, region.height >= 3
    middle = region.x + (region.width - 1) // 2
    large = region.size == HUGE and glyphs.braille
    reach = 3 if large else 2 if region.width > 5 and boxed else 1  # beside a marker there is less room
    if boxed and large:
        draw_number(canvas, region, cell.number, glyphs, "flash" if cell.flash else "legal")
    elif boxed:
        canvas.put(middle, row, str(cell.number), "flash" if cell.flash else "legal")
    for sign, half, x in (("-", halves.minus, middle - reach), ("+", halves.plus, middle + reach)):
        if tall and boxed:
            _half_a_box(canvas, region, half, glyphs, right=sign == "+")
        style = "flash" if half.flash else "chosen" if half.chosen else "legal" if half.legal else "dim"
        verdict = "" if half.worth is None else glyphs.verdict(half.worth.verdict)
        if half.worth is not None and not half.chosen:
            style = style_of_worth(half.worth)
        shown = "!" if half.flash else sign if half.legal else glyphs.nobody
        canvas.put(x, row, shown if tall or not verdict else verdict, style)
        if tall and half.worth is not None:
            canvas.put(x, region.y, verdict, style)
    for sign, half, x in (("-", halves.minus, middle - reach), ("+", halves.plus, middle + reach)) if tall else ():
        told = half.hint or ("" if half.worth is None else half.worth.figure)
        if told and len(told) <= (region.width - 3) // 2:
            at = x if sign == "-" else x + 1 - len(told)
            if not half.hint:  # blanks beside a figure keep the outline from reading as a sign
                for beside in {at - 1, at + len(told)} & set(range(region.x + 1, region.right - 1)):
                    canvas.put(beside, region.bottom - 1, " ", "free")
            canvas.put(at, region.bottom - 1, told, "tag" if half.hint else "free")
    if cell.hint and tall:
        tag = f" {cell.hint} " if len(cell.hint) < region.width - 3 else cell.hint
        canvas.put(region.x + (region.width - len(tag)) // 2, region.bottom - 1, tag, "tag")


def _half_a_box(canvas: Canvas, region: Region, half: Cell, glyphs: Glyphs, *, right: bool) -> None:
    """The outline of one half: by what it is worth, or whether it may be taken."""
    chars, style = glyphs.box if half.legal else glyphs.thin_box, "legal" if half.legal else "edge"
    if half.chosen and half.legal:
        chars = glyphs.heavy_box
    elif half.worth is not None:
        chars, style = outline_of_worth(half.worth, glyphs), style_of_worth(half.worth)
    half_width, bottom = region.width // 2, region.bottom - 1
    if right:
        x = region.x + half_width
        rows = (chars[1] * (half_width) + chars[2], chars[3], chars[5] * half_width + chars[4])
    else:
        x = region.x
        rows = (chars[0] + chars[1] * (half_width - 1), chars[7], chars[6] + chars[5] * (half_width - 1))
    canvas.put(x, region.y, rows[0], style)
    for y in range(region.y + 1, bottom):
        canvas.put(region.right - 1 if right else x, y, rows[1], style)
    canvas.put(x, bottom, rows[2], style)


def _inside(dot: Point, cells: Iterable[Region]) -> bool:
    return any(cell.contains(*map(int, dot)) for cell in cells)


def _middle(canvas: Canvas, ring: Ring | Track, scene: RingScene) -> None:
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
    # What is said shorter in one of the lower lines is said shorter in all; but one that may be left out stands alone.
    upper = len(parts) - len(told)
    alone = [at < upper or not words_width(part.variants[-1]) for at, part in enumerate(parts)]
    length = max((length for at, length in enumerate(lengths) if length is not None and not alone[at]), default=0)
    for at, (part, room) in enumerate(zip(parts, rooms, strict=True)):
        words = part.fitting(room) if alone[at] else part.variants[min(length, len(part.variants) - 1)]
        if words_width(words) <= room:
            canvas.put_words(round(ring.x - words_width(words) / 2), top + at, words)


def _figures(text: str, glyphs: Glyphs, height: int) -> list[tuple[str, ...]]:
    """The figure, largest first, down to nothing."""
    if not text:
        return [()]
    if not glyphs.braille:
        return [(text,), ()]
    return [*([(*big(text, 2), "")] if height >= 20 else []), big(text, 1), (text,), ()]
