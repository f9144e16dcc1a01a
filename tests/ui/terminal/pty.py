"""Runs a program in a pseudo-terminal: reads its screen, the modes it leaves on, and its exit status.

The screen understands only what Textual sends (cursor moves, erasing, modes, text), forty lines instead of an emulator
as a dependency.
"""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import unicodedata
from codecs import getincrementaldecoder
from collections.abc import Callable, Mapping
from fcntl import ioctl
from pathlib import Path

TIME_LIMIT = 60.0  # seconds; passed only if a program hangs
PLAIN = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}

# Input that a terminal, a line or a paste may send unasked.
ODD = {
    "latin-1": b"caf\xe9 \xff\xfe",
    "X10 mouse report beyond column 95": b"\x1b[M \xff\xff\x1b[M#\xff\xff",
    "key beyond Unicode": b"\x1b[1114112u",
    "endless key": b"\x1b[1;" + b"9" * 40 + b"u",
    "surrogate": b"\x1b[55296u\x1b[97;1;55296u",
    "size of a building": b"\x1b[48;99999;99999;99999;99999t",
    "no size": b"\x1b[48;0;0;0;0t",
    "mouse far away": b"\x1b[<0;999999;999999M\x1b[<64;99999;99999M\x1b[<0;0;-5M\x1b[<35;0;0M",
    "cursor far away": b"\x1b[99999;99999R",
    "half a sequence": b"\x1b[<0;3",
    "all control codes but quit, suspend, palette": bytes(set(range(32)) - {0x11, 0x1A, 0x10, 0x1B}),
    "all high bytes": bytes(range(128, 256)) * 3,
    "other sequences": b"\x1b]0;title\x07\x1bP+q\x1b\\\x1b[?1;2c\x1b[?2048;9$y\x1bOZ\x1b[200;1u",
}

# A session leader gets its controlling terminal by opening it by name.
_TAKE_TTY = 'exec "$@" <>"$0" >&0 2>&0'

_TOKEN = re.compile(
    r"\x1b\[(?P<args>[0-?]*)(?P<between>[ -/]*)(?P<final>[@-~])"
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"
    r"|\x1bP(?P<device>[^\x1b]*)\x1b\\"
    r"|\x1b[()#][0-~]|\x1b[0-OQ-Z\\^-~=>]"
    r"|\x18|(?P<text>[^\x18\x1b]+)"
)


class Screen:
    """The cells and the modes of a terminal."""

    def __init__(self, width: int, height: int) -> None:
        self.modes: set[str] = set()
        self.kitty = 0
        self.title = ""
        self.wide = ""
        """Signs that this terminal draws two cells wide."""
        self.unseen = ""
        """The signs drawn so that nobody sees them."""
        self.answers: list[str] = []
        """The answers to its questions, in order."""
        self.version = "XTerm(379)"
        """The answer to a question for the version; "" for a terminal that does not know this question."""
        self.has_fine_colours = True
        self._colour = ""
        self._hides = False
        self._rest = ""
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.x = self.y = 0
        self.rows = [[" "] * width for _ in range(height)]

    @property
    def lines(self) -> list[str]:
        return ["".join(row) for row in self.rows]

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines)

    def find(self, text: str) -> tuple[int, int]:
        """The column and row where the text begins, from 0."""
        for y, line in enumerate(self.lines):
            if (x := line.find(text)) >= 0:
                return x, y
        raise LookupError(f"{text!r} is not on the screen:\n{self.text}")

    def feed(self, data: str) -> None:
        data, self._rest = self._rest + data, ""
        at = 0
        while at < len(data):
            token = _TOKEN.match(data, at)
            if token is None:  # the rest comes later, or never: another sequence cancels this one
                cancel = re.compile("[\x18\x1b]").search(data, at + 1)
                if cancel is None:
                    self._rest = data[at:]
                    return
                at = cancel.start()
                continue
            at = token.end()
            if token["text"] is not None:
                self._write(token["text"])
            elif token["device"] == "$qm" and self.version:
                self.answers.append(f"\x1bP1$r0;{self._colour}m\x1b\\")
            elif token["final"] is not None:
                self._control(token["args"], token["between"], token["final"])

    def _control(self, args: str, between: str, final: str) -> None:
        if final in "hl" and args.startswith("?"):
            (self.modes.update if final == "h" else self.modes.difference_update)(args[1:].split(";"))
        elif final == "u" and args[:1] in "<>" and args:
            self.kitty += 1 if args[0] == ">" else -1
        elif final == "H":
            row, _, column = args.partition(";")
            self.y, self.x = int(row or 1) - 1, int(column or 1) - 1
        elif final == "n" and args == "?6":
            self.answers.append(f"\x1b[?{self.y + 1};{self.x + 1};1R")
        elif final == "c" and not args:
            self.answers.append("\x1b[?64;1;22c")
        elif final == "q" and args == ">0" and self.version:
            self.answers.append(f"\x1bP>|{self.version}\x1b\\")
        elif final == "m":
            colour = re.search(r"38;2;[0-9;]+", args)
            self._colour = colour[0].replace(";", ":") if colour and self.has_fine_colours else ""
            self._hides = "8" in re.sub(r"[34]8;(5;\d+|2;\d+;\d+;\d+)", "", args).split(";")
        elif final == "J" and not between:
            self.rows = [[" "] * self.width for _ in range(self.height)]

    def _write(self, text: str) -> None:
        for character in text:
            if character == "\n":
                self.y += 1
            elif character == "\r":
                self.x = 0
            elif character >= " ":
                if self._hides:
                    self.unseen += character
                elif 0 <= self.y < self.height and 0 <= self.x < self.width:
                    self.rows[self.y][self.x] = character
                is_wide = character in self.wide or unicodedata.east_asian_width(character) in "WF"
                self.x += 2 if is_wide else 1


