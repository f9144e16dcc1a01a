"""All that can be done at a table, an entry a verb: keys, palette, help, words in lines and refusals come from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from duelbox.table import acts

if TYPE_CHECKING:
    from duelbox.table.state import TableState


def _never(state: TableState) -> str | None:
    return None


def _at_once(state: TableState) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One thing to do at a table."""

    id: str
    """Its one name, in settings, too."""
    do: acts.Does
    why_not: acts.WhyNot = _never
    """The sentence that refuses it now, empty where no words are needed; None where it can be done."""
    key: str = ""
    """The built-in key; none for a verb that only lines have."""
    label: str = ""
    """The name in the key bar."""
    title: str = ""
    """The name in the palette, if the label is too short."""
    shown: bool = True
    """It stands in the key bar."""
    display: str | None = None
    """The key as it is written, where that is not its name."""
    shared: str = ""
    """The name in settings of a key that two verbs share, of which only one works at a time."""
    twice: Callable[[TableState], str] = _at_once
    """The sentence at the first press of a verb that takes two; empty if one is enough."""
    word: str = ""
    """The word for it in lines; empty if it needs a screen."""
    in_lines: str = ""
    """A line of help where lines are typed; where it is empty, the word is not for a game on this machine."""
    elsewhere: str = ""
    """The same where a friend elsewhere plays."""
    watching: str = ""
    """The same where two others play."""

    @property
    def setting(self) -> str:
        """The name of its key in the settings."""
        return self.shared or self.id

    @property
    def written(self) -> str:
        """Its built-in key as prompts write it."""
        return self.display or (self.key.capitalize() if len(self.key) > 1 else self.key)


