"""What a relay keeps of its rooms: records in order, each on disk before anybody hears of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from duelbox.core.errors import DuelboxError
from duelbox.net.room import Entry


@dataclass(frozen=True, slots=True)
class Record:
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


class Follower(Protocol):
    """A room that wants to hear what other relays do in it."""

    number: str

    @property
    def here(self) -> list[str]:
        """The members connected at this relay."""

    def hear(self, after: int, place: int, record: Record) -> None:
        """Another relay, or this one, has kept a record; it lies behind the one at `after`."""

    def meet(self, relay: str, who: str, *, here: bool, just_now: bool) -> None:
        """A member is connected at another relay, or no more."""

    def refresh_soon(self) -> None:
        """Read on; something may have been missed."""


class Log(Protocol):
    """The logs of all rooms. A place is where a record lies in its room's log: it only grows, and 0 is before all."""

    async def append(self, room: str, after: int, record: Record, dies: float | None) -> int:
        """Keep a record behind the one at `after`, and the room until `dies` (None: as before); returns the new place.

        When it returns, the record is on disk. Raises Conflict or Unavailable; whether the record was kept is unknown
        after the latter.
        """

    async def read(self, room: str, after: int) -> list[tuple[int, Record]]:
        """The next records after a place, some at a time; none where there are none. Raises Unavailable."""

    async def forget(self, room: str) -> None:
        """Drop a room; raises Unavailable."""

    async def sweep(self, died: float) -> None:
        """Drop the rooms that were not to be kept longer than until `died`. Raises Unavailable."""

    async def close(self) -> None:
        """Finish what was begun and let go."""

    async def follow(self, room: Follower) -> None:
        """Let a room hear what other relays do in it; raises Unavailable."""

    async def leave(self, room: Follower) -> None:
        """Stop that."""

    async def announce(self, room: Follower, who: str, *, here: bool) -> None:
        """Tell other relays that a member has come here, or gone."""
