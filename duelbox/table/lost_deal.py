"""A deal that was lost before the first move: the card says so, and a loss in it is not counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbox.core.model import other
from duelbox.lab.preset_facts import facts_of_preset
from duelbox.solve.api import ONE, ZERO
from duelbox.store.statistics import LOST_DEAL

if TYPE_CHECKING:
    from duelbox.table.state import TableState


def draw_decides(state: TableState) -> bool:
    """A person played one game against a computer, on a board whose draw favours now one seat, now the other."""
    table, session = state.table, state.session
    if not (table.board_was_drawn and table.against_computer and table.score.rounds == 1):
        return False
    facts = facts_of_preset(session.game, session.options.rules_only())
    return facts is None or facts.first is None or 0 < facts.first < 1


def lost_from_start(state: TableState) -> bool:
    """The only person here had lost this deal before the first move."""
    you = state.table.voice.you
    if you is None or not state.judged or state.judged[0].ply != 1 or not draw_decides(state):
        return False
    first = state.judged[0]
    return first.best.value == (ZERO if first.seat == you else ONE)


def lost(state: TableState) -> bool:
    """The only person here has lost a deal that was lost from the start."""
    outcome, you = state.session.outcome, state.table.voice.you
    return outcome is not None and you is not None and outcome.winner == other(you) and lost_from_start(state)


def about_deal(state: TableState) -> str:
    """A sentence about a deal that was lost from the start; empty for any other."""
    if not state.judged or not lost_from_start(state):
        return ""
    if not lost(state):
        return "This deal was lost from the start, and you held it."
    first = state.judged[0]
    if first.seat != state.table.voice.you:
        return "This deal was lost from the start: the first player wins. It is not counted."
    count = len(first.analysis.moves)
    return f"This deal was lost from the start: all {count} first moves lose. It is not counted."


def keep_lost_deal(state: TableState) -> None:
    """Save that a lost game is left out of level and record, as its deal was lost from the start."""
    saved_as = state.table.saved_as
    if saved_as is not None and lost(state):
        state.frontend.remember(LOST_DEAL, saved_as, {})
