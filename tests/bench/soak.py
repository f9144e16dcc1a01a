"""A relay and both servers under visitors for a long time: `python -m tests.bench.soak [MINUTES]`.

Each minute it prints the memory and open files of the relay, of each server and of the process it forks from, and their
bytes on disk. Nothing may grow except saved data: matches in the relay, and homes of visitors with a game.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import aiohttp

from duelbox.friends.client import enter_room, open_room
from duelbox.relay.address import free_port
from duelbox.relay.wire import RoomGone
from tests.serve.server import Server, Visitor
from tests.serve.test_ssh import ANN, BEN, visiting
from tests.table.elsewhere import pair_up, play_out, two_stores

REGULARS = 5
"""Visitors of the web server who come back with their cookie; all other visits are new."""


class Soak:
    """The running processes, and counts of what happened."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.rng, self.done = folder, random.Random(1), Counter[str]()
        self.address = f"ws://127.0.0.1:{(port := free_port())}"
        command = ["-m", "duelbox", "relay", "--listen", f"127.0.0.1:{port}", "--file", str(folder / "relay.db")]
        self.relay = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        keys = folder / "keys"
        keys.write_bytes(ANN.export_public_key() + BEN.export_public_key())
        (folder / "web").mkdir()
        (folder / "ssh").mkdir()
        self.web = Server(folder / "web", "--port", "0", "--relay", self.address)
        self.ssh = Server(folder / "ssh", "--ssh", "0", "--keys", str(keys), "--relay", self.address)
        self.jars = [aiohttp.CookieJar(unsafe=True) for _ in range(REGULARS)]

    async def visit_the_page(self) -> None:
        """Visit as somebody new, or as a regular who plays two moves."""
        new = self.rng.random() < 0.5
        async with Visitor(self.web, None if new else self.rng.choice(self.jars)) as visitor:
            await visitor.see("Number Circle Duel")
            if not new:
                await visitor.type("f")
                await visitor.see("your move")
                await visitor.type("5\r")
                await asyncio.sleep(1)
            if self.rng.random() < 0.5:
                await visitor.type("\x11")
                await visitor.end()

    async def visit_by_ssh(self) -> None:
        """Visit by ssh, start a game, and leave or lose the connection."""
        async with visiting(self.ssh, self.rng.choice((ANN, BEN))) as guest:
            await guest.see("Number Circle Duel")
            guest.type("f")
            await guest.see("your move")
            if self.rng.random() < 0.5:
                guest.connection.abort()

    async def play_a_match(self) -> None:
        """Play a match of two players through the relay to its end."""
        with tempfile.TemporaryDirectory(dir=self.folder) as home, two_stores(Path(home)) as stores:
            pair = await pair_up(
                stores, self.rng.choice(("number-duel:hand=4", "sequence-duel")), 1, relay=self.address
            )
            await play_out(*pair, self.rng)
            await asyncio.gather(*(one.leave() for one in pair))

    async def knock(self) -> None:
        """Open a room without a guest, and try the number of no room."""
        await open_room(self.address)
        try:
            await enter_room(self.address, str(self.rng.randrange(10**6, 10**7)))
        except RoomGone:
            return

    async def again(self, work: Callable[[], Coroutine[Any, Any, None]], pause: float) -> None:
        """Repeat this until cancelled; count and print faults."""
        while True:
            try:
                async with asyncio.timeout(120):
                    await work()
                self.done[work.__name__] += 1
            except Exception as error:
                self.done["FAULTS"] += 1
                print(f"{work.__name__}: {error!r}"[:2000], flush=True)
            await asyncio.sleep(self.rng.uniform(0.5, 1.5) * pause)

    def figures(self) -> str:
        """Print the row of this minute."""
        told = []
        for name, process in (("relay", self.relay), ("web", self.web.process), ("ssh", self.ssh.process)):
            for pid, what in ((process.pid, name), *((one, f"{name} forks") for one in children(process.pid)[:1])):
                fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
                files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
                told.append(f"{what} {int(fields['VmRSS'].split()[0]) / 1024:.1f} MB {files} files")
        for name, server in (("web", self.web), ("ssh", self.ssh)):
            told.append(f"{name} {len(server.folders)} homes {size(server.home) / 1e6:.1f} MB log {size(server.log)} B")
        rooms = sum(size(one) for one in self.folder.glob("relay.db*"))
        return "; ".join([*told, f"rooms {rooms / 1e6:.2f} MB", f"{dict(self.done)}"])

    def close(self) -> None:
        """Stop all processes."""
        self.web.close()
        self.ssh.close()
        self.relay.terminate()
        self.relay.wait()


def children(pid: int) -> list[int]:
    """The child processes, the oldest first."""
    return sorted(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def size(path: Path) -> int:
    """The bytes on disk of a file, or of all in a folder."""
    found = 0
    for one in path.rglob("*") if path.is_dir() else (path,):
        try:
            found += one.lstat().st_blocks * 512 if path.is_dir() else one.lstat().st_size
        except OSError:  # gone meanwhile
            continue
    return found


async def soak(minutes: float) -> int:
    """Run for so many minutes; return the number of faults."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        one, began = Soak(Path(name)), time.monotonic()
        await asyncio.sleep(2)
        works = ((one.visit_the_page, 12), (one.visit_by_ssh, 15), (one.play_a_match, 15), (one.knock, 20))
        tasks = [asyncio.create_task(one.again(work, pause)) for work, pause in works]
        try:
            while (since := time.monotonic() - began) < 60 * minutes:
                print(f"{since / 60:5.1f} min: {one.figures()}", flush=True)
                await asyncio.sleep(60)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.to_thread(one.close)
        print(f"{minutes} minutes: {dict(one.done)}")
        return one.done["FAULTS"]


if __name__ == "__main__":
    sys.exit(min(1, asyncio.run(soak(float(sys.argv[1]) if sys.argv[1:] else 120))))
