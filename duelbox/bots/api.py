"""What a computer player is: a level with a character, and a choice with a reason. It sees a view, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.core.game import Move
from duelbox.core.rng import Rng
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
    tied: tuple[str, ...] = ()
    """The moves it was drawn from, where it liked several as much."""
    remark: str = ""
    """What it may say of the move by itself: why it likes it, and nothing of any other move."""

    @property
    def among(self) -> tuple[str, ...]:
        """The moves that might as well have been made, this one included."""
        return self.tied or (self.move,)


def drawn(rng: Rng, moves: Sequence[str], why: str) -> Choice:
    """One of these moves, each as likely."""
    return Choice(rng.choice(moves), why, tuple(moves))


def told_why(move: Move, why: str) -> str:
    """Why a computer made a move, as everybody may hear it."""
    return "It keeps that a secret." if move.secret else why


class NoSuchLevel(DuelboxError):
    """There is no computer player of that level."""


@dataclass(frozen=True)
class Bot:
    """What a game's `bot` module offers as `BOT`."""

    levels: tuple[Level, ...]
    """The computers, the easiest first."""
    choose: Callable[[Any, str, int, Stop], Choice]
    """The move of a level, named by its id, in a view with a turn; the same seed, the same move."""
    sight: Mapping[str, int] = field(default_factory=dict)
    """How many turns ahead a level sees the end; those that are not here see all of it."""
