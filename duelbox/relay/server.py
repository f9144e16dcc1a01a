"""The relay as a server: websockets in front of its rooms."""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from time import time
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from duelbox.core.errors import DuelboxError
from duelbox.relay.address import HostPort, listening_at
from duelbox.relay.connected_member import ConnectedMember
from duelbox.relay.limited_socket import LimitedSocket
from duelbox.relay.limits import Bucket, Limits
from duelbox.relay.proxies import Proxies
from duelbox.relay.room_log import RoomLog, Unavailable
from duelbox.relay.rooms import WATCHER, LiveRoom, Rooms
from duelbox.relay.sqlite import SqliteRoomLog
from duelbox.relay.wire import (
    MAX_FRAME,
    PATH,
    BadFrame,
    RoomGone,
    RoomRefused,
    Ticket,
    frame,
    read_frame,
    unpacked,
)

LOG = logging.getLogger("duelbox.relay")
LOG.addHandler(logging.NullHandler())
SWEEP_SECONDS = 10.0

_SILENT = logging.getLogger("duelbox.relay.websockets")
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False
_SILENT.setLevel(logging.CRITICAL + 1)  # websockets logs every broken handshake with a traceback


class Relay:
    """A running relay; members reach it at `address`."""

    def __init__(self, log: RoomLog, limits: Limits, proxies: Iterable[str]) -> None:
        self.address = ""
        self.connections: Counter[str] = Counter()
        """Open websockets by address."""
        self.listening: LimitedSocket | None = None
        self.kept = 0
        """Entries stored since the start."""
        self._log, self.limits = log, limits
        self.proxies = Proxies(proxies)
        self._rooms = Rooms(log, limits)
        self._checks, self._health = Bucket(1, 1), ""

    @property
    def status(self) -> dict[str, Any]:
        """Figures for the relay's operator; nothing about who plays."""
        return {"rooms": len(self._rooms.live), "connections": self.connections.total(), "entries": self.kept}

    async def answer(self, socket: ServerConnection, request: Request) -> Response | None:
        """Answer requests that are no member's connection: health checks and stray browsers."""
        path = request.path.partition("?")[0]
        if path.endswith("/health"):
            if trouble := await self._trouble():
                return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, f"{trouble}\n")
            return socket.respond(HTTPStatus.OK, json.dumps(self.status) + "\n")
        if not path.endswith(PATH) or "Upgrade" not in request.headers:
            return socket.respond(HTTPStatus.NOT_FOUND, "This is a relay of duelbox. To play: duelbox join CODE\n")
        address = self._address(socket)
        if self.connections[address] >= self.limits.connections_an_address:
            return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, "The relay is full. Try again later.\n")
        return None

    async def _trouble(self) -> str:
        """The sentence that says why no entry can be stored, or empty; tried at most once a second."""
        if self._checks.take():
            try:
                await self._log.check()
                self._health = ""
            except Unavailable as error:
                self._health = error.sentence
        return self._health

    async def open(self, watch: str = "") -> Ticket:
        """Open a room for this process."""
        room, key = await self._rooms.open(None, watch)
        return Ticket(relay=self.address, room=room.number, who="host", key=key)

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
            await _refuse(socket, Unavailable(f"This is not duelbox/1: {error}."))
        except (RoomRefused, Unavailable) as error:
            LOG.warning("refused: %s", error.sentence, extra={"address": address})
            await _refuse(socket, error)
        except ConnectionClosed:
            pass
        finally:
            self.connections[address] -= 1
            if not self.connections[address]:
                del self.connections[address]

    async def sweep(self) -> None:
        """Close old rooms every few seconds."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self._rooms.sweep()
            except Unavailable as error:
                LOG.warning("%s", error.sentence)

    def _address(self, socket: ServerConnection) -> str:
        """The client address that limits count; taken from X-Forwarded-For behind a trusted proxy."""
        forwarded = socket.request.headers.get_all("X-Forwarded-For") if socket.request else []
        return self.proxies.client(str((socket.remote_address or ("",))[0]), ",".join(forwarded))

    async def _greet(self, socket: ServerConnection, first: dict[str, Any], address: str) -> None:
        match first["t"]:
            case "open":
                who, (room, key) = "host", await self._rooms.open(address, first["watch"])
            case "enter":
                who, (room, key) = "guest", await self._rooms.enter(first["room"], address)
            case "back":
                await self._attend(socket, *await self._rooms.back(first["room"], first["who"], first["key"], address))
                return
            case kind:
                raise BadFrame(f"a connection does not begin with {kind}")
        LOG.info("room %s: %s has joined", room.number, who, extra={"address": address})
        await socket.send(frame("ticket", room=room.number, who=who, key=key))

    async def _attend(self, socket: ServerConnection, room: LiveRoom, who: str) -> None:
        me = ConnectedMember(who, Bucket(self.limits.puts_a_second, self.limits.burst))
        teller = asyncio.create_task(_tell(socket, room, me))
        try:
            await room.connect(me)
            await socket.send(frame("welcome"))
            while True:
                received = read_frame(await socket.recv())
                if received["t"] == "read" and me.seq is None:
                    me.seq = received["since"]
                    me.news.set()
                elif received["t"] == "put":
                    if wait := me.bucket.wait():
                        await asyncio.sleep(wait)  # back-pressure: stop reading until the bucket refills
                    me.bucket.take()
                    seq = await room.put(who, received["n"], unpacked(received["body"]))
                    self.kept += 1
                    if me.seq is None or me.seq >= seq:  # otherwise the entry itself, sent in its turn, is the answer
                        await socket.send(frame("kept", n=received["n"], seq=seq))
                elif received["t"] == "away":
                    await room.turn_away(who)
                elif received["t"] == "leave":
                    await room.leave(who)
                else:
                    raise BadFrame(f"{received['t']} does not belong here")
        finally:
            teller.cancel()
            await room.disconnect(me)


async def _tell(socket: ServerConnection, room: LiveRoom, me: ConnectedMember) -> None:
    """Send a member entries and presences, as fast as they read them."""
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
                    for seq, sent in await room.after(me.seq):
                        await socket.send(sent)
                        me.seq = seq
            except Unavailable as error:
                await _refuse(socket, error)
                return
        # A watcher may try again and get another place, if two relays gave the same one away.
        kind = Unavailable if me.who.startswith(WATCHER) else RoomRefused
        await _refuse(socket, (RoomGone if room.why_over(time()) else kind)(me.farewell))


async def _refuse(socket: ServerConnection, why: RoomRefused | Unavailable) -> None:
    refusal = frame("no", say=why.sentence, final=isinstance(why, RoomRefused))
    with suppress(ConnectionClosed):
        await socket.send(frame("gone", say=why.sentence) if isinstance(why, RoomGone) else refusal)
        await socket.close()


@asynccontextmanager
async def serving(
    listen: str = "127.0.0.1:0",
    path: Path | None = None,
    *,
    log: RoomLog | None = None,
    limits: Limits | None = None,
    tls: ssl.SSLContext | None = None,
    proxies: Iterable[str] = (),
) -> AsyncIterator[Relay]:
    """Run a relay at HOST:PORT (port 0: any free one); rooms are kept in an SQLite file, or only in memory.

    `proxies` are addresses and networks whose X-Forwarded-For is trusted. Raises DuelboxError if the file or the
    address cannot be used.
    """
    log = log or SqliteRoomLog(path)
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
    limits = relay.limits
    try:
        relay.listening = LimitedSocket(host, port, limits.connections, limits.connections_an_address, relay.proxies)
        return await serve(
            relay.handle,
            sock=relay.listening,
            ssl=tls,
            ssl_handshake_timeout=limits.handshake if tls else None,
            origins=[None],  # no page in a browser may connect
            compression=None,
            process_request=relay.answer,
            server_header=None,
            open_timeout=limits.handshake,
            close_timeout=2,
            max_size=MAX_FRAME,
            max_queue=4,
            logger=_SILENT,
        )
    except OSError as error:
        raise DuelboxError(f"The relay cannot listen at {listen}: {error.strerror or error}.") from error
