"""Offers from one player to the other, who accepts or declines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from duelbox.core.match import Player

Kind = Literal["undo", "draw", "rematch", "pause"]
Deed = Kind | Literal["resign", "claim", "redo", "next", "help"]
"""A thing to do at a table beside a move: ask for something, begin the next round, be given help."""
_ASKS: dict[Kind, str] = {
    "undo": "asks to undo their last move",
    "draw": "offers a draw",
    "rematch": "asks for a rematch",
    "pause": "asks to go on another time",
}
_DONE: dict[Kind, str] = {
    "undo": "The last move is undone.",
    "pause": "Both agreed to go on another time. The match waits.",
}
NO_LESSON = "Hints and verdicts are off in this match: you did not agree to a lesson."
VOID = "That offer no longer stands."


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer; it stands until it is answered or the position changes."""

    id: int
    """An answer names this number, so that it can't answer another offer."""
    by: Player
    kind: Kind

    def asks(self, name: str) -> str:
        """The offer as a sentence about the player of this name."""
        return f"{name} {_ASKS[self.kind]}."

    def answered(self, name: str, *, yes: bool) -> str:
        """The answer as a sentence; `name` is the player who answered."""
        return (yes and _DONE.get(self.kind)) or f"{name} said {'yes' if yes else 'no'}."

    def lapsed(self, whose: str) -> str:
        """A sentence that says the offer is void; `whose` is Your or Their."""
        return f"{whose} offer ({self.kind}) is void now."
