"""A program in any language as a player: it is asked in lines of text, and answers in lines of text.

Nothing it does can hurt more than itself: it has its own session and environment, its lines are short and printable,
its time is counted, and it is ended with all that it started.
"""

from __future__ import annotations

import errno
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from threading import RLock
from time import monotonic

from duelbox.bots import leftovers
from duelbox.bots.leftovers import MARK, end_all
from duelbox.bots.seen import SeenGame
from duelbox.core.code import format_code
from duelbox.core.errors import DuelboxError
from duelbox.core.model import Seat
from duelbox.core.record import RUN
from duelbox.core.session import Session
from duelbox.registry import talk_of

__all__ = ["RUN", "Program", "ProgramFault", "check_command", "result_for", "words_of"]

GREETING = "hello duelbox 1"
START = 5.0
"""Seconds for the answer to the greeting."""
TURN = 10.0
"""Seconds for a move, unless told otherwise."""
LEAVE = 0.5
"""Seconds to leave after `quit`, and then after SIGTERM."""
LONGEST = 64 * 1024
"""The most bytes of a line, and of what is kept of the error output."""
MOST_LINES = 10_000
"""The most lines before a move."""
CPU = 3600
"""Seconds of CPU that a program may use in all, where the system can limit them."""
LOOK = 0.05
"""Seconds between two looks at the flag that stops the wait for a move."""
MEGABYTE = 1024 * 1024


class ProgramFault(DuelboxError):
    """A program broke the protocol, was late, or is gone."""

    def __init__(self, name: str, fault: str) -> None:
        super().__init__(f"{name} {fault}.")
        self.fault = fault
        """The fault as a clause after the name of the program."""


