"""Everything that can be done at a table, in the order of the key bar: each key, word, refusal and action.

Key bindings, settings, palette, help pages, the words of the line mode and refusals are all made from `VERBS`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from duelbox.core.model import SEATS
from duelbox.core.offer import Offer
from duelbox.table import refusals
from duelbox.table.end_card import slip_to_mend
from duelbox.table.hints import next_hint
from duelbox.table.local import LocalTable
from duelbox.table.refusals import board_was_drawn

if TYPE_CHECKING:
    from duelbox.table.state import TableState

END_SECONDS = 0.6
"""Enter goes on only when the end of a game has been visible this long: a double press must not skip the result."""
SEEN_SECONDS = 0.4
"""An offer can be answered only when it has been visible this long."""
PEEK_SECONDS = 4.0
"""A player's own hidden numbers are shown this long."""

Action = Callable[["TableState"], Awaitable[None] | None]
WhyNot = Callable[["TableState"], str | None]
A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One thing to do at a table."""

    id: str
    """Its name everywhere, in settings too."""
    do: Action
    refuse: WhyNot | None = None
    """Gives the sentence that refuses it; None if the table's own `why_not` decides."""
    key: str = ""
    """The built-in key; empty for a verb of the line mode alone."""
    label: str = ""
    """The name in the key bar."""
    title: str = ""
    """The name in the palette, if the label is too short."""
    shown: bool = True
    """It stands in the key bar."""
    display: str | None = None
    """The key as it is written, if that is not its name."""
    shared: str = ""
    """The name in settings of a key that two verbs share; only one of them works at a time."""
    twice: Callable[[TableState], str] | None = None
    """The sentence at the first press of a verb that takes two; empty if one is enough."""
    alias: str = ""
    """The word for it in lines, if that is not its name."""
    in_lines: str = ""
    """Its line of help in a game on this machine; empty if the word is not for such a game."""
    elsewhere: str = ""
    """The same in a match with a friend elsewhere."""
    watching: str = ""
    """The same for those who watch a match."""

    @property
    def setting(self) -> str:
        """The name of its key in the settings."""
        return self.shared or self.id

    @property
    def written(self) -> str:
        """Its built-in key as prompts write it."""
        return self.display or (self.key.capitalize() if len(self.key) > 1 else self.key)

    @property
    def word(self) -> str:
        """The word for it in lines; empty if it needs a screen."""
        return self.alias or (self.id if self.in_lines or self.elsewhere or self.watching else "")

    def why_not(self, state: TableState) -> str | None:
        """The sentence that refuses it now, empty where no words are needed; None where it can be taken."""
        return state.table.why_not(self.id) if self.refuse is None else self.refuse(state)


VERBS: dict[str, Verb] = {}


def _verb(key: str = "", label: str = "", refuse: WhyNot | None = None, **more: Any) -> Callable[[A], A]:
    """Make a verb of a function, with the function's name."""

    def add(act: A) -> A:
        name = act.__name__
        VERBS[name] = Verb(id=name, do=act, key=key, label=label, refuse=refuse, **more)
        return act

    return add


def _words(here: str = "", elsewhere: str = "", alias: str = "") -> Callable[[A], A]:
    """Make a verb a word in lines; `here` and `elsewhere` are its help in matches here and with a friend elsewhere."""

    def add(act: A) -> A:
        name = act.__name__
        VERBS[name] = replace(VERBS[name], alias=alias, in_lines=here, elsewhere=elsewhere)
        return act

    return add


def _place(
    name: str, key: str = "", label: str = "", refuse: WhyNot | None = None, *, everywhere: str = "", **more: Any
) -> None:
    """Add a verb that opens a place beside the table; `everywhere` is its help in all matches in lines."""
    more |= dict.fromkeys(("in_lines", "elsewhere", "watching"), everywhere) if everywhere else {}
    VERBS[name] = Verb(id=name, do=lambda state: state.frontend.open(name), key=key, label=label, refuse=refuse, **more)


@_verb("enter", "Play", refusals.why_no_play)
async def play(state: TableState) -> None:
    """Play the line; after the game, go on to the next one."""
    if state.asks_back:
        state.coach = ""
    elif state.awaiting == "again":
        state.awaiting = ""
        state.say("What you typed was not played: the game is over. Press Enter again to go on.")
    elif state.session.outcome is not None:
        if monotonic() - state.began >= END_SECONDS:
            await _go_on(state)
    elif state.awaiting == "pass":
        state.frontend.open("handover")
    elif state.may_move:
        await state.play_line()


