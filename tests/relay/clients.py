"""Shared by tests of the relay: limits out of the way, a room with its players, and reading from it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from duelbox.friends.client import RelayRoom, connect, enter_room, open_room
from duelbox.relay.limits import Limits
from duelbox.relay.wire import Entry, Presence, Ticket

T = TypeVar("T")
PATIENT = 30.0
WATCH = "what every watcher knows"

GENEROUS = Limits(
    entries=1_000_000,
    size=1_000_000_000,
    joins_a_room=100_000,
    misses_an_address=10_000_000,
    waiting_an_address=10_000_000,
    rooms_an_address=10_000_000,
    puts_a_second=1_000_000,
    burst=1_000_000,
    connections=100_000,
    connections_an_address=100_000,
)
"""Limits for tests of something else."""


async def paired(relay: str, other: str | None = None) -> tuple[Ticket, Ticket]:
    """The tickets of a room's host and guest; the guest may be at another relay."""
    host = await open_room(relay, WATCH)
    return host, await enter_room(other or relay, host.room)


def watching(ticket: Ticket) -> Ticket:
    """The ticket of any watcher of that room."""
    return ticket.changed(who="watcher", key=WATCH)


@asynccontextmanager
async def connected(*tickets: Ticket) -> AsyncIterator[tuple[RelayRoom, ...]]:
    """A connection for each ticket."""
    rooms = [await connect(ticket) for ticket in tickets]
    try:
        yield tuple(rooms)
    finally:
        for room in rooms:
            await room.close()


async def events_of(room: RelayRoom, kind: type[T], count: int, since: int) -> list[T]:
    """The next `count` events of this kind after `since`."""
    events: list[T] = []
    async with asyncio.timeout(PATIENT):
        async for event in room.events(since):
            if isinstance(event, kind):
                events.append(event)
            if len(events) == count:
                break
    return events


async def entries(room: RelayRoom, count: int, since: int = 0) -> list[Entry]:
    return await events_of(room, Entry, count, since)


async def presences(room: RelayRoom, count: int) -> list[Presence]:
    return await events_of(room, Presence, count, 0)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(PATIENT):
        while not holds():
            await asyncio.sleep(0.01)


async def soon(work: Awaitable[T]) -> T:
    """Wait for the result, but not for ever."""
    return await asyncio.wait_for(work, PATIENT)
