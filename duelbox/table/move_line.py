"""The move line: how each character changes it, and the move, the beginnings of moves or the fault that it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from duelbox.core.errors import MoveError
from duelbox.core.model import Event, Position
from duelbox.core.session import Session

if TYPE_CHECKING:
    from duelbox.table.state import TableState

MAX_LINE = 12


def type_char(state: TableState, char: str, *, is_key: bool) -> bool:
    """Take a character into the move line; False if it is no part of it.

    In the middle of a line, digits and signs without a meaning are accepted too, unless they are a key (`is_key`):
    they are refused later. Letters without a meaning are not, so that keys always work. A character that begins a move
    replaces letters that begin none.
    """
    begins = partial(state.input.begins, state.view())
    goes_on = _continued(state)
    if char in state.input.changing and state.refusal is None:
        goes_on = state.line
    if goes_on.isalpha() and not begins(goes_on) and (char in state.input.keys or begins(char)):
        goes_on = ""
    if char in state.input.keys or begins(goes_on + char):
        _type_on(state, goes_on, char)
    elif not (is_key or char.isalpha()) and (goes_on or not char.isspace()):
        state.set_line((goes_on + char)[:MAX_LINE])
    else:
        return False
    return True


def _type_on(state: TableState, goes_on: str, char: str) -> None:
    """Add a character to the line; if that leads nowhere after pointing, to the characters typed before."""
    own = state.typed_after
    state.set_line(_with(state, goes_on, char))
    if own and not _leads_on(state):
        state.set_line(_with(state, own, char))
        if not _leads_on(state):
            state.set_line(_with(state, goes_on, char))
    if own is not None:
        state.typed_after = own + char


def _with(state: TableState, text: str, char: str) -> str:
    """The line of a text and a further character."""
    return state.input.typed(state.view(), text, char)[:MAX_LINE]


def _leads_on(state: TableState) -> bool:
    """The line is a move, or the beginning of one."""
    return state.parsed.fault is None or bool(state.parsed.begun)


def _continued(state: TableState) -> str:
    """The text that typing adds to: empty after a refusal, or after pointing at a whole move."""
    at_end = state.pointed and (state.parsed.fault is None or not state.parsed.begun)
    if at_end or state.refusal is not None:
        return ""
    return state.line


def why_not_typed(state: TableState) -> str:
    """The sentence for a character that cannot be typed now in a match; empty if none is needed."""
    table, turn = state.table, state.session.turn
    if turn is None:
        state.awaiting = "again"
        return "The game is over, so nothing more is played."
    if not table.people or state.may_move or state.asks_back:
        return ""
    if state.awaiting == "pass":
        return f"Press Enter first: the screen goes to {table.who(turn).name}."
    sentence = table.presence or f"{table.who(turn).name} is thinking."
    return f"{sentence} Type your move when it is your turn."


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """The meaning of the move line."""

    fault: MoveError | None = None
    """The fault of the line; None if it is a move."""
    made: tuple[Position, tuple[Event, ...]] | None = None
    """The state and the events after the move, if they may be known."""
    begun: tuple[str, ...] = ()
    """The moves that the line may become, if it is none yet."""


class LineParser:
    """Parses the move line again only when it or the position has changed."""

    def __init__(self) -> None:
        self._at: tuple[object, ...] = ()
        self._parsed = ParsedLine()
        self._moves_at: tuple[object, ...] = ()
        self._moves: tuple[str, ...] = ()

    def parse(self, session: Session, line: str) -> ParsedLine:
        """The meaning of a line at the position of a session."""
        at = session, session.stamp, line
        if self._at != at:
            self._parsed = self._parse(session, line)
            self._at = at
        return self._parsed

    def _parse(self, session: Session, text: str) -> ParsedLine:
        try:
            return ParsedLine(made=session.preview(text))
        except MoveError as fault:
            line = text.replace(" ", "").lower()
            if not line or session.full:
                return ParsedLine(fault)
            moves = self._legal_moves(session)
            begun = tuple(move for move in moves if move.startswith(line))
            return ParsedLine(fault, begun=begun or tuple(move for move in moves if _ends(move, line)))

    def _legal_moves(self, session: Session) -> tuple[str, ...]:
        """The legal moves as texts; kept, as listing the orders of seven numbers takes a while."""
        at = session, session.stamp
        if self._moves_at != at:
            self._moves = tuple(map(session.game.format_move, session.legal_moves()))
            self._moves_at = at
        return self._moves


def _ends(move: str, line: str) -> bool:
    """The move ends with this line, and no number of the move is cut."""
    start = move.removesuffix(line)
    return start != move and not (start[-1:].isdigit() and line[0].isdigit())
