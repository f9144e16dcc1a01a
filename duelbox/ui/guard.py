"""A small parent that waits for the app, and restores the terminal when the app no longer can.

It covers what no handler inside the app can: SIGKILL, a segmentation fault, and an event loop too busy to hear SIGTERM.
This module must stay quick to import and free of Textual; it runs before anything large is loaded.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Final

__all__ = ["guarded", "lifeline"]

_GRACE: Final = 3  # seconds an app that was told to end has for doing so
_PASSED_ON: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP")

# Cancel a sequence cut off in the middle; end synchronised output, pastes, reports, mouse, kitty keys; wrap lines;
# leave the alternate screen; plain colours; show the cursor.
_RESTORE: Final = (
    b"\x18\x1b[?2026l\x1b[?2004l\x1b[?2048l\x1b[?1004l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[<u"
    b"\x1b[?7h\x1b[?1049l\x1b[m\x1b[?25h"
)

_lifeline: int | None = None


def lifeline() -> int | None:
    """The end of a pipe that closes when the guard of this process is gone; None where there is no guard."""
    return _lifeline


def guarded(work: Callable[[], int]) -> int:
    """Do the work in a child, and give its status back; the terminal is restored whatever became of the child."""
    if sys.platform == "win32" or sys.stdin is not sys.__stdin__ or not os.isatty(0):
        return work()
    import termios

    global _lifeline
    before = termios.tcgetattr(0)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(writer)
        _lifeline = reader
        return work()
    os.close(reader)

    def restore() -> None:
        with suppress(termios.error, OSError):
            if termios.tcgetattr(0) != before:
                os.write(1, _RESTORE)
                termios.tcsetattr(0, termios.TCSAFLUSH, before)

    return _wait(child, restore)


def _wait(child: int, restore: Callable[[], None]) -> int:
    """Stop and go with the child, hand on what is meant for it, and return its status."""

    def pass_on(number: int, _: FrameType | None) -> None:
        os.kill(child, number)
        if number != signal.SIGTSTP:
            signal.alarm(_GRACE)

    def goes_on() -> bool:
        return os.waitpid(child, os.WCONTINUED | os.WNOHANG) != (0, 0)

    for name in _PASSED_ON:
        signal.signal(getattr(signal, name), pass_on)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            break
        if goes_on():
            continue  # both were stopped and both woken, before this one could look
        restore()
        os.kill(os.getpid(), signal.SIGSTOP)
        if not goes_on():  # a shell wakes both; others may have woken only this one
            os.kill(child, signal.SIGCONT)
    restore()
    if not os.WIFSIGNALED(status):
        return os.waitstatus_to_exitcode(status)
    number = os.WTERMSIG(status)
    with suppress(OSError):
        os.write(2, f"duelbox was ended by {signal.Signals(number).name}.\n".encode())
    return 128 + number
