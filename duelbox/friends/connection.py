"""The connection between a member and its room, made again whenever it dies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from duelbox.friends.journal_notes import Note
from duelbox.friends.side import Gap, RoomMember
from duelbox.relay.wire import Presence, RoomGarbled, RoomLost, RoomRefused

if TYPE_CHECKING:
    from duelbox.friends.client import RelayRoom

_SOON, _LATEST = 0.1, 5.0
"""Seconds before the first retry, and at most; the pause doubles each time."""
_GARBLED = 10
"""Times in a row that a relay may break the protocol."""
_TICK = 5.0
"""Seconds between two calls of `tick`."""
_PROOF_WITHIN = 10.0
"""Seconds in which a relay must show the entry that proves that it has the room."""

_OTHER_RELAY = "Another relay answers at the address of your room."

Connect = Callable[[], Awaitable["RelayRoom"]]
Keep = Callable[[Sequence[Note]], Awaitable[None]]


class Connection:
    """Carries entries between a member and its room in the background."""

    def __init__(self, member: RoomMember, connect: Connect, keep: Keep | None = None) -> None:
        """`keep` writes notes to disk; None for a member without notes, such as a watcher."""
        self._member = member
        self._connect = connect
        self._keep = keep
        self._changed: Callable[[], None] = lambda: None
        self.connected = False
        """A relay is connected, and has proved that it has the room."""
        self.trouble = ""
        """The sentence that says why there is no connection."""
        self.no_room = False
        """A relay answered at the address, and does not have the room."""
        self._proved = asyncio.Event()
        """Set while the connected relay has shown the last entry that was read here before."""
        self._ready: list[tuple[int, bytes]] = []
        self._wake = asyncio.Event()
        self._writing = asyncio.Lock()
        self._failed: Exception | None = None
        self._listening = asyncio.Event()
        """Set while somebody listens; otherwise entries are left waiting."""
        self._listening.set()
        self._running: asyncio.Task[None] | None = None
        self._room: RelayRoom | None = None

    async def reach(self, done: Callable[[], bool]) -> None:
        """Run in the background until `done()` is true; raises the error that ends it before.

        After that nothing more is read from the room until `listen` is called.
        """
        reached = asyncio.get_running_loop().create_future()

        def look() -> None:
            if done() and not reached.done():
                self._listening.clear()
                reached.set_result(None)

        self._changed = look
        self._running = asyncio.create_task(self.run())
        look()
        await asyncio.wait((self._running, reached), return_when=asyncio.FIRST_COMPLETED)
        if self._running.done():
            await self._running

    async def listen(self, changed: Callable[[], None]) -> None:
        """Run until an error ends it; calls `changed` now and after everything that may be news."""
        self._changed = changed
        self._listening.set()
        changed()
        self._running = self._running or asyncio.create_task(self.run())
        await self._running

    async def stop(self, *, for_good: bool = False) -> None:
        """End the connection; `for_good` tells the relay that this player never comes back."""
        if for_good and self._room is not None:
            await self._room.leave()
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def run(self) -> None:
        """Run until cancelled; raises RoomRefused if the relay of this room refuses for good.

        Another relay may answer at the same address by now, so a refusal counts only after a proof.
        """
        pause, garbled = _SOON, 0
        try:
            while True:
                await self.post()  # entries written before the connection died may not have been put
                began = inf
                self._proved.clear()
                try:
                    room = await self._connect()
                    began = monotonic()
                    await self._serve(room)
                except (RoomLost, RoomRefused, Gap) as lost:
                    refused = isinstance(lost, RoomRefused)
                    garbled = garbled + 1 if isinstance(lost, RoomGarbled) else 0
                    doubtful = self._member.known > 0 and not self._proved.is_set()
                    if (refused or garbled >= _GARBLED) and not doubtful:
                        raise
                    self.no_room = refused
                    self.connected, self._member.here = False, {}
                    self._member.in_room = False
                    self._member.tick()  # its messages are put with the next connection
                    self.trouble = getattr(lost, "sentence", "")
                    self._changed()
                if monotonic() - began > _LATEST:  # the connection held for a while
                    pause = _SOON
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LATEST)
        finally:
            async with self._writing:  # let a write to disk finish
                pass

    async def post(self) -> None:
        """Write new notes to disk, then put the entries; after a failed write nothing is put any more."""
        await asyncio.shield(self._post())  # a dying connection must not cancel a write to disk

    async def _post(self) -> None:
        async with self._writing:
            if self._failed is not None:
                raise self._failed
            # Both now, since what comes meanwhile is not on disk yet.
            notes, ready = self._member.take_notes(), self._member.outgoing()
            try:
                if notes and self._keep is not None:
                    await self._keep(notes)
            except Exception as error:
                self._failed = error
                raise
            self._ready = ready
        self._wake.set()

    async def _serve(self, room: RelayRoom) -> None:
        """Read and write until the connection dies."""
        self._room = room
        if not self._member.known:
            self._connected()
        works = (self._read(room), self._write(room), self._watch_clock(), self._wait_for_proof())
        tasks = [asyncio.create_task(work) for work in works]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with suppress(RoomLost):
                await room.close()

    def _connected(self) -> None:
        self._proved.set()
        self.connected = True
        self.trouble = ""
        self.no_room = False
        self._member.in_room = True
        self._changed()

    async def _wait_for_proof(self) -> None:
        """End the connection to a relay that does not show the entry known here."""
        try:
            async with asyncio.timeout(_PROOF_WITHIN):
                await self._proved.wait()
        except TimeoutError:
            raise RoomRefused(_OTHER_RELAY) from None
        await asyncio.Event().wait()

    async def _read(self, room: RelayRoom) -> None:
        known = self._member.known
        async for event in room.events(known - 1 if known else self._member.since):
            await self._listening.wait()
            if isinstance(event, Presence):
                self._member.here = {**self._member.here, event.who: event.here}
                self._member.see(event.who, event.here)
            elif not self._proved.is_set():
                if not self._member.recognises(event):
                    raise RoomRefused(_OTHER_RELAY)
                self._connected()
            else:
                self._member.receive(event)
                await self.post()
                if self._member.turns_away:
                    self._member.turns_away = False
                    await room.turn_away()
            if self.connected:
                self._changed()

    async def _watch_clock(self) -> None:
        await self._proved.wait()
        while True:
            await asyncio.sleep(_TICK)
            if self._member.tick():
                await self.post()
                self._changed()

    async def _write(self, room: RelayRoom) -> None:
        put = 0
        await self._proved.wait()
        while True:
            self._wake.clear()
            for n, body in self._ready:
                if n > put:
                    await room.append(n, body)
                    put = n
            await self._wake.wait()
