"""Typing a move: what becomes of the move line with each character."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duelbox.table.state import TableState

MAX_LINE = 12


def typed_on(state: TableState, char: str, *, is_key: bool) -> bool:
    """Take a character into the move line; False where it is no part of it.

    In the middle of a typed line figures and signs that are no key (`is_key`) are taken, too: they are refused later.
    A letter that means nothing to the game is not: keys that are shown always work. What begins a move takes the place
    of letters that begin none.
    """
    goes_on = state.line if char in state.input.changing and state.refusal is None else _continued(state)
    begins = partial(state.input.begins, state.view())
    if goes_on.isalpha() and not begins(goes_on) and (char in state.input.keys or begins(char)):
        goes_on = ""
    if char in state.input.keys or begins(goes_on + char):
        _type_on(state, goes_on, char)
    elif not (is_key or char.isalpha()) and (goes_on or not char.isspace()):
        state.draft((goes_on + char)[:MAX_LINE])
    else:
        return False
    return True


def _type_on(state: TableState, goes_on: str, char: str) -> None:
    """Type a character of a move: after what was pointed at, or, where that leads nowhere, after what was typed."""
    own, lines = state.typed_on, [state.input.typed(state.view(), goes_on, char)[:MAX_LINE]]
    if own:
        lines.append(state.input.typed(state.view(), own, char)[:MAX_LINE])
    for line in (*lines, lines[0]):
        state.draft(line)
        if state.reading.fault is None or state.reading.begun:
            break
    state.typed_on = None if own is None else own + char


def _continued(state: TableState) -> str:
    """The text that typing adds to: nothing after a refusal, or after a move was pointed at to its end."""
    at_end = state.pointed and (state.reading.fault is None or not state.reading.begun)
    return "" if at_end or state.refusal is not None else state.line


def in_vain(state: TableState) -> str:
    """The sentence for a character that cannot go into the line now."""
    table, turn = state.table, state.session.turn
    if state.task.place:  # nobody plays here
        return ""
    if turn is None:
        state.awaiting = "again"
        return "The game is over, so nothing more is played."
    if not table.people or state.may_move or state.asks_back:
        return ""
    if state.awaiting == "pass":
        return f"Press Enter first: the screen goes to {table.who(turn).name}."
    told = table.presence or f"{table.who(turn).name} is thinking."
    return f"{told} Type your move when it is your turn."
