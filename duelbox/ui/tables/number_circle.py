"""Number Circle on the table: a ring with both markers, and the race to the target in the middle."""

from __future__ import annotations

from duelbox.core.model import SEATS, Seat
from duelbox.games.number_circle.rules import Move, View, format_move, neighbours, result
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
    legal = {format_move(move) for move in _open(view)}
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


def _open(view: View) -> tuple[Move, ...]:
    """What the player to move may do."""
    return () if view.turn is None else view.open_to(view.turn)


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
    """A total, and how far it is from the target; or what the move in the move line would make of it."""
    mover = view.turn
    total = view.totals[seat or 0]
    sign = ("total", "free") if seat is None else (look.glyphs.seat(seat), f"seat-{seat}")
    style = "legal" if seat is None else f"seat-{seat}"
    step = next((move for move in _open(view) if format_move(move) == look.line.replace(" ", "")), None)
    if step is not None and seat in (None, mover):
        after = result(total, step.sign, step.number)
        said = f"{total} {step.sign} {step.number} = {after}"
        return Line(
            (
                (sign, (f" {said:<12}", style)),
                (sign, (f" {said:<11}", style)),
                (sign, (f" {said.replace(' ', '')}", style)),
            )
        )
    away = view.target - total
    said = f"{away} to go" if away else "reached"
    return Line(
        (
            (sign, (f" {total:<3}", style), (f" {said:>8}", "free")),
            (sign, (f" {total:<2}", style), (f" {said:>8}", "free")),
            (sign, (f" {total}", style)),
        )
    )