_ALL = (
    Verb(id="play", key="enter", label="Play", do=acts.play, why_not=acts.why_no_play),
    Verb(
        id="rules",
        word="rules",
        in_lines="the rules of the game",
        elsewhere="the rules of the game",
        watching="the rules of the game",
        do=acts.opens("rules"),
    ),
    Verb(
        id="board",
        word="board",
        in_lines="the position",
        elsewhere="the position",
        watching="the position",
        do=acts.opens("board"),
    ),
    Verb(
        id="moves",
        word="moves",
        in_lines="what has been played, and what may be played now",
        elsewhere="what has been played, and what you may play now",
        watching="what has been played",
        do=acts.opens("moves"),
    ),
    Verb(
        id="look",
        key="space",
        label="Look",
        title="Look at your own hidden numbers",
        shared="space",
        do=acts.look,
        why_not=acts.why_no_look,
    ),
    Verb(
        id="pause",
        key="space",
        label="Pause",
        title="Let the computers wait",
        shared="space",
        do=acts.pause,
        why_not=acts.why_no_pace,
    ),
    Verb(
        id="hint",
        key="h",
        label="Hint",
        word="hint",
        in_lines="a question; then an idea; then the move",
        elsewhere="only where you both agreed to a lesson",
        do=acts.hint,
        why_not=acts.why_no_hint,
    ),
    Verb(
        id="verdict",
        key="v",
        label="Verdict",
        word="verdict",
        in_lines="who wins with best play, and why",
        elsewhere="only where you both agreed to a lesson",
        do=acts.verdict,
        why_not=acts.why_no_verdict,
    ),
    Verb(
        id="undo",
        key="u",
        label="Undo",
        word="undo",
        in_lines="undo your last move",
        elsewhere="ask your friend to let your last move be undone",
        do=acts.undo,
        why_not=acts.why_no_undo,
    ),
    Verb(
        id="redo",
        key="y",
        label="Redo",
        word="redo",
        in_lines="redo it",
        do=lambda state: state.lay(state.table.redo()),
        why_not=lambda state: state.table.why_not("redo"),
    ),
    Verb(
        id="why",
        key="w",
        label="Why",
        title="Why the computer moved as it did",
        word="why",
        in_lines="why the computer made its last move",
        do=acts.why,
        why_not=acts.why_no_reason,
    ),
    Verb(
        id="rematch",
        key="r",
        label="Rematch",
        shown=False,
        word="rematch",
        elsewhere="ask your friend for a rematch, when this match is over",
        do=acts.rematch,
        why_not=lambda state: acts.unless(acts.can_follow(state), acts.not_over(state)),
    ),
    Verb(
        id="review",
        key="e",
        label="Review",
        title="Look at the game again, move by move",
        do=acts.opens("review"),
        why_not=acts.why_no_review,
    ),
    Verb(
        id="rounds",
        key="j",
        label="Rounds",
        title="The rounds of the match",
        do=acts.opens("rounds"),
        why_not=lambda state: acts.unless(acts.over(state) and state.table.match.rounds > 1),
    ),
    Verb(
        id="new",
        key="n",
        label="New",
        title="New game",
        do=acts.new,
        why_not=lambda state: state.table.why_not("new"),
    ),
    Verb(
        id="level",
        key="l",
        label="Level",
        title="Play another level",
        do=acts.opens("level"),
        why_not=lambda state: acts.unless(state.session.outcome is not None and state.table.against_computer),
    ),
    Verb(
        id="more",
        key="o",
        label="New rules",
        title="Rules with more to decide",
        shown=False,
        do=acts.opens("more"),
        why_not=lambda state: acts.unless(state.tells_settled),
    ),
    Verb(
        id="harder",
        key="x",
        label="Next level",
        title="Play the next level",
        shown=False,
        do=lambda state: state.lay(state.table.rematch(state.table.next_level)),
        why_not=lambda state: acts.unless(state.session.outcome is not None and state.table.next_level is not None),
    ),
    Verb(
        id="agree",
        key="a",
        label="Agree",
        title="Agree to what you are asked",
        word="yes",
        elsewhere="agree to what your friend asks",
        do=lambda state: acts.answer(state, yes=True),
        why_not=lambda state: acts.unless(bool(state.table.asked)),
    ),
    Verb(
        id="decline",
        key="z",
        label="Decline",
        title="Decline what you are asked",
        word="no",
        elsewhere="decline it",
        do=lambda state: acts.answer(state, yes=False),
        why_not=lambda state: acts.unless(bool(state.table.asked)),
    ),
    Verb(
        id="speak",
        key="b",
        label="Say",
        title="Say something to a friend elsewhere",
        do=acts.opens("speak"),
        why_not=lambda state: state.table.why_not("speak"),
    ),
    Verb(
        id="code",
        key="c",
        label="Copy code",
        shown=False,
        word="code",
        in_lines="the position in one line, to go on from it later",
        do=acts.copy,
        why_not=acts.why_no_code,
    ),
    Verb(
        id="draw",
        key="equals_sign",
        display="=",
        label="Draw",
        title="Offer a draw",
        shown=False,
        word="draw",
        in_lines="offer a draw, in games that can end without a winner",
        elsewhere="offer a draw, in games that can end without a winner",
        twice=lambda state: f"Press {state.key('draw')} again to offer a draw." if state.table.against_computer else "",
        do=acts.draw,
        why_not=acts.why_no_draw,
    ),
    Verb(
        id="later",
        word="pause",
        elsewhere="ask your friend to go on another time",
        do=acts.propose("pause"),
        why_not=lambda state: state.table.why_not("later"),
    ),
    Verb(
        id="resign",
        key="g",
        label="Resign",
        shown=False,
        word="resign",
        in_lines="resign this game",
        elsewhere="resign this game",
        twice=lambda state: f"Press {state.key('resign')} again to resign.",
        do=lambda state: state.table.resign(),
        why_not=lambda state: acts.unless(state.may_move),
    ),
    Verb(
        id="claim",
        key="k",
        label="Claim",
        title="Claim the game from a friend who is away too long",
        word="claim",
        elsewhere="claim the game, when your friend has been silent for half a day",
        twice=lambda state: f"Press {state.key('claim')} again to claim the game.",
        do=lambda state: state.table.claim(),
        why_not=lambda state: state.table.why_not("claim"),
    ),
    Verb(id="faster", key="plus", label="Faster", do=acts.speed(-1), why_not=acts.why_no_pace),
    Verb(id="slower", key="minus", label="Slower", do=acts.speed(1), why_not=acts.why_no_pace),
    Verb(
        id="home",
        key="escape,q",
        display="esc",
        label="Home",
        do=acts.put_away,
    ),
    Verb(
        id="help",
        key="question_mark",
        display="?",
        label="Help",
        word="help",
        in_lines="this list",
        elsewhere="this list",
        watching="this list",
        do=acts.opens("help"),
    ),
    Verb(
        id="watchers",
        word="watchers",
        elsewhere="how many watch, and what others type to do so",
        do=acts.opens("watchers"),
    ),
    Verb(
        id="verify",
        word="verify",
        elsewhere="four words; your friend sees the same, if nobody sits between you",
        do=acts.opens("verify"),
    ),
    Verb(
        id="mute",
        word="mute",
        elsewhere="show no more phrases of your friend, or show them again",
        do=acts.opens("mute"),
    ),
    Verb(
        id="quit",
        word="quit",
        in_lines="leave; the game is saved, and its code is printed",
        elsewhere="leave; the match waits, and goes on when you are both back",
        watching="leave; the two play on",
        do=acts.opens("quit"),
    ),
)
VERBS = {verb.id: verb for verb in _ALL}
