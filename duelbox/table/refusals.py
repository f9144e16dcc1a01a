"""The refusals of verbs at a table: a sentence, empty if no words are needed, None if the verb can be taken.

Undo is refused by the game itself, as after a revealed number: see `why_no_undo` in `duelbox/core/session.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbox.core.offer import NO_LESSON

if TYPE_CHECKING:
    from duelbox.table.state import TableState


def unless(works: bool, why: str = "") -> str | None:
    """None if the verb works; else the sentence that refuses it."""
    return None if works else why


def _match_over(state: TableState) -> bool:
    """The match is over, not just a round."""
    return state.session.outcome is not None and state.table.score.over


def board_was_drawn(state: TableState) -> bool:
    """The match is over, and its board was drawn by lot, so that another board like it can follow."""
    table = state.table
    return _match_over(state) and table.options.draws and not (table.game.INFO.hidden or table.asks_first)


def _can_follow(state: TableState) -> bool:
    """The game is over, and a rematch or a next round can follow."""
    return state.session.outcome is not None and state.table.why_not("rematch") is None


def why_no_play(state: TableState) -> str | None:
    """Refuses Enter if it can neither play nor confirm a move, nor go on."""
    table, turn = state.table, state.session.turn
    if state.awaiting == "pass" or state.may_move or _can_follow(state) or state.asks_back:
        return None
    waits = turn is not None and table.people and table.computer_to_move
    return f"{table.who(turn or 0).name} is thinking." if waits else ""


def why_no_look(state: TableState) -> str | None:
    """Refuses a look unless the player in front has covered numbers."""
    if not state.table.game.INFO.hidden:
        return ""
    if state.hand_lies_open:
        return "Your own numbers lie open."
    seen = state.viewer is not None and state.session.outcome is None
    return unless(seen and state.input.has_secret(state.view()))


def _why_no_help(state: TableState) -> str | None:
    """Refuses hints and verdicts if the match or hidden numbers forbid both."""
    if state.may_know:
        return None
    return "" if state.table.lesson else NO_LESSON


def why_no_hint(state: TableState) -> str | None:
    """Refuses a hint out of turn."""
    why = _why_no_help(state)
    return why if why is not None or state.may_move else ""


def why_no_verdict(state: TableState) -> str | None:
    """Refuses the verdict if no person plays at this screen."""
    why = _why_no_help(state)
    return why if why is not None or state.table.people else ""


def why_no_undo(state: TableState) -> str | None:
    """Refuses undo; while the screen is passed on, undo can only lead back to the match before."""
    why = state.table.why_not("undo")
    return "" if why is None and state.awaiting == "pass" and not state.table.may_go_back else why


def why_no_reason(state: TableState) -> str | None:
    """Refuses `why` if no computer has moved, or its reason is not known any more."""
    table = state.table
    if all(who.level is None for who in table.players):
        return "No computer plays here."
    if all(ply.seat in table.people for ply in state.session.plies):
        return "The computer has made no move yet."
    return unless(bool(table.why), "That move was made before this sitting, and its reason is forgotten.")


def _not_over(state: TableState) -> str:
    return "The game is not over yet." if state.session.outcome is None else ""


def why_no_rematch(state: TableState) -> str | None:
    """Refuses a rematch before the end, or if none can follow."""
    return unless(_can_follow(state), _not_over(state))


def why_no_review(state: TableState) -> str | None:
    """Refuses a review before the match is over: a finished round may reveal the next one, whose deal may be equal."""
    return state.table.why_not("review") if _match_over(state) else _not_over(state)


def why_no_draw(state: TableState) -> str | None:
    """Refuses to offer a draw while an offer stands, or out of turn at this screen."""
    why = state.table.why_not("draw")
    if why is not None or state.table.offered is not None:
        return why or ""
    return unless(state.may_move or state.table.asks_first)


def why_no_answer(state: TableState) -> str | None:
    """Refuses to agree or decline if nothing is asked."""
    return unless(bool(state.table.asked))


def why_no_pace(state: TableState) -> str | None:
    """Refuses pause, faster and slower unless only computers play."""
    return unless(state.table.only_computers and not state.table.score.over)


def why_no_code(state: TableState) -> str | None:
    """Refuses the code while hands are hidden, as it holds both."""
    if not state.table.game.INFO.hidden or state.session.outcome is not None:
        return None
    return "The code tells both hands: you can copy it after the game."


def why_no_rounds(state: TableState) -> str | None:
    """Refuses the rounds during a match, and after a match of one round."""
    return unless(_match_over(state) and state.table.match.rounds > 1)


def why_no_level(state: TableState) -> str | None:
    """Refuses another level before the end of a game, and if no computer plays."""
    return unless(state.session.outcome is not None and state.table.against_computer)


def why_no_next_level(state: TableState) -> str | None:
    """Refuses the next level if no level was beaten, or the highest."""
    return unless(state.session.outcome is not None and state.table.next_level is not None)


def why_no_other_rules(state: TableState) -> str | None:
    """Refuses other rules unless the present ones decide the game before it begins."""
    return unless(state.tells_settled)


def why_no_resigning(state: TableState) -> str | None:
    """Refuses to resign out of turn; one may leave a friend elsewhere at any time."""
    return state.table.why_not("resign") if state.table.asks_first else unless(state.may_move)
