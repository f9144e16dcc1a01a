"""What games share in which a move is one number."""

from __future__ import annotations

from typing import Literal

from duelbox.core import game
from duelbox.core.model import Event, player


class Move(game.Move):
    """Take a number."""

    number: int


class Picked(Event):
    """A number was picked."""

    kind: Literal["picked"] = "picked"
    number: int

    @property
    def sentence(self) -> str:
        """What happened, in a sentence."""
        return f"{player(self.seat)} picks {self.number}."


def format_move(move: Move) -> str:
    """The number."""
    return str(move.number)
