"""What dies in the middle of many games: the relay's process, a server of the cluster. All go on, nothing is lost."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import nats

from duelbox.relay.jetstream import STREAM
from tests.effort import SHARE
from tests.relay.conftest import serving_nats
from tests.relay.games import Game, check, opened, play
from tests.relay.nats_server import NatsServer, cluster
from tests.relay.table import GENEROUS

MOVES = 20

SERVE = """
import asyncio, sys
from pathlib import Path
from duelbox.relay import serving
from tests.relay.table import GENEROUS

async def main():
    async with serving(sys.argv[1], Path(sys.argv[2]), limits=GENEROUS) as relay:
        print(relay.address, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


class _Halfway:
    """Sets an event at every so many acknowledged moves."""

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


async def _leader(servers: list[NatsServer]) -> NatsServer:
    client = await nats.connect([server.url for server in servers])
    info = await client.jetstream().stream_info(STREAM)
    await client.close()
    assert info.cluster
    assert len(info.cluster.replicas or ()) == 2, "the stream has three replicas"
    return next(server for server in servers if server.name == info.cluster.leader)
