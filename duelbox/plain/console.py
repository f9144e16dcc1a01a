"""Lines in, lines out: no escape sequences, no cursor, no colour."""

from __future__ import annotations

import shutil
from typing import TextIO

_SCREEN = 50
_TALLEST = 500


class InputEnded(Exception):
    """There is nothing more to read."""


class Console:
    """Asks and tells, line by line."""

    def __init__(self, source: TextIO | None, sink: TextIO) -> None:
        self._source = source
        self._sink = sink
        # A terminal shows what is typed; a pipe does not, and its transcript should read the same.
        self._echo = source is not None and not source.isatty()

    def say(self, text: str = "") -> None:
        """Print a text and end the line."""
        self._sink.write(f"{text}\n")

    def ask(self, question: str) -> str:
        """Print a question and read a line; raises InputEnded."""
        self._sink.write(question)
        self._sink.flush()
        line = self._source.readline() if self._source else ""
        if not line:
            self.say()
            raise InputEnded
        answer = line.strip()
        if self._echo:
            self.say(visible(answer))
        return answer

    def push_away(self) -> None:
        """Print blank lines until what stands on the screen has left it."""
        height = min(max(_SCREEN, shutil.get_terminal_size().lines), _TALLEST)
        self.say("\n" * height)


def visible(text: str) -> str:
    """A text that cannot act on a terminal: whatever does not print is written as an escape."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
