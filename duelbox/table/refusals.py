"""The refusals of verbs at a table: a sentence, empty if no words are needed, None if the verb can be taken.

Undo is refused by the game itself, as after a revealed number: see `why_no_undo` in `duelbox/core/session.py`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from duelbox.core.offer import NO_LESSON
from duelbox.table.remarks import last_of_computer

if TYPE_CHECKING:
    from duelbox.core.game import AnyGame
    from duelbox.table.base import BaseTable
    from duelbox.table.state import TableState


NOT_OVER = "The game is not over yet."


class Refusals:
    """The sentences that refuse the verbs of a table at one moment; each is worked out when it is first asked for."""

    def __init__(self, state: TableState, only: Collection[str] | None = None) -> None:
        """Only the verbs in `only` can be taken; None for no such limit."""
        self._state = state
        self._only = only
        self._known: dict[str, str | None] = {}

    def only(self, names: Collection[str]) -> Refusals:
        """The same refusals where these verbs alone can be taken."""
        return Refusals(self._state, names)

    def why_not(self, name: str) -> str | None:
        """The sentence that refuses a verb; empty if no words are needed, None if it can be taken."""
        if name not in self._known:
            self._known[name] = self._work_out(name)
        return self._known[name]

    def _work_out(self, name: str) -> str | None:
        verb = self._state.table.verbs.get(name)
        if verb is None or (self._only is not None and name not in self._only):
            return ""
        return verb.refuse(self._state)

    def works(self, name: str) -> bool:
        """The table has this verb, and it can be taken."""
        return self.why_not(name) is None


def unless(works: bool, why: str = "") -> str | None:
    """None if the verb works; otherwise the sentence that refuses it."""
    return None if works else why


def _match_over(table: BaseTable) -> bool:
    """The match is over, not just a round."""
    return table.session.outcome is not None and table.score.over


def _can_follow(table: BaseTable) -> bool:
    """The game is over, and a rematch or a next round can follow."""
    return table.session.outcome is not None and table.why_not("rematch") is None


def why_no_play(table: BaseTable, state: TableState) -> str | None:
    """Refuses Enter if it can neither play nor confirm a move, nor go on."""
    if state.awaiting == "pass" or state.may_move or _can_follow(table) or state.asks_back:
        return None
    turn = table.session.turn
    if turn is not None and table.people and table.computer_to_move:
        return f"{table.who(turn).name} is thinking."
    return ""


def why_no_peek(table: BaseTable, state: TableState) -> str | None:
    """Refuses a look at hidden numbers unless the player in front has covered ones."""
    if not table.game.INFO.hidden:
        return ""
    if state.hand_lies_open:
        return "Your own numbers lie open."
    seen = state.viewer is not None and table.session.outcome is None
    return unless(seen and state.input.has_secret(state.view()))


def _why_no_help(table: BaseTable, state: TableState) -> str | None:
    """Refuses hints and verdicts if the match or hidden numbers forbid both."""
    if state.may_know:
        return None
    if table.lesson:
        return ""
    return NO_LESSON


def why_no_hint(table: BaseTable, state: TableState) -> str | None:
    """Refuses a hint out of turn."""
    why = _why_no_help(table, state)
    if why is None:
        return unless(state.may_move)
    return why


def why_no_verdict(table: BaseTable, state: TableState) -> str | None:
    """Refuses the verdict if no person plays at this screen."""
    why = _why_no_help(table, state)
    if why is None:
        return unless(bool(table.people))
    return why


def why_no_undo(table: BaseTable, state: TableState) -> str | None:
    """Refuses undo; while the screen is passed on, undo can only lead back to the match before."""
    why = table.why_not("undo")
    if why is None and state.awaiting == "pass":
        return unless(table.may_go_back)
    return why


def why_no_reason(table: BaseTable, state: TableState) -> str | None:
    """Refuses `why` if no computer has moved, or its reason is not known any more."""
    if all(who.level is None for who in table.players):
        return "No computer plays here."
    if not last_of_computer(table.session, table.people):
        return "The computer has made no move yet."
    if table.programs and table.game.INFO.hidden and table.session.outcome is None:
        return "A program's words may tell its hand: they are shown after the game."
    return unless(bool(table.why), "That move was made before this sitting, and its reason is forgotten.")


def why_no_rematch(table: BaseTable, state: TableState) -> str | None:
    """Refuses a rematch before the end, or if none can follow."""
    if table.session.outcome is None:
        return NOT_OVER
    return unless(_can_follow(table))


def why_no_review(table: BaseTable, state: TableState) -> str | None:
    """Refuses a review before the match is over: a finished round may reveal the next one, whose deal may be equal."""
    if table.session.outcome is None:
        return NOT_OVER
    if not _match_over(table):
        return ""
    return table.why_not("review")


def why_no_draw(table: BaseTable, state: TableState) -> str | None:
    """Refuses to offer a draw while an offer stands, or if the player to move is not in front of this screen."""
    why = why_no_draw_elsewhere(table, state)
    if why is None:
        return unless(state.may_move)
    return why


def why_no_draw_elsewhere(table: BaseTable, state: TableState) -> str | None:
    """Refuses to offer a draw while an offer stands, or if the table forbids it."""
    why = table.why_not("draw")
    if why is None:
        return unless(table.offered is None)
    return why


def why_no_answer(table: BaseTable, state: TableState) -> str | None:
    """Refuses to agree or decline if nothing is asked."""
    return unless(bool(table.asked))


def why_no_pace(table: BaseTable, state: TableState) -> str | None:
    """Refuses to hold, hurry or slow the computers unless only computers play."""
    return unless(table.only_computers and not table.score.over)


def why_no_code(table: BaseTable, state: TableState) -> str | None:
    """Refuses the code while hands are hidden, as it holds both."""
    told = not table.game.INFO.hidden or table.session.outcome is not None
    return unless(told, "The code tells both hands: you can copy it after the game.")


def why_no_rounds(table: BaseTable, state: TableState) -> str | None:
    """Refuses the rounds during a match, and after a match of one round."""
    return unless(_match_over(table) and table.match.rounds > 1)


def why_no_level(table: BaseTable, state: TableState) -> str | None:
    """Refuses another level before the end of a game, and if no level plays."""
    against_level = table.against_computer and not table.programs
    return unless(table.session.outcome is not None and against_level)


def why_no_next_level(table: BaseTable, state: TableState) -> str | None:
    """Refuses the next level if no level was beaten, or the highest."""
    return unless(table.session.outcome is not None and table.next_level is not None)


def why_no_proofs(game: AnyGame) -> str | None:
    """The sentence that says why nothing of a game can be proved; None if it can."""
    from duelbox.proof.api import NoProof  # not needed before a verdict
    from duelbox.proof.checker import proving_of

    try:
        proving_of(game)
    except NoProof as error:
        return error.sentence
    return None


def why_no_proof(table: BaseTable, state: TableState) -> str | None:
    """Refuses a proof in games without proofs, and unless the verdict is shown: it would tell that somebody wins."""
    info = table.game.INFO
    if state.verdict_shown or info.hidden or info.may_be_drawn:
        return why_no_proofs(table.game)
    return f"{state.key('verdict')} shows who wins here. Then k proves it."


def why_no_other_rules(table: BaseTable, state: TableState) -> str | None:
    """Refuses other rules unless the present ones decide the game before it begins."""
    return unless(state.tells_settled)


def why_no_resigning(table: BaseTable, state: TableState) -> str | None:
    """Refuses to resign out of turn."""
    return unless(state.may_move)
