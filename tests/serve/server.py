"""`duelbox serve` as a process, and visitors without a browser: a screen at the end of a websocket."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

import aiohttp

from tests.ui.terminal.pty import Screen

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds; reached only when something is broken


class Server:
    """A server process with a folder of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.home = folder / "served"
        self.log = folder / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "duelbox", "serve", *options],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=ROOT,
                env={**os.environ, "LC_ALL": "C.UTF-8", "DUELBOX_HOME": str(self.home), "DUELBOX_DELAY": "0"},
            )
        assert self.process.stdout is not None
        self._output = self.process.stdout
        self.said = "".join(self._output.readline() for _ in range(3))
        announced = re.search(r":(\d+)/|-p (\d+)", self.said)
        assert announced, self.said
        self.port = int(announced[1] or announced[2])
        self.address = f"http://127.0.0.1:{self.port}"

    @property
    def folders(self) -> list[Path]:
        """The folders of all visitors so far."""
        return sorted(one for one in (self.home / "visitors").iterdir() if one.is_dir())

    def processes(self) -> dict[int, Path]:
        """The processes of visitors, and the folder of each."""
        homes = {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                where = (process / "cwd").readlink()
            except OSError:
                continue
            if where.parent == self.home / "visitors":
                homes[int(process.name)] = where
        return homes

    async def alone(self) -> None:
        """Wait until no visitor is left."""
        async with asyncio.timeout(PATIENCE):
            while self.processes():
                await asyncio.sleep(0.05)

    def close(self) -> None:
        """Stop the server if it is running."""
        self.process.terminate()
        self.process.wait(PATIENCE)
        self._output.close()


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Server]:
    server = Server(folder, *options)
    try:
        yield server
    finally:
        server.close()


class Visitor:
    """A client that behaves like the page. A returning visitor brings the same `jar` of cookies."""

    def __init__(
        self,
        server: Server,
        jar: aiohttp.CookieJar | None = None,
        size: tuple[int, int] = (100, 30),
        address: str = "127.0.0.1",
        headers: dict[str, str] | None = None,
        page: str | None = None,
    ) -> None:
        """`page` is the page's address if it is not the server's own."""
        self.server, self.address, self.headers = server, address, headers
        self.page = page or server.address
        self.screen = Screen(*size)
        self.jar = aiohttp.CookieJar(unsafe=True) if jar is None else jar
        self.reason = ""

    async def __aenter__(self) -> Visitor:
        connector = aiohttp.TCPConnector(local_addr=(self.address, 0))
        self.session = aiohttp.ClientSession(cookie_jar=self.jar, connector=connector, headers=self.headers)
        async with self.session.get(f"{self.page}/") as page:
            assert page.status == 200
        size = f"width={self.screen.width}&height={self.screen.height}"
        origin = "/".join(self.page.split("/")[:3])
        self.line = await self.session.ws_connect(f"{self.page}/line?{size}", origin=origin, max_msg_size=0)
        self._watching = asyncio.create_task(self._watch())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watching.cancel()
        await self.line.close()
        await self.session.close()

    async def _watch(self) -> None:
        decode = getincrementaldecoder("utf-8")().decode
        while True:
            message = await self.line.receive()
            if message.type is aiohttp.WSMsgType.BINARY:
                self.screen.feed(decode(message.data))
            elif message.type is not aiohttp.WSMsgType.TEXT:
                self.reason = str(message.extra or "cut off")
                return

    async def type(self, text: str) -> None:
        """Send typed text; it is lost, as that of a page, if the server hangs up at this moment."""
        with suppress(ConnectionError, aiohttp.ClientError):
            await self.line.send_json(["stdin", text])

    async def resize(self, width: int, height: int) -> None:
        self.screen.resize(width, height)
        await self.line.send_json(["resize", {"width": width, "height": height}])

    async def click_on(self, text: str) -> None:
        await self.see(text)
        x, y = self.screen.find(text)
        await self.type(f"\x1b[<0;{x + 2};{y + 1}M\x1b[<0;{x + 2};{y + 1}m")

    async def see(self, *texts: str) -> None:
        """Wait until all these are on the screen."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not all(text in self.screen.text for text in texts):
                    assert not self.reason, f"{self.reason} instead of {texts}"
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise AssertionError(f"waited {PATIENCE:.0f} s for {texts}\n{self.screen.text}") from None

    async def end(self) -> str:
        """Wait until the server hangs up; returns its reason."""
        async with asyncio.timeout(PATIENCE):
            await self._watching
        return self.reason
