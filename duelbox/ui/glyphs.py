"""The signs drawn on the screen, in Unicode and in plain ASCII; they tell things apart without colour."""

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
    """A set of signs, each one cell wide; Unicode by default."""

    name: str = "unicode"
    seats: tuple[str, str] = ("●", "◆")
    """Player 1's and Player 2's sign."""
    hollow: tuple[str, str] = ("○", "◇")
    """Hollow signs: a number that only this player can take now."""
    safe: tuple[str, str] = ("◎", "◈")
    """A number that nobody can take from this player any more."""
    left: str = "▸"
    right: str = "◂"
    """The signs around the number under the cursor."""
    nobody: str = "·"
    """A number that nobody can take."""
    hidden: str = "╱"
    """The back of a card."""
    box: str = "╭─╮│╯─╰│"
    """Corners and sides, clockwise from the top left corner."""
    thin_box: str = "╭┄╮┊╯┄╰┊"
    """The box of a move that loses."""
    bold_box: str = "╔═╗║╝═╚║"
    """The box of the last move and of the best move."""
    heavy_box: str = "┏━┓┃┛━┗┃"
    """The box of the number under the cursor or in the move line."""
    track: str = "╭─╮│╯─╰│"
    """The line through the numbers of a ring, in the order of `box`."""
    reach: str = "┏━┓┃┛━┗┃"
    """The part of this line that a player reaches."""
    minus: str = "−"
    brackets: str = "[]"
    """The signs around a number that can be taken, in cells too small for a box."""
    unicode: bool = True
    """Unicode: boxes are filled with blocks, and large digits drawn with them."""
    dot: str = "·"
    """A dot of a thin line."""
    enter: str = "↵"
    pointer: str = "▸"
    """Points at the player to move."""
    win: str = "▲"
    draw: str = "="
    loss: str = "▽"
    """Verdicts on a move."""

    def seat(self, seat: Seat) -> str:
        """A player's sign."""
        return self.seats[seat]

    def verdict(self, verdict: str) -> str:
        """The sign of a verdict; "" for a chance."""
        return {"win": self.win, "draw": self.draw, "loss": self.loss}.get(verdict, "")


UNICODE = Glyphs()
LETTERS = Glyphs(name="letters", seats=("O", "X"), hollow=("o", "x"), safe=("@", "%"))
"""For small cells, in which filled circle and diamond look alike."""
ON_PAPER = Glyphs(hidden=" ")
"""For print: hidden numbers stay blank, so that a guess can be written there."""
ASCII = Glyphs(
    name="ascii",
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
    unicode=False,
    dot=".",
    enter="Enter",
    pointer=">",
    win="^",
    loss="v",
)


def chosen_glyphs(*, plain: bool, letters: bool) -> Glyphs:
    """The signs to draw with: in plain ASCII, or with letters for the players."""
    if plain:
        return ASCII
    return LETTERS if letters else UNICODE


KEYS = {"⏎": "Enter", "⌫": "Backspace", "↑": "Up", "↓": "Down", "←": "Left", "→": "Right"}
"""The names of keys that have a sign."""
_SIGNS = {
    "•●∙★": "*",
    "■": "#",
    "□": ".",
    "·": "-",
    "…": "~",
    "“”": '"',
    "‹◂←": "<",
    "›▸→": ">",
    "─━═┄╌▔↔": "-",
    "│┃║┊╎↕": "|",
    "┌┐└┘├┤┬┴┼╭╮╯╰┏┓┗┛╔╗╚╝╠╣╦╩╬╒╕╘╛╞╡╤╧╪╓╖╙╜╟╢╥╨╫": "+",
    "▁▂▃▄▅▆▇█▉▊▋▌▍▎▏▐▀▕": " ",
    "⠶": "=",
}
_PLAIN = str.maketrans({sign: plain for signs, plain in _SIGNS.items() for sign in signs})


class PlainSigns(LineFilter):
    """Replaces the signs that Textual draws, and "…", by ASCII; our boards are drawn in ASCII anyway."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The line in ASCII."""
        return [Segment(text.translate(_PLAIN), style) for text, style, _ in segments]
