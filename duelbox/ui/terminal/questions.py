"""Asks the terminal what it can draw, and finds its answers among the keys, however late and in how many pieces.

It is asked how many cells wide it draws some signs (the place of its cursor after each: DECXCPR), if it has 24-bit
colours (DECRQSS, after one of them was chosen) and for its version (XTVERSION). All terminals answer the last question
(DA1), and they answer in order: what is not known by then, the terminal cannot tell.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from time import monotonic
from typing import Final

from rich.console import Console
from rich.control import Control
from rich.segment import Segment
from rich.style import Style
from textual import constants
from textual.message import Message
from textual.strip import Strip

_ANSWER: Final = re.compile(
    # The place of the cursor. Without "?", as some terminals say it, the first row would be Shift+F3.
    r"\x1b\[\?(?P<place>[0-9;]{0,40})R"
    r"|\x1b\[(?P<bare_place>(?!0*1;)[0-9]{1,5};[0-9]{1,5})R"
    r"|\x1b\[\?(?P<attributes>[0-9;]{0,80})c"
    r"|\x1bP[01]\$r(?P<colour>[^\x1b]{0,80})\x1b\\"
    r"|\x1bP>\|(?P<version>[^\x1b]{0,80})\x1b\\"
)
_BEGINNING: Final = re.compile(
    r"\x1b(?:"
    r"(?P<report>\[[?<][0-9;$]{0,80}|\[[0-9]{1,5}(;[0-9]{0,5})?|P(?:[01]\$|>\|)[^\x1b]{0,80}\x1b?)"
    r"|\[|P[01>]?|P[01]\$"
    r")?\Z"
)
"""The beginning of an answer; a `report`, of the mouse as well, is no key as it stands."""
FEW_COLOURS: Final = 16
MANY_COLOURS: Final = 256
FINE_COLOURS: Final = 1 << 24
_PAUSE: Final = 1.0  # seconds of silence after which the rest of a report does not come
_COLOUR: Final = "1:2:3"  # red, green and blue: no palette has it
_ASK_PLACE: Final = "\x1b[?6n"
_ASK_VERSION: Final = "\x1b[>0q"
_ASK_ATTRIBUTES: Final = "\x1b[c"
_ASK_COLOUR: Final = f"\x1b[38;2;{_COLOUR.replace(':', ';')}m\x1bP$qm\x1b\\\x1b[m"
_KEEP_CURSOR, _CURSOR_BACK = "\x1b7", "\x1b8"
_ROOM: Final = 4  # cells for each sign: terminals without UTF-8 draw three


class Answer(Message):
    """An answer of the terminal: its kind, as the groups of `_ANSWER` are called, and what it says."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__()
        self.kind = kind
        self.text = text

    @property
    def place(self) -> tuple[int, int] | None:
        """Column and row of the cursor, from 0; None if the answer is nonsense or another one."""
        fields = self.text.split(";")  # row, column and, from some terminals, page
        if self.kind != "place" or len(fields) not in (2, 3):
            return None
        if not all(0 < len(field) < 6 for field in fields):
            return None
        return int(fields[1]) - 1, int(fields[0]) - 1

    @property
    def is_the_colour(self) -> bool:
        """True if the colour in force is the one that was chosen for the question."""
        return f":{_COLOUR}" in self.text.replace(";", ":").replace("::", ":")


