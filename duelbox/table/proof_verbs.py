"""Everything that can be done at the table of a proof, in the order of the key bar."""

from __future__ import annotations

from collections.abc import Awaitable
from time import monotonic
from typing import TYPE_CHECKING

from duelbox.core.model import other
from duelbox.table import verbs
from duelbox.table.hints import next_hint
from duelbox.table.refusals import unless
from duelbox.table.verb import Verbs

if TYPE_CHECKING:
    from duelbox.table.proof_table import ProofTable
    from duelbox.table.state import TableState

PROOF_VERBS = Verbs()
"""The verbs of proofs."""


def _unless_working(table: ProofTable, state: TableState) -> str | None:
    """Refuses a verb while an answer is worked out."""
    return unless(table.working is None)


def _while_choosing(table: ProofTable, state: TableState) -> str | None:
    """Refuses a verb once a side is claimed."""
    return unless(table.phase == "side")


def _while_asked(table: ProofTable, state: TableState) -> str | None:
    """Refuses a verb unless a question is asked."""
    return unless(table.phase == "asked")


def _why_no_rule(table: ProofTable, state: TableState) -> str | None:
    """Refuses a rule unless a question is asked or a rule is being named, and where no rule is known."""
    if table.phase not in ("asked", "rule"):
        return ""
    return table.why_no_rule


def _once_proved(table: ProofTable, state: TableState) -> str | None:
    """Refuses a walk until everything is closed, and where a rule has closed all without an answer."""
    return unless(table.phase == "over" and bool(table.walk.right))


def _while_walking(table: ProofTable, state: TableState) -> str | None:
    """Refuses a verb unless one walks through a proof."""
    return unless(table.phase == "walked")


def _with_an_answer(table: ProofTable, state: TableState) -> str | None:
    """Refuses undo before the first answer."""
    if table.phase not in ("asked", "over"):
        return ""
    why = "You have not answered yet."
    if table.walk.wrong:
        why = "No answer stands yet; a wrong one stays counted."
    return unless(table.last_right is not None, why)


def _with_undone(table: ProofTable, state: TableState) -> str | None:
    """Refuses redo if no answer was undone."""
    return unless(table.phase == "asked" and bool(table.undone))


@PROOF_VERBS.verb("enter", "Answer", _unless_working)
async def play(table: ProofTable, state: TableState) -> None:
    """Claim the side, give the answer, name the rule, or go on after the end."""
    match table.phase:
        case "side":
            await table.claim_side(state)
        case "playing":
            table.finish_playing()
        case "asked":
            await state.play_line()
            table.show_on(state)
        case "rule":
            await table.name_rule(state)
        case "refuted" if _is_read(state):
            await table.turn_round(state)
        case "walked":
            table.go_through(1)
        case "over" if _is_read(state):
            state.frontend.open("next_proof")


def _is_read(state: TableState) -> bool:
    """The end has been visible for a while: a double press must not skip it."""
    return monotonic() - state.began >= verbs.END_SECONDS


@PROOF_VERBS.verb("space", "Side", _while_choosing, display="← →", title="The other side")
def side(table: ProofTable, state: TableState) -> None:
    """Choose the other side."""
    table.choose_side(other(table.side))


@PROOF_VERBS.verb("h", "Hint", _while_asked)
async def hint(table: ProofTable, state: TableState) -> None:
    """Give the next of three hints."""
    table.count_hint()
    next_hint(state)
    await state.frontend.think()


@PROOF_VERBS.verb("k", "Claim a rule", _why_no_rule)
def claim(table: ProofTable, state: TableState) -> None:
    """Name a rule that wins; once more, go on to the next rule or back to the question."""
    state.set_line("")
    table.choose_rule()


@PROOF_VERBS.verb("u", "Undo", _with_an_answer)
async def undo(table: ProofTable, state: TableState) -> None:
    """Take the last right answer back."""
    await table.undo_answer(state)


@PROOF_VERBS.verb("y", "Redo", _with_undone, shown=False)
async def redo(table: ProofTable, state: TableState) -> None:
    """Give the answer again that was taken back."""
    await table.redo_answer(state)


@PROOF_VERBS.verb("e", "Walk through it", _once_proved)
def walk(table: ProofTable, state: TableState) -> None:
    """Walk through the answers, one after the other."""
    table.begin_walk()


@PROOF_VERBS.verb("b", "Back", _while_walking, display="←")
def back(table: ProofTable, state: TableState) -> None:
    """Go back to the answer before."""
    table.go_through(-1)


@PROOF_VERBS.verb("f", "Forward", _while_walking, display="→")
def forward(table: ProofTable, state: TableState) -> None:
    """Go on to the next answer."""
    table.go_through(1)


@PROOF_VERBS.verb("c", "Copy", title="Copy the proof as a line", refusal=lambda table, state: unless(table.proved))
def copy(table: ProofTable, state: TableState) -> None:
    """Copy the line for people and the packed proof."""
    state.frontend.copy(table.text_to_copy)
    state.say("Copied: a line for people, and the proof that anybody can check.")


PROOF_VERBS.place("another", "n", "Another deal", title="The next deal to prove", opens="next_proof")
PROOF_VERBS.place("help", "question_mark", "Help", display="?")


@PROOF_VERBS.verb("escape,q", "Leave", display="esc")
def leave(table: ProofTable, state: TableState) -> Awaitable[None] | None:
    """Put away what was typed or said, then the rule or the walk, then leave; the proof is kept."""
    if state.line or state.refusal is not None or state.said or state.hint_step:
        state.hint_step = 0
        state.set_line("")
    elif not table.put_away():
        return state.frontend.open("saved")
    return None
