"""Reads and prints lines, without cursor or colour; the only escape sequence clears a hidden hand off the screen."""

from __future__ import annotations

import os
import shutil
from time import sleep
from typing import TextIO

from duelbox.core.names import printable

_SCREEN = 50
_TALLEST = 500
# the scrollback is cleared last: some terminals move the cleared screen into it
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
# the second of two presses by mistake comes within this many seconds
_TWICE = 0.3


class Console:
    """Reads lines from a source and prints lines to a sink."""

    def __init__(self, source: TextIO | None, sink: TextIO) -> None:
        self._source = source
        self._sink = sink
        # input from a pipe is printed, so that its transcript reads like one of a terminal
        self._echo = source is not None and not source.isatty()

    def say(self, text: str = "") -> None:
        """Print a text and end the line."""
        self._sink.write(f"{text}\n")

    def read(self) -> str | None:
        """The next line that is typed; None at the end of the input."""
        line = self._source.readline() if self._source else ""
        return line.strip() if line else None

    def write(self, question: str) -> None:
        """Print a question without waiting for the answer."""
        self._sink.write(question)
        self._sink.flush()

    def echo(self, answer: str) -> None:
        """Print an answer that came from a pipe."""
        if self._echo:
            self.say(printable(answer))

    def flush(self) -> None:
        """Show at once what was printed."""
        self._sink.flush()

    def ring(self) -> None:
        """Ring the bell of a terminal."""
        if self._sink.isatty():
            self._sink.write("\a")

    @property
    def interactive(self) -> bool:
        """Lines come from a keyboard, and may be typed unasked."""
        return not self._echo

    @property
    def can_clear(self) -> bool:
        """Printed text can be cleared off the screen and its scrollback."""
        return self._sink.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    def push_away(self) -> None:
        """Clear the screen and its scrollback, or push it away with blank lines; drop keys that were typed ahead."""
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
    """Drop keys that were typed ahead: a second Enter must not show the other player's hand."""
    try:
        from termios import TCIFLUSH, tcflush
    except ImportError:  # not on this system
        return
    tcflush(terminal.fileno(), TCIFLUSH)