class Answers:
    """Takes the terminal's answers out of the input, even those that come in several pieces."""

    def __init__(self) -> None:
        self._begun = ""
        self._is_report = False
        self._since = 0.0

    @property
    def is_waiting(self) -> bool:
        """True if the input so far ends with what may become an answer."""
        return bool(self._begun)

    def sort(self, data: str) -> Iterator[str | Answer]:
        """The keys and the answers of this input, in order; what may become an answer is held back."""
        text = self._begun + data
        beginning = _BEGINNING.search(text)
        self._begun = ""
        if beginning is not None:
            self._begun = beginning[0]
            self._is_report = beginning["report"] is not None
            self._since = monotonic()
            text = text[: beginning.start()]
        end = 0
        for answer in _ANSWER.finditer(text):
            if keys := text[end : answer.start()]:
                yield keys
            kind = (answer.lastgroup or "").removeprefix("bare_")
            yield Answer(kind, answer[answer.lastgroup or 0])
            end = answer.end()
        if keys := text[end:]:
            yield keys

    def overdue(self) -> str:
        """The keys that were held back and are no answer, as nothing has come for a while."""
        silence = monotonic() - self._since
        if self._is_report:
            if silence >= _PAUSE:
                self._begun = ""
        elif self._begun and silence >= constants.ESCAPE_DELAY:
            keys = self._begun
            self._begun = ""
            return keys
        return ""


class Questions:
    """The questions to a terminal, with its answers so far."""

    def __init__(self, signs: str, strips: Iterable[Strip], environ: Mapping[str, str] = os.environ) -> None:
        """`strips` are the rows of the screen; the signs are drawn where one of them is blank, unseen."""
        self.widths: tuple[int, ...] = ()
        """The cells in which the terminal draws each sign; empty if it did not say."""
        self.colours = FEW_COLOURS
        """The colours that it has for certain."""
        self._signs = signs
        self._blank = _blank_cells(strips, _ROOM * len(signs))
        self._width_of: dict[int, int] = {}
        self._has_answered_last = False
        # GNU screen passes DECRQSS on as text, and tmux may call itself the same.
        self._asks_colour = not (environ.get("TERM", "").startswith("screen") or environ.get("NO_COLOR"))

    def sequence(self, console: Console) -> str:
        """All questions: each sign is drawn and asked after, then cells and cursor are restored."""
        parts = [_KEEP_CURSOR]
        if self._blank is not None:
            x, y, style = self._blank
            unseen = style + Style(color=style.bgcolor, conceal=True)
            for number, sign in enumerate(self._signs):
                drawn = Strip([Segment(sign, unseen)]).render(console)
                parts += (_move_to(x + _ROOM * number, y), drawn, _ASK_PLACE)
            blanks = Strip([Segment(" " * _ROOM * len(self._signs), style)])
            parts += (_move_to(x, y), blanks.render(console))
        if self._asks_colour:
            parts.append(_ASK_COLOUR)
        return "".join((*parts, _ASK_VERSION, _CURSOR_BACK, _ASK_ATTRIBUTES))

    def take(self, answer: Answer) -> bool:
        """Take an answer; True if all have come by now and something is new."""
        before = self.widths, self.colours
        if answer.kind == "place":
            self._take_place(answer)
        elif answer.kind == "version":
            self.colours = max(self.colours, MANY_COLOURS)  # no terminal that tells its version is older than 2020
        elif answer.kind == "colour" and answer.is_the_colour:
            self.colours = FINE_COLOURS
        if answer.kind == "attributes" and not self._has_answered_last:
            self._has_answered_last = True
            return True
        return self._has_answered_last and before != (self.widths, self.colours)

    def _take_place(self, answer: Answer) -> None:
        place = answer.place
        if self._blank is None or place is None or place[1] != self._blank[1] or place[0] < self._blank[0]:
            return
        number, width = divmod(place[0] - self._blank[0], _ROOM)
        if number >= len(self._signs) or number in self._width_of:
            return
        self._width_of[number] = width
        if len(self._width_of) == len(self._signs):
            self.widths = tuple(self._width_of[number] for number in range(len(self._signs)))


def _blank_cells(strips: Iterable[Strip], room: int) -> tuple[int, int, Style] | None:
    """Column, row and style of so many blank cells side by side, below the first row."""
    for y, strip in enumerate(strips):
        x = 0
        for segment in strip:
            if y > 0 and segment.cell_length >= room and segment.text.isspace():
                return x, y, segment.style or Style.null()
            x += segment.cell_length
    return None


def _move_to(x: int, y: int) -> str:
    return Control.move_to(x, y).segment.text
