"""Hints at a table: a question, then the idea, then the move; they wait for a slow solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbox.solve import sentences, why_no_verdict
from duelbox.solve.api import Analysis

if TYPE_CHECKING:
    from duelbox.table.state import TableState

NO_MORE = "There are no more hints: the last one was the move."


def next_hint(state: TableState) -> None:
    """Give one hint more; a move that is the only one is given at once."""
    forced = state.table.forced
    if forced:
        state.set_line(forced, pointed=True)
        state.say(f"{forced} is your only move.")
        return
    analysis = state.analysis
    if analysis is not None and analysis.complete:
        _next_of(state, analysis)
        return
    waits = state.hint_step > 0 and not state.given_up
    state.given_up = False
    if not waits:
        state.hint_step = min(state.hint_step + 1, sentences.HINTS)
    state.say("Working it out. The hint comes by itself.")


def _next_of(state: TableState, analysis: Analysis) -> None:
    """Say the next hint of a finished analysis; after the last one, that there are no more."""
    if state.said in (sentences.hint(analysis, sentences.HINTS), NO_MORE):
        state.say(NO_MORE)
        return
    state.given_up = False
    state.hint_step = min(state.hint_step + 1, sentences.HINTS)
    _say_hint(state, analysis)


def analysed(state: TableState, analysis: Analysis | None) -> None:
    """Show an analysis, perhaps not complete; None says that the solver has given up."""
    if analysis is not None:
        state.solved = analysis
        if state.hint_step and analysis.complete:
            _say_hint(state, analysis)
    else:
        state.given_up = True
        if state.hint_step:
            state.hint_step = 0
            state.say(why_no_verdict(state.table.game.INFO.id))
    state.push()


def _say_hint(state: TableState, analysis: Analysis) -> None:
    """Say the hint; the last one puts the move into the line, unless something is typed there."""
    if state.hint_step >= len(sentences.hints(analysis)) and (state.pointed or not state.line):
        state.set_line(analysis.advice, pointed=True)
    state.say(sentences.hint(analysis, state.hint_step))
