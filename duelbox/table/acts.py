"""The acts behind the verbs of a table: what each does, and the sentence that refuses it where it cannot be done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TYPE_CHECKING

from duelbox.core.model import SEATS
from duelbox.core.offer import Kind, Offer
from duelbox.table.end_card import slip_to_mend
from duelbox.table.local import LocalTable

if TYPE_CHECKING:
    from duelbox.table.state import TableState

NO_LESSON = "Hints and verdicts are off in this match: you did not agree to a lesson."
END_SECONDS = 0.6
"""So long the end of a game is seen before Enter goes on: pressed twice by mistake, it would take the result away."""
SEEN_SECONDS = 0.4
"""So long a question must have been there to be answered."""
PEEK_SECONDS = 4.0
"""So long one's own hidden numbers are to be seen."""

Does = Callable[["TableState"], Awaitable[None] | None]
WhyNot = Callable[["TableState"], str | None]

# -- refusals


def unless(works: bool, why: str = "") -> str | None:
    """None where it works; else the sentence that refuses it."""
    return None if works else why


def why_no_play(state: TableState) -> str | None:
    """Refuses Enter where nothing can be played, confirmed or gone on with."""
    table, turn = state.table, state.session.turn
    if state.awaiting == "pass" or state.may_move or can_follow(state) or state.asks_back:
        return None
    waits = turn is not None and table.people and table.computer_to_move
    return f"{table.who(turn or 0).name} is thinking." if waits else ""


def can_follow(state: TableState) -> bool:
    """The game is over, and something can follow it here."""
    return state.session.outcome is not None and state.table.why_not("rematch") is None


def over(state: TableState) -> bool:
    """The match is over."""
    return state.session.outcome is not None and state.table.score.over


def board_was_drawn(state: TableState) -> bool:
    """The match is over, and its board was drawn by lot: another like it can follow."""
    table = state.table
    return over(state) and table.options.draws and not (table.game.INFO.hidden or table.asks_first)


def why_no_look(state: TableState) -> str | None:
    """Refuses a look where no hidden number of the one in front is covered."""
    if not state.table.game.INFO.hidden:
        return ""
    if state.hand_lies_open:
        return "Your own numbers lie open."
    seen = state.viewer is not None and state.session.outcome is None
    return unless(seen and state.input.has_secret(state.view()))


def _why_no_help(state: TableState) -> str | None:
    """Refuses hint and verdict where neither is for the one who looks."""
    if state.may_know:
        return None
    return "" if state.table.lesson else NO_LESSON


def why_no_hint(state: TableState) -> str | None:
    """Refuses a hint to those who are not to move."""
    why = _why_no_help(state)
    return why if why is not None or state.may_move else ""


def why_no_verdict(state: TableState) -> str | None:
    """Refuses the verdict where nobody here plays."""
    why = _why_no_help(state)
    return why if why is not None or state.table.people else ""


def why_no_undo(state: TableState) -> str | None:
    """Refuses undo; while the screen is passed on only another match can be gone back to."""
    why = state.table.why_not("undo")
    return "" if why is None and state.awaiting == "pass" and not state.table.may_go_back else why


def why_no_reason(state: TableState) -> str | None:
    """Refuses to tell why a computer moved, where none did."""
    table = state.table
    if all(who.level is None for who in table.players):
        return "No computer plays here."
    if all(ply.seat in table.people for ply in state.session.plies):
        return "The computer has made no move yet."
    return unless(bool(table.why), "That move was made before this sitting, and its reason is forgotten.")


def not_over(state: TableState) -> str:
    """The refusal of what comes after a game."""
    return "The game is not over yet." if state.session.outcome is None else ""


def why_no_review(state: TableState) -> str | None:
    """Refuses a review before the match is over."""
    # A round that is over may tell of the next one, whose draw may be the same or follow from it.
    return state.table.why_not("review") if over(state) else not_over(state)


def why_no_draw(state: TableState) -> str | None:
    """Refuses to offer a draw."""
    why = state.table.why_not("draw")
    if why is not None or state.table.offered is not None:
        return why or ""
    return unless(state.may_move or state.table.asks_first)


def why_no_pace(state: TableState) -> str | None:
    """Refuses pause and pace where not only computers play."""
    return unless(state.table.nobody_plays and not state.table.score.over)


def why_no_code(state: TableState) -> str | None:
    """Refuses the code of a game that hides something and is not over."""
    if not state.table.game.INFO.hidden or state.session.outcome is not None:
        return None
    return "The code tells both hands: you can copy it after the game."


# -- what is done


async def play(state: TableState) -> None:
    """Play the line; after the game, go on to the next one."""
    if state.asks_back:
        state.coach = ""
    elif state.awaiting == "again":
        state.awaiting = ""
        state.say("What you typed was not played: the game is over. Press Enter again to go on.")
    elif state.session.outcome is not None:
        if monotonic() - state.ended >= END_SECONDS:
            await follow(state)
    elif state.awaiting == "pass":
        state.frontend.open("handover")
    elif state.may_move:
        await state.play_line()


