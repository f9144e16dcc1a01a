"""An offer of one player to the other, who says yes or no."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from duelbox.core.match import Player

Kind = Literal["undo", "draw", "rematch", "pause"]
_ASKS: dict[Kind, str] = {
    "undo": "asks to undo their last move",
    "draw": "offers a draw",
    "rematch": "asks for a rematch",
    "pause": "asks to go on another time",
}
_DONE: dict[Kind, str] = {
    "undo": "The last move is undone.",
    "pause": "You both agreed to go on another time. The match waits.",
}
VOID = "That offer no longer stands."


@dataclass(frozen=True, slots=True)
class Offer:
    """A proposal; it stands until it is answered, or the position moves on."""

    id: int
    """What an answer names: so it never answers another offer."""
    by: Player
    kind: Kind

    def asks(self, name: str) -> str:
        """What this player proposes, in a sentence."""
        return f"{name} {_ASKS[self.kind]}."

    def answered(self, name: str, *, yes: bool) -> str:
        """What came of it, in a sentence; `name` gave the answer."""
        return (yes and _DONE.get(self.kind)) or f"{name} said {'yes' if yes else 'no'}."

    def lapsed(self, whose: str) -> str:
        """That it is void, in a sentence; `whose` is Your or Their."""
        return f"{whose} offer ({self.kind}) is void now."
