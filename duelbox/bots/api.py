"""The contract of computer players: levels with a character, and choices with a reason. They see views only."""

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
    """One computer player of a game."""

    id: str
    """Typed after `bot:` on the command line."""
    name: str
    line: str
    """Its character, in one line."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move as text, with the reason for it in a sentence."""

    move: str
    why: str
    tied: tuple[str, ...] = ()
    """The moves it was drawn from, if several were liked as much."""
    remark: str = ""
    """A remark on this move alone, which the computer may make without being asked."""
    unseen: tuple[str, ...] = ()
    """For a slip: the answers that refute it."""

    @property
    def among(self) -> tuple[str, ...]:
        """The moves that were as likely, this one included."""
        return self.tied or (self.move,)


def drawn(rng: Rng, moves: Sequence[str], why: str) -> Choice:
    """Draw one of these moves, all equally likely."""
    return Choice(rng.choice(moves), why, tuple(moves))


def told_why(move: Move, why: str) -> str:
    """The reason for a computer's move, without its secrets."""
    return "It keeps that a secret." if move.secret else why


class NoSuchLevel(DuelboxError):
    """There is no computer player of that level."""


@dataclass(frozen=True)
class Bot:
    """The computers of a game; its `bot` module offers them as `BOT`."""

    levels: tuple[Level, ...]
    """The computers, the easiest first."""
    choose: Callable[[Any, str, int, Stop], Choice]
    """Takes a view with a turn, the id of a level, a seed and a stop flag; the same seed gives the same move."""
    sight: Mapping[str, int] = field(default_factory=dict)
    """Turns ahead at which a level sees the end; a level that is not listed sees every end."""
