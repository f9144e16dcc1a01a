"""A small parent that waits for the app, and restores the terminal when the app no longer can.

It covers what no handler inside the app can: SIGKILL, a segmentation fault, and an event loop too busy to hear SIGTERM.
It imports little and runs before anything large is loaded: what Python holds when it forks, the supervisor keeps.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

_GRACE = 3  # seconds an app that was told to end has for doing so

# Cancel a sequence cut off in the middle; end synchronised output, pastes, reports, mouse, kitty keys; give the window
# its title back; wrap lines; clear the picture, for terminals with one screen only; leave the alternate screen; plain
# colours; show the cursor.
_RESTORE = (
    b"\x18\x1b[?2026l\x1b[?2004l\x1b[?2048l\x1b[?1004l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[<u"
    b"\x1b[23;2t\x1b[?7h\x1b[m\x1b[2J\x1b[H\x1b[?1049l\x1b[m\x1b[?25h"
)

_lifeline: int | None = None


def lifeline() -> int | None:
    """The end of a pipe that closes when whoever watches this process is gone; None where nobody does."""
    return _lifeline


def supervised(work: Callable[[], int], program: str) -> int:
    """Do the work in a child, and give its status back; the terminal is restored whatever became of the child.

    `program` is its name, for the sentence that says what ended it. In a child that is supervised, nothing is added.
    """
    global _lifeline
    if _lifeline is not None or sys.platform == "win32" or sys.stdin is not sys.__stdin__ or not os.isatty(0):
        return work()
    try:
        import termios
    except ImportError:
        return work()

    heard = {signal.SIGCHLD, signal.SIGALRM, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT}
    heard |= {signal.SIGTSTP}
    before = termios.tcgetattr(0)
    reader, writer = os.pipe()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, heard)
    child = os.fork()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.close(writer)
        _lifeline = reader
        return work()
    os.close(reader)

    def restore() -> None:
        with suppress(termios.error, OSError):
            if termios.tcgetattr(0) != before:
                os.write(1, _RESTORE)
                termios.tcsetattr(0, termios.TCSAFLUSH, before)

    status = _wait(child, heard, restore)
    restore()
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if not os.WIFSIGNALED(status):
        return os.waitstatus_to_exitcode(status)
    number = os.WTERMSIG(status)
    with suppress(OSError):
        os.write(2, f"{program} was ended by {signal.Signals(number).name}.\n".encode())
    return 128 + number


def _wait(child: int, heard: set[signal.Signals], restore: Callable[[], None]) -> int:
    """Stop and go with the child, hand on what is meant for it, and return how it ended.

    All signals are blocked and taken one by one: so SIGCONT undoes a stop that nobody has looked at yet.
    """

    def goes_on() -> bool:
        return os.waitpid(child, os.WCONTINUED | os.WNOHANG) != (0, 0)

    signal.signal(signal.SIGCHLD, lambda *_: None)  # where it is ignored, it would never be heard
    while True:
        number = signal.sigwait(heard)
        found, status = os.waitpid(child, os.WUNTRACED | os.WNOHANG)
        if found and not os.WIFSTOPPED(status):
            return status
        if found and not goes_on():  # else both were stopped and both woken, before this one could look
            restore()
            os.kill(os.getpid(), signal.SIGSTOP)
            if not goes_on():  # a shell wakes both; others may have woken only this one
                os.kill(child, signal.SIGCONT)
        elif number == signal.SIGALRM:
            os.kill(child, signal.SIGKILL)
        elif number != signal.SIGCHLD and not (found and number == signal.SIGTSTP):  # that stop has been
            os.kill(child, number)
            if number != signal.SIGTSTP:
                signal.alarm(_GRACE)
