"""What a game says where there are only lines of text: the contract of a game's `talk` module, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from duelbox.core.game import AnyGame, V, preset_of
from duelbox.core.model import Event, Outcome, Position, Seat, Voice, named, other, player
from duelbox.core.options import Options

Answers = tuple[str, ...]  # what has been answered so far to the questions of one move, as typed

_MANY = 60  # of more moves than so many, the rest is counted

MARKS = ("O", "X")
"""How the text boards mark what is Player 1's and Player 2's: letters, which every screen reader says."""


def winner_sentence(outcome: Outcome | None) -> str:
    """Who won a game that is over, in a sentence."""
    assert outcome is not None
    return "The game is a draw." if outcome.winner is None else f"{player(outcome.winner)} wins the game!"


def ended(outcome: Outcome) -> str:
    """Who won a game that is over, and why, on one line."""
    return f"{'A draw.' if outcome.winner is None else f'{player(outcome.winner)} wins.'} {outcome.reason}"


def loser_name(view: Position) -> str:
    """What a sentence calls who lost a game that is over."""
    winner = None if view.outcome is None else view.outcome.winner
    assert winner is not None
    return player(other(winner))


def _ending(view: Any) -> str:
    return f"{view.outcome.reason}\n{winner_sentence(view.outcome)}"


@dataclass(frozen=True, slots=True)
class Tale:
    """A move in words: who made it, the verb by who is meant, and what it changed."""

    seat: Seat
    third: str
    """"claims 16"; empty where the rest is a sentence of its own."""
    own: str
    """"claim 16"."""
    effect: str = ""
    """": 15 and 17 are closed to you"."""
    more: str = ""
    """Another thing to say: why the game is over."""

    def sentence(self, voice: Voice) -> str:
        """The sentence."""
        deed = voice.does(self.seat, self.third, self.own) if self.third else ""
        more = f" {voice.sentence(self.more)}" if self.more else ""
        return f"{voice.sentence(f'{deed}{self.effect}')}{more}"


def _tale(before: Any, after: Any, events: Sequence[Event], voice: Voice) -> Tale:
    told = named(" ".join(event.sentence for event in events), voice.names)
    return Tale(events[0].seat if events else 0, "", "", told.removesuffix("."))


def _over(view: Any, voice: Voice) -> str:
    reason: str = named(view.outcome.reason, voice.names)
    return reason.removesuffix(".")


@dataclass(frozen=True)
class Talk(Generic[V]):
    """A game in words: pure functions from a view to text; "Player 1" and "Player 2" stand for the names."""

    welcome: Callable[[V], str]
    """What is printed before the first turn."""
    board: Callable[[V], str]
    """The position as text; given the view of whoever looks: a spectator's shows what is public."""
    turn: Callable[[V], str]
    """What the player to move is told before the questions; given their own view, as below."""
    question: Callable[[V, Answers], str | None]
    """The next question of this move; None when the answers are enough."""
    choices: Callable[[V], str]
    """The legal moves of the player to move, in short."""
    after: Callable[[V, Sequence[Event]], str]
    """What everybody is told after a move; given a spectator's view."""
    ending: Callable[[V], str] = _ending
    """Why the game is over, and who won; given a spectator's view."""
    tale: Callable[[V, V, Sequence[Event], Voice], Tale] = _tale
    """A move in one line, with what it changed; given what one seat sees before and after it."""
    over: Callable[[V, Voice], str] = _over
    """Why the game is over, in words that another sentence may end with."""
    line: Callable[[V, Answers], str] = lambda view, answers: answers[0]
    """The answers as the text of a move; raises BadNotation where an answer is none."""
    cheer: str = ""
    """What a person who won is told before that; a computer needs no cheer, nor does its opponent."""


AnyTalk = Talk[Any]


def default_talk(game: AnyGame) -> AnyTalk:
    """Words that fit any game: its view as it is, one question a move, its events as they tell themselves."""

    def board(view: Position) -> str:
        facts = view.model_dump(mode="json", exclude={"turn", "outcome", "options", "seat"}, exclude_none=True)
        return "\n".join(f"{name.replace('_', ' ').capitalize()}: {value}" for name, value in facts.items())

    def turn(view: Position) -> str:
        return f"{player(view.turn or 0)}'s turn.\n{board(view)}"

    def choices(view: Position) -> str:
        moves = game.legal_moves(view)
        more = f" and {len(moves) - _MANY} more" if len(moves) > _MANY else ""
        return ", ".join(map(game.format_move, moves[:_MANY])) + more

    return Talk(
        welcome=lambda view: f"Welcome to {game.INFO.title}!\n\n{game.INFO.goal}",
        board=board,
        turn=turn,
        question=lambda view, answers: None if answers else "Your move: ",
        choices=choices,
        after=lambda view, events: "\n" + "\n".join(event.sentence for event in events),
    )


def full_title(game: AnyGame, options: Options) -> str:
    """The game with its preset and its house rules, in words; what was drawn is left out."""
    preset, rules = preset_of(game, options), options.in_words
    return game.INFO.title + (f", {preset.name}" if preset else "") + (f" ({rules})" if rules else "")


def ring(marks: Sequence[str]) -> str:
    """Numbers 1, 2, 3 … round a ring, each with its one-letter mark; a blank mark leaves a hole."""
    half = (len(marks) + 1) // 2
    upper, lower = list(range(half)), list(range(len(marks) - 1, half - 1, -1))
    blank = "    "
    rows = [
        "  " + "".join(blank if marks[at] == " " else f"{at + 1:>3} " for at in upper),
        " /" + "".join(blank if marks[at] == " " else f"--{marks[at]}-" for at in upper) + "-\\",
        " |" + blank * half + " |",
        " \\" + "".join(blank if marks[at] == " " else f"--{marks[at]}-" for at in lower).ljust(4 * half, "-") + "-/",
        "  " + "".join(blank if marks[at] == " " else f"{at + 1:>3} " for at in lower),
    ]
    return "\n".join(row.rstrip() for row in rows)
