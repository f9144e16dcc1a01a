"""The connection with a slow disk and a dying line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from duelbox.friends.connection import Connection
from duelbox.friends.journal_notes import Note, Put
from duelbox.friends.side import RoomMember
from duelbox.relay.wire import Entry, Presence, RoomLost
from tests.relay.clients import until


class Talker(RoomMember):
    """A member that answers every entry."""

    def __init__(self) -> None:
        self.since = 0
        self._said: list[tuple[int, bytes]] = []
        self._notes: list[Note] = []

    def say(self, text: str) -> None:
        self._said.append((len(self._said) + 1, text.encode()))
        self._notes.append(Put(n=len(self._said), text=text))

    def outgoing(self) -> list[tuple[int, bytes]]:
        return list(self._said)

    def take_notes(self) -> list[Note]:
        notes, self._notes = self._notes, []
        return notes

    def receive(self, entry: Entry) -> None:
        self.since = entry.seq
        self.say("answer")


class Wire:
    """A line that delivers some entries, stores what is put, and dies when told to."""

    def __init__(self, *entries: Entry) -> None:
        self._entries = entries
        self.kept: list[bytes] = []
        self.dead = asyncio.Event()

    async def append(self, n: int, body: bytes) -> int:
        if self.dead.is_set():
            raise RoomLost("It is gone.")
        self.kept.append(body)
        return n

    async def events(self, since: int) -> AsyncIterator[Entry | Presence]:
        for entry in self._entries:
            if entry.seq > since:
                yield entry
        await self.dead.wait()
        raise RoomLost("It is gone.")

    async def close(self) -> None: ...


class Disk:
    """A disk that writes once each time it is allowed to."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.free = asyncio.Semaphore(0)
        self.asked = 0

    async def keep(self, notes: Sequence[Note]) -> None:
        self.asked += 1
        await self.free.acquire()
        self.written += [note.text for note in notes if isinstance(note, Put)]


def connecting(*wires: Wire) -> Callable[[], Awaitable[Wire]]:
    left = iter(wires)

    async def connect() -> Wire:
        return next(left)

    return connect


async def test_what_is_said_while_the_disk_is_busy_is_not_put_before_it_is_written() -> None:
    talker, disk, wire = Talker(), Disk(), Wire()
    put: list[tuple[bytes, list[str]]] = []
    append = wire.append

    async def watched(n: int, body: bytes) -> int:
        put.append((body, list(disk.written)))
        return await append(n, body)

    wire.append = watched
    connection = Connection(talker, connecting(wire), disk.keep)
    talker.say("one")
    running = asyncio.create_task(connection.run())
    await until(lambda: disk.asked == 1)
    talker.say("two")
    posting = asyncio.create_task(connection.post())
    disk.free.release()
    await until(lambda: disk.asked == 2 and bool(put))
    await asyncio.sleep(0.01)
    disk.free.release()
    await until(lambda: len(put) == 2)
    assert all(body.decode() in written for body, written in put)
    running.cancel()
    await asyncio.gather(running, posting, return_exceptions=True)


async def test_an_answer_that_is_being_written_when_the_connection_dies_is_put_over_the_next() -> None:
    talker, disk = Talker(), Disk()
    first, second = Wire(Entry(1, "host", 1, b"question")), Wire()

    async def dies(n: int, body: bytes) -> int:
        await first.dead.wait()
        raise RoomLost("It is gone.")

    first.append = dies
    connection = Connection(talker, connecting(first, second), disk.keep)
    talker.say("hello")
    disk.free.release()
    running = asyncio.create_task(connection.run())
    await until(lambda: talker.since == 1 and disk.asked == 2)
    first.dead.set()
    await until(lambda: not connection.connected)
    disk.free.release()
    await until(lambda: len(second.kept) == 2)
    assert second.kept == [b"hello", b"answer"]
    assert disk.written == ["hello", "answer"]
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_nothing_is_being_written_any_more_when_a_connection_has_stopped() -> None:
    talker, disk = Talker(), Disk()
    connection = Connection(talker, connecting(Wire(Entry(1, "host", 1, b"question"))), disk.keep)
    running = asyncio.create_task(connection.run())
    await until(lambda: disk.asked == 1)
    running.cancel()
    await asyncio.sleep(0.01)
    assert not running.done()
    disk.free.release()
    await asyncio.gather(running, return_exceptions=True)
    assert disk.written == ["answer"]
