"""The signs that tell things apart without colour, in Unicode and in plain ASCII."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

if TYPE_CHECKING:
    from duelbox.core.model import Seat


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs, in Unicode unless it is said otherwise; every one is a single cell wide."""

    seats: tuple[str, str] = ("●", "◆")
    """Player 1's and Player 2's sign."""
    hollow: tuple[str, str] = ("○", "◇")
    """The same hollow: a number that only this player can take at present."""
    safe: tuple[str, str] = ("◎", "◈")
    """The same with a heart: nobody can take it from them any more."""
    left: str = "▸"
    right: str = "◂"
    """What stands round the number under the cursor."""
    nobody: str = "·"
    """A number for nobody."""
    hidden: str = "╱"
    """The back of a card."""
    box: str = "╭─╮│╯─╰│"
    """Corners and sides, clockwise from the top left corner."""
    thin_box: str = "╭┄╮┊╯┄╰┊"
    """The same for a move that loses."""
    bold_box: str = "╔═╗║╝═╚║"
    """The same for the last move, and for the best."""
    heavy_box: str = "┏━┓┃┛━┗┃"
    """The same for what is under the cursor, or in the move line."""
    track: str = "╭─╮│╯─╰│"
    """The same for the line through the numbers of a ring."""
    reach: str = "┏━┓┃┛━┗┃"
    """The same for as far along it as a player reaches."""
    minus: str = "−"
    brackets: str = "[]"
    """Round a number that may be taken, where there is no room for a box."""
    braille: bool = True
    """Whether there are more signs than ASCII has: boxes are filled with blocks, large digits are drawn with them."""
    dot: str = "·"
    """Part of a thin dotted line."""
    enter: str = "↵"
    pointer: str = "▸"
    """Points at the player to move."""
    win: str = "▲"
    draw: str = "="
    loss: str = "▽"
    """The verdict on a move, where it has one of these."""

    def seat(self, seat: Seat) -> str:
        """A player's sign."""
        return self.seats[seat]

    def verdict(self, verdict: str) -> str:
        """The sign of a verdict; a chance has none."""
        return {"win": self.win, "draw": self.draw, "loss": self.loss}.get(verdict, "")


UNICODE = Glyphs()
ON_PAPER = Glyphs(hidden=" ")
"""Hidden numbers are left blank, to write a guess into."""
ASCII = Glyphs(
    seats=("O", "X"),
    hollow=("o", "x"),
    safe=("@", "%"),
    left=">",
    right="<",
    nobody=".",
    hidden="?",
    box="+-+|+-+|",
    thin_box=". .:. .:",
    bold_box="#=###=##",
    heavy_box="+=+|+=+|",
    track="/-\\|/-\\|",
    reach="/=\\|/=\\|",
    minus="-",
    braille=False,
    dot=".",
    enter="Enter",
    pointer=">",
    win="^",
    loss="v",
)

KEYS = {"⏎": "Enter", "⌫": "Backspace", "↑": "Up", "↓": "Down", "←": "Left", "→": "Right"}
"""What the keys are called that have a sign of their own."""
_SIGNS = {
    "•●∙★": "*",
    "·": "-",
    "…": "~",
    "‹◂": "<",
    "›▸": ">",
    "─━═┄╌▔↔": "-",
    "│┃║┊╎↕": "|",
    "┌┐└┘├┤┬┴┼╭╮╯╰┏┓┗┛╔╗╚╝╠╣╦╩╬╒╕╘╛╞╡╤╧╪╓╖╙╜╟╢╥╨╫": "+",
    "▁▂▃▄▅▆▇█▉▊▋▌▍▎▏▐▀▕": " ",
}
_PLAIN = str.maketrans({sign: plain for signs, plain in _SIGNS.items() for sign in signs})


class PlainSigns(LineFilter):
    """For what Textual draws, and for points of suspension: our own boards are plain from the start."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same line in plain signs."""
        return [Segment(text.translate(_PLAIN), style) for text, style, _ in segments]