async def _go_on(state: TableState) -> None:
    """Go on after a game: from the slip after a loss, to the next level after a win, else with the same again."""
    if (slip := slip_to_mend(state)) is not None and isinstance(state.table, LocalTable):
        await state.go_on_at(state.table.retry_from(slip - 1), f"Turn {slip} again: find a better move.")
    elif state.table.next_level is None:
        await rematch(state)
    else:
        await harder(state)


_place("rules", everywhere="the rules of the game")
_place("board", everywhere="the position")
_place(
    "moves",
    in_lines="what has been played, and what may be played now",
    elsewhere="what has been played, and what you may play now",
    watching="what has been played",
)


@_verb("space", "Look", refusals.why_no_look, title="Look at your own hidden numbers", shared="space")
def look(state: TableState) -> None:
    """Show your own hidden numbers for a while, or hide them."""
    state.peek = not state.peek
    state.hand_shown = state.hand_shown or state.peek
    if state.hiding is not None:
        state.hiding.cancel()
    if state.peek:
        state.hiding = asyncio.get_running_loop().call_later(PEEK_SECONDS, state.hide_hand)


@_verb("space", "Pause", refusals.why_no_pace, title="Let the computers wait", shared="space")
def pause(state: TableState) -> None:
    """Let the computers wait, or go on."""
    state.paused = not state.paused


@_words("a question; then an idea; then the move", elsewhere="only where you both agreed to a lesson")
@_verb("h", "Hint", refusals.why_no_hint)
async def hint(state: TableState) -> None:
    """Give the next of three hints."""
    await state.ask_help()
    next_hint(state)
    await state.frontend.think()


@_words("who wins with best play, and why", elsewhere="only where you both agreed to a lesson")
@_verb("v", "Verdict", refusals.why_no_verdict)
async def verdict(state: TableState) -> None:
    """Show the verdict of every move, or hide it."""
    state.verdict_on, state.given_up, state.hint_step = not state.verdict_on, False, 0
    if state.parsed.fault is not None and not state.parsed.begun:
        state.set_line("")  # its refusal would stand before the verdict
    state.say("")
    if state.verdict_on:
        await state.ask_help()
    await state.frontend.think()


@_words("undo your last move", elsewhere="ask your friend to let your last move be undone")
@_verb("u", "Undo", refusals.why_no_undo)
async def undo(state: TableState) -> None:
    """Undo; before the first move, go back to the match before."""
    table = state.table.propose("undo")
    state.paused = state.paused or not state.table.people  # else the computers would move on at once
    await state.go_on_at(table, f"The game before. {state.key('redo')} leads back to the new one.")


@_words("redo it")
@_verb("y", "Redo")
async def redo(state: TableState) -> None:
    """Redo what was undone."""
    await state.go_on_at(state.table.propose("redo"))


@_words("why the computer made its last move")
@_verb("w", "Why", refusals.why_no_reason, title="Why the computer moved as it did")
def why(state: TableState) -> None:
    """Say why the computer made its last move; on the card at the end, as words of the computer."""
    table, session = state.table, state.session
    rival = next(ply.seat for ply in reversed(session.plies) if ply.seat not in table.people)
    speaker = f"{table.who(rival).name}: " if session.outcome is not None else ""
    state.say(f"{speaker}{table.why}")


@_words(elsewhere="ask your friend for a rematch, when this match is over")
@_verb("r", "Rematch", refusals.why_no_rematch, shown=False)
async def rematch(state: TableState) -> None:
    """Begin the next round or the same match again, on another board if it was drawn; a friend elsewhere is asked."""
    if state.table.score.over:
        drawn, again = board_was_drawn(state), state.table.propose("rematch")
        seed = again.session.options.texts().get("seed")
        await state.go_on_at(again, f"Another board like this: seed {seed}." if drawn else "")
    else:
        state.table.propose("next")


_place("review", "e", "Review", refusals.why_no_review, title="Look at the game again, move by move")
_place("rounds", "j", "Rounds", refusals.why_no_rounds, title="The rounds of the match")


@_verb("n", "New", title="New game")
def new(state: TableState) -> Awaitable[None] | None:
    """Begin on another board like this if the board was drawn by lot; else open the form for a new game."""
    return rematch(state) if board_was_drawn(state) else state.frontend.open("new")


_place("level", "l", "Level", refusals.why_no_level, title="Play another level")
_place("more", "o", "New rules", refusals.why_no_other_rules, title="Rules with more to decide", shown=False)


@_verb(
    "x",
    "Next level",
    refusals.why_no_next_level,
    title="Play the next level",
    shown=False,
)
async def harder(state: TableState) -> None:
    """Play the same again against the next level of the computer."""
    assert isinstance(state.table, LocalTable)
    await state.go_on_at(state.table.rematch(state.table.next_level))


