"""The board of Number Circle: a ring with both markers, and in its middle the race to the target."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from textual.geometry import Region, Size, Spacing

from duelbox.core.model import SEATS, Seat, other
from duelbox.games.number_circle.rules import View, format_move, legal_moves, result
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets import thumbnails
from duelbox.ui.widgets.board import Board, Cell, Drawing, no_room
from duelbox.ui.widgets.canvas import Canvas, FittingLine, StyledText, text_width
from duelbox.ui.widgets.cells import (
    draw_cell,
    draw_number,
    fits_large_digits,
    large_digits,
    outline_of_worth,
    style_of_worth,
)
from duelbox.ui.widgets.ring_board import Reach, RingLayout, RingScene, draw_node, draw_ring, ring_of

_SHORTEST, _LINE, _SHARED_LINE = 5, 64, 40
"""A shorter line from 0 to the target is left out, a longer one is cut, one for a shared total even more."""
_TALL, _SIGN = 24, 3
"""From this many rows of the board on, figures are doubled; the columns for the sign beside one."""
_NO_ROUTE = FittingLine(((),))
_TARGET, _SHARED = "target", "one total, to {}"


Buttons = tuple[Cell, Cell]
Figures = Sequence[tuple[Seat | None, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class RaceScene(RingScene):
    """The ring and the race."""

    steps: Mapping[int, Buttons] = field(default_factory=dict)
    """The two buttons of each number that can be stepped to: to subtract it, and to add it."""
    results: Mapping[str, int] = field(default_factory=dict)
    """The total after each step."""
    chosen: str = ""
    """The step in the move line."""
    markers: tuple[int, int] = (1, 1)
    """The numbers that the players stand on."""
    mover: Seat = 0
    totals: tuple[tuple[Seat | None, int], ...] = ()
    """The totals from left to right; a shared one is nobody's."""
    target: int = 0
    route: FittingLine = _NO_ROUTE
    """The way to the target that a hint shows."""
    told: bool = True
    """The race stands in the middle."""

    def untold(self) -> Self:
        """The ring without the race in its middle."""
        return replace(self, told=False)


