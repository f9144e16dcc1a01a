"""A room: a log that its members, on different machines, append to and read in one order."""

from __future__ import annotations

from dataclasses import dataclass

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
