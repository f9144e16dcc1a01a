"""The log of a relay's rooms: records in order, each on disk before any member hears of it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from secrets import token_bytes
from time import time
from typing import TYPE_CHECKING

from duelbox.core.errors import DuelboxError
from duelbox.relay.wire import MAX_BODY, Entry

if TYPE_CHECKING:
    from duelbox.relay.rooms import LiveRoom

_TRIAL = "0"
"""A number that no room can have."""


@dataclass(frozen=True, slots=True)
class RoomRecord:
    """A line of a room's log: a member joined or left (n = 0), or put an entry (n = 1, 2, 3 …)."""

    who: str
    n: int
    body: bytes
    time: float
    """Seconds since 1970 by the clock of the relay that stored it."""

    def entry(self, seq: int) -> Entry:
        """The record as the entry with this number in the room."""
        return Entry(seq, self.who, self.n, self.body, int(self.time))


class Conflict(Exception):
    """The room's log has grown meanwhile; read on, then try again."""


class Unavailable(DuelboxError):
    """The storage does not work just now."""


class RoomLog:
    """The logs of all rooms. A record's place in its log only grows from one to the next; 0 is before the first."""

    async def append(self, room: str, after: int, record: RoomRecord, dies: float | None) -> int:
        """Store a record after the one at `after`, and keep the room until `dies` (None: unchanged); returns its place.

        The record is on disk when this returns. Raises Conflict or Unavailable; after Unavailable it may or may not be
        stored.
        """
        raise NotImplementedError

    async def read(self, room: str, after: int) -> list[tuple[int, RoomRecord]]:
        """Some of the records after a place, none if it is the last; raises Unavailable."""
        raise NotImplementedError

    async def forget(self, room: str) -> None:
        """Drop a room; raises Unavailable."""
        raise NotImplementedError

    async def check(self) -> None:
        """Store an entry of the largest size and drop it again; raises Unavailable."""
        with suppress(Conflict):  # another relay checks at this moment
            await self.append(_TRIAL, 0, RoomRecord("host", 1, token_bytes(MAX_BODY), time()), 0.0)
        await self.forget(_TRIAL)

    async def close(self) -> None:
        """Finish all writes and close the storage."""
        raise NotImplementedError

    async def sweep(self, died: float) -> None:
        """Drop rooms that were to be kept until `died` at most; raises Unavailable."""

    # -- for several relays that share a log

    async def follow(self, room: LiveRoom) -> None:
        """Pass on to a room what other relays do in it; raises Unavailable."""

    async def leave(self, room: LiveRoom) -> None:
        """Stop following a room."""

    async def announce(self, room: LiveRoom, who: str, *, here: bool) -> None:
        """Tell other relays that a member has connected here, or disconnected."""
