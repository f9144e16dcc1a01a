"""A relay's process or a server of the cluster dies during many games: all go on, and nothing is lost."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import nats
from nats.errors import Error

from duelbox.friends.client import RelayRoom, connect, enter_room, open_room
from duelbox.relay.jetstream import STREAM
from duelbox.relay.wire import Entry, RoomLost, Ticket
from tests.effort import SHARE
from tests.relay.clients import GENEROUS
from tests.relay.conftest import serving_nats
from tests.relay.nats_server import NatsServer, cluster

PATIENT = 120.0


@dataclass
class Game:
    """A game; `kept` holds the acknowledgements: the player, their entry, its place in the room."""

    tickets: tuple[Ticket, Ticket]
    moves: int
    kept: list[tuple[str, int, int]] = field(default_factory=list)
    lost: int = 0
    """Connections that died."""


def body(who: str, n: int) -> bytes:
    """The bytes of an entry; unique, and about as long as a sealed move."""
    return f"{who} {n} ".encode().ljust(300, b".")


async def opened(relays: list[str], moves: int) -> Game:
    """A game whose players use different relays if there are several."""
    host = await again(lambda: open_room(relays[0]))
    return Game((host, await again(lambda: enter_room(relays[-1], host.room))), moves)


async def again(work, tries: int = 100):
    """Repeat until the relay answers."""
    for _ in range(tries):
        try:
            return await work()
        except RoomLost:
            await asyncio.sleep(0.1)
    return await work()


async def play(game: Game, on_kept: Callable[[], None] = lambda: None) -> None:
    """Play the game to its end."""
    async with asyncio.timeout(PATIENT):
        await asyncio.gather(*(_play(game, ticket, on_kept) for ticket in game.tickets))


async def _play(game: Game, ticket: Ticket, on_kept: Callable[[], None]) -> None:
    mine = 0 if ticket.who == "host" else 1
    seen = 0

    async def move(room: RelayRoom) -> None:
        if seen % 2 == mine and seen < game.moves:
            n = seen // 2 + 1
            game.kept.append((ticket.who, n, await room.append(n, body(ticket.who, n))))
            on_kept()

    while seen < game.moves:
        try:
            room = await connect(ticket)
        except RoomLost:
            game.lost += 1
            await asyncio.sleep(0.1)
            continue
        try:
            await move(room)
            async for event in room.events(seen):
                if isinstance(event, Entry):
                    seen += 1
                    assert event.seq == seen
                    assert (event.who, event.n) == (("host", "guest")[(seen - 1) % 2], (seen + 1) // 2)
                    assert event.body == body(event.who, event.n)
                    if seen == game.moves:
                        break
                    await move(room)
        except RoomLost:
            game.lost += 1
        finally:
            await room.close()


async def check(game: Game) -> None:
    """Check that every acknowledged entry of a finished game is in its place, once."""
    room = await again(lambda: connect(game.tickets[0]))
    placed: dict[int, Entry] = {}
    async for event in room.events(0):
        if isinstance(event, Entry):
            placed[event.seq] = event
            if len(placed) == game.moves:
                break
    await room.close()
    assert [*placed] == list(range(1, game.moves + 1))
    for who, n, seq in game.kept:
        assert (placed[seq].who, placed[seq].n, placed[seq].body) == (
            who,
            n,
            body(who, n),
        )
    assert {(who, n) for who, n, _ in game.kept} == {(entry.who, entry.n) for entry in placed.values()}


MOVES = 20

SERVE = """
import asyncio, sys
from pathlib import Path
from duelbox.relay.server import serving
from tests.relay.clients import GENEROUS

async def main():
    async with serving(sys.argv[1], Path(sys.argv[2]), limits=GENEROUS) as relay:
        print(relay.address, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


class _Halfway:
    """Sets an event each time so many moves are acknowledged."""

    def __init__(self, every: int) -> None:
        self._every, self._count = every, 0
        self.reached = asyncio.Event()

    def __call__(self) -> None:
        self._count += 1
        if self._count % self._every == 0:
            self.reached.set()


async def _start(listen: str, path: Path) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen([sys.executable, "-c", SERVE, listen, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    address = await asyncio.to_thread(process.stdout.readline)
    return process, address.strip()


async def test_a_relay_killed_again_and_again_loses_nothing(tmp_path: Path) -> None:
    games, kills = (100, 12) if SHARE == 1 else (10, 2)
    path = tmp_path / "relay.db"
    process, address = await _start("127.0.0.1:0", path)
    listen = re.sub("^ws://", "", address)
    try:
        table = [await opened([address], MOVES) for _ in range(games)]
        halfway = _Halfway(games * MOVES // (kills + 1))
        playing = asyncio.gather(*(play(game, halfway) for game in table))
        for _ in range(kills):
            await halfway.reached.wait()
            halfway.reached.clear()
            process.kill()
            process.wait()
            assert process.stdout
            process.stdout.close()
            process, _ = await _start(listen, path)
        await playing
        for game in table:
            await check(game)
    finally:
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()
    assert sum(game.lost for game in table) >= games


async def test_a_cluster_that_loses_its_leader_loses_nothing(tmp_path: Path) -> None:
    games = 200 if SHARE == 1 else 10
    servers = cluster(tmp_path)
    try:
        await _found_each_other(servers)
        async with AsyncExitStack() as stack:
            url = ",".join(server.url for server in servers)
            relays = [await stack.enter_async_context(serving_nats(url, GENEROUS)) for _ in range(2)]
            table: list[Game] = []
            for start in range(0, games, 25):
                several = (opened([relay.address for relay in relays], MOVES) for _ in range(min(25, games - start)))
                table += await asyncio.gather(*several)
            halfway = _Halfway(games * MOVES // 2)
            playing = asyncio.gather(*(play(game, halfway) for game in table))
            await halfway.reached.wait()
            (await _leader(servers)).kill()
            await playing
            for game in table:
                await check(game)
    finally:
        for server in servers:
            server.kill()


async def _found_each_other(servers: list[NatsServer]) -> None:
    """Wait until the servers have elected a leader; on a busy machine this takes longer than a relay waits."""
    client = await nats.connect([server.url for server in servers])
    async with asyncio.timeout(PATIENT):
        while True:
            try:
                await client.jetstream().account_info()
                break
            except (Error, TimeoutError):
                await asyncio.sleep(0.1)
    await client.close()


async def _leader(servers: list[NatsServer]) -> NatsServer:
    client = await nats.connect([server.url for server in servers])
    info = await client.jetstream().stream_info(STREAM)
    await client.close()
    assert info.cluster
    assert len(info.cluster.replicas or ()) == 2, "the stream has three replicas"
    return next(server for server in servers if server.name == info.cluster.leader)
