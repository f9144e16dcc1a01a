"""A small parent process that waits for the app and restores the terminal if the app cannot.

The app cannot after SIGKILL or a segmentation fault, or when its event loop is too busy for SIGTERM. This module
imports little, and the parent forks before anything large is loaded: what Python holds when it forks, the parent keeps.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

_GRACE = 3  # seconds an app has to end after a signal

# Cancel a sequence cut off in the middle; end synchronised output, pastes, reports, mouse, kitty keys; give the window
# its title back; wrap lines; clear the picture, for terminals with one screen only; leave the alternate screen; plain
# colours; show the cursor.
_RESTORE = (
    b"\x18\x1b[?2026l\x1b[?2004l\x1b[?2048l\x1b[?1004l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[<u"
    b"\x1b[23;2t\x1b[?7h\x1b[m\x1b[2J\x1b[H\x1b[?1049l\x1b[m\x1b[?25h"
)

Terminal = list[int | list[bytes | int]]
"""The settings of a terminal, as termios has them."""
_lifeline: int | None = None


def lifeline() -> int | None:
    """A pipe that closes when the supervisor of this process dies; None without supervisor."""
    return _lifeline


def supervised(work: Callable[[], int], program: str) -> int:
    """Do the work in a child process, restore the terminal after it, and return its exit status.

    `program` is its name in the sentence about the signal that ended it. A child process that is supervised already
    does the work itself.
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
    status = _wait(child, heard, before)
    _restore(before)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if not os.WIFSIGNALED(status):
        return os.waitstatus_to_exitcode(status)
    number = os.WTERMSIG(status)
    with suppress(OSError):
        os.write(2, f"{program} was ended by {signal.Signals(number).name}.\n".encode())
    return 128 + number


def _restore(before: Terminal) -> None:
    """Bring the terminal back to these settings, unless it has them."""
    import termios

    with suppress(termios.error, OSError):
        if termios.tcgetattr(0) != before:
            os.write(1, _RESTORE)
            termios.tcsetattr(0, termios.TCSAFLUSH, before)


def _wait(child: int, heard: set[signal.Signals], before: Terminal) -> int:
    """Stop and continue together with the child, forward signals to it, and return its wait status.

    All signals are blocked and taken one by one, so that SIGCONT cancels a stop that was not handled yet.
    """

    def goes_on() -> bool:
        return os.waitpid(child, os.WCONTINUED | os.WNOHANG) != (0, 0)

    signal.signal(signal.SIGCHLD, lambda *_: None)  # an ignored SIGCHLD would never arrive
    while True:
        number = signal.sigwait(heard)
        changed, status = os.waitpid(child, os.WUNTRACED | os.WNOHANG)
        if changed and not os.WIFSTOPPED(status):
            return status
        if changed and not goes_on():  # otherwise both were stopped and continued meanwhile
            _restore(before)
            os.kill(os.getpid(), signal.SIGSTOP)
            if not goes_on():  # a shell continues both; others may have continued only the parent
                os.kill(child, signal.SIGCONT)
        elif number == signal.SIGALRM:
            os.kill(child, signal.SIGKILL)
        elif number != signal.SIGCHLD and not (changed and number == signal.SIGTSTP):  # already stopped
            os.kill(child, number)
            if number != signal.SIGTSTP:
                signal.alarm(_GRACE)
