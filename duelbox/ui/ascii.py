"""Plain ASCII for terminals that have nothing else: whatever a widget draws, in signs of the same width."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

KEYS = {"⏎": "Enter", "⌫": "Backspace", "↑": "Up", "↓": "Down", "←": "Left", "→": "Right"}
"""What the keys are called that have a sign of their own."""
_SIGNS = {
    "•●∙★": "*",
    "·": "-",
    "…": "~",
    "‹◂": "<",
    "›▸": ">",
    "─━═┄╌▔": "-",
    "│┃║┊╎": "|",
    "┌┐└┘├┤┬┴┼╭╮╯╰┏┓┗┛╔╗╚╝╠╣╦╩╬╒╕╘╛╞╡╤╧╪╓╖╙╜╟╢╥╨╫": "+",
    "▁▂▃▄▅▆▇█▉▊▋▌▍▎▏▐▀▕": " ",
}
_PLAIN = str.maketrans({sign: plain for signs, plain in _SIGNS.items() for sign in signs})


class PlainSigns(LineFilter):
    """For what Textual draws, and for points of suspension: our own boards are plain from the start."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same line in plain signs."""
        return [Segment(text.translate(_PLAIN), style) for text, style, _ in segments]
