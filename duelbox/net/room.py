"""A room: a log that its members, on different machines, append to and read in one order."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from duelbox.core.errors import DuelboxError
from duelbox.core.model import Model

MAX_BODY = 4096
"""Bytes in the body of one entry, at most."""


class RoomLost(DuelboxError):
    """The connection is gone; try again later."""


class RoomRefused(DuelboxError):
    """The relay says no for good; its sentence says why."""


class RoomGone(RoomRefused):
    """There is no such room, or no longer: nobody can come back to it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something a player put into the room, for good. A relay cannot read the body: it is sealed."""

    seq: int
    """1, 2, 3 … in the room: the order of everything."""
    who: str
    """The member that put it: "host" or "guest"."""
    n: int
    """1, 2, 3 … of that member; the same n put twice is one entry, the first."""
    body: bytes
    time: int = 0
    """When the relay took it, in seconds since 1970: one clock for all members."""


@dataclass(frozen=True, slots=True)
class Presence:
    """A member came or went; it is told, not kept."""

    who: str
    here: bool


class Ticket(Model):
    """Everything it takes to come back to a room."""

    relay: str
    """ws://HOST:PORT or wss://HOST[:PORT]."""
    room: str
    """Digits, without the words of a code."""
    who: str
    """The member's name in the room: "host" or "guest"; or "watcher", all of whom have one ticket."""
    key: str
    """Proves to the relay that one is that member. Nobody else may learn it."""


class Room(Protocol):
    """One live connection of one member to one room."""

    @property
    def ticket(self) -> Ticket:
        """Whose connection this is."""

    async def append(self, n: int, body: bytes) -> int:
        """Put an entry; returns its seq once it is on disk. n is the member's last + 1, or a repeat.

        Raises RoomLost (whether it was kept is then unknown: put it again) or RoomRefused.
        """

    def events(self, since: int) -> AsyncIterator[Entry | Presence]:
        """All entries after `since`, one's own too, in order and each once, then what comes.

        First of all come the other members that are here. A member that connects again replaces its older connection.
        Call it once a connection; raises RoomLost or RoomRefused.
        """

    async def close(self) -> None:
        """Let go of the connection; the room stays."""
