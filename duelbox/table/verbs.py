"""Everything that can be done at the table of a match, in the order of the key bar: each key, word, refusal and action.

Key bindings, settings, palette, help pages, the words of the line mode and refusals are all made from `VERBS`. Matches
elsewhere have other lines of help: see `verbs_elsewhere.py` beside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from time import monotonic
from typing import TYPE_CHECKING

from duelbox.core.model import SEATS
from duelbox.core.offer import Offer
from duelbox.table import refusals
from duelbox.table.hints import next_hint
from duelbox.table.lost_deal import board_was_drawn, lost
from duelbox.table.remarks import last_of_computer
from duelbox.table.verb import Verbs

if TYPE_CHECKING:
    from duelbox.table.base import BaseTable
    from duelbox.table.state import TableState

END_SECONDS = 0.6
"""Enter goes on only when the end of a game has been visible this long: a double press must not skip the result."""
SEEN_SECONDS = 0.4
"""An offer can be answered only when it has been visible this long."""
PEEK_SECONDS = 4.0
"""A player's own hidden numbers are shown this long."""

VERBS = Verbs()
"""The verbs of a match."""


@VERBS.verb("enter", "Play", refusals.why_no_play)
async def play(table: BaseTable, state: TableState) -> None:
    """Play the line; after the game, go on to the next one."""
    if state.asks_back:
        state.coach = ""
    elif state.awaiting == "again":
        state.awaiting = ""
        state.say("The game was over. Press Enter again.")
    elif table.session.outcome is not None:
        if monotonic() - state.began >= END_SECONDS:
            await _go_on(table, state)
    elif state.awaiting == "pass":
        state.frontend.open("handover")
    elif state.may_move:
        await state.play_line()


async def _go_on(table: BaseTable, state: TableState) -> None:
    """Go on after a game: from the slip after a loss, to the next level after a win, else with the same again."""
    slip = table.slip_to_mend(state)
    for_teams = table.with_next_teams() if table.score.over else None
    if for_teams is not None:
        await state.go_on_at(for_teams)
    elif lost(state):
        await state.go_on_at(table.with_other_seats(), "The same deal, in the other seat.")
    elif slip is not None:
        await state.go_on_at(table.retry_from(slip - 1), f"Turn {slip} again: find a better move.")
    elif table.next_level is not None:
        await state.go_on_at(table.against_next_level())
    else:
        await rematch(table, state)


VERBS.place("rules", help="the rules of the game")
VERBS.place("board", help="the position")
VERBS.place("moves", help="what has been played, and what may be played now")


@VERBS.verb("space", "Look", refusals.why_no_peek, title="Look at your own hidden numbers", shared="space")
def peek(table: BaseTable, state: TableState) -> None:
    """Show your own hidden numbers for a while, or hide them."""
    state.peek = not state.peek
    state.hand_shown = state.hand_shown or state.peek
    if state.hiding is not None:
        state.hiding.cancel()
    if state.peek:
        state.hiding = asyncio.get_running_loop().call_later(PEEK_SECONDS, state.hide_hand)


@VERBS.verb("space", "Pause", refusals.why_no_pace, title="Let the computers wait", shared="space")
def hold(table: BaseTable, state: TableState) -> None:
    """Let the computers wait, or go on."""
    state.held = not state.held


@VERBS.verb("h", "Hint", refusals.why_no_hint, help="a question; then an idea; then the move")
async def hint(table: BaseTable, state: TableState) -> None:
    """Give the next of three hints."""
    await state.take_help()
    next_hint(state)
    await state.frontend.think()


@VERBS.verb("v", "Verdict", refusals.why_no_verdict, help="who wins with best play, and why")
async def verdict(table: BaseTable, state: TableState) -> None:
    """Show the verdict of every move, or hide it."""
    state.verdict_on = not state.verdict_on
    state.given_up = False
    state.hint_step = 0
    if state.parsed.fault is not None and not state.parsed.begun:
        state.set_line("")  # its refusal would stand before the verdict
    state.say("")
    if state.verdict_on:
        await state.take_help()
    await state.frontend.think()


@VERBS.verb("u", "Undo", refusals.why_no_undo, help="undo your last move")
async def undo(table: BaseTable, state: TableState) -> None:
    """Undo; before the first move, go back to the match before."""
    before = table.propose("undo")
    state.held = state.held or not table.people  # else the computers would move on at once
    await state.go_on_at(before, f"The game before. {state.key('redo')} leads back to the new one.")


@VERBS.verb("y", "Redo", help="redo it")
async def redo(table: BaseTable, state: TableState) -> None:
    """Redo what was undone."""
    await state.go_on_at(table.propose("redo"))


@VERBS.verb(
    "w",
    "Why",
    refusals.why_no_reason,
    title="Why the computer moved as it did",
    help="why the computer made its last move",
)
def why(table: BaseTable, state: TableState) -> None:
    """Say why the computer made its last move; on the card at the end, as words of the computer."""
    reason = table.why
    computer = table.session.plies[last_of_computer(table.session, table.people) - 1].seat
    if table.session.outcome is not None or table.is_program(computer):
        reason = f"{table.who(computer).name}: {reason}"
    state.say(reason)


@VERBS.verb("", "Rematch", refusals.why_no_rematch)
async def rematch(table: BaseTable, state: TableState) -> None:
    """Begin the next round or the same match again, on another board if it was drawn; a friend elsewhere is asked."""
    if not table.score.over:
        table.propose("next")
        return
    drawn = board_was_drawn(table)
    again = table.propose("rematch")
    said = ""
    if drawn and again is not None:
        said = "Another board."
    await state.go_on_at(again, said)


