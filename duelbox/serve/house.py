"""Who may be here, for how long, and where each keeps what is theirs."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import hashlib
import os
import signal
import struct
import termios
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from duelbox.core.errors import DuelboxError
from duelbox.serve.nursery import BYTE_ORDER, PROCESS_ID, Nursery
from duelbox.store.files import HOME, make_private_folder, reason

CLOSED: Final = "duelbox has closed. Every game is kept."
STOPPED: Final = "duelbox had to stop. Every game is kept."
_GRACE: Final = 3.0  # seconds that a process has for ending when its terminal has gone
_CHUNK: Final = 1 << 16
_PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH")
_LARGEST: Final = 1000  # columns and rows


class House:
    """Lets visitors in, each to a folder of their own below `folder`."""

    def __init__(self, folder: Path, nursery: Nursery, visitors: int, idle: float, memory: int) -> None:
        """So many visitors at a time; each may do nothing for so many minutes (0: any), and fill so many megabytes."""
        self.folder = folder
        self._nursery, self._most, self._idle, self._memory = nursery, visitors, idle, memory
        self._asking = asyncio.Lock()
        self._here: set[Visit] = set()

    async def welcome(self, secret: str, environ: Mapping[str, str], size: tuple[int, int]) -> Visit:
        """Start duelbox for whoever has this secret; raises DuelboxError when no more fit."""
        if sum(not one.leaving for one in self._here) >= self._most:
            here = "1 visitor is" if self._most == 1 else f"{self._most} visitors are"
            raise DuelboxError(f"{here} here, and no more fit. Please try again later.")
        home = self._home(secret)
        visit = Visit(home, self._idle)
        self._here.add(visit)
        try:
            for other in [one for one in self._here if one.home == home and one.leaving]:
                await other.gone.wait()  # a page loaded again finds the game put away
            async with self._asking:
                # Of the server only where programs are, its language, its time, and settings for all.
                passed = {k: v for k, v in os.environ.items() if k in _PASSED_ON or k.startswith("DUELBOX_")}
                known = {**passed, **environ, HOME: str(home), "HOME": str(home)}
                await visit.begin(self._nursery, known, self._memory, size)
        except BaseException as error:
            await self.farewell(visit)
            if isinstance(error, OSError):
                raise DuelboxError(f"duelbox cannot be started here now: {reason(error)}.") from None
            raise
        return visit

    async def farewell(self, visit: Visit) -> None:
        """End a visit, however far it has come."""
        await visit.end()
        self._here.discard(visit)

    async def close(self) -> None:
        """Send everybody home."""
        await asyncio.gather(*(self.farewell(visit) for visit in list(self._here)))

    def _home(self, secret: str) -> Path:
        """The visitor's folder: its name does not tell the secret, and no secret names a place elsewhere."""
        home = self.folder / hashlib.sha256(secret.encode()).hexdigest()[:32]
        try:
            make_private_folder(home)
        except OSError as error:
            raise DuelboxError(f"There is no room for your games: {reason(error)}.") from None
        return home


class Visit:
    """One visitor: a pseudo-terminal with duelbox at its other end."""

    def __init__(self, home: Path, idle: float) -> None:
        self.home = home
        self.leaving = False
        self.gone = asyncio.Event()
        self._idle = idle
        self._loop = asyncio.get_running_loop()
        self._terminal = self._news = -1
        self._process = 0
        self._patience: asyncio.Timeout | None = None

    async def begin(self, nursery: Nursery, environ: Mapping[str, str], memory: int, size: tuple[int, int]) -> None:
        """Start the process."""
        with ExitStack() as given:  # to the process: here its ends are closed, however far this comes
            self._terminal, theirs = os.openpty()
            given.callback(os.close, theirs)
            self._news, tell = os.pipe()
            given.callback(os.close, tell)
            for end in (self._terminal, self._news):
                os.set_blocking(end, False)
            self.resize(*size)
            nursery.fork(environ, memory, theirs, tell)
        if len(process := await self._hear(self._news, PROCESS_ID)) < PROCESS_ID:
            raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        self._process = int.from_bytes(process, BYTE_ORDER)

    async def show(self, send: Callable[[bytes], Awaitable[object]]) -> str:
        """Send what duelbox draws until it ends, or the visitor is silent for too long; a sentence that says which."""
        try:
            async with asyncio.timeout(60 * self._idle or None) as self._patience:
                while drawn := await self._hear(self._terminal):
                    await send(drawn)
        except TimeoutError:
            return f"You were away for {self._idle:.0f} minutes, so duelbox has closed. Every game is kept."
        return CLOSED if await self._hear(self._news) == b"\0" else STOPPED

    async def type(self, data: bytes) -> None:
        """Pass on what the visitor typed, no faster than duelbox takes it."""
        if self._patience is not None and self._idle:
            with suppress(RuntimeError):  # it is up already
                self._patience.reschedule(self._loop.time() + 60 * self._idle)
        while data and not self.leaving:
            with suppress(BlockingIOError):
                data = data[os.write(self._terminal, data) :]
                continue
            await self._until(self._loop.add_writer, self._loop.remove_writer, self._terminal)

    def resize(self, width: int, height: int) -> None:
        """Give the terminal another size; one that no screen has is ignored."""
        if 0 < width <= _LARGEST and 0 < height <= _LARGEST and self._terminal >= 0:
            fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    async def end(self) -> None:
        """Take the terminal away, which ends the process, and wait until it has gone."""
        if self.leaving:
            return
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
        """The next bytes from there; none at the end."""
        while True:
            try:
                return os.read(end, most)
            except BlockingIOError:
                await self._until(self._loop.add_reader, self._loop.remove_reader, end)
            except OSError:  # a terminal that nobody holds any more
                return b""

    async def _until(
        self, watch: Callable[[int, Callable[[], None]], object], unwatch: Callable[[int], object], end: int
    ) -> None:
        ready = self._loop.create_future()

        def tell() -> None:
            unwatch(end)
            if not ready.done():
                ready.set_result(None)

        watch(end, tell)
        try:
            await ready
        finally:
            if end in (self._terminal, self._news):  # else it is closed, and its number perhaps somebody else's
                unwatch(end)