class Ended(AssertionError):
    """The program ended too early."""


class Terminal:
    """Runs a command in a pseudo-terminal; a context manager."""

    def __init__(
        self,
        *command: str,
        size: tuple[int, int] = (80, 24),
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        signals: bool = True,
    ) -> None:
        """Start the command; without `signals`, Ctrl+C and the like are plain characters from the start."""
        self.master, self.slave = os.openpty()
        self.screen = Screen(*size)
        self.sent = self.received = 0
        self.raw = bytearray()
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self.set_size(*size)
        self.cooked = termios.tcgetattr(self.slave)
        if not signals:
            self.cooked[3] &= ~termios.ISIG
            termios.tcsetattr(self.slave, termios.TCSANOW, self.cooked)
        os.set_blocking(self.master, False)
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", _TAKE_TTY, os.ttyname(self.slave), *command],
            env={**PLAIN, **(env or {})},
            cwd=cwd,
            start_new_session=True,
        )

    @classmethod
    def python(cls, *args: str, **options: object) -> Terminal:
        return cls(sys.executable, *args, **options)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program and close its terminal."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.hang_up()

    def hang_up(self) -> None:
        """Hang up, as closing the window of a terminal does."""
        for end in (self.master, self.slave):
            if end >= 0:
                os.close(end)
        self.master = self.slave = -1

    def set_size(self, width: int, height: int, cell: tuple[int, int] = (0, 0)) -> None:
        """Change the size, or the pixels of a cell; the kernel tells the program."""
        pixels = width * cell[0], height * cell[1]
        ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, *pixels))

    def resize(self, width: int, height: int) -> None:
        self.screen.resize(width, height)
        self.set_size(width, height)

    def pump(self, timeout: float = 0.05) -> bytes:
        """The output since the last call; waits at most so long for the first byte."""
        got = b""
        while select.select([self.master], [], [], timeout)[0]:
            try:
                chunk = os.read(self.master, 1 << 16)
            except OSError:
                break
            got, timeout = got + chunk, 0
            if not chunk:
                break
        self.received += len(got)
        self.raw += got
        self.screen.feed(self._decode(got))
        return got

    def send(self, data: bytes | str) -> None:
        """Type the bytes; read meanwhile, so that the two sides cannot block each other."""
        rest = data.encode() if isinstance(data, str) else data
        self.sent += len(rest)
        deadline = time.monotonic() + TIME_LIMIT
        while rest:
            readable, writable, _ = select.select([self.master], [self.master], [], 1)
            if readable:
                self.pump(0)
            if writable:
                rest = rest[os.write(self.master, rest[:4096]) :]
            if time.monotonic() > deadline:
                raise AssertionError("the program no longer reads its input")

    def click(self, x: int, y: int) -> None:
        """Press and release the left button on a cell, counted from 0."""
        self.send(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")

    def click_on(self, text: str) -> None:
        self.see(text)
        self.click(*self.screen.find(text))

    def until(self, condition: Callable[[], object], what: str = "the condition") -> None:
        """Read output until the condition holds."""
        deadline = time.monotonic() + TIME_LIMIT
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(
                    f"waited {TIME_LIMIT:.0f} s for {what}; status {self.process.poll()}\n{self.screen.text}"
                )
            self.pump(0.02)

    def see(self, *texts: str) -> None:
        """Wait until all these are on the screen."""
        self.until(lambda: all(text in self.screen.text for text in texts), f"{texts} on the screen")

    def asked(self) -> list[str]:
        """The answers to the program's questions, when it has asked the last one."""
        answers = self.screen.answers
        self.until(lambda: answers and answers[-1].endswith("c"), "the questions")
        return answers

    def sees(self, sent: bytes) -> None:
        """Wait until the program has sent these bytes."""
        self.until(lambda: sent in self.raw, f"{sent!r} sent")

    def insist(self, action: Callable[[], object], text: str) -> None:
        """Repeat an action every second until the text shows; a program drops earlier input at its start."""
        deadline = time.monotonic() + TIME_LIMIT
        while time.monotonic() < deadline:
            action()
            again = time.monotonic() + 1
            while time.monotonic() < again:
                if text in self.screen.text:
                    return
                if self.process.poll() is not None:
                    raise Ended(f"status {self.process.returncode} instead of {text!r}\n{self.screen.text}")
                self.pump(0.02)
        raise AssertionError(
            f"waited {TIME_LIMIT:.0f} s for {text!r}; status {self.process.poll()}\n{self.screen.text}"
        )

    def settle(self, quiet: float = 0.15) -> None:
        """Wait until nothing has been written for a while."""
        deadline = time.monotonic() + TIME_LIMIT
        while self.pump(quiet):
            if time.monotonic() > deadline:
                raise AssertionError("the program never stops writing")

    def kill(self, number: signal.Signals) -> None:
        """Send the signal to the program as `kill PID` does."""
        os.kill(self.process.pid, number)

    def wait(self) -> int:
        """The exit status as a shell reports it."""
        self.until(lambda: self.process.poll() is not None, "the end of the program")
        self.pump(0)
        status = self.process.returncode
        return status if status >= 0 else 128 - status

    def has_stopped(self) -> bool:
        """True if the program has stopped since the last call."""
        if self.process.poll() is not None:
            return False
        pid, status = os.waitpid(self.process.pid, os.WNOHANG | os.WUNTRACED)
        if pid and not os.WIFSTOPPED(status):
            self.process.returncode = os.waitstatus_to_exitcode(status)
            return False
        return bool(pid)

    def wait_stopped(self) -> None:
        """Wait until the program has stopped, as a shell does."""
        self.until(self.has_stopped, "the program to stop")
        self.pump(0)

    @property
    def tail(self) -> str:
        """The output after the app gave the terminal back."""
        at = self.raw.rfind(b"\x1b[?1049l")
        return re.sub(r"\x1b\[[0-?]*[a-zA-Z]", "", self.raw[at:].decode(errors="replace")).replace("\r\n", "\n")

    @property
    def is_cooked(self) -> bool:
        """True if echo, line editing and all other settings are as before the program."""
        return termios.tcgetattr(self.slave) == self.cooked

    @property
    def left_on(self) -> set[str]:
        """The modes that would disturb a shell after this program; empty if clean."""
        names = {"1049": "alternate screen", "2004": "bracketed paste", "1004": "focus reports", "2048": "size reports"}
        names |= dict.fromkeys(("1000", "1002", "1003", "1006", "1015", "1016"), "mouse")
        left = {names[mode] for mode in self.screen.modes & names.keys()}
        # A shell needs the cursor shown and lines wrapped; a program that never changed these has left them so.
        left |= {"hidden cursor"} if self.raw.rfind(b"\x1b[?25l") > self.raw.rfind(b"\x1b[?25h") else set()
        left |= {"no line wrap"} if self.raw.rfind(b"\x1b[?7l") > self.raw.rfind(b"\x1b[?7h") else set()
        left |= {"kitty keys"} if self.screen.kitty > 0 else set()
        return left | (set() if self.is_cooked else {"raw mode"})
