"""The visitors of a server: limits, their folders and their running processes."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import hashlib
import json
import os
import resource
import shutil
import signal
import struct
import sys
import termios
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from duelbox.core.errors import DuelboxError
from duelbox.relay.address import ONLY_RELAY
from duelbox.relay.limits import HOUR, MINUTE, Bucket, span
from duelbox.serve.prefork import BYTE_ORDER, ENDED, LARGEST_FILE, PASSED_ON, PROCESS_ID, USED_UP, Prefork, Start
from duelbox.store.files import HOME, make_private_folder, raw_file, reason, rename_folder
from duelbox.store.journal import Line, lines_in

CLOSED: Final = "duelbox has closed. Every game is kept."
STOPPED: Final = "duelbox had to stop. Every game is kept."
PLACES: Final = 2
"""Visits at a time with one cookie or key, so that somebody can come back before the old visit has ended."""
PASTE: Final = 64 << 10
"""Bytes that may be typed or pasted at once."""
_TYPING: Final = 4 << 10  # bytes a second, more than held keys and a moving mouse produce
_GRACE: Final = 1.5  # seconds for a process to end when its terminal has gone
_SWEEP: Final = 10 * MINUTE
_CHUNK: Final = 1 << 16
_MEASURED: Final = 1.0  # seconds between two measurements of the folders, while people are in
_MEASURED_OFTEN: Final = 0.1  # when they are nearly full
_RESERVE: Final = 8
"""The part of the disk limit that may fill between two measurements is an eighth, …"""
_LARGEST_RESERVE: Final = 4 << 20
"""… and at most 4 MB."""
_LARGEST_SIZE: Final = 1000  # columns and rows


class Visitors:
    """Lets visitors in, each with a folder of their own in `folder`."""

    def __init__(
        self,
        folder: Path,
        prefork: Prefork,
        most: int,
        idle: float,
        memory: int,
        *,
        an_address: int | None = None,
        disk: int = 1000,
        processor: float = 0,
        relay: str = "",
    ) -> None:
        """Limits: visitors at a time, and from one address; megabytes of all their folders.

        Each visitor may be idle for so many minutes (0: any), use so many megabytes of memory and minutes of the
        processor (0: any), and play with friends elsewhere only at this relay (empty: not at all).
        """
        self.folder = folder
        self._prefork = prefork
        self._most = most
        self._an_address = an_address or most
        self._idle = idle
        self._memory = memory
        self._processor = processor
        self._relay = relay
        self._disk = disk << 20
        self._reserve = min(self._disk // _RESERVE, _LARGEST_RESERVE)
        self._full_at = self._disk - self._reserve
        self._sizes: dict[str, int] = {}
        """The bytes of each folder by its name, as it was last measured."""
        self._asking = asyncio.Lock()
        self._here: set[Visit] = set()

    async def start_visit(
        self, secret: str, environ: Mapping[str, str], size: tuple[int, int], address: str = "", lines: str = ""
    ) -> Visit:
        """Start duelbox, or a game in lines of text, for the owner of a secret; raises DuelboxError."""
        visit = Visit(self._home(secret), address, self._idle)
        self._check_places(visit)
        self._here.add(visit)
        try:
            for other in [one for one in self._here if one.home == visit.home and one.leaving]:
                await other.gone.wait()  # so that a reloaded page finds its saved game
            async with self._asking:
                await asyncio.to_thread(self._make_home, visit.home)
                start = Start(
                    environ=self._environ(visit.home, environ),
                    memory=self._memory,
                    processor=round(60 * self._processor),
                    largest_file=self._largest_file(),
                    lines=lines,
                )
                await visit.begin(self._prefork, start, size)
        except BaseException as error:
            await self.end_visit(visit)
            if isinstance(error, OSError):
                raise DuelboxError(f"duelbox cannot be started here now: {reason(error)}.") from None
            raise
        return visit

    def _environ(self, home: Path, environ: Mapping[str, str]) -> dict[str, str]:
        """Of the server's environment: paths, language, time zone, and settings of duelbox; then the visitor's own."""
        passed = {k: v for k, v in os.environ.items() if k in PASSED_ON or k.startswith("DUELBOX_")}
        own = {HOME: str(home), "HOME": str(home), ONLY_RELAY: self._relay, "DUELBOX_RELAY": self._relay}
        return {**passed, **environ, **own}

    def _check_places(self, visit: Visit) -> None:
        here = [one for one in self._here if not one.leaving]
        for others, most, where in (
            (here, self._most, ""),
            ([one for one in here if one.address == visit.address], self._an_address, " from your address"),
            ([one for one in here if one.home == visit.home], PLACES, " with your cookie or key"),
        ):
            if len(others) >= most:
                are = "visitor is" if most == 1 else "visitors are"
                raise DuelboxError(f"{most} {are} here{where}, and no more fit. Please try again later.")

    async def end_visit(self, visit: Visit) -> None:
        """End a visit at whatever stage; it ends completely even if the caller is cancelled."""
        if visit.ending is None:
            visit.ending = asyncio.create_task(visit.end())
            visit.ending.add_done_callback(lambda _: self._here.discard(visit))
        await asyncio.shield(visit.ending)

    async def end_visits(self, secret: str) -> None:
        """End all visits of the owner of a secret."""
        home = self._home(secret)
        theirs = [visit for visit in self._here if visit.home == home]
        for visit in theirs:
            visit.dismiss(CLOSED)
        await asyncio.gather(*(self.end_visit(visit) for visit in theirs))

    async def move(self, secret: str, new: str) -> None:
        """Give the folder of a secret to the owner of a new one, after the end of all visits there."""
        await self.end_visits(secret)
        async with self._asking:
            with suppress(OSError):  # most have no folder yet
                rename_folder(self._home(secret), self._home(new))

    async def close(self) -> None:
        """End all visits."""
        await asyncio.gather(*(self.end_visit(visit) for visit in list(self._here)))

    async def sweep(self) -> None:
        """Remove folders without games, again and again."""
        while True:
            async with self._asking:
                await asyncio.to_thread(self._remove_empty_homes)
                await asyncio.to_thread(self._measure_all)
            await asyncio.sleep(_SWEEP)

    async def hold_disk_limit(self) -> None:
        """Let no file grow while the folders are full, again and again; duelbox then says that nothing is saved."""
        measured: set[Path] = set()
        while True:
            here = {visit.home for visit in self._here}
            async with self._asking:
                await asyncio.to_thread(self._measure, here | measured)  # those who have just left wrote last
            measured = here
            for visit in self._here:
                visit.limit_files(self._largest_file())
            nearly_full = sum(self._sizes.values()) > self._full_at - 2 * self._reserve
            await asyncio.sleep(_MEASURED_OFTEN if here and nearly_full else _MEASURED)

    def _largest_file(self) -> int:
        """Bytes that a file of a visitor may have now."""
        if sum(self._sizes.values()) >= self._full_at:
            return 0
        return LARGEST_FILE

    def _measure_all(self) -> None:
        self._sizes = {path.name: _size(path) for path in self.folder.iterdir()}

    def _measure(self, homes: Collection[Path]) -> None:
        self._sizes.update((home.name, _size(home)) for home in homes)

    def _home(self, secret: str) -> Path:
        """The folder of the owner of a secret, whose name does not give the secret away."""
        return self.folder / hashlib.sha256(secret.encode()).hexdigest()[:32]

    def _make_home(self, home: Path) -> None:
        """Create a visitor's folder unless it exists; raises DuelboxError if the disk limit is reached."""
        try:
            if not home.exists():
                self._make_room()
            make_private_folder(home)
        except OSError as error:
            raise DuelboxError(f"There is no room for your games: {reason(error)}.") from None

    def _make_room(self) -> None:
        """Make room for a new folder; raises DuelboxError if there is none."""
        self._measure_all()
        if self._largest_file():
            return
        self._remove_empty_homes()
        self._measure_all()
        if not self._largest_file():
            raise DuelboxError(f"The games of all visitors fill {self._disk >> 20:,} MB, and no more fit.")

    def _remove_empty_homes(self) -> None:
        here = {one.home for one in self._here}
        for home in [one for one in self.folder.iterdir() if one.is_dir() and one not in here]:
            changed = max(one.lstat().st_mtime for one in (home, *home.rglob("*")))
            if changed < time.time() - HOUR and not _has_games(home):
                shutil.rmtree(home, ignore_errors=True)


