"""Number Circle on the table: a ring with both markers, and the race to the target in the middle."""

from __future__ import annotations

from duelbox.core.model import SEATS, Seat
from duelbox.games.number_circle.rules import View, format_move, neighbours
from duelbox.ui.tables.base import Look
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import Line
from duelbox.ui.widgets.ring import Halves, RingBoard, RingScene

TYPED = "+-0123456789"


def board() -> RingBoard:
    """The circle."""
    return RingBoard()


def pick(view: View, line: str, target: str) -> str:
    """A number with its sign is a whole move."""
    return target


def score(view: View, seat: Seat) -> str:
    """A player's total."""
    return f"total {view.totals[seat]}"


def scene(view: View, look: Look) -> RingScene:
    """The ring as it stands."""
    legal = {format_move(move) for move in (view.open_to(view.turn) if view.turn is not None else ())}
    near = neighbours(view.places[view.turn]) if view.turn is not None else ()
    halves = {
        number: Halves(*(_half(look, sign, number, legal) for sign in "-+"))
        for number in near
        if {f"-{number}", f"+{number}"} & legal
    }
    return RingScene(
        cells=tuple(_cell(view, look, number) for number in view.numbers),
        source=None if view.turn is None else view.places[view.turn],
        reached=tuple(halves),
        signed=True,
        halves=halves,
        markers=view.places,
        mover=view.turn,
        figure=(str(view.target), "text"),
        story=_story(view, look),
        glyphs=look.glyphs,
    )


def _half(look: Look, sign: str, number: int, legal: set[str]) -> Cell:
    text = f"{sign}{number}"
    return Cell(
        number=number,
        legal=text in legal,
        chosen=look.line.replace(" ", "") == text,
        mark=look.marks.get(text, ""),
    )


def _cell(view: View, look: Look, number: int) -> Cell:
    return Cell(
        number=number,
        open_to=(0, 1),
        last=look.last[1:] == str(number),
        flash=number in look.blockers,
    )


def _story(view: View, look: Look) -> tuple[Line, ...]:
    target = Line(((("target", "free"),),))
    if view.options.shared_total:
        return target, _total(view, look, None)
    return target, *(_total(view, look, seat) for seat in SEATS)


def _total(view: View, look: Look, seat: Seat | None) -> Line:
    """A total, and how far it is from the target."""
    total = view.totals[seat or 0]
    sign = ("total", "free") if seat is None else (look.glyphs.seat(seat), f"seat-{seat}")
    style = "text" if seat is None else f"seat-{seat}"
    short = (sign, (f" {total}", style))
    away = view.target - total
    return Line((((*short, (f"  {away} to go" if away else "  reached", "free"))), short))