class Program:
    """A program at the table. `ask` starts it if need be; use it in a `with` block, which ends it.

    Several threads may use it: one of them waits for its move, another may end it.
    """

    def __init__(self, command: str, seconds: float = TURN, memory: int | None = None) -> None:
        """`memory` are the megabytes it may use; None for no limit."""
        self.command = command
        self.seconds = seconds
        self.memory = memory
        self.name = ""
        """The name it gave itself."""
        self.info = ""
        """The last thing it said about its move."""
        self.said = ""
        """The last thing it said at all."""
        self.begun: float | None = None
        """The `monotonic` time at which it was asked for the move it thinks about."""
        self.used = 0.0
        """The seconds it took for its last move."""
        self._lock = RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._watcher: subprocess.Popen[bytes] | None = None
        self._check: Callable[[], object] | None = None
        self._mark = ""
        self._read = bytearray()
        self._lines: deque[bytes] = deque()
        self._errors = bytearray()
        self._silent = False
        """It closed its error output."""

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def errors(self) -> str:
        """The end of its error output."""
        return self._errors.decode("utf-8", "replace")

    @property
    def last_error(self) -> str:
        """The last line of its error output that is not empty, in printable ASCII; empty if there is none."""
        lines = [line.strip() for line in self.errors.splitlines() if line.strip()]
        if not lines:
            return ""
        return "".join(char if char.isascii() and char.isprintable() else "?" for char in lines[-1])

    # -- the protocol

    def ask(self, session: Session, check: Callable[[], object] | None = None) -> str:
        """Its move for the player to move, as text; raises ProgramFault.

        `check` is called again and again meanwhile. What it raises ends the program.
        """
        with self._lock:
            self.info = ""
            self._check = check
            try:
                if self._process is None:
                    self._start()
                self.begun = monotonic()
                return self._move(session)
            except BaseException:
                self.end(at_once=True)
                raise
            finally:
                if self.begun is not None:
                    self.used = monotonic() - self.begun
                self.begun = None

    def _move(self, session: Session) -> str:
        seat = session.turn
        assert seat is not None
        legal = [session.game.format_move(move) for move in session.legal_moves()]
        self._send(f"turn {self.seconds:g} {'.'.join(legal)} {_position(session, seat)}")
        deadline = monotonic() + self.seconds
        for _ in range(MOST_LINES):
            word, _, rest = self._line(deadline, "a move").partition(" ")
            if word == "info":
                self.info = rest.strip()
                self.said = self.info or self.said
            elif word == "board?":
                self._tell(talk_of(session.game).board(session.view(seat)), deadline)
            elif word == "rules?":
                self._tell("\n".join(SeenGame.of(session, seat).rules), deadline)
            elif word == "move" and rest in legal:
                return rest
            elif word == "move":
                raise self._fault(f"played {rest[:24]!a}, which is not legal here")
            else:
                raise self._fault(f"said {word[:24]!a} where a move was asked for")
        raise self._fault(f"said more than {MOST_LINES} lines before its move")

    def over(self, result: str) -> None:
        """Tell it that a game ended: "win", "loss" or "draw"; the next may follow. Never waits."""
        if not self._lock.acquire(blocking=False):
            return  # it is asked just now, or ends
        try:
            process = self._process
            if process is not None and process.stdin is not None:
                with suppress(OSError):
                    os.write(process.stdin.fileno(), f"over {result}\n".encode())
        finally:
            self._lock.release()

    def end(self, *, at_once: bool = False) -> None:
        """Ask it to leave, and end it with all that it started; `at_once` waits for SIGTERM alone."""
        with self._lock:
            process = self._process
            if process is None:
                return
            self._process = None
            assert process.stdin is not None
            with suppress(OSError):
                os.write(process.stdin.fileno(), b"quit\n")
            with suppress(OSError):
                process.stdin.close()
            if not at_once:
                _left(process, LEAVE)
            for number in (signal.SIGTERM, signal.SIGKILL):
                with suppress(OSError):
                    os.killpg(process.pid, number)
                _left(process, LEAVE)
            end_all(self._mark)
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
            if self._watcher is not None:
                self._watcher.kill()
                self._watcher.communicate()
                self._watcher = None

    # -- the process

    def _start(self) -> None:
        """Start the process and take its greeting."""
        self._mark = os.urandom(16).hex()
        self._read.clear()
        self._lines.clear()
        self._silent = False
        words = words_of(self.command)
        self._watcher = _watcher(self._mark)
        try:
            process = self._opened(words)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self._watch(0)
            raise ProgramFault(words[0][:60], f"cannot be started: {reason}") from None
        self._process = process
        self._watch(process.pid)
        self._limit(process.pid)
        for stream in (process.stdin, process.stdout, process.stderr):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
        self._send(GREETING)
        word, _, name = self._line(monotonic() + START, "ready").partition(" ")
        if word != "ready" or not name.strip():
            raise self._fault(f"said {word[:24]!a} where its greeting was to be 'ready NAME'")
        self.name = name.strip()[:24]

    def _opened(self, words: Sequence[str]) -> subprocess.Popen[bytes]:
        """A process in a session of its own, without our variables and with our mark."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("DUELBOX_")}
        environment[MARK] = self._mark
        return subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
            bufsize=0,
        )

    def _watch(self, group: int) -> None:
        """Tell the watching process which group it ends if this process is killed; none ends the watcher."""
        watcher = self._watcher
        if watcher is None:
            return
        assert watcher.stdin is not None
        if group:
            with suppress(OSError):
                watcher.stdin.write(f"{group}\n".encode())
        else:
            watcher.kill()
            watcher.communicate()
            self._watcher = None

    def _limit(self, pid: int) -> None:
        """Limit the CPU time of the process, and its memory if that was asked for, where the system can."""
        with suppress(ImportError, AttributeError, OSError, ValueError):
            import resource

            resource.prlimit(pid, resource.RLIMIT_CPU, (CPU, CPU))
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
            if self.memory is not None:
                most = self.memory * MEGABYTE
                resource.prlimit(pid, resource.RLIMIT_AS, (most, most))

    def _send(self, line: str) -> None:
        """Write a line; raises ProgramFault if the program does not take it."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        left = line.encode("ascii", "replace") + b"\n"
        deadline = monotonic() + START
        while left:
            try:
                left = left[os.write(process.stdin.fileno(), left) :]
            except BlockingIOError:
                if monotonic() > deadline:
                    raise self._fault("does not read what it is told") from None
                self._look()
                self._take(LOOK)
            except OSError:
                raise self._gone() from None

    def _tell(self, text: str, deadline: float) -> None:
        """Answer a question with lines up to a line with a dot."""
        if monotonic() > deadline:
            raise self._late("a move")
        for line in [*text.splitlines(), "."]:
            self._send(line or " ")

    def _line(self, deadline: float, wanted: str) -> str:
        """The next line; raises ProgramFault if there is none in time, or if it is no printable ASCII."""
        process = self._process
        assert process is not None
        while not self._lines:
            left = deadline - monotonic()
            if left <= 0:
                raise self._late(wanted)
            self._look()
            if not self._take(min(left, LOOK)) and not self._lines:
                raise self._gone()
            if len(self._read) > LONGEST:
                raise self._fault(f"sent a line of more than {LONGEST // 1024} KiB")
        line = self._lines.popleft().rstrip(b"\r")
        if len(line) > LONGEST or not all(32 <= byte < 127 for byte in line):
            raise self._fault("sent a line that is not short, printable ASCII")
        return line.decode("ascii")

    def _take(self, seconds: float) -> bool:
        """Take what the program wrote within this time; False if it closed its output."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        assert process.stderr is not None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            if not self._silent:
                selector.register(process.stderr, selectors.EVENT_READ)
            ready = {key.fileobj for key, _ in selector.select(seconds)}
        if process.stderr in ready:
            said = os.read(process.stderr.fileno(), LONGEST)
            self._silent = not said
            self._errors += said
            del self._errors[:-LONGEST]
        if process.stdout not in ready:
            return process.poll() is None or bool(ready)
        found = os.read(process.stdout.fileno(), LONGEST)
        self._read += found
        *lines, rest = bytes(self._read).split(b"\n")
        self._lines.extend(lines)
        self._read[:] = rest
        return bool(found)

    def _look(self) -> None:
        """Call the function that may stop the wait."""
        if self._check is not None:
            self._check()

    # -- faults

    def _fault(self, what: str) -> ProgramFault:
        shown = self.name or PurePath(shlex.split(self.command)[0]).name[:24]
        return ProgramFault(f"The program {shown!a}", what)

    def _late(self, wanted: str) -> ProgramFault:
        return self._fault(f"did not say {wanted} in time")

    def _gone(self) -> ProgramFault:
        process = self._process
        assert process is not None
        if _left(process, LEAVE):
            return self._fault(f"ended by itself, with status {process.returncode}")
        return self._fault("closed its output")


def words_of(command: str) -> list[str]:
    """The words of a command, as a shell splits them; raises ProgramFault."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ProgramFault(f"The command {command[:60]!a}", f"cannot be read: {error}") from None
    if not words:
        raise ProgramFault("run:", "needs a command, such as run:./greedy")
    if os.name == "nt":
        raise ProgramFault(words[0][:60], "cannot be started: programs do not play on Windows")
    return [_at_home(word) for word in words]


