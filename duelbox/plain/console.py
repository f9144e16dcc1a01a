"""Lines in, lines out: no cursor, no colour, and no escape sequence but the one that clears a hidden hand away."""

from __future__ import annotations

import os
import shutil
from time import sleep
from typing import TextIO

from duelbox.core.names import printable

_SCREEN = 50
_TALLEST = 500
# The scrollback comes last: some terminals move what they clear off the screen into it.
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
# A key pressed twice by mistake comes within this many seconds.
_TWICE = 0.3


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
        self.write(question)
        line = self.read()
        if line is None:
            self.say()
            raise InputEnded
        self.echo(line)
        return line

    def read(self) -> str | None:
        """The next line that is typed; None at the end of the input."""
        line = self._source.readline() if self._source else ""
        return line.strip() if line else None

    def write(self, question: str) -> None:
        """Print a question, to be answered when it is."""
        self._sink.write(question)
        self._sink.flush()

    def echo(self, answer: str) -> None:
        """Print an answer where nobody sees it typed."""
        if self._echo:
            self.say(printable(answer))

    def flush(self) -> None:
        """Let what was printed be seen now."""
        self._sink.flush()

    def ring(self) -> None:
        """Ring the bell of a terminal."""
        if self._sink.isatty():
            self._sink.write("\a")

    @property
    def interactive(self) -> bool:
        """Somebody types, so lines may come unasked."""
        return not self._echo

    @property
    def can_clear(self) -> bool:
        """Printed text can be taken off the screen for good."""
        return self._sink.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    def push_away(self) -> None:
        """Clear the screen and what can be scrolled back to, or else print blank lines until nothing is left on the
        screen; and forget keys pressed once too often."""
        if self.can_clear:
            self._sink.write(_CLEAR)
        else:
            height = min(max(_SCREEN, shutil.get_terminal_size().lines), _TALLEST)
            self.say("\n" * height)
        if self._source is not None and not self._echo:
            self._sink.flush()
            sleep(_TWICE)
            _forget_keys(self._source)


def _forget_keys(terminal: TextIO) -> None:
    """Drop what was typed ahead: a second Enter must not open the other player's hand."""
    try:
        from termios import TCIFLUSH, tcflush
    except ImportError:  # not on this system
        return
    tcflush(terminal.fileno(), TCIFLUSH)
