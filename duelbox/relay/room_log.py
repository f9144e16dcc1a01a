"""What a relay keeps of its rooms: records in order, each on disk before anybody hears of it."""

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
"""The number of a room that nobody can open."""


@dataclass(frozen=True, slots=True)
class RoomRecord:
    """A line in a room's log: somebody came to the room (n = 0), or put something into it (n = 1, 2, 3 …)."""

    who: str
    n: int
    body: bytes
    time: float
    """Seconds since 1970, as the relay that took it had them."""

    def entry(self, seq: int) -> Entry:
        """It as an entry, the one of this number in the room."""
        return Entry(seq, self.who, self.n, self.body, int(self.time))


class Conflict(Exception):
    """The room's log does not end where the writer thought it did; read on, then try again."""


class Unavailable(DuelboxError):
    """Nothing can be kept or read just now."""


class RoomLog:
    """The logs of all rooms. A place is where a record lies in its room's log: it only grows, and 0 is before all."""

    async def append(self, room: str, after: int, record: RoomRecord, dies: float | None) -> int:
        """Keep a record behind the one at `after`, and the room until `dies` (None: as before); returns the new place.

        When it returns, the record is on disk. Raises Conflict or Unavailable; whether the record was kept is unknown
        after the latter.
        """
        raise NotImplementedError

    async def read(self, room: str, after: int) -> list[tuple[int, RoomRecord]]:
        """The next records after a place, some at a time; none where there are none. Raises Unavailable."""
        raise NotImplementedError

    async def forget(self, room: str) -> None:
        """Drop a room; raises Unavailable."""
        raise NotImplementedError

    async def check(self) -> None:
        """Keep an entry of the largest size and drop it again; raises Unavailable."""
        with suppress(Conflict):  # another relay does the same at this moment
            await self.append(_TRIAL, 0, RoomRecord("host", 1, token_bytes(MAX_BODY), time()), 0.0)
        await self.forget(_TRIAL)

    async def close(self) -> None:
        """Finish what was begun and let go."""
        raise NotImplementedError

    async def sweep(self, died: float) -> None:
        """Drop the rooms that were not to be kept longer than until `died`. Raises Unavailable."""

    # -- where several relays share a log

    async def follow(self, room: LiveRoom) -> None:
        """Let a room hear what other relays do in it; raises Unavailable."""

    async def leave(self, room: LiveRoom) -> None:
        """Stop that."""

    async def announce(self, room: LiveRoom, who: str, *, here: bool) -> None:
        """Tell other relays that a member has come here, or gone."""
