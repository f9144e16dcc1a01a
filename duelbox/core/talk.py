"""A game in lines of text: the contract of a game's `talk` module, and what these modules share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from duelbox.core.game import AnyGame, V, preset_of
from duelbox.core.model import Event, Outcome, Position, Seat, Voice, named, other, player
from duelbox.core.options import Options

Answers = tuple[str, ...]  # the answers typed so far to the questions of one move

_MANY = 60  # more moves than this are only counted

MARKS = ("O", "X")
"""The marks of Player 1 and Player 2 on text boards: letters, which every screen reader speaks."""


def winner_sentence(outcome: Outcome | None) -> str:
    """The winner of a game that is over, in a sentence."""
    assert outcome is not None
    return "The game is a draw." if outcome.winner is None else f"{player(outcome.winner)} wins the game!"


def loser_name(view: Position) -> str:
    """The loser of a game that is over: "Player 1" or "Player 2"."""
    winner = None if view.outcome is None else view.outcome.winner
    assert winner is not None
    return player(other(winner))


def _ending(view: Any) -> str:
    return f"{view.outcome.reason}\n{winner_sentence(view.outcome)}"


@dataclass(frozen=True, slots=True)
class Tale:
    """A move in words: the player, the verb in two forms, and the effect."""

    seat: Seat
    third: str
    """"claims 16"; empty if `effect` is a sentence of its own."""
    own: str
    """"claim 16"."""
    effect: str = ""
    """": 15 and 17 are closed to you"."""
    more: str = ""
    """A further sentence, such as why the game is over."""

    def sentence(self, voice: Voice) -> str:
        """The whole sentence for this reader."""
        deed = voice.does(self.seat, self.third, self.own) if self.third else ""
        more = f" {voice.sentence(self.more)}" if self.more else ""
        return f"{voice.sentence(f'{deed}{self.effect}')}{more}"


def _tale(before: Any, after: Any, events: Sequence[Event], voice: Voice) -> Tale:
    sentences = named(" ".join(event.sentence for event in events), voice.names)
    return Tale(events[0].seat if events else 0, "", "", sentences.removesuffix("."))


def _over(view: Any, voice: Voice) -> str:
    reason: str = named(view.outcome.reason, voice.names)
    return reason.removesuffix(".")


@dataclass(frozen=True)
class Talk(Generic[V]):
    """A game in words: pure functions from a view to text that says "Player 1" and "Player 2"."""

    welcome: Callable[[V], str]
    """The text before the first turn."""
    board: Callable[[V], str]
    """The position as text, from the reader's own view."""
    turn: Callable[[V], str]
    """The text for the player to move, before the questions; from that player's view."""
    question: Callable[[V, Answers], str | None]
    """The next question of this move; None when the answers are enough."""
    choices: Callable[[V], str]
    """The legal moves of the player to move, in short."""
    after: Callable[[V, Sequence[Event]], str]
    """The text for everybody after a move; from a spectator's view."""
    ending: Callable[[V], str] = _ending
    """The reason for the end and the winner; from a spectator's view."""
    tale: Callable[[V, V, Sequence[Event], Voice], Tale] = _tale
    """A move and its effect in one line; from one seat's views before and after it."""
    over: Callable[[V, Voice], str] = _over
    """The reason for the end, as the end of another sentence."""
    line: Callable[[V, Answers], str] = lambda view, answers: answers[0]
    """The answers as the text of a move; raises BadNotation."""
    cheer: str = ""
    """Congratulations for a person who won."""


AnyTalk = Talk[Any]


def default_talk(game: AnyGame) -> AnyTalk:
    """Words that fit any game: the fields of its view, one question, and the sentences of its events."""

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
    """A game with the name of its preset and its house rules in words, whatever was drawn."""
    preset, rules = preset_of(game, options), options.in_words
    return game.INFO.title + (f", {preset.name}" if preset else "") + (f" ({rules})" if rules else "")


def ring(marks: Sequence[str]) -> str:
    """The numbers 1, 2, 3 … round a ring, each with its one-letter mark; a blank mark leaves a hole."""
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