def check_command(command: str) -> None:
    """Raise ProgramFault if the command names no program that can be started, and start nothing."""
    first = words_of(command)[0]
    if shutil.which(first) is not None:
        return
    reason = errno.ENOENT
    if Path(first).exists():
        reason = errno.EACCES
    raise ProgramFault(first[:60], f"cannot be started: {os.strerror(reason)}")


def _position(session: Session, seat: Seat) -> str:
    """The position as a program gets it: the code, or with hidden hands what the player sees, as JSON."""
    if session.game.INFO.hidden:
        return SeenGame.of(session, seat).model_dump_json()
    return format_code(session.game, session.options, session.moves)


def result_for(seat: Seat, winner: Seat | None) -> str:
    """The end of a game as a program in this seat is told of it."""
    if winner is None:
        return "draw"
    if winner == seat:
        return "win"
    return "loss"


def _at_home(word: str) -> str:
    """A word of a command, with the player's folder for ~/, as a shell has it."""
    if word.startswith("~/"):
        with suppress(RuntimeError):
            return str(Path(word).expanduser())
    return word


def _left(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait for the process; True if it is gone."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _watcher(mark: str) -> subprocess.Popen[bytes] | None:
    """A process that ends everything with this mark once this one is gone; None where it cannot be started."""
    with suppress(OSError, ValueError, TypeError):
        return subprocess.Popen(
            [sys.executable, "-I", "-S", leftovers.__file__, mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={},
            start_new_session=True,
            bufsize=0,
        )
    return None