class RaceBoard(Board[RaceScene]):
    """The ring of Number Circle, with two buttons for each number that can be stepped to."""

    @staticmethod
    def paint(scene: RaceScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the ring, and the race in its middle."""
        canvas = Canvas(width, height)
        ring = ring_of(scene, width, height, wide=True)
        if ring is None:
            return no_room(canvas)
        lit = {number: _lit(number, buttons, target) for number, buttons in scene.steps.items()}
        scene = replace(scene, steps=lit)
        draw_ring(canvas, ring, scene, lambda region, cell: _draw_place(canvas, region, cell, scene))
        if scene.told:
            _draw_race(canvas, ring, scene)
        targets: dict[str, Region] = {}
        for cell, region in zip(scene.cells, ring.cells, strict=True):
            half = region.width // 2
            targets[f"-{cell.number}"] = Region(region.x, region.y, half, region.height)
            targets[f"+{cell.number}"] = Region(region.x + half, region.y, region.width - half, region.height)
        return Drawing(canvas, targets, tuple(scene.results) if scene.steps else (), ring.rooms, ring.track)

    def step(self, dx: int, dy: int) -> str | None:
        """Move as on any board; where nothing lies above or below, up and down change the sign."""
        before, after = self.target, super().step(dx, dy)
        if dy and before is not None and after == before:
            turned = ("+" if before[0] == "-" else "-") + before[1:]
            self.target = turned if turned in self.cursor_stops() else before
        return self.target if after is not None else None


# -- the numbers


def _lit(number: int, buttons: Buttons, target: str | None) -> Buttons:
    """The buttons with the cursor on one of them, which may be a legal one only."""
    minus, plus = (
        replace(half, chosen=half.legal and (half.chosen or target == f"{sign}{number}"))
        for sign, half in zip("-+", buttons, strict=True)
    )
    return minus, plus


def _draw_place(canvas: Canvas, region: Region, cell: Cell, scene: RaceScene) -> None:
    """A number: two buttons if it can be stepped to, filled if a marker stands there, else plain."""
    here: tuple[Seat, ...] = ()
    for seat in SEATS:
        if scene.markers[seat] == cell.number:
            here += (seat,)
    if cell.number in scene.steps and (region.width >= 9 or not here or region.height == 1):
        canvas.fill(region, "text")
        draw = _draw_buttons if region.height > 1 else _draw_token
        draw(canvas, region, cell, here, scene)
    elif here:
        _draw_markers(canvas, region, cell, here, scene.glyphs)
    else:
        draw_node(canvas, region, cell, scene.glyphs, None)


def _draw_markers(canvas: Canvas, region: Region, cell: Cell, here: tuple[Seat, ...], glyphs: Glyphs) -> None:
    """A number with one or both markers: filled, with the players' signs at its ends."""
    draw_cell(canvas, region, replace(cell, owner=here[0]), glyphs)
    if len(here) == 2:
        y = region.y + region.height // 2
        if fits_large_digits(region, glyphs):
            y = region.y + 1
        half = Region(region.x + (region.width + 1) // 2, region.y, region.width // 2, region.height)
        canvas.tint(half, "seat-1")
        if glyphs.unicode or region.height == 1:
            canvas.tint(half if region.height == 1 else half.shrink(Spacing(1, 1, 1, 0)), "fill-1")
        canvas.put(region.right - 1 - (region.height > 1), y, glyphs.seat(1), "")


def _draw_buttons(canvas: Canvas, region: Region, cell: Cell, here: tuple[Seat, ...], scene: RaceScene) -> None:
    """A minus, the number and a plus in one frame, over the totals they lead to; nothing for a forbidden one."""
    glyphs = scene.glyphs
    style = _colour_of_frame(scene.steps[cell.number], scene)
    canvas.box(region, _frame(scene.steps[cell.number], glyphs), style)
    for sign, half in zip("-+", scene.steps[cell.number], strict=True):
        _draw_button(canvas, region, f"{sign}{cell.number}", half, scene)
    draw_number(canvas, region, cell.number, glyphs, "flash" if cell.flash else "legal")
    for seat in here:
        canvas.put(region.x + 1, region.y + 1, glyphs.seat(seat), f"fill-{seat}")
    if cell.hint:
        canvas.put(region.x + (region.width - len(cell.hint)) // 2, region.y, cell.hint, "tag")


def _draw_button(canvas: Canvas, region: Region, text: str, half: Cell, scene: RaceScene) -> None:
    """One button: the verdict in its upper edge, its sign, and the total or a hint in its lower edge."""
    if not (half.legal or half.flash or half.hint):
        return
    right, large = text[0] == "+", fits_large_digits(region, scene.glyphs)
    digit = 1
    if large:
        digit = 6 if region.width >= 19 else 3
    room = (region.width - 2 - digit) // 2
    x, style = region.right - 1 - room if right else region.x + 1, "legal" if half.legal else "dim"
    rated = style if half.worth is None else style_of_worth(half.worth)
    _tint_half(canvas, region, half, right=right)
    if half.chosen:  # one column away from large digits
        canvas.fill(Region(x + (large and right), region.y + 1, room - large, region.height - 2), "chosen")
    style = rated
    if half.flash:
        style = "flash"
    elif half.chosen:
        style = "chosen"
    shown = _sign_of(half, text, scene.glyphs)
    canvas.put(x + room // 2, region.y + region.height // 2, shown, style)
    if half.worth is not None:
        verdict = scene.glyphs.verdict(half.worth.verdict) + half.worth.figure
        verdict = verdict if len(verdict) <= room else verdict[:1]
        canvas.put(x + (room - len(verdict)) // 2, region.y, verdict, rated)
    under = half.hint or (str(scene.results[text]).center(room) if half.legal else "")
    if len(under) <= room and (half.hint or room > 1):
        canvas.put(x + (room - len(under)) // 2, region.bottom - 1, under, "tag" if half.hint else "free")


def _sign_of(half: Cell, text: str, glyphs: Glyphs) -> str:
    if half.flash and not half.legal:
        return "!"
    if not half.legal:
        return ""
    return glyphs.minus if text[0] == "-" else "+"


def _frame(halves: Sequence[Cell], glyphs: Glyphs) -> str:
    """The outline round both buttons: plain unless both have the same verdict."""
    outlines = {outline_of_worth(half.worth, glyphs) for half in halves if half.legal and half.worth is not None}
    return outlines.pop() if len(outlines) == 1 and all(half.worth or not half.legal for half in halves) else glyphs.box


def _colour_of_frame(halves: Sequence[Cell], scene: RaceScene) -> str:
    """The colour of the outline where no button has one of its own: the mover's, without verdicts."""
    return "edge" if any(half.worth is not None for half in halves) else f"seat-{scene.mover}"


def _tint_half(canvas: Canvas, region: Region, half: Cell, *, right: bool) -> None:
    """Colour one half of the frame if it is chosen, or by its verdict."""
    if half.chosen:
        style = "legal"
    elif half.worth is not None:
        style = "edge" if half.worth.verdict == "loss" else style_of_worth(half.worth)
    else:
        return
    middle = region.width // 2
    x, width = (region.x + middle + 1, region.width - middle - 1) if right else (region.x, middle)
    canvas.tint(Region(x, region.y, width, region.height), style)


def _draw_token(canvas: Canvas, region: Region, cell: Cell, here: tuple[Seat, ...], scene: RaceScene) -> None:
    """Both buttons in one row."""
    glyphs = scene.glyphs
    canvas.put(region.x + 2, region.y, str(cell.number), "flash" if cell.flash else "legal")
    for seat in here:
        canvas.put(region.x, region.y, glyphs.seat(seat), f"fill-{seat}")
    for x, sign, half in zip((1, 3), "-+", scene.steps[cell.number], strict=True):
        shown, style = _sign_of(half, sign, glyphs), "legal" if half.legal else "dim"
        if half.worth is not None:
            shown, style = glyphs.verdict(half.worth.verdict) or shown, style_of_worth(half.worth)
        canvas.put(region.x + x, region.y, shown, "flash" if half.flash else "chosen" if half.chosen else style)


# -- the race


@dataclass(frozen=True)
class _Part:
    """Rows of the race, one below the other."""

    rows: int
    width: int
    """The fewest columns they take."""
    draw: Callable[[Region], None]


def _draw_race(canvas: Canvas, ring: RingLayout, scene: RaceScene) -> None:
    """The totals, the target, and a line from 0 to it: with as much air and in figures as large as there is room."""
    longest = _LINE if len(scene.totals) > 1 else _SHARED_LINE
    for parts in _choices(canvas, scene):
        rows = sum([part.rows for part in parts])
        widest = max([part.width for part in parts])
        for air in (1, 0):
            room = ring.room(rows + air * (len(parts) - 1))
            if room.width >= widest:
                wide = min(room.width, max(longest, widest))
                x, y = room.x + (room.width - wide) // 2, room.y
                for part in parts:
                    part.draw(Region(x, y, wide, part.rows))
                    y += part.rows + air
                return


def _choices(canvas: Canvas, scene: RaceScene) -> Iterator[list[_Part]]:
    """The parts of the race, the richest choice first; the line to the target is left out last."""
    shared = len(scene.totals) == 1
    words: StyledText = (((_SHARED if shared else _TARGET).format(scene.target), "free"),)
    caption = _Part(1, text_width(words), lambda field: _centred(canvas, field, words))
    shortest = scene.route.variants[-2:][0]
    route = _Part(1, text_width(shortest), lambda field: _centred(canvas, field, scene.route.fitting(field.width)))
    line = _Part(1, _SHORTEST + 6, lambda field: _put_line(canvas, field, scene))
    for figures in _figures(canvas.height, scene):
        totals = _totals(canvas, figures, scene)
        below = [route, line] if scene.route.variants[0] else [line]
        yield [totals, caption, *below] if shared else [caption, totals, *below]
        yield [totals, *below]
    yield [totals, line]
    yield [totals]


def _totals(canvas: Canvas, figures: Figures, scene: RaceScene) -> _Part:
    widths = [len(lines[0]) for _, lines in figures]
    width = widths[0]
    if len(figures) > 1:  # the target in the middle, and a sign with air on both sides beside each total
        width = widths[1] + 2 * (max(widths[0], widths[-1]) + _SIGN)
    return _Part(len(figures[0][1]), width, lambda field: _put_figures(canvas, field, figures, scene))


def _figures(height: int, scene: RaceScene) -> Iterator[Figures]:
    """The totals with the target between them, in block figures, the largest first, and as plain digits."""
    shown = list(scene.totals)
    if len(shown) > 1:
        shown.insert(1, (None, scene.target))
    if scene.glyphs.unicode and height >= _TALL:
        yield [(seat, large_digits(str(number), 2)) for seat, number in shown]
    if scene.glyphs.unicode:
        yield [(seat, large_digits(str(number), 1)) for seat, number in shown]
    yield [(seat, (str(number),)) for seat, number in shown]


def _put_figures(canvas: Canvas, field: Region, figures: Figures, scene: RaceScene) -> None:
    """Draw the totals at both ends, the distance to go if there is room, and the target between them."""
    wide = [len(lines[0]) for _, lines in figures]
    side = (field.width - wide[len(figures) // 2]) // 2
    away = {seat: f"{scene.target - total} to go" for seat, total in scene.totals}
    away |= {seat: "reached" for seat, total in scene.totals if total == scene.target}
    fits = all(len(text) + wide[at] + 4 <= side for at, text in zip((0, -1), away.values(), strict=False))
    for at, (seat, lines) in enumerate(figures):
        x = field.x + (side if len(figures) == 1 or at == 1 else 0 if at == 0 else field.width - wide[at])
        for row, line in enumerate(lines, field.y):
            canvas.put(x, row, line, "text" if seat is None else f"seat-{seat}")
        if seat is not None:
            text, row = away[seat] if fits else "", field.y + len(lines) // 2
            signs = x + wide[at] + 1 if at == 0 else x - 2
            canvas.put(signs, field.y, scene.glyphs.seat(seat), f"seat-{seat}")
            row, signs = (row, signs) if len(lines) > 1 else (row, signs + (2 if at == 0 else -2))
            canvas.put(signs if at == 0 else signs + 1 - len(text), row, text, "free")


def _put_line(canvas: Canvas, field: Region, scene: RaceScene) -> None:
    """Draw a line from 0 to the target with the totals, and a tick where each step leads."""
    glyphs, y = scene.glyphs, field.y
    chosen = [scene.results[scene.chosen]] if scene.chosen in scene.results else list(scene.results.values())
    low, goal = min(0, *(total for _, total in scene.totals), *chosen), str(scene.target)
    start, long = field.x + len(str(low)) + 1, field.width - len(str(low)) - len(goal) - 2
    canvas.put(field.x, y, str(low), "free")
    canvas.put(start, y, glyphs.track[1] * long, "edge")
    canvas.put(field.right - len(goal), y, goal, "legal")
    here, tick = ("█", "┼") if glyphs.unicode else ("#", "+")
    if long < _SHORTEST:
        return
    span = scene.target - low
    at = {low + up: start + round((long - 1) * up / span) for up in range(span + 1)}
    for total in chosen:
        canvas.put(at[total], y, tick, f"seat-{scene.mover}")
    for number, (seat, total) in enumerate(scene.totals):
        # two signs at the same total stand side by side
        beside = int(number > 0 and at[total] == at[scene.totals[0][1]])
        sign, style = (here, "text") if seat is None else (glyphs.seat(seat), f"seat-{seat}")
        canvas.put(at[total] + (beside if at[total] < start + long - 1 else -beside), y, sign, style)


def _centred(canvas: Canvas, field: Region, words: StyledText) -> None:
    canvas.put_text(field.x + (field.width - text_width(words)) // 2, field.y, words)


# -- the scene


def typed(view: View, line: str, char: str) -> str:
    """Put a sign before the number, in place of the one that is there."""
    return char + line.lstrip("+-") if char in "+-" else line + char


def scene(view: View, look: Look) -> RaceScene:
    """The ring and the race as the player who looks sees them."""
    moves = legal_moves(view)
    mover = view.turn or 0
    results = {format_move(move): result(view.totals[mover], move.sign, move.number) for move in moves}
    mine = mover if look.seat is None else look.seat
    left: Seat = 1 if look.names[1] == "You" else 0
    totals: tuple[tuple[Seat | None, int], ...] = tuple((seat, view.totals[seat]) for seat in (left, other(left)))
    if view.options.shared_total:
        totals = ((None, view.totals[0]),)
    cells = [_cell(view, look, number, results) for number in view.numbers]
    return RaceScene(
        cells=tuple(cells),
        reaches=() if view.turn is None else _reaches(view, (other(mine), mine)),
        steps={
            number: (_half(look, f"-{number}", number, results), _half(look, f"+{number}", number, results))
            for number in dict.fromkeys(move.number for move in moves if not look.waits)
        },
        results=results,
        chosen=look.line.replace(" ", ""),
        markers=view.places,
        mover=mover,
        totals=totals,
        target=view.target,
        route=_route(look),
        stories=_stories(shared=view.options.shared_total),
        glyphs=look.glyphs,
    )


def _stories(*, shared: bool) -> tuple[Size, ...]:
    """The sizes of the race: two totals of two digits below zero beside the target, or one; and smaller ones."""
    if shared:
        return Size(len(_SHARED), 6), Size(len(_SHARED), 3)
    return Size(42, 6), Size(36, 5), Size(20, 3)


def _reaches(view: View, seats: tuple[Seat, ...]) -> tuple[Reach, ...]:
    """The stretch of track from each player's number to those they can step to; the last seat's is drawn on top."""
    out = []
    for seat in seats:
        here = view.places[seat]
        for number in dict.fromkeys(move.number for move in view.open_to(seat)):
            first = here if number == here % len(view.numbers) + 1 else number
            out.append(Reach(first, 1, seat, low=seat != seats[-1]))
    return tuple(out)


def _half(look: Look, text: str, number: int, results: Mapping[str, int]) -> Cell:
    chosen, may = look.line.replace(" ", "") == text, text in results
    worth, hint = look.worth(text) if may else None, look.hint_signs.get(text, "")
    return Cell(number, legal=may, chosen=chosen, flash=chosen and not may, worth=worth, hint=hint)


def _cell(view: View, look: Look, number: int, results: Mapping[str, int]) -> Cell:
    """A number without buttons; it flashes if it is typed though it can't be stepped to."""
    signed = {f"+{number}", f"-{number}"}
    refused = view.turn is not None and look.line.replace(" ", "") in signed and signed.isdisjoint(results)
    return Cell(
        number=number,
        open_to=(0, 1),
        last=look.last[1:] == str(number),
        flash=number in look.blockers or refused,
        hint=look.hint_signs.get(str(number), ""),
    )


def _route(look: Look) -> FittingLine:
    """The way that a hint shows: each move with its total, or the moves alone."""
    route = next((mark for mark in look.hint if mark.kind == "route"), None)
    if route is None:
        return _NO_ROUTE
    arrow = "→" if look.glyphs.unicode else ">"
    steps = [(f"{move} {arrow} {total}", move) for move, total in zip(route.moves, route.numbers, strict=True)]
    ways = ("   ".join(step for step, _ in steps), " ".join(move for _, move in steps), "")
    return FittingLine(tuple(((way, "best"),) for way in ways))


def thumbnail(view: View, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """The ring with its race in a small space."""
    drawn = replace(scene(view, Look(seat=None, glyphs=glyphs)), stories=(), small=True)
    drawing = RaceBoard.paint(drawn, width, height, None)
    standing: dict[int, Seat] = {place: seat for seat, place in zip(SEATS, view.places, strict=True)}
    cells = [replace(cell, owner=standing.get(cell.number)) for cell in drawn.cells]
    return drawing.canvas if drawing.targets else thumbnails.numbers_in_rows(cells, width, height, glyphs)


BOARD = GameBoard(
    RaceBoard,
    scene,
    score=lambda view, seat: "" if view.options.shared_total else f"total {view.totals[seat]}",
    keys="+-0123456789",
    changing="+-",
    asks=lambda view: "Type + or - and a number",
    thumbnail=thumbnail,
    typed=typed,
    signs=(("− 5 +", "step to 5: subtract it or add it"),),
)
