"""The meaning of a move line as it stands: a move, the beginning of some, or a fault."""

from __future__ import annotations

from dataclasses import dataclass

from duelbox.core.errors import MoveError
from duelbox.core.model import Event, Position
from duelbox.core.session import Session


@dataclass(frozen=True, slots=True)
class Reading:
    """The meaning of the move line as it stands."""

    fault: MoveError | None = None
    """The fault of the line; None if it is a move."""
    made: tuple[Position, tuple[Event, ...]] | None = None
    """The state after the move, and what there would be to see, if that may be told."""
    begun: tuple[str, ...] = ()
    """The moves it may become, where it is none yet."""


class Reader:
    """Reads a move line, once for each change of it or of the position."""

    def __init__(self) -> None:
        self._at: tuple[object, ...] = ()
        self._reading = Reading()
        self._moves_at: tuple[object, ...] = ()
        self._moves: tuple[str, ...] = ()

    def read(self, session: Session, line: str) -> Reading:
        """The meaning of this line at this position."""
        at = session, session.stamp, line
        if self._at != at:
            self._reading, self._at = self._read(session, line), at
        return self._reading

    def _read(self, session: Session, text: str) -> Reading:
        try:
            return Reading(made=session.preview(text))
        except MoveError as fault:
            line = text.replace(" ", "").lower()
            if not line or session.full:
                return Reading(fault)
            if self._moves_at != (session, session.stamp):  # an order can be put in 5,040 ways
                self._moves = tuple(map(session.game.format_move, session.legal_moves()))
                self._moves_at = session, session.stamp
            begun = tuple(move for move in self._moves if move.startswith(line))
            return Reading(fault, begun=begun or tuple(move for move in self._moves if _ends(move, line)))


def _ends(move: str, line: str) -> bool:
    """The line is the end of the move; of a number it has to be the whole."""
    start = move.removesuffix(line)
    return start != move and not (start[-1:].isdigit() and line[0].isdigit())
