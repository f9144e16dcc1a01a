"""The courier: carries between one side of a match and its room, and comes back as often as the connection dies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from math import inf
from time import monotonic
from typing import Protocol

from duelbox.core.errors import DuelboxError
from duelbox.net.notes import Note
from duelbox.net.peer import Gap
from duelbox.net.room import Entry, Presence, Room, RoomLost

_SOON, _LATEST = 0.1, 5.0
"""Seconds between two tries to connect: twice as long each time."""


class Party(Protocol):
    """Whom a courier serves: a match, or the meeting before it."""

    since: int

    def outgoing(self) -> list[tuple[int, bytes]]:
        """The entries to put."""

    def receive(self, entry: Entry) -> None:
        """Take an entry of the room; raises Gap."""

    def take_notes(self) -> list[Note]:
        """What must be on disk before anything else is put."""


Keep = Callable[[Sequence[Note]], Awaitable[None]]


class Courier:
    """Runs in the background; `changed` is called after everything that may be news."""

    def __init__(
        self, party: Party, connect: Callable[[], Awaitable[Room]], keep: Keep, changed: Callable[[], None]
    ) -> None:
        self._party, self._connect, self._keep, self._changed = party, connect, keep, changed
        self.connected = False
        self.here: dict[str, bool] = {}
        """Which members of the room are here, as far as it was told."""
        self.trouble = ""
        """Why there is no connection, in a sentence."""
        self._ready: list[tuple[int, bytes]] = []
        self._wake = asyncio.Event()
        self._writing = asyncio.Lock()
        self._failed: DuelboxError | None = None

    def on_change(self, changed: Callable[[], None]) -> None:
        """Call this, from now on, after everything that may be news."""
        self._changed = changed

    async def run(self) -> None:
        """Carry until cancelled; raises RoomRefused where the relay says no for good."""
        pause = _SOON
        try:
            while True:
                await self.post()  # the connection may have died before what was written down was put
                began = inf
                try:
                    room = await self._connect()
                    began = monotonic()
                    await self._serve(room)
                except (RoomLost, Gap) as lost:
                    self.connected, self.here = False, {}
                    self.trouble = getattr(lost, "sentence", "")
                    self._changed()
                if monotonic() - began > _LATEST:  # the connection held for a while
                    pause = _SOON
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LATEST)
        finally:
            async with self._writing:  # nothing is being written any more when this ends
                pass

    async def post(self) -> None:
        """Write down what is new on this side, and then let it be put; where that fails, nothing is put any more."""
        await asyncio.shield(self._post())  # a connection that dies must not take along what is being written

    async def _post(self) -> None:
        async with self._writing:
            if self._failed is not None:
                raise self._failed
            notes, ready = self._party.take_notes(), self._party.outgoing()  # what comes meanwhile is not on disk yet
            try:
                if notes:
                    await self._keep(notes)
            except DuelboxError as error:
                self._failed = error
                raise
            self._ready = ready
        self._wake.set()

    async def _serve(self, room: Room) -> None:
        """Carry both ways until the connection dies."""
        self.connected, self.trouble = True, ""
        self._changed()
        tasks = [asyncio.create_task(self._read(room)), asyncio.create_task(self._write(room))]
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

    async def _read(self, room: Room) -> None:
        async for event in room.events(self._party.since):
            if isinstance(event, Presence):
                self.here[event.who] = event.here
            else:
                self._party.receive(event)
                await self.post()
            self._changed()

    async def _write(self, room: Room) -> None:
        put = 0
        while True:
            self._wake.clear()
            for n, body in self._ready:
                if n > put:
                    await room.append(n, body)
                    put = n
            await self._wake.wait()