async def follow(state: TableState) -> None:
    """The next step after a game: the slip once more after a loss, the next level after a win, or the same again."""
    if (slip := slip_to_mend(state)) is not None and isinstance(state.table, LocalTable):
        await state.lay(state.table.again_from(slip - 1), f"Turn {slip} again: find a better move.")
    else:
        level = state.table.next_level
        await (rematch(state) if level is None else state.lay(state.table.rematch(level)))


def new(state: TableState) -> Awaitable[None] | None:
    """Another board like this after a game whose board was drawn by lot; else the form for a new game."""
    return rematch(state) if board_was_drawn(state) else state.frontend.open("new")


async def rematch(state: TableState) -> None:
    """The next round, or the same match again, on another board if it was drawn; an opponent elsewhere is asked."""
    if state.table.score.over:
        drawn, again = board_was_drawn(state), state.table.rematch()
        seed = again.session.options.texts().get("seed")
        await state.lay(again, f"Another board like this: seed {seed}." if drawn else "")
    else:
        state.table.next_round()


def look(state: TableState) -> None:
    """Show one's own hidden numbers for a while, or hide them."""
    state.peek = not state.peek
    state.hand_shown = state.hand_shown or state.peek
    state.looks += 1
    looks = state.looks

    def hide() -> None:
        if state.looks == looks:  # else it was looked at again
            state.hide()

    if state.peek:
        asyncio.get_running_loop().call_later(PEEK_SECONDS, hide)


def pause(state: TableState) -> None:
    """Let the computers wait, or go on."""
    state.paused = not state.paused


async def verdict(state: TableState) -> None:
    """Show the verdict of every move, or put it away."""
    state.verdict_on, state.given_up, state.hint_step = not state.verdict_on, False, 0
    if state.parsed.fault is not None and not state.parsed.begun:
        state.draft("")  # its refusal would stand before the verdict
    state.say("")
    if state.verdict_on:
        await state.ask_help()
    await state.frontend.think()


async def hint(state: TableState) -> None:
    """The next of three hints."""
    await state.ask_help()
    state.next_hint()
    await state.frontend.think()


async def undo(state: TableState) -> None:
    """Undo; at the very start, go back to the match before."""
    now = state.table.undo()
    state.paused = state.paused or not state.table.people  # else they would move on at once
    await state.lay(now, f"The game before. {state.key('redo')} leads back to the new one.")


async def draw(state: TableState) -> None:
    """Offer a draw: to the other at this screen, to a friend elsewhere, or to a computer, who answers at once."""
    table = state.table
    table.offer("draw")
    if table.asks_first:
        await state.lay(table)
    elif table.against_computer and table.offered is not None:
        state.frontend.run(_computer_answers(state, table.offered))


async def _computer_answers(state: TableState, offer: Offer) -> None:
    assert isinstance(state.table, LocalTable)
    yes = await asyncio.to_thread(state.table.answer_for_computer, offer)
    if offer == state.table.offered:  # else something was played meanwhile
        await state.or_say(lambda: state.table.answer(offer.id, yes=yes))
        state.push()


def answer(state: TableState, *, yes: bool) -> None:
    """Answer the offer that is shown, and no other; a finger on its way down means something else."""
    offer, since = state.offer_since
    if offer is not None and monotonic() - since >= SEEN_SECONDS:
        state.table.answer(offer.id, yes=yes)


def propose(kind: Kind) -> Does:
    """An act that proposes something to a friend elsewhere."""

    async def propose(state: TableState) -> None:
        state.table.offer(kind)
        await state.lay(state.table)

    return propose


def put_away(state: TableState) -> None:
    """Put away what was typed or said, then the verdict; then leave for home."""
    if state.line or state.refusal is not None or state.said or state.hint_step:
        state.hint_step = 0
        state.draft("")
    elif state.verdict_on:
        state.verdict_on = False
    else:
        state.frontend.open("home")


def copy(state: TableState) -> None:
    """Copy the position code; between two people, as the line by which the other goes on at another machine."""
    code, table = state.session.public_code(), state.table
    by_post = len(table.people) == len(SEATS) and state.session.outcome is None
    state.frontend.copy(f"duelbox play {code}" if by_post else code)
    state.say(f"Copied {f'duelbox play {code}' if by_post else code}")


def why(state: TableState) -> None:
    """Say why the computer made its last move: in its own voice on the card at the end."""
    table, session = state.table, state.session
    rival = next(ply.seat for ply in reversed(session.plies) if ply.seat not in table.people)
    speaker = f"{table.who(rival).name}: " if session.outcome is not None else ""
    state.say(f"{speaker}{table.why}")


def speed(change: int) -> Does:
    """An act that makes the computers wait longer (1) or less (-1)."""

    def speed(state: TableState) -> None:
        delay = state.table.change_pace(state.frontend.settings.delay, change)
        state.say(f"The computers wait {delay / 1000:.1f} s.")

    return speed


def opens(place: str) -> Does:
    """An act that opens what lies beside the table."""

    def opens(state: TableState) -> Awaitable[None] | None:
        return state.frontend.open(place)

    return opens
