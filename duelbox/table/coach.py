"""Optional help during play: the aim in the first moves, a warning after a slip, the time taken for a turn."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from duelbox.core.model import SEATS
from duelbox.core.news import Moved, News
from duelbox.core.session import Session
from duelbox.solve import analyse, can_solve, difference
from duelbox.solve.api import Stop, Stopped

if TYPE_CHECKING:
    from duelbox.table.state import TableState

TELLS_RULE = 3
"""The aim of a game is shown until a player has made this many moves of it."""
TELLS_SIGNS = 24
"""The board explains its signs until a player has made this many moves of the game, about three games."""
MOVES_KIND = "moves"
"""The kind of the progress entries that count moves."""
WARNED_KIND = "warned"
"""The kind of the progress entries that note a saved match as one that asks before a move gives it away."""
JUDGING = "judging"
"""The state of a coach that works a move out."""
COACH_SECONDS = 2.0
"""The longest time that a move is judged before it is answered."""


def wants_coach(state: TableState, made: Moved) -> bool:
    """This move is to be judged before the computer answers it."""
    table, ply = state.table, made.ply
    warned = state.frontend.settings.coach or table.warned
    if not warned or ply.move is None or ply.seat not in table.people:
        return False
    answered = table.computer_to_move and table.against_computer
    return answered and not table.game.INFO.hidden and can_solve(table.game.INFO.id)


def given_away(played: Session, stop: Stop) -> str:
    """The question to a player whose last move gave something away, and what the answer to it takes; empty if it gave
    nothing away, or that is not known in time. Raises Stopped when told to."""
    ply, lost = played.plies[-1], ""
    played.go(len(played.plies) - 1)
    with suppress(Stopped):
        soon, view = stop.within(COACH_SECONDS), played.view(played.turn)
        moves = analyse(played.game, view, soon).moves
        text = played.game.format_move(ply.move)
        best = moves[0].value
        if next(rated.value for rated in moves if rated.move == text) < best:
            lost = f"That gives the {'win' if best == 1 else 'draw'} away. Take it back?"
            instead = difference(played.game, view, text, soon)
            if instead is not None:
                lost = f"{lost} {played.named(instead.effect)}"
    stop.check()
    return lost


def count_move(state: TableState, news: News) -> None:
    """Count a person's move, as long as the first moves of this game are counted."""
    by_person = isinstance(news, Moved) and news.ply.move is not None and news.ply.seat in state.table.people
    if by_person and state.moves_of_life is not None and state.moves_of_life < TELLS_SIGNS:
        state.moves_of_life += 1
        state.frontend.remember(MOVES_KIND, state.table.game.INFO.id, {"count": state.moves_of_life})


def keep_warning(state: TableState, made: Moved) -> None:
    """Save, at a person's first move, that this match asks before a move gives it away, also when it is resumed."""
    table = state.table
    own = [ply for ply in state.session.plies if ply.seat in table.people]
    if table.warned and table.saved_as is not None and own == [made.ply]:
        state.frontend.remember(WARNED_KIND, table.saved_as, {})


def clock(state: TableState) -> str:
    """The time a turn has taken between two people at this screen, if a pace is set: "0:23 of 0:30"."""
    pace, table = state.frontend.settings.pace, state.table
    if pace == "none" or len(table.people) != len(SEATS) or state.session.turn is None:
        return ""
    taken = int(monotonic() - state.began)
    return f"{_minutes(taken)} of {_minutes(int(pace))}"


def _minutes(seconds: int) -> str:
    """Seconds as a clock shows them: "0:23"."""
    return f"{seconds // 60}:{seconds % 60:02}"
