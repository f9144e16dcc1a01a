"""The sentences that refuse verbs of a table: None where a verb can be taken, empty where no words are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duelbox.table.state import TableState

NO_LESSON = "Hints and verdicts are off in this match: you did not agree to a lesson."


def unless(works: bool, why: str = "") -> str | None:
    """None where the verb works; else the sentence that refuses it."""
    return None if works else why


def match_over(state: TableState) -> bool:
    """The match is over, not just a round."""
    return state.session.outcome is not None and state.table.score.over


def board_was_drawn(state: TableState) -> bool:
    """The match is over, and its board was drawn by lot, so that another board like it can follow."""
    table = state.table
    return match_over(state) and table.options.draws and not (table.game.INFO.hidden or table.asks_first)


def _can_follow(state: TableState) -> bool:
    """The game is over, and a rematch or a next round can follow."""
    return state.session.outcome is not None and state.table.why_not("rematch") is None


def why_no_play(state: TableState) -> str | None:
    """Refuses Enter where nothing can be played, confirmed or gone on with."""
    table, turn = state.table, state.session.turn
    if state.awaiting == "pass" or state.may_move or _can_follow(state) or state.asks_back:
        return None
    waits = turn is not None and table.people and table.computer_to_move
    return f"{table.who(turn or 0).name} is thinking." if waits else ""


def why_no_look(state: TableState) -> str | None:
    """Refuses a look where the player in front has no covered hidden numbers."""
    if not state.table.game.INFO.hidden:
        return ""
    if state.hand_lies_open:
        return "Your own numbers lie open."
    seen = state.viewer is not None and state.session.outcome is None
    return unless(seen and state.input.has_secret(state.view()))


def _why_no_help(state: TableState) -> str | None:
    """Refuses hints and verdicts where the rules of the match or hidden numbers forbid both."""
    if state.may_know:
        return None
    return "" if state.table.lesson else NO_LESSON


def why_no_hint(state: TableState) -> str | None:
    """Refuses a hint out of turn."""
    why = _why_no_help(state)
    return why if why is not None or state.may_move else ""


def why_no_verdict(state: TableState) -> str | None:
    """Refuses the verdict where no person plays at this screen."""
    why = _why_no_help(state)
    return why if why is not None or state.table.people else ""


def why_no_undo(state: TableState) -> str | None:
    """Refuses undo; while the screen is passed on, undo can only lead back to the match before."""
    why = state.table.why_not("undo")
    return "" if why is None and state.awaiting == "pass" and not state.table.may_go_back else why


def why_no_reason(state: TableState) -> str | None:
    """Refuses `why` where no computer has moved, or its reason is not known any more."""
    table = state.table
    if all(who.level is None for who in table.players):
        return "No computer plays here."
    if all(ply.seat in table.people for ply in state.session.plies):
        return "The computer has made no move yet."
    return unless(bool(table.why), "That move was made before this sitting, and its reason is forgotten.")


def _not_over(state: TableState) -> str:
    return "The game is not over yet." if state.session.outcome is None else ""


def why_no_rematch(state: TableState) -> str | None:
    """Refuses a rematch before the end, and where none can follow."""
    return unless(_can_follow(state), _not_over(state))


def why_no_review(state: TableState) -> str | None:
    """Refuses a review before the match is over: a finished round may reveal the next one, whose deal may be equal."""
    return state.table.why_not("review") if match_over(state) else _not_over(state)


def why_no_draw(state: TableState) -> str | None:
    """Refuses to offer a draw while an offer stands, or out of turn at this screen."""
    why = state.table.why_not("draw")
    if why is not None or state.table.offered is not None:
        return why or ""
    return unless(state.may_move or state.table.asks_first)


def why_no_answer(state: TableState) -> str | None:
    """Refuses to agree or decline where nothing is asked."""
    return unless(bool(state.table.asked))


def why_no_pace(state: TableState) -> str | None:
    """Refuses pause, faster and slower unless only computers play."""
    return unless(state.table.nobody_plays and not state.table.score.over)


def why_no_code(state: TableState) -> str | None:
    """Refuses the code while hands are hidden, as it holds both."""
    if not state.table.game.INFO.hidden or state.session.outcome is not None:
        return None
    return "The code tells both hands: you can copy it after the game."
