"""The client of a relay: opens a room or enters one, and connects to it."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_socket
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidProxy, InvalidStatus, InvalidURI

from duelbox.core.names import printable
from duelbox.relay.address import check_reach, relay_at
from duelbox.relay.wire import (
    MAX_BODY,
    MAX_FRAME,
    MEMBER,
    PATH,
    BadFrame,
    Entry,
    Presence,
    RoomGarbled,
    RoomGone,
    RoomLost,
    RoomRefused,
    Ticket,
    event_of,
    frame,
    packed,
    read_frame,
)

ANSWER_WITHIN = 10.0
"""Seconds in which a relay must answer."""
_NUMBER = re.compile("[0-9]{1,9}")
_MOST_UNREAD = 20_000
"""Twice the entries that a room holds; a relay that sends more is not trusted."""


async def open_room(relay: str, watch: str = "") -> Ticket:
    """Open a room and return its host's ticket; `watch` is the key of watchers. Raises RoomLost or RoomRefused."""
    return await _ticket(relay, frame("open", watch=watch))


async def enter_room(relay: str, number: str) -> Ticket:
    """The guest's ticket to a room that somebody has opened; raises RoomLost or RoomRefused."""
    return await _ticket(relay, frame("enter", room=number))


async def connect(ticket: Ticket) -> RelayRoom:
    """Connect to the ticket's room; raises RoomLost or RoomRefused."""
    socket = await _call(ticket.relay)
    await _ask(socket, ticket.relay, frame("back", room=ticket.room, who=ticket.who, key=ticket.key), "welcome")
    return RelayRoom(ticket, socket)


class RelayRoom:
    """A live connection of one member to one room."""

    def __init__(self, ticket: Ticket, socket: ClientConnection) -> None:
        self.ticket = ticket
        self._socket = socket
        self._events: asyncio.Queue[Entry | Presence | None] = asyncio.Queue()
        self._seq = 0
        self._unanswered: dict[int, asyncio.Future[int]] = {}
        self._ended_by: RoomLost | RoomRefused | None = None
        self._listener = asyncio.create_task(self._listen())

    async def append(self, n: int, body: bytes) -> int:
        """Put an entry; returns its number in the room once it is on disk. n is the member's last + 1, or a repeat.

        Raises RoomRefused, or RoomLost, after which the entry may or may not be kept: put it again.
        """
        if len(body) > MAX_BODY:
            raise RoomRefused(f"An entry has at most {MAX_BODY} bytes; this one has {len(body)}.")
        if self._ended_by:
            raise self._ended_by
        stored = self._unanswered.setdefault(n, asyncio.get_running_loop().create_future())
        with suppress(ConnectionClosed):  # then the listener knows why
            await self._socket.send(frame("put", n=n, body=packed(body)))
        return await asyncio.shield(stored)

    async def turn_away(self) -> None:
        """Send away the guest, who did not know the code."""
        with suppress(ConnectionClosed):  # then the listener knows why
            await self._socket.send(frame("away"))

    async def leave(self) -> None:
        """Tell the relay that this player never comes back; when both have, it closes the room."""
        with suppress(ConnectionClosed):  # then the room stays until it has been idle for too long
            await self._socket.send(frame("leave"))

    async def events(self, since: int) -> AsyncIterator[Entry | Presence]:
        """All entries after `since`, one's own too, in order and each once, and then new ones as they come.

        The members that are connected come first. To be called once; raises RoomLost or RoomRefused.
        """
        self._seq = since
        with suppress(ConnectionClosed):
            await self._socket.send(frame("read", since=since))
        while (event := await self._events.get()) is not None:
            yield event
        assert self._ended_by
        raise self._ended_by

    async def close(self) -> None:
        """Close the connection."""
        await self._socket.close()
        await self._listener

    async def _listen(self) -> None:
        try:
            with _talking(self.ticket.relay):
                while True:
                    self._take(read_frame(await self._socket.recv()))
        except (RoomLost, RoomRefused) as error:
            self._ended_by = error
        for stored in self._unanswered.values():
            stored.set_exception(self._ended_by)
            stored.exception()  # marks it as seen, in case nobody waits for it
        self._unanswered.clear()
        self._events.put_nowait(None)
        await self._socket.close()

    def _take(self, received: dict[str, Any]) -> None:
        match received["t"]:
            case "entry" | "here" if self._events.qsize() < _MOST_UNREAD:
                event = event_of(received)
                if isinstance(event, Entry):
                    self._seq += 1
                    if event.seq != self._seq:
                        raise BadFrame(f"entry {event.seq} came in place of {self._seq}")
                    if event.who == self.ticket.who:
                        self._answer(event.n, event.seq)
                self._events.put_nowait(event)
            case "kept":
                self._answer(received["n"], received["seq"])
            case "no" | "gone":
                raise _refusal(received)
            case kind:
                raise BadFrame(f"{kind} does not belong here")

    def _answer(self, n: int, seq: int) -> None:
        if stored := self._unanswered.pop(n, None):
            stored.set_result(seq)


