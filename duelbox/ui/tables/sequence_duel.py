"""Sequence Duel on the table: the numbers on a line, claimed and blocked."""

from __future__ import annotations

from duelbox.core.model import SEATS, Seat, other
from duelbox.games.sequence_duel.rules import View
from duelbox.ui.tables.base import Look
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.number_line import LineBoard, LineScene

TYPED = "0123456789"


def board() -> LineBoard:
    """The number line."""
    return LineBoard()


def pick(view: View, line: str, target: str) -> str:
    """A number is a whole move."""
    return target


def score(view: View, seat: Seat) -> str:
    """How many numbers a player has claimed."""
    return f"{len(view.claimed(seat))} claimed"


def scene(view: View, look: Look) -> LineScene:
    """The line as it stands."""
    open_to = tuple(frozenset(view.open_to(seat)) for seat in SEATS)
    cells = tuple(_cell(view, look, number, open_to) for number in view.numbers)
    return LineScene(cells=cells, ring=view.options.ring, glyphs=look.glyphs)


def _cell(view: View, look: Look, number: int, open_to: tuple[frozenset[int], ...]) -> Cell:
    mover = view.turn
    return Cell(
        number=number,
        owner=view.owner(number),
        open_to=tuple(seat for seat in SEATS if number in open_to[seat]),
        legal=mover is not None and number in open_to[mover],
        last=bool(view.claims) and number == view.claims[-1],
        chosen=look.line.strip() == str(number),
        flash=number in look.blockers,
        mark=look.marks.get(str(number), ""),
        why=_why(view, look, number),
    )


def _why(view: View, look: Look, number: int) -> str:
    """The rival's numbers in the way of the player to move."""
    if view.turn is None or view.owner(number) is not None:
        return ""
    rival = look.glyphs.seat(other(view.turn))
    return " ".join(f"{rival}{blocker}" for blocker in view.blockers(number, view.turn))
