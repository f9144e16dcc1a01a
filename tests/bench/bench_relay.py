"""The speed of the relay: `python -m tests.bench.bench_relay [SECONDS] [HELD]`.

It measures moves per second, and the time until the rival has a move, with 1, 50 and 300 games. Each server is a
process of its own, with all players in this one: a plain websockets echo as the yardstick, and the relay in memory, on
SQLite, and on NATS JetStream (one server, `sync_interval: always`). Then it measures the cost of a connection, and
holds many games at once (2,000) with a move in each. Ratios within one run count, and moves per second of the server's
CPU time, since other work on the machine takes the rest.
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from time import perf_counter, process_time

from websockets.asyncio.client import connect as connect_socket
from websockets.asyncio.server import ServerConnection, serve

from duelbox.friends.client import RelayRoom, connect, enter_room, open_room
from duelbox.relay.jetstream import JetStreamRoomLog
from duelbox.relay.server import serving
from duelbox.relay.wire import Entry
from tests.relay.clients import GENEROUS
from tests.relay.nats_server import NatsServer, free_ports

GAMES = (1, 50, 300)
KINDS = ("echo", "memory", "SQLite", "JetStream")
BODY = b"." * 160
"""The average length of a sealed message of a match."""


# -- the servers, each in a process of its own


async def serve_kind(kind: str, where: str) -> None:
    """Serve until killed; the first line of output is the address."""

    async def echo(socket: ServerConnection) -> None:
        async for message in socket:
            await socket.send(message)

    if kind == "echo":
        async with serve(echo, "127.0.0.1", 0, compression=None, max_queue=4) as server:
            print(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
            await asyncio.Event().wait()
    log = await JetStreamRoomLog.open(where) if kind == "JetStream" else None
    path = Path(where) if kind == "SQLite" else None
    async with serving(path=path, log=log, limits=GENEROUS) as relay:
        print(relay.address, flush=True)
        await asyncio.Event().wait()


@contextmanager
def server(kind: str, folder: Path) -> Iterator[tuple[str, int]]:
    """The address and process of a server."""
    nats = NatsServer(folder / "nats", *free_ports(1)) if kind == "JetStream" else None
    if nats:
        nats.start()
    where = nats.url if nats else str(folder / f"{len(list(folder.iterdir()))}.db")
    command = [sys.executable, "-m", "tests.bench.bench_relay", "serve", kind, where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.kill()
            if nats:
                nats.kill()


# -- the players


@asynccontextmanager
async def table(address: str, games: int) -> AsyncIterator[list[tuple[RelayRoom, RelayRoom]]]:
    """Open games with both players connected."""
    rooms: list[tuple[RelayRoom, RelayRoom]] = []

    async def sit_down() -> None:
        host = await open_room(address)
        guest = await enter_room(address, host.room)
        rooms.append((await connect(host), await connect(guest)))

    for start in range(0, games, 50):
        await asyncio.gather(*(sit_down() for _ in range(min(50, games - start))))
    try:
        yield rooms
    finally:
        for pair in rooms:
            for room in pair:
                room._listener.cancel()
                room._socket.transport.abort()


async def moves_of_a_game(pair: tuple[RelayRoom, RelayRoom], until: float, found: list[float]) -> None:
    """Take turns until the time is over; record when the rival got each move."""
    sent = perf_counter()

    async def player(room: RelayRoom, mine: int) -> None:
        nonlocal sent
        seen = 0
        if mine == 0:
            await room.append(1, BODY)
        async for event in room.events(0):
            if not isinstance(event, Entry):
                continue
            seen += 1
            if seen % 2 == mine:
                found.append(perf_counter() - sent)
                if perf_counter() > until:
                    return
                sent = perf_counter()
                await room.append(seen // 2 + 1, BODY)

    players = [asyncio.create_task(player(room, mine)) for mine, room in enumerate(pair)]
    _, waiting = await asyncio.wait(players, return_when=asyncio.FIRST_COMPLETED)
    for one in waiting:
        one.cancel()


async def echoes(address: str, games: int, seconds: float, found: list[float]) -> None:
    """Keep the same number of moves under way, each answered by an echo."""
    text = "." * 256  # a move as sent on the wire
    sockets = [await connect_socket(address, compression=None, proxy=None) for _ in range(games)]
    until = perf_counter() + seconds

    async def one(at: int) -> None:
        while (sent := perf_counter()) < until:
            await sockets[at].send(text)
            await sockets[at].recv()
            found.append(perf_counter() - sent)

    await asyncio.gather(*(one(at) for at in range(games)))
    for socket in sockets:
        socket.transport.abort()


async def rate(kind: str, games: int, seconds: float, folder: Path) -> tuple[float, list[float], float]:
    """Moves per second, the time of each, and the server's share of a core."""
    found: list[float] = []
    with server(kind, folder) as (address, pid):
        if kind == "echo":
            began, used = perf_counter(), cpu(pid)
            await echoes(address, games, seconds, found)
            spent, used = perf_counter() - began, cpu(pid) - used
        else:
            async with table(address, games) as rooms:
                began, used = perf_counter(), cpu(pid)
                await asyncio.gather(*(moves_of_a_game(pair, began + seconds, found) for pair in rooms))
                spent, used = perf_counter() - began, cpu(pid) - used
    return len(found) / spent, sorted(found), used / spent