def _size(path: Path) -> int:
    """The bytes that a file, or a folder with all in it, takes on the disk; 0 if it has gone."""
    size = 0
    with suppress(FileNotFoundError):
        for one in (path, *path.rglob("*")):
            size += one.lstat().st_blocks * 512
    return size


def _has_games(home: Path) -> bool:
    """The visitor has played or solved something; a file that cannot be read counts as a game."""
    if any(path for kind in ("match.*", "elsewhere.*", "history.db") for path in home.glob(kind)):
        return True
    try:
        with raw_file(home / "history.jsonl") as file:
            return any(map(_tells_of_play, lines_in(file)))  # ends at the first that does
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True


def _tells_of_play(line: Line) -> bool:
    """The line of a history is damaged, or more than its header or a mark that the first screen was shown."""
    if line.text is None:
        return True
    row = json.loads(line.text)
    return bool(row[0] == "match" or (row[0] == "progress" and row[2] != "start"))


class Visit:
    """One visit: a pseudo-terminal with duelbox at its other end."""

    def __init__(self, home: Path, address: str, idle: float) -> None:
        self.home, self.address = home, address
        self.leaving = False
        self.ending: asyncio.Task[None] | None = None
        self.gone = asyncio.Event()
        self._idle = idle
        self._loop = asyncio.get_running_loop()
        self._terminal = -1
        self._news = -1
        self._process = 0
        self._processor = 0
        self._patience: asyncio.Timeout | None = None
        self._dismissal = ""
        self._typed = bytearray()
        self._typing = Bucket(_TYPING, PASTE)

    async def begin(self, prefork: Prefork, start: Start, size: tuple[int, int]) -> None:
        """Start the process."""
        self._processor = start.processor
        with ExitStack() as inherited:  # by the process; here these ends are closed, even after an error
            self._terminal, theirs = os.openpty()
            inherited.callback(os.close, theirs)
            self._news, tell = os.pipe()
            inherited.callback(os.close, tell)
            for end in (self._terminal, self._news):
                os.set_blocking(end, False)
            self.resize(*size)
            prefork.fork(start, theirs, tell)
        if len(process := await self._hear(self._news, PROCESS_ID)) < PROCESS_ID:
            raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        self._process = int.from_bytes(process, BYTE_ORDER)

    async def show(self, send: Callable[[bytes], Awaitable[object]]) -> str:
        """Send what duelbox draws until it ends or the visitor is sent away; returns a sentence about the end."""
        try:
            async with asyncio.timeout(60 * self._idle or None) as self._patience:
                if self._dismissal:
                    return self._dismissal
                while drawn := await self._hear(self._terminal):
                    await send(drawn)
        except TimeoutError:
            away = f"You were away for {self._idle:.0f} minutes, so duelbox has closed. Every game is kept."
            return self._dismissal or away
        status = await self._hear(self._news)
        if status[:1] == bytes((USED_UP,)):
            used = span(self._processor)
            return f"duelbox has used its {used} of processor time, so it has closed. Every game is kept."
        if status[:1] == bytes((ENDED,)):
            return CLOSED
        return STOPPED

    def dismiss(self, sentence: str) -> None:
        """Have `show` end with this sentence."""
        self._dismissal = sentence
        self._wait_until(self._loop.time())

    def _wait_until(self, time: float) -> None:
        if self._patience is not None:
            with suppress(RuntimeError):  # the time is over already
                self._patience.reschedule(time)

    def limit_files(self, largest: int) -> None:
        """Limit the bytes of each file that the process writes; files which are larger already stay."""
        if sys.platform == "linux" and self._process:
            with suppress(OSError):  # it has ended
                resource.prlimit(self._process, resource.RLIMIT_FSIZE, (largest, LARGEST_FILE))

    def type(self, data: bytes) -> None:
        """Pass on what the visitor typed; drops what is longer or faster than people type and paste."""
        if self._idle and not self._dismissal:
            self._wait_until(self._loop.time() + 60 * self._idle)
        if not self.leaving and len(self._typed) + len(data) <= PASTE and self._typing.take(len(data)):
            self._typed += data
            self._pass_on()

    def _pass_on(self) -> None:
        """Write what the terminal takes now, and the rest when it takes more."""
        with suppress(OSError):  # the terminal is full, or has ended
            del self._typed[: os.write(self._terminal, self._typed)]
        if self._typed:
            self._loop.add_writer(self._terminal, self._pass_on)
        else:
            self._loop.remove_writer(self._terminal)

    def resize(self, width: int, height: int) -> None:
        """Resize the terminal, unless no screen has such a size."""
        if 0 < width <= _LARGEST_SIZE and 0 < height <= _LARGEST_SIZE and self._terminal >= 0:
            fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    async def end(self) -> None:
        """Close the terminal, which ends the process, and wait until it has gone."""
        self.leaving = True
        terminal, self._terminal = self._terminal, -1
        if terminal >= 0:
            self._loop.remove_reader(terminal)
            self._loop.remove_writer(terminal)
            os.close(terminal)
        try:
            async with asyncio.timeout(_GRACE):
                while self._news >= 0 and await self._hear(self._news):
                    pass
        except TimeoutError:
            if self._process:
                with suppress(ProcessLookupError):
                    os.kill(self._process, signal.SIGKILL)
        finally:
            if self._news >= 0:
                os.close(self._news)
            self.gone.set()

    async def _hear(self, end: int, most: int = _CHUNK) -> bytes:
        """The next bytes; empty at the end."""
        while True:
            try:
                return os.read(end, most)
            except BlockingIOError:
                await self._readable(end)
            except OSError:  # nobody holds the terminal any more
                return b""

    async def _readable(self, end: int) -> None:
        ready = asyncio.Event()
        self._loop.add_reader(end, ready.set)
        try:
            await ready.wait()
        finally:
            if end in (self._terminal, self._news):  # otherwise it is closed, and its number may be in use again
                self._loop.remove_reader(end)
