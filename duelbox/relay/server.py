"""The relay itself: websockets in front of its rooms."""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from http import HTTPStatus
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any, cast

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from duelbox.core.errors import DuelboxError
from duelbox.relay.address import HostPort, listening_at
from duelbox.relay.limits import Bucket, Limits, neighbourhood
from duelbox.relay.log import Log, Unavailable
from duelbox.relay.rooms import WATCHER, Listener, LiveRoom, Rooms
from duelbox.relay.sqlite import SqliteLog
from duelbox.relay.wire import MAX_FRAME, PATH, BadFrame, RoomGone, RoomRefused, frame, read_frame, unpacked

LOG = logging.getLogger("duelbox.relay")
LOG.addHandler(logging.NullHandler())
SWEEP_SECONDS = 10.0

_SILENT = logging.getLogger("duelbox.relay.websockets")
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False
_SILENT.setLevel(logging.CRITICAL + 1)  # websockets tells every broken handshake with a traceback


class Relay:
    """A relay that is running; `address` is where members reach it."""

    def __init__(self, log: Log, limits: Limits, proxies: Iterable[str]) -> None:
        self.address = ""
        self.connections: Counter[str] = Counter()
        self.sockets = 0
        """Those in the middle of a handshake, too."""
        self.kept = 0
        """Entries since the start."""
        self._log, self.limits = log, limits
        self._proxies = [_network(proxy) for proxy in proxies]
        self._rooms = Rooms(log, limits)

    @property
    def status(self) -> dict[str, Any]:
        """Figures for whoever runs it; nothing about who plays."""
        return {"rooms": len(self._rooms.live), "connections": self.connections.total(), "entries": self.kept}

    async def answer(self, socket: ServerConnection, request: Request) -> Response | None:
        """Answer what is not a member's connection: a look at its health, or a stray browser."""
        path = request.path.partition("?")[0]
        if path.endswith("/health"):
            try:
                await self._log.read("0", 0)
            except Unavailable as error:
                return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, f"{error.sentence}\n")
            return socket.respond(HTTPStatus.OK, json.dumps(self.status) + "\n")
        if not path.endswith(PATH) or "Upgrade" not in request.headers:
            return socket.respond(HTTPStatus.NOT_FOUND, "This is a relay of duelbox. To play: duelbox join CODE\n")
        address = self._address(socket)
        if self.connections[address] >= self.limits.connections_an_address:
            return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, "The relay is full. Try again later.\n")
        return None

    async def handle(self, socket: ServerConnection) -> None:
        """Serve a connection to its end."""
        address = self._address(socket)
        self.connections[address] += 1
        try:
            async with asyncio.timeout(self.limits.handshake):
                first = read_frame(await socket.recv())
            await self._greet(socket, first, address)
        except TimeoutError:
            await _refuse(socket, RoomRefused(f"Nothing was said within {self.limits.handshake:g} seconds."))
        except BadFrame as error:
            await _refuse(socket, RoomRefused(f"This is not duelbox/1: {error}."))
        except (RoomRefused, Unavailable) as error:
            LOG.info("refused: %s", error.sentence, extra={"address": address})
            await _refuse(socket, error)
        except ConnectionClosed:
            pass
        finally:
            self.connections[address] -= 1
            if not self.connections[address]:
                del self.connections[address]

    async def sweep(self) -> None:
        """Clear up, again and again."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self._rooms.sweep()
            except Unavailable as error:
                LOG.warning("%s", error.sentence)

    def _address(self, socket: ServerConnection) -> str:
        """Whose connection it is, as far as limits go: a proxy says for whom it asks."""
        address = str((socket.remote_address or ("",))[0]).partition("%")[0]
        forwarded = socket.request.headers.get_all("X-Forwarded-For") if socket.request else []
        if forwarded and any(ip_address(address) in proxy for proxy in self._proxies):
            address = forwarded[-1].rpartition(",")[2].strip()
        return neighbourhood(address)

    async def _greet(self, socket: ServerConnection, first: dict[str, Any], address: str) -> None:
        match first["t"]:
            case "open":
                who, (room, key) = "host", await self._rooms.open(address, first["watch"])
            case "enter":
                who, (room, key) = "guest", await self._rooms.enter(first["room"], address)
            case "back":
                room = await self._rooms.find(first["room"])
                await self._attend(socket, room, room.admit(first["who"], first["key"]))
                return
            case kind:
                raise BadFrame(f"a connection does not begin with {kind}")
        LOG.info("room %s: %s has joined", room.number, who, extra={"address": address})
        await socket.send(frame("ticket", room=room.number, who=who, key=key))

    async def _attend(self, socket: ServerConnection, room: LiveRoom, who: str) -> None:
        me = Listener(who, Bucket(self.limits.puts_a_second, self.limits.burst))
        teller = asyncio.create_task(_tell(socket, room, me))
        try:
            await room.come(me)
            await socket.send(frame("welcome"))
            while True:
                said = read_frame(await socket.recv())
                if said["t"] == "read" and me.seq is None:
                    me.seq = said["since"]
                    me.news.set()
                elif said["t"] == "put":
                    if wait := me.bucket.wait():
                        await asyncio.sleep(wait)  # nothing more is read from who is too fast
                    me.bucket.take()
                    seq = await room.put(who, said["n"], unpacked(said["body"]))
                    self.kept += 1
                    if me.seq is None or me.seq >= seq:  # else the entry itself, told in its turn, is the answer
                        await socket.send(frame("kept", n=said["n"], seq=seq))
                else:
                    raise BadFrame(f"{said['t']} does not belong here")
        finally:
            teller.cancel()
            await room.go(me)


class _Socket(ServerConnection):
    """A connection that is counted from its first byte on, so that no crowd of half handshakes takes everything."""

    def __init__(self, relay: Relay, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._relay = relay

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._relay.sockets += 1
        if self._relay.sockets > self._relay.limits.connections:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._relay.sockets -= 1
        super().connection_lost(exc)


async def _tell(socket: ServerConnection, room: LiveRoom, me: Listener) -> None:
    """Tell a member the news, as fast as they listen."""
    with suppress(ConnectionClosed):
        while me.farewell is None:
            await me.news.wait()
            me.news.clear()
            if me.seq is None and me.farewell is None:
                continue
            while me.presence:
                who, here = me.presence.popitem()
                await socket.send(frame("here", who=who, here=here))
            try:
                while me.seq is not None and me.seq < room.seq and me.farewell is None:
                    for seq, told in await room.after(me.seq):
                        await socket.send(told)
                        me.seq = seq
            except Unavailable as error:
                await _refuse(socket, error)
                return
        # A watcher comes back to another place, where two relays have given away the same.
        await _refuse(socket, (Unavailable if me.who.startswith(WATCHER) else RoomRefused)(me.farewell))


async def _refuse(socket: ServerConnection, why: RoomRefused | Unavailable) -> None:
    said = frame("no", say=why.sentence, final=isinstance(why, RoomRefused))
    with suppress(ConnectionClosed):
        await socket.send(frame("gone", say=why.sentence) if isinstance(why, RoomGone) else said)
        await socket.close()


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text)
    except ValueError as error:
        raise DuelboxError(f"{text[:60]!a} is no address or network. Right would be 10.0.0.7 or 10.0.0.0/8.") from error


@asynccontextmanager
async def serving(
    listen: str = "127.0.0.1:0",
    path: Path | None = None,
    *,
    log: Log | None = None,
    limits: Limits | None = None,
    tls: ssl.SSLContext | None = None,
    proxies: Iterable[str] = ("127.0.0.1", "::1"),
) -> AsyncIterator[Relay]:
    """A relay at HOST:PORT (port 0: any that is free) that keeps its rooms in an SQLite file, or in memory only.

    `proxies` are addresses and networks whose X-Forwarded-For is believed. Raises DuelboxError where the file or the
    address cannot be used.
    """
    log = log or SqliteLog(path)
    try:
        relay = Relay(log, limits or Limits(), proxies)
        async with await _listening(relay, listen, tls) as server:
            name, port = next(iter(server.sockets)).getsockname()[:2]
            relay.address = f"{'wss' if tls else 'ws'}://{HostPort(name, port)}"
            sweeper = asyncio.create_task(relay.sweep())
            try:
                yield relay
            finally:
                sweeper.cancel()
    finally:
        await log.close()


async def _listening(relay: Relay, listen: str, tls: ssl.SSLContext | None) -> Server:
    host, port = listening_at(listen)
    try:
        return await serve(
            relay.handle,
            host,
            port,
            ssl=tls,
            origins=[None],  # no page in a browser has business here
            compression=None,
            process_request=relay.answer,
            server_header=None,
            open_timeout=relay.limits.handshake,
            close_timeout=2,
            max_size=MAX_FRAME,
            create_connection=cast(Any, partial(_Socket, relay)),  # any factory will do
            max_queue=4,
            logger=_SILENT,
        )
    except OSError as error:
        raise DuelboxError(f"The relay cannot listen at {listen}: {error.strerror or error}.") from error
