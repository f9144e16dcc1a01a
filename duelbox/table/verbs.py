"""All that can be done at a table, an entry a verb: keys, palette, help, words in lines and refusals come from it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from duelbox.core.offer import Kind, Offer
from duelbox.table.local import LocalTable

if TYPE_CHECKING:
    from duelbox.table.state import TableState

NO_LESSON = "Hints and verdicts are off in this match: you did not agree to a lesson."
END_SECONDS = 0.4
"""So long the end of a game is seen before Enter goes on: pressed twice by mistake, it would take the result away."""
SEEN_SECONDS = 0.4
"""So long a question must have been there to be answered."""
PEEK_SECONDS = 4.0
"""So long one's own hidden numbers are to be seen."""

Does = Callable[["TableState"], Awaitable[None] | None]
WhyNot = Callable[["TableState"], str | None]


def _never(state: TableState) -> str | None:
    return None


def _at_once(state: TableState) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One thing to do at a table."""

    id: str
    """Its one name, in settings, too."""
    do: Does
    why_not: WhyNot = _never
    """The sentence that refuses it now, empty where no words are needed; None where it can be done."""
    about: str = ""
    """A line of help on the full screen."""
    key: str = ""
    """The built-in key; none for a verb that only lines have."""
    label: str = ""
    """What the key bar calls it."""
    title: str = ""
    """What the palette calls it, where the label is too short."""
    shown: bool = True
    """It stands in the key bar."""
    display: str | None = None
    """The key as it is written, where that is not its name."""
    shared: str = ""
    """The name in settings of a key that two verbs share, of which only one works at a time."""
    twice: Callable[[TableState], str] = _at_once
    """What is said at the first press of a verb that takes two; empty where one is enough."""
    word: str = ""
    """What is typed for it in lines; nothing where it needs a screen."""
    in_lines: str = ""
    """A line of help where lines are typed; where it is empty, the word is not for a game on this machine."""
    elsewhere: str = ""
    """The same where a friend elsewhere plays."""
    watching: str = ""
    """The same where two others play."""

    @property
    def setting(self) -> str:
        """What the settings call its key."""
        return self.shared or self.id


# -- refusals


def _unless(works: bool, why: str = "") -> str | None:
    return None if works else why


def _why_no_play(state: TableState) -> str | None:
    sitting, turn = state.sitting, state.session.turn
    if state.awaiting == "pass" or state.may_move or _goes_on(state):
        return None
    waits = turn is not None and sitting.people and sitting.computer_to_move
    return f"{sitting.who(turn or 0).name} is thinking." if waits else ""


def _goes_on(state: TableState) -> bool:
    """The game is over, and something can follow it here."""
    return state.session.outcome is not None and state.sitting.why_not("rematch") is None


def _over(state: TableState) -> bool:
    return state.session.outcome is not None and state.sitting.score.over


def _why_no_look(state: TableState) -> str | None:
    if not state.sitting.game.INFO.hidden:
        return ""
    if state.hand_lies_open:
        return "Your own numbers lie open."
    seen = state.viewer is not None and state.session.outcome is None
    return _unless(seen and state.entry.has_secret(state.view()))


def _why_no_help(state: TableState) -> str | None:
    """Refuses hint and verdict where neither is for the one who looks."""
    if state.may_know:
        return None
    return "" if state.sitting.lesson else NO_LESSON


def _why_no_hint(state: TableState) -> str | None:
    why = _why_no_help(state)
    return why if why is not None or state.may_move else ""


def _why_no_verdict(state: TableState) -> str | None:
    why = _why_no_help(state)
    return why if why is not None or state.sitting.people else ""


def _why_no_undo(state: TableState) -> str | None:
    why = state.sitting.why_not("undo")
    return "" if why is None and state.awaiting == "pass" and not state.sitting.may_go_back else why


def _why_no_reason(state: TableState) -> str | None:
    sitting = state.sitting
    if all(who.level is None for who in sitting.players):
        return "No computer plays here."
    if all(ply.seat in sitting.people for ply in state.session.plies):
        return "The computer has made no move yet."
    return _unless(bool(sitting.why), "That move was made before this sitting, and its reason is forgotten.")


def _not_over(state: TableState) -> str:
    return "The game is not over yet." if state.session.outcome is None else ""


def _why_no_review(state: TableState) -> str | None:
    # A round that is over may tell of the next one, which has the same draw or one that follows from it.
    return state.sitting.why_not("review") if _over(state) else _not_over(state)


def _why_no_draw(state: TableState) -> str | None:
    why = state.sitting.why_not("draw")
    if why is not None or state.sitting.offered is not None:
        return why or ""
    return _unless(state.may_move or state.sitting.asks_first)


def _why_no_pace(state: TableState) -> str | None:
    return _unless(state.sitting.nobody_plays and not state.sitting.score.over)


def _why_no_code(state: TableState) -> str | None:
    if not state.sitting.game.INFO.hidden or state.session.outcome is not None:
        return None
    return "The code tells both hands: you can copy it after the game."


# -- what is done


async def _play(state: TableState) -> None:
    """Play the line; after the game, go on to the next one."""
    if state.awaiting == "again":
        state.awaiting = ""
        state.say("What you typed was not played: the game is over. Press Enter again to go on.")
    elif state.session.outcome is not None:
        if monotonic() - state.ended >= END_SECONDS:
            await _rematch(state)
    elif state.awaiting == "pass":
        state.face.open("curtain")
    elif state.may_move:
        await state.play_line()


async def _rematch(state: TableState) -> None:
    """The next round, or the same match again; an opponent elsewhere is asked."""
    if state.sitting.score.over:
        await state.lay(state.sitting.rematch())
    else:
        state.sitting.next_round()


def _look(state: TableState) -> None:
    state.peek = not state.peek
    state.looks += 1
    looks = state.looks

    def hide() -> None:
        if state.looks == looks:  # else it was looked at again
            state.hide()

    if state.peek:
        asyncio.get_running_loop().call_later(PEEK_SECONDS, hide)


def _pause(state: TableState) -> None:
    state.paused = not state.paused


async def _verdict(state: TableState) -> None:
    state.verdict_on, state.given_up = not state.verdict_on, False
    if state.reading.fault is not None and not state.reading.begun:
        state.draft("")  # its refusal would stand before the verdict
    state.say("")
    if state.verdict_on:
        await state.ask_help()
    await state.face.think()


async def _hint(state: TableState) -> None:
    await state.ask_help()
    state.next_hint()
    await state.face.think()


async def _undo(state: TableState) -> None:
    """Undo; at the very start, go back to the match before."""
    now = state.sitting.undo()
    state.paused = state.paused or not state.sitting.people  # else they would move on at once
    await state.lay(now, f"The game before. {state.key('redo')} leads back to the new one.")


async def _draw(state: TableState) -> None:
    """Offer a draw: to the other at this screen, to a friend elsewhere, or to a computer, who answers at once."""
    sitting = state.sitting
    sitting.offer("draw")
    if sitting.asks_first:
        await state.lay(sitting)
    elif sitting.against_computer and sitting.offered is not None:
        state.face.run(_computer_answers(state, sitting.offered))


async def _computer_answers(state: TableState, offer: Offer) -> None:
    assert isinstance(state.sitting, LocalTable)
    yes = await asyncio.to_thread(state.sitting.answer_for_computer, offer)
    if offer == state.sitting.offered:  # else something was played meanwhile
        await state.or_say(lambda: state.sitting.answer(offer.id, yes=yes))
        state.push()


def _answer(state: TableState, *, yes: bool) -> None:
    """Answer the offer that is shown, and no other; a finger on its way down means something else."""
    offer, since = state.offer_since
    if offer is not None and monotonic() - since >= SEEN_SECONDS:
        state.sitting.answer(offer.id, yes=yes)


def _propose(kind: Kind) -> Does:
    async def propose(state: TableState) -> None:
        state.sitting.offer(kind)
        await state.lay(state.sitting)

    return propose


def _copy(state: TableState) -> None:
    code = state.session.public_code()
    state.face.copy(code)
    state.say(f"Copied {code}")


def _speed(change: int) -> Does:
    def speed(state: TableState) -> None:
        delay = state.sitting.change_pace(state.face.delay, change)
        state.say(f"The computers wait {delay / 1000:.1f} s.")

    return speed


def _opens(place: str) -> Does:
    def opens(state: TableState) -> Awaitable[None] | None:
        return state.face.open(place)

    return opens


_ALL = (
    Verb(id="play", key="enter", label="Play", do=_play, why_not=_why_no_play),
    Verb(
        id="rules",
        word="rules",
        in_lines="the rules of the game",
        elsewhere="the rules of the game",
        watching="the rules of the game",
        do=_opens("rules"),
    ),
    Verb(
        id="board",
        word="board",
        in_lines="the position",
        elsewhere="the position",
        watching="the position",
        do=_opens("board"),
    ),
    Verb(
        id="moves",
        word="moves",
        in_lines="what has been played, and what may be played now",
        elsewhere="what has been played, and what you may play now",
        watching="what has been played",
        do=_opens("moves"),
    ),
    Verb(
        id="look",
        key="space",
        label="Look",
        title="Look at your own hidden numbers",
        about="look at your hidden numbers; pause two computers",
        shared="space",
        do=_look,
        why_not=_why_no_look,
    ),
    Verb(
        id="pause",
        key="space",
        label="Pause",
        title="Let the computers wait",
        shared="space",
        do=_pause,
        why_not=_why_no_pace,
    ),
    Verb(
        id="hint",
        key="h",
        label="Hint",
        about="a hint, in three steps",
        word="hint",
        in_lines="where to look; then which idea; then the move",
        elsewhere="only where you both agreed to a lesson",
        do=_hint,
        why_not=_why_no_hint,
    ),
    Verb(
        id="verdict",
        key="v",
        label="Verdict",
        about="the verdict of every move",
        word="verdict",
        in_lines="who wins with best play, and why",
        elsewhere="only where you both agreed to a lesson",
        do=_verdict,
        why_not=_why_no_verdict,
    ),
    Verb(
        id="undo",
        key="u",
        label="Undo",
        about="undo your last move",
        word="undo",
        in_lines="undo your last move",
        elsewhere="ask your friend to let your last move be undone",
        do=_undo,
        why_not=_why_no_undo,
    ),
    Verb(
        id="redo",
        key="y",
        label="Redo",
        about="redo what was undone",
        word="redo",
        in_lines="redo it",
        do=lambda state: state.lay(state.sitting.redo()),
        why_not=lambda state: state.sitting.why_not("redo"),
    ),
    Verb(
        id="why",
        key="w",
        label="Why",
        title="Why the computer moved as it did",
        about="why the computer moved so",
        word="why",
        in_lines="why the computer made its last move",
        do=lambda state: state.say(state.sitting.why),
        why_not=_why_no_reason,
    ),
    Verb(
        id="rematch",
        key="r",
        label="Rematch",
        about="the next round, or the same match again",
        shown=False,
        word="rematch",
        elsewhere="ask your friend for a rematch, when this match is over",
        do=_rematch,
        why_not=lambda state: _unless(_goes_on(state), _not_over(state)),
    ),
    Verb(
        id="review",
        key="e",
        label="Review",
        title="Look at the game again, move by move",
        about="review the game, move by move",
        do=_opens("review"),
        why_not=_why_no_review,
    ),
    Verb(
        id="rounds",
        key="t",
        label="Rounds",
        title="The rounds of the match",
        about="the rounds of a match that is over",
        do=_opens("rounds"),
        why_not=lambda state: _unless(_over(state) and state.sitting.match.rounds > 1),
    ),
    Verb(
        id="new",
        key="n",
        label="New",
        title="New game",
        about="new game, players, house rules",
        do=_opens("new"),
        why_not=lambda state: state.sitting.why_not("new"),
    ),
    Verb(
        id="level",
        key="l",
        label="Level",
        title="Play another level",
        about="play another level of the computer",
        do=_opens("level"),
        why_not=lambda state: _unless(state.session.outcome is not None and state.sitting.against_computer),
    ),
    Verb(
        id="more",
        key="o",
        label="More to decide",
        title="Rules with more to decide",
        about="rules with more to decide, where these have nothing",
        shown=False,
        do=_opens("more"),
        why_not=lambda state: _unless(state.tells_settled),
    ),
    Verb(
        id="harder",
        key="x",
        label="Next level",
        title="Play the next level",
        about="play the next level, once one is beaten",
        shown=False,
        do=lambda state: state.lay(state.sitting.rematch(state.sitting.next_level)),
        why_not=lambda state: _unless(state.session.outcome is not None and state.sitting.next_level is not None),
    ),
    Verb(
        id="agree",
        key="a",
        label="Agree",
        title="Agree to what you are asked",
        about="agree to what you are asked",
        word="yes",
        elsewhere="agree to what your friend asks",
        do=lambda state: _answer(state, yes=True),
        why_not=lambda state: _unless(bool(state.sitting.asked)),
    ),
    Verb(
        id="decline",
        key="d",
        label="Decline",
        title="Decline what you are asked",
        about="decline what you are asked",
        word="no",
        elsewhere="decline it",
        do=lambda state: _answer(state, yes=False),
        why_not=lambda state: _unless(bool(state.sitting.asked)),
    ),
    Verb(
        id="speak",
        key="m",
        label="Say",
        title="Say something to a friend elsewhere",
        about="say something to a friend elsewhere, or ask them to go on another time",
        do=_opens("speak"),
        why_not=lambda state: state.sitting.why_not("speak"),
    ),
    Verb(
        id="code",
        key="c",
        label="Copy code",
        about="copy the position code",
        shown=False,
        word="code",
        in_lines="the position in one line, to go on from it later",
        do=_copy,
        why_not=_why_no_code,
    ),
    Verb(
        id="draw",
        key="equals_sign",
        display="=",
        label="Offer a draw",
        about="offer a draw, in games that can end without a winner",
        shown=False,
        word="draw",
        in_lines="offer a draw, in games that can end without a winner",
        elsewhere="offer a draw, in games that can end without a winner",
        twice=lambda state: "Press it again to offer a draw." if state.sitting.against_computer else "",
        do=_draw,
        why_not=_why_no_draw,
    ),
    Verb(
        id="later",
        word="pause",
        elsewhere="ask your friend to go on another time",
        do=_propose("pause"),
        why_not=lambda state: state.sitting.why_not("later"),
    ),
    Verb(
        id="resign",
        key="g",
        label="Resign",
        about="resign; it takes the key twice",
        shown=False,
        word="resign",
        in_lines="resign this game",
        elsewhere="resign this game",
        twice=lambda state: "Press it again to resign.",
        do=lambda state: state.sitting.resign(),
        why_not=lambda state: _unless(state.may_move),
    ),
    Verb(
        id="claim",
        key="k",
        label="Claim",
        title="Claim the game from who is away for too long",
        about="claim the game from a friend who has been away for half a day; it takes the key twice",
        word="claim",
        elsewhere="claim the game, when your friend has been silent for half a day",
        twice=lambda state: "Press it again to claim the game.",
        do=lambda state: state.sitting.claim(),
        why_not=lambda state: state.sitting.why_not("claim"),
    ),
    Verb(id="faster", key="plus", label="Faster", do=_speed(-1), why_not=_why_no_pace),
    Verb(id="slower", key="minus", label="Slower", do=_speed(1), why_not=_why_no_pace),
    Verb(id="home", key="b", label="Home", about="home", do=_opens("home")),
    Verb(
        id="help",
        key="question_mark",
        display="?",
        label="Help",
        about="this page",
        word="help",
        in_lines="this list",
        elsewhere="this list",
        watching="this list",
        do=_opens("help"),
    ),
    Verb(
        id="watchers",
        word="watchers",
        elsewhere="how many watch, and what others type to do so",
        do=_opens("watchers"),
    ),
    Verb(
        id="verify",
        word="verify",
        elsewhere="four words; your friend sees the same, if nobody sits between you",
        do=_opens("verify"),
    ),
    Verb(
        id="mute",
        word="mute",
        elsewhere="show no more phrases of your friend, or show them again",
        do=_opens("mute"),
    ),
    Verb(
        id="quit",
        word="quit",
        in_lines="leave; the game is saved, and its code is printed",
        elsewhere="leave; the match waits, and goes on when you are both back",
        watching="leave; the two play on",
        do=_opens("quit"),
    ),
)
VERBS = {verb.id: verb for verb in _ALL}
