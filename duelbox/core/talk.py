"""What a game says where there are only lines of text: the contract of a game's `talk` module, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from duelbox.core.model import Event, Outcome, Position, player

V = TypeVar("V", bound=Position)

Answers = tuple[str, ...]
"""What has been answered so far to the questions of one move, as typed."""

MARKS = ("O", "X")
"""How the text boards mark what is Player 1's and Player 2's: letters, which every screen reader says."""


@dataclass(frozen=True)
class Talk(Generic[V]):
    """A game in words: pure functions from a view to text; "Player 1" and "Player 2" stand for the names."""

    welcome: Callable[[V], str]
    """What is printed before the first turn."""
    board: Callable[[V], str]
    """The position as text, with all that is public; given a spectator's view."""
    turn: Callable[[V], str]
    """What the player to move is told before the questions; given their own view, as below."""
    question: Callable[[V, Answers], str | None]
    """The next question of this move; None when the answers are enough."""
    line: Callable[[V, Answers], str]
    """The answers as the text of a move; raises BadNotation where an answer is none."""
    choices: Callable[[V], str]
    """The legal moves of the player to move, in short."""
    after: Callable[[V, Sequence[Event]], str]
    """What everybody is told after a move; given a spectator's view."""
    ending: Callable[[V], str]
    """Why the game is over, and who won; given a spectator's view."""


def verdict(outcome: Outcome) -> str:
    """Who won, in a sentence."""
    return "The game is a draw." if outcome.winner is None else f"{player(outcome.winner)} wins the game!"


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