async def _ticket(relay: str, request: str) -> Ticket:
    socket = await _call(relay)
    received = await _ask(socket, relay, request, "ticket")
    await socket.close()
    with _talking(relay):
        if not (_NUMBER.fullmatch(received["room"]) and MEMBER.fullmatch(received["who"])):
            raise BadFrame("a ticket has the number of a room and one of its names")
    return Ticket(relay=relay, room=received["room"], who=received["who"], key=received["key"])


async def _call(relay: str) -> ClientConnection:
    url = relay_at(relay)
    check_reach(url)
    try:
        return await connect_socket(
            f"{url}{PATH}",
            compression=None,
            open_timeout=ANSWER_WITHIN,
            close_timeout=2,
            max_size=MAX_FRAME,
            proxy=None if urlsplit(url).hostname in ("127.0.0.1", "::1", "localhost") else True,
        )
    except InvalidStatus as error:
        status = error.response.status_code
        why = "it is full; try again later" if status == HTTPStatus.SERVICE_UNAVAILABLE else f"HTTP {status}"
        raise RoomLost(f"{url} does not let us in: {why}.") from None
    except ssl.SSLCertVerificationError as error:
        raise RoomRefused(f"{printable(relay)} cannot prove who it is: {printable(error.verify_message)}.") from None
    except (OSError, TimeoutError, InvalidHandshake, InvalidURI, EOFError) as error:
        # The answer of an unknown server is not shown.
        strange = "it does not answer as a relay" if isinstance(error, InvalidHandshake) else "no answer"
        why = getattr(error, "strerror", None) or strange
        raise RoomLost(f"{printable(relay)} cannot be reached: {printable(why)}.") from None
    except (InvalidProxy, ImportError) as error:  # some kinds of proxies need another library
        raise RoomRefused(f"The proxy of this machine cannot be used: {printable(error)}.") from None


async def _ask(socket: ClientConnection, relay: str, request: str, answer: str) -> dict[str, Any]:
    try:
        with _talking(relay):
            async with asyncio.timeout(ANSWER_WITHIN):
                await socket.send(request)
                received = read_frame(await socket.recv())
            if received["t"] in ("no", "gone"):
                raise _refusal(received)
            if received["t"] != answer:
                raise BadFrame(f"{received['t']} is no answer")
    except (RoomLost, RoomRefused):
        await socket.close()
        raise
    except asyncio.CancelledError:
        socket.transport.abort()  # otherwise the relay would still call this member connected
        raise
    return received


@contextmanager
def _talking(relay: str) -> Iterator[None]:
    """Turn errors of the connection into sentences."""
    try:
        yield
    except ConnectionClosed:
        raise RoomLost(f"The connection to {printable(relay)} is gone.") from None
    except TimeoutError:
        raise RoomLost(f"{printable(relay)} does not answer.") from None
    except BadFrame as error:
        raise RoomGarbled(f"{printable(relay)} does not speak duelbox/1: {error}.") from None


def _refusal(received: dict[str, Any]) -> RoomLost | RoomRefused:
    sentence = printable(received["say"][:500])
    if received["t"] == "gone":
        return RoomGone(sentence)
    return RoomRefused(sentence) if received["final"] else RoomLost(sentence)
