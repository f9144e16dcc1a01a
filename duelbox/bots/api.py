"""What a computer player is: a level with a character, and a choice with a reason. It sees a view, nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from duelbox.core.errors import DuelboxError
from duelbox.core.game import Move
from duelbox.solve.api import Stop


@dataclass(frozen=True, slots=True)
class Level:
    """One computer player of a game, from the easiest up."""

    id: str
    """As typed on the command line, after `bot:`."""
    name: str
    line: str
    """Its character, in one line."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move as text, and why it was made, in a sentence."""

    move: str
    why: str


def told_why(move: Move, why: str) -> str:
    """Why a computer made a move, as everybody may hear it."""
    return "It keeps that a secret." if move.secret else why


class NoSuchLevel(DuelboxError):
    """There is no computer player of that level."""


class Bot(Protocol):
    """What each module `duelbox.bots.<game>` offers."""

    LEVELS: tuple[Level, ...]

    def choose(self, view: Any, level: str, seed: int, stop: Stop) -> Choice:
        """The move of this level in a view with a turn; the same seed, the same move."""