def _answer(state: TableState, *, yes: bool) -> None:
    """Answer the displayed offer if it has been visible long enough; an earlier key press was meant for a move."""
    offer, since = state.offer_since
    if offer is not None and monotonic() - since >= SEEN_SECONDS:
        state.table.answer(offer.id, yes=yes)


@_words(alias="yes", elsewhere="agree to what your friend asks")
@_verb("a", "Agree", refusals.why_no_answer, title="Agree to what you are asked")
def agree(state: TableState) -> None:
    """Agree to the displayed offer."""
    _answer(state, yes=True)


@_words(alias="no", elsewhere="decline it")
@_verb("z", "Decline", refusals.why_no_answer, title="Decline what you are asked")
def decline(state: TableState) -> None:
    """Decline the displayed offer."""
    _answer(state, yes=False)


_place("speak", "b", "Say", title="Say something to a friend elsewhere")


@_words("the position in one line, to go on from it later")
@_verb("c", "Copy code", refusals.why_no_code, shown=False)
def code(state: TableState) -> None:
    """Copy the position code; between two people, as the command by which the other goes on at another machine."""
    text, table = state.session.public_code(), state.table
    by_post = len(table.people) == len(SEATS) and state.session.outcome is None
    text = f"duelbox play {text}" if by_post else text
    state.frontend.copy(text)
    state.say(f"Copied {text}")


@_words(
    "offer a draw, in games that can end without a winner",
    elsewhere="offer a draw, in games that can end without a winner",
)
@_verb(
    "equals_sign",
    "Draw",
    refusals.why_no_draw,
    display="=",
    title="Offer a draw",
    shown=False,
    twice=lambda state: f"Press {state.key('draw')} again to offer a draw." if state.table.against_computer else "",
)
async def draw(state: TableState) -> None:
    """Offer a draw to the other player; a computer answers at once, a friend elsewhere later."""
    table = state.table
    await state.go_on_at(table.propose("draw"))
    if table.against_computer and table.offered is not None:
        state.frontend.run(_computer_answers(state, table.offered))


async def _computer_answers(state: TableState, offer: Offer) -> None:
    assert isinstance(state.table, LocalTable)
    yes = await asyncio.to_thread(state.table.answer_for_computer, offer)
    if offer == state.table.offered:  # nothing was played meanwhile
        await state.or_say(lambda: state.table.answer(offer.id, yes=yes))
        state.push()


@_words(alias="pause", elsewhere="ask your friend to go on another time")
@_verb()
async def later(state: TableState) -> None:
    """Ask a friend elsewhere to go on another time."""
    await state.go_on_at(state.table.propose("pause"))


@_words("resign this game", elsewhere="resign this game")
@_verb(
    "g",
    "Resign",
    refusals.why_no_resigning,
    shown=False,
    twice=lambda state: f"Press {state.key('resign')} again to resign.",
)
def resign(state: TableState) -> None:
    """Resign the game."""
    state.table.propose("resign")


@_words(elsewhere="claim the game, when your friend has been silent for half a day")
@_verb(
    "k",
    "Claim",
    title="Claim the game from a friend who is away too long",
    twice=lambda state: f"Press {state.key('claim')} again to claim the game.",
)
def claim(state: TableState) -> None:
    """Claim the game from a friend elsewhere who is away."""
    state.table.propose("claim")


def _change_pace(state: TableState, change: int) -> None:
    delay = state.table.change_pace(state.frontend.settings.delay, change)
    state.say(f"The computers wait {delay / 1000:.1f} s.")


@_verb("plus", "Faster", refusals.why_no_pace)
def faster(state: TableState) -> None:
    """Let the computers move after a shorter delay."""
    _change_pace(state, -1)


@_verb("minus", "Slower", refusals.why_no_pace)
def slower(state: TableState) -> None:
    """Let the computers move after a longer delay."""
    _change_pace(state, 1)


@_verb("escape,q", "Home", display="esc")
def home(state: TableState) -> Awaitable[None] | None:
    """Clear what was typed or said; if there is nothing, hide the verdict; if it is hidden, leave for home."""
    if state.line or state.refusal is not None or state.said or state.hint_step:
        state.hint_step = 0
        state.set_line("")
    elif state.verdict_on:
        state.verdict_on = False
    else:
        return state.frontend.open("home")
    return None


_place("help", "question_mark", "Help", display="?", everywhere="this list")
_place("watchers", elsewhere="how many watch, and what others type to do so")
_place("verify", elsewhere="four words; your friend sees the same, if nobody sits between you")
_place("mute", elsewhere="show no more phrases of your friend, or show them again")
_place(
    "quit",
    in_lines="leave; the game is saved, and its code is printed",
    elsewhere="leave; the match waits, and goes on when you are both back",
    watching="leave; the two play on",
)