# -- resources of a process


def cpu(pid: int) -> float:
    """CPU seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Resident KiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024


async def held(kind: str, games: int, folder: Path) -> None:
    """Hold many games at once, and make a move in each."""
    with server(kind, folder) as (address, pid):
        before = memory(pid)
        began = perf_counter()
        async with table(address, games) as rooms:
            seated, full = perf_counter() - began, memory(pid)
            began = perf_counter()
            for start in range(0, games, 100):
                await asyncio.gather(*(host.append(1, BODY) for host, _ in rooms[start : start + 100]))
            print(
                f"{kind:10} {games} games, {2 * games} connections held: {full / 1024:.0f} MB, "
                f"{(full - before) / (2 * games):.1f} KB a connection; seated in {seated:.0f} s; "
                f"a move in each took {perf_counter() - began:.1f} s"
            )


def bare_commit(folder: Path) -> float:
    """Milliseconds to write a few bytes to disk: the median of 51."""
    found = []
    with (folder / "bare").open("wb") as file:
        for _ in range(51):
            began = perf_counter()
            file.write(BODY)
            file.flush()
            os.fsync(file.fileno())
            found.append(1000 * (perf_counter() - began))
    return sorted(found)[25]


async def main(seconds: float, games_held: int) -> None:
    """Print all figures."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; fsync {bare_commit(folder):.2f} ms")
        print(
            f"{'':10} {'games':>6} {'moves/s':>9} {'of echo':>8} {'p50 ms':>8} {'p99 ms':>8} {'server':>7} {'here':>6}"
        )
        for games in GAMES:
            yard = 0.0
            for kind in KINDS:
                mine = process_time()
                began = perf_counter()
                moves, times, used = await rate(kind, games, seconds, folder)
                here = (process_time() - mine) / (perf_counter() - began)
                yard = yard or moves
                p50, p99 = (1000 * times[int(len(times) * part)] for part in (0.5, 0.99))
                figures = f"{moves:9,.0f} {moves / yard:8.2f} {p50:8.1f} {p99:8.1f} {used:8.0%} {here:8.0%}"
                print(f"{kind:12} {games:6} {figures} {moves / used:12,.0f}", flush=True)
        for kind in KINDS[1:]:
            await held(kind, games_held if kind != "memory" else 200, folder)
        print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        if sys.argv[1:2] == ["serve"]:
            asyncio.run(serve_kind(*sys.argv[2:4]))
        else:
            asyncio.run(main(float(sys.argv[1]) if sys.argv[1:] else 4, int(sys.argv[2]) if sys.argv[2:] else 2000))
