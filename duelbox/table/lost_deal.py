"""A deal that was lost before the first move, and a preset that is one player's game: the card says so.

A loss in such a deal is not counted. The winner of a preset is said at the end of its first game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbox.core.game import preset_of
from duelbox.core.model import Seat, other
from duelbox.rules_lab.preset_facts import facts_of_preset
from duelbox.solve.api import ONE, ZERO
from duelbox.store.statistics import LOST_DEAL

if TYPE_CHECKING:
    from duelbox.store.store import Store
    from duelbox.table.base import BaseTable
    from duelbox.table.state import TableState

WHOSE_KIND = "whose-game"
"""The kind of the progress entries that note a preset whose winner was said."""
LEFT_OUT = "The loss is not in your record."


def board_was_drawn(table: BaseTable) -> bool:
    """The match is over, and its board was drawn by lot, so that another board like it can follow."""
    return table.repeats and table.options.draws and not table.game.INFO.hidden


def draw_decides(state: TableState) -> bool:
    """A person played one game against a computer, on a board whose draw favours now one seat, now the other."""
    table, session = state.table, state.session
    drawn = session.options.draws and not session.game.INFO.hidden
    if not drawn or session.outcome is None or not table.against_computer:
        return False
    if table.score.rounds > 1 and not table.open_ended:
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
    count = len(first.analysis.moves)
    if first.seat != state.table.voice.you:
        right = sum(one.value == first.best.value for one in first.analysis.moves)
        win = "wins" if right == 1 else "win"
        return f"This deal was lost from the start: {right} of {count} first moves {win}. {LEFT_OUT}"
    return f"This deal was lost from the start: all {count} first moves lose. {LEFT_OUT}"


def keep_lost_deal(state: TableState) -> None:
    """Save that a lost game is left out of level and record, as its deal was lost from the start."""
    saved_as = state.table.saved_as
    if saved_as is not None and lost(state):
        state.frontend.remember(LOST_DEAL, saved_as, {})


def whose_game(state: TableState) -> str:
    """A sentence that names the player who can always win this preset; empty if it was said before, or if none can."""
    table, session = state.table, state.session
    preset = preset_of(session.game, session.options)
    if state.whose_said is None or preset is None or preset.id in state.whose_said or session.outcome is None:
        return ""
    facts = facts_of_preset(session.game, preset.options)
    if facts is None or facts.settled or facts.first not in (0, 1) or facts.draw or not table.people:
        return ""
    winner: Seat = 0
    place = "first"
    if facts.first == 0:
        winner = 1
        place = "second"
    rules = preset.name
    if preset.options == session.game.Options():
        rules = f"classic {session.game.INFO.title}"
    return f"In {rules} the {place} player can always win. Here that was {table.voice.whom(winner)}."


def keep_whose_game(state: TableState) -> None:
    """Save that the winner of this preset was said."""
    preset = preset_of(state.session.game, state.session.options)
    if preset is not None and whose_game(state):
        state.frontend.remember(WHOSE_KIND, f"{state.table.game.INFO.id}/{preset.id}", {})


def presets_said(store: Store, game_id: str) -> frozenset[str]:
    """The presets of a game whose winner was said before; raises DuelboxError."""
    said = store.progress.newest(WHOSE_KIND)
    return frozenset(key.removeprefix(f"{game_id}/") for key in said if key.startswith(f"{game_id}/"))
