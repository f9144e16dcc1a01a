"""Number Circle on the table: a ring with both markers, and the race to the target in the middle."""

from __future__ import annotations

from dataclasses import replace

from duelbox.core.model import SEATS, Seat
from duelbox.games.number_circle.rules import Move, View, format_move, legal_moves, neighbours, result
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import Canvas, Line
from duelbox.ui.widgets.ring import Halves, RingBoard, RingScene


def typed(view: View, line: str, char: str) -> str:
    """A sign goes before the number, in place of the one that is there."""
    return char + line.lstrip("+-") if char in "+-" else line + char


def scene(view: View, look: Look) -> RingScene:
    """The ring as it stands."""
    legal = {format_move(move) for move in legal_moves(view)}
    near = neighbours(view.places[view.turn]) if view.turn is not None else ()
    halves = {
        number: Halves(*(_half(look, sign, number, legal) for sign in "-+"))
        for number in near
        if {f"-{number}", f"+{number}"} & legal
    }
    return RingScene(
        cells=tuple(_cell(view, look, number, refused=number not in halves) for number in view.numbers),
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
    chosen, may = look.line.replace(" ", "") == text, text in legal
    worth, hint = look.worth(text) if may else None, look.said.get(text, "")
    return Cell(number, legal=may, chosen=chosen, flash=chosen and not may, worth=worth, hint=hint)


def _cell(view: View, look: Look, number: int, *, refused: bool) -> Cell:
    """A number; one that is named though it is out of reach shows that."""
    named = look.line.replace(" ", "") in (f"+{number}", f"-{number}")
    return Cell(
        number=number,
        open_to=(0, 1),
        last=look.last[1:] == str(number),
        flash=number in look.blockers or (named and refused and view.turn is not None),
        hint=look.said.get(str(number), ""),
    )


def _story(view: View, look: Look) -> tuple[Line, ...]:
    """The target, and what is missing to it."""
    target = Line(((("target", "free"),),))
    if not view.options.shared_total:
        return target, *(_total(view, look, seat) for seat in SEATS), *_route(look)
    step = _step(view, look)
    total = str(view.totals[0]) if step is None else _sum(view, step)
    alone = (total, total.replace(" ", ""))  # where the ring leaves no room for a word before it
    told = Line(((("total ", "free"), (total, "legal")), *(((one, "legal"),) for one in alone)))
    then = view.totals[0] if step is None else result(view.totals[0], step.sign, step.number)
    return target, told, Line(((_missing(view, then),),)), *_route(look)


def _route(look: Look) -> tuple[Line, ...]:
    """The way that a hint shows: each move with the total it makes, or the moves alone."""
    route = next((mark for mark in look.shown if mark.kind == "route"), None)
    if route is None:
        return ()
    arrow = "→" if look.glyphs.braille else ">"
    steps = [(f"{move} {arrow} {total}", move) for move, total in zip(route.moves, route.numbers, strict=True)]
    ways = ("   ".join(step for step, _ in steps), " ".join(move for _, move in steps), "")
    return (Line(tuple(((way, "best"),) for way in ways)),)


def _step(view: View, look: Look) -> Move | None:
    """The move in the move line, if it is one."""
    return next((move for move in legal_moves(view) if format_move(move) == look.line.replace(" ", "")), None)


def _sum(view: View, step: Move) -> str:
    total = view.totals[view.mover]
    return f"{total} {step.sign} {step.number} = {result(total, step.sign, step.number)}"


def _missing(view: View, total: int) -> tuple[str, str]:
    away = view.target - total
    return (f"{away} to go" if away else "reached", "free")


def _total(view: View, look: Look, seat: Seat) -> Line:
    """A total, and how far it is from the target; or what the move in the move line would make of it."""
    sign, step = look.sign(seat), _step(view, look)
    style = sign[1]
    if step is not None and seat == view.turn:
        said = _sum(view, step)
        lengths = (f" {said:<12}", f" {said:<11}", f" {said.replace(' ', ''):<6}")
        return Line(tuple((sign, (text, style)) for text in lengths))
    total = view.totals[seat]
    missing = (f" {_missing(view, total)[0]:>8}", "free")
    least = f" {total:<6}" if step else f" {total}"
    return Line(
        ((sign, (f" {total:<3}", style), missing), (sign, (f" {total:<2}", style), missing), (sign, (least, style)))
    )


def mini(view: View, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """The ring, with nothing but the target in the middle."""
    whole = scene(view, Look(seat=None, glyphs=glyphs))
    return RingBoard.paint(replace(whole, story=whole.story[:1]), width, height, None).canvas


BOARD = GameBoard(
    RingBoard,
    scene,
    score=lambda view, seat: f"total {view.totals[seat]}",
    keys="+-0123456789",
    changing="+-",
    asks=lambda view: "Type + or - and a number",
    mini=mini,
    typed=typed,
    signs=(("− 5 +", "step to 5: subtract it or add it"),),
)
