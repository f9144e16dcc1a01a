"""Asks the terminal how many cells wide it draws a sign, and finds its answers among the keys.

The terminal is asked for the place of its cursor after it has drawn the sign (DECXCPR). No key sends anything like the
answer, so it can be told from the keys even if it comes much later.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Final

from rich.console import Console
from rich.control import Control
from rich.segment import Segment
from rich.style import Style
from textual import constants
from textual.message import Message
from textual.strip import Strip

_ANSWER: Final = re.compile(r"\x1b\[\?([\d;]{0,40})R")
_BEGINNING: Final = re.compile(r"\x1b(?:\[(?:\?[\d;$]{0,40})?)?\Z")
_REPORT: Final = "\x1b[?"
"""The beginning of reports, and of no key."""
_PAUSE: Final = 1.0  # seconds of silence after which the rest of a report does not come
_ASK: Final = "\x1b[?6n"
_KEEP_CURSOR, _CURSOR_BACK = "\x1b7", "\x1b8"
_ROOM: Final = 4  # cells for each sign: terminals without UTF-8 draw three


class CursorPlace(Message):
    """The terminal's answer: the place of its cursor, from 0."""

    def __init__(self, x: int, y: int) -> None:
        super().__init__()
        self.x = x
        self.y = y


class Answers:
    """Takes the terminal's answers out of the input, even those that come in several pieces."""

    def __init__(self) -> None:
        self._begun = ""
        self._since = 0.0

    @property
    def is_waiting(self) -> bool:
        """True if the input so far ends with what may become an answer."""
        return bool(self._begun)

    def sort(self, data: str) -> Iterator[str | CursorPlace]:
        """The keys and the answers of this input, in order; what may become an answer is held back."""
        text = self._begun + data
        beginning = _BEGINNING.search(text)
        self._begun = ""
        if beginning is not None:
            self._begun = beginning[0]
            self._since = monotonic()
            text = text[: beginning.start()]
        end = 0
        for answer in _ANSWER.finditer(text):
            if keys := text[end : answer.start()]:
                yield keys
            yield from _place(answer[1])
            end = answer.end()
        if keys := text[end:]:
            yield keys

    def overdue(self) -> str:
        """The keys that were held back and are no answer, as nothing has come for a while."""
        silence = monotonic() - self._since
        if self._begun.startswith(_REPORT):
            if silence >= _PAUSE:
                self._begun = ""
        elif self._begun and silence >= constants.ESCAPE_DELAY:
            keys = self._begun
            self._begun = ""
            return keys
        return ""


def _place(numbers: str) -> Iterator[CursorPlace]:
    """The place in an answer: row, column and, from some terminals, page; none if it is nonsense."""
    fields = numbers.split(";")
    if len(fields) in (2, 3) and all(field.isdigit() and len(field) < 6 for field in fields):
        yield CursorPlace(int(fields[1]) - 1, int(fields[0]) - 1)


class WidthQuestion:
    """The question for the widths of some signs, with its answers so far."""

    def __init__(self, signs: str, strips: Iterable[Strip]) -> None:
        """`strips` are the rows of the screen; the signs are drawn where one of them is blank, unseen."""
        self._signs = signs
        self._widths: dict[int, int] = {}
        self._blank = _blank_cells(strips, _ROOM * len(signs))

    def sequence(self, console: Console) -> str:
        """Draw each sign and ask after it, then restore cells and cursor; "" if no row has enough blank cells."""
        if self._blank is None:
            return ""
        x, y, style = self._blank
        unseen = style + Style(color=style.bgcolor, conceal=True)
        parts = [_KEEP_CURSOR]
        for number, sign in enumerate(self._signs):
            parts += (_move_to(x + _ROOM * number, y), Strip([Segment(sign, unseen)]).render(console), _ASK)
        blanks = Strip([Segment(" " * _ROOM * len(self._signs), style)])
        return "".join((*parts, _move_to(x, y), blanks.render(console), _CURSOR_BACK))

    def take(self, place: CursorPlace) -> tuple[int, ...] | None:
        """Take an answer; the widths of all signs when the last one is known."""
        if self._blank is None or place.y != self._blank[1] or place.x < self._blank[0]:
            return None
        number, width = divmod(place.x - self._blank[0], _ROOM)
        if number >= len(self._signs) or number in self._widths:
            return None
        self._widths[number] = width
        if len(self._widths) < len(self._signs):
            return None
        return tuple(self._widths[number] for number in range(len(self._signs)))


def _blank_cells(strips: Iterable[Strip], room: int) -> tuple[int, int, Style] | None:
    """Column, row and style of so many blank cells side by side."""
    for y, strip in enumerate(strips):
        x = 0
        for segment in strip:
            if segment.cell_length >= room and segment.text.isspace():
                return x, y, segment.style or Style.null()
            x += segment.cell_length
    return None


def _move_to(x: int, y: int) -> str:
    return Control.move_to(x, y).segment.text
