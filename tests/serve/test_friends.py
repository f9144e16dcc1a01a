"""A visitor of a server plays a friend at home, through a relay."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from duelbox.relay.server import serving as relaying
from duelbox.store.store import Store
from tests.effort import SHARE
from tests.serve.server import PATIENCE, Server, Visitor
from tests.table.elsewhere import friend_at, host

pytestmark = pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="finds visitors' processes through /proc")
NO_RELAY = "whoever serves this duelbox"


@asynccontextmanager
async def internal_service() -> AsyncIterator[tuple[int, list[bytes]]]:
    """The port of a server that tells secrets to anybody who reaches it, and the requests it got."""
    requests: list[bytes] = []

    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requests.append(await reader.read(1000))
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 9\r\n\r\nsecret-42")
        writer.close()

    async with await asyncio.start_server(tell, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1], requests


def listening(server: Server) -> set[str]:
    """The sockets at which visitors' processes listen."""
    table = Path("/proc/net/tcp").read_text(encoding="ascii") + Path("/proc/net/tcp6").read_text(encoding="ascii")
    waits = {line.split()[9] for line in table.splitlines() if line.split()[3] == "0A"}
    inodes = set()
    for process in server.processes():
        for one in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                inodes.add(str(one.readlink()))
    return {one for one in inodes if one.startswith("socket:") and one[8:-1] in waits}


@pytest.mark.parametrize("relay", [(), ("--relay", "ws://127.0.0.1:9")])
@pytest.mark.parametrize("path", ["", "/latest/meta-data?x="])
async def test_a_visitor_reaches_no_address_but_the_relay(tmp_path: Path, relay: tuple[str, ...], path: str) -> None:
    async with internal_service() as (port, asked):
        server = await asyncio.to_thread(Server, tmp_path, "--port", "0", *relay)
        try:
            async with Visitor(server) as visitor:
                await visitor.see("Puzzles")
                await visitor.type("o")
                await visitor.see("A friend elsewhere", "code")
                await visitor.type(f"1234-lagoon-honey-berry@ws://127.0.0.1:{port}{path}\r")
                if relay:
                    await visitor.see("Without a name")
                    await visitor.type("Ann\r")
                refused = "it is a host, and perhaps a port" if path else "From here"
                await visitor.see(refused if relay else NO_RELAY)
                assert "secret-42" not in visitor.screen.text
            assert not asked
        finally:
            await asyncio.to_thread(server.close)


async def test_a_visitor_opens_no_port(tmp_path: Path) -> None:
    server = await asyncio.to_thread(Server, tmp_path, "--port", "0")
    try:
        async with Visitor(server) as visitor:
            await visitor.see("Puzzles")
            await visitor.type("o")
            await visitor.see("A friend elsewhere", "code")
            await visitor.type("\x1b[A")
            await visitor.type("\x1b[C")
            await visitor.see("open a table for a friend")
            await visitor.type("\r")
            await visitor.see(NO_RELAY)
            assert not listening(server)
    finally:
        await asyncio.to_thread(server.close)


@pytest.mark.skipif(SHARE > 1, reason="tried by --long: each of the two is always tried with another")
async def test_a_visitor_and_a_friend_at_home_play_a_match(tmp_path: Path) -> None:
    async with relaying("127.0.0.1:0", None) as relay:
        server = await asyncio.to_thread(Server, tmp_path, "--port", "0", "--relay", relay.address)
        try:
            with Store.open(tmp_path / "home") as store:
                waiting = await host(store, "sequence-duel", "Bo", relay=relay.address)
                coming = asyncio.create_task(friend_at(waiting))
                async with Visitor(server) as visitor, asyncio.timeout(3 * PATIENCE):
                    await visitor.see("Puzzles")
                    await visitor.type("o")
                    await visitor.see("A friend elsewhere", "code")
                    await visitor.type(f"{waiting.code}\r")
                    await visitor.see("invites you")
                    friend = await coming
                    await visitor.type("\r")
                    while not friend.ready:
                        await asyncio.sleep(0.05)
                    if friend.my_turn:
                        friend.play("5")
                        await visitor.see("Bo claims 5.")
                    await visitor.type("10\r")
                    while friend.session.code()[-2:] != "10":
                        await asyncio.sleep(0.05)
                    await friend.leave()
        finally:
            await asyncio.to_thread(server.close)