VERBS.place("review", "e", "Review", refusals.why_no_review, title="Look at the game again, move by move")
VERBS.place("rounds", "j", "Rounds", refusals.why_no_rounds, title="The rounds of the match")


@VERBS.verb("n", "New", title="New game")
def new(table: BaseTable, state: TableState) -> Awaitable[None] | None:
    """After a match, begin another one like it, on another board if it was drawn; else open the form for a new game."""
    if table.repeats:
        return rematch(table, state)
    return state.frontend.open("new")


VERBS.place("level", "l", "Level", refusals.why_no_level, title="Play another level")
VERBS.place("more", "o", "New rules", refusals.why_no_other_rules, title="Rules with more to decide", shown=False)


@VERBS.verb("x", "Next level", refusals.why_no_next_level, title="Play the next level", shown=False)
async def harder(table: BaseTable, state: TableState) -> None:
    """Play the same again against the next level of the computer."""
    await state.go_on_at(table.against_next_level())


def _answer(table: BaseTable, state: TableState, *, yes: bool) -> None:
    """Answer the displayed offer if it has been visible long enough; an earlier key press was meant for a move."""
    offer, since = state.offer_since
    if offer is not None and monotonic() - since >= SEEN_SECONDS:
        table.answer(offer.id, yes=yes)


@VERBS.verb("a", "Agree", refusals.why_no_answer, title="Agree to what you are asked", word="yes")
def agree(table: BaseTable, state: TableState) -> None:
    """Agree to the displayed offer."""
    _answer(table, state, yes=True)


@VERBS.verb("z", "Decline", refusals.why_no_answer, title="Decline what you are asked", word="no")
def decline(table: BaseTable, state: TableState) -> None:
    """Decline the displayed offer."""
    _answer(table, state, yes=False)


VERBS.place("speak", "b", "Say", title="Say something to a friend elsewhere")


@VERBS.verb(
    "c", "Copy code", refusals.why_no_code, shown=False, help="the position in one line, to go on from it later"
)
def code(table: BaseTable, state: TableState) -> None:
    """Copy the position code; between two people, as the command by which the other goes on at another machine."""
    text = table.session.public_code()
    by_post = len(table.people) == len(SEATS) and table.session.outcome is None
    if by_post:
        text = f"duelbox play {text}"
    state.frontend.copy(text)
    state.say(f"Copied {text}")


def _asks_twice_for_draw(table: BaseTable, state: TableState) -> str:
    """A computer answers at once, so that a draw with it is offered by a second press alone."""
    return f"Press {state.key('draw')} again to offer a draw." if table.against_computer else ""


@VERBS.verb(
    "equals_sign",
    "Draw",
    refusals.why_no_draw,
    display="=",
    title="Offer a draw",
    shown=False,
    twice=_asks_twice_for_draw,
    help="offer a draw, in games that can end without a winner",
)
async def draw(table: BaseTable, state: TableState) -> None:
    """Offer a draw to the other player; a computer answers at once, a friend elsewhere later."""
    await state.go_on_at(table.propose("draw"))
    if table.offered is not None and table.against_computer:
        state.frontend.run(_let_computer_answer(table, state, table.offered))


async def _let_computer_answer(table: BaseTable, state: TableState, offer: Offer) -> None:
    yes = await asyncio.to_thread(table.answer_of_computer, offer)
    if offer == table.offered:  # nothing was played meanwhile
        await state.or_say(lambda: table.answer(offer.id, yes=yes))
        state.push()


@VERBS.verb(word="pause")
async def later(table: BaseTable, state: TableState) -> None:
    """Ask a friend elsewhere to go on another time."""
    await state.go_on_at(table.propose("pause"))


@VERBS.verb(
    "g",
    "Resign",
    refusals.why_no_resigning,
    shown=False,
    twice=lambda table, state: f"Press {state.key('resign')} again to resign.",
    help="resign this game",
)
def resign(table: BaseTable, state: TableState) -> None:
    """Resign the game."""
    table.propose("resign")


@VERBS.verb(
    "k",
    "Claim",
    title="Claim the game from a friend who is away too long",
    twice=lambda table, state: f"Press {state.key('claim')} again to claim the game.",
)
def claim(table: BaseTable, state: TableState) -> None:
    """Claim the game from a friend elsewhere who is away."""
    table.propose("claim")


VERBS.place(
    "prove", "k", "Prove it", refusals.why_no_proof, title="Prove who wins here, whatever comes", shared="claim"
)


def _change_pace(table: BaseTable, state: TableState, change: int) -> None:
    delay = table.change_pace(state.frontend.settings.delay, change)
    state.say(f"The computers wait {delay / 1000:.1f} s.")


@VERBS.verb("plus", "Faster", refusals.why_no_pace)
def faster(table: BaseTable, state: TableState) -> None:
    """Let the computers move after a shorter delay."""
    _change_pace(table, state, -1)


@VERBS.verb("minus", "Slower", refusals.why_no_pace)
def slower(table: BaseTable, state: TableState) -> None:
    """Let the computers move after a longer delay."""
    _change_pace(table, state, 1)


@VERBS.verb("escape,q", "Home", display="esc")
def home(table: BaseTable, state: TableState) -> Awaitable[None] | None:
    """Clear what was typed or said; if there is nothing, hide the verdict; if it is hidden, leave for home."""
    if state.line or state.refusal is not None or state.said or state.hint_step:
        state.hint_step = 0
        state.set_line("")
    elif state.verdict_on:
        state.verdict_on = False
    else:
        return state.frontend.open("home")
    return None


VERBS.place("help", "question_mark", "Help", display="?", help="this list")
VERBS.place("watchers")
VERBS.place("verify")
VERBS.place("mute")
VERBS.place("quit", help="leave; the game is saved, and its code is printed")
