"""The signs that tell things apart without colour, in Unicode and in plain ASCII."""

from __future__ import annotations

from dataclasses import dataclass

from duelbox.core.model import Seat


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs; every one is a single cell wide."""

    seats: tuple[str, str]
    """Player 1's and Player 2's sign."""
    left: str
    right: str
    """What stands round the number under the cursor."""
    nobody: str
    """A number for nobody."""
    hidden: str
    """The back of a card."""
    box: str
    """Corners and sides: top left, top, top right, side, bottom right, bottom, bottom left."""
    bold_box: str
    """The same for the last move."""
    dot: str
    """Part of a thin dotted line."""
    enter: str
    arrows: str
    up: str
    """Points at the player to move."""

    def seat(self, seat: Seat) -> str:
        """A player's sign."""
        return self.seats[seat]


UNICODE = Glyphs(
    seats=("●", "◆"),
    left="▸",
    right="◂",
    nobody="·",
    hidden="▒",
    box="╭─╮│╯─╰",
    bold_box="╔═╗║╝═╚",
    dot="·",
    enter="↵",
    arrows="←→",
    up="▸",
)
ASCII = Glyphs(
    seats=("o", "#"),
    left=">",
    right="<",
    nobody=".",
    hidden="?",
    box="+-+|+-+",
    bold_box="*=*I*=*",
    dot=".",
    enter="Enter",
    arrows="<>",
    up=">",
)
