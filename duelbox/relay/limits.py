"""Limits of a relay for each room, address and member."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

T = TypeVar("T")
MINUTE = 60.0
HOUR = 60 * MINUTE
DAY = 24 * HOUR


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a relay; times are in seconds."""

    watchers: int = 20
    entries: int = 10_000
    size: int = 4_000_000
    """Bytes of all entries of a room, twice what `entries` messages of a match take."""
    unpaired: float = 10 * MINUTE
    idle: float = 30 * DAY
    """Time for which a room may be silent once it has both players."""
    life: float = 90 * DAY
    proof: float = 10
    """Time for which a guest holds the place until the host confirms that they know the code."""
    joins_a_room: int = 3
    """Per minute and address, so that one stranger holds the place at most half of the time."""
    misses_an_address: int = 20
    """Per minute: numbers without a room, full rooms and wrong keys."""
    waiting_an_address: int = 40
    """Open rooms without a guest."""
    rooms_an_address: int = 200
    """Open rooms; keeps one address from taking all numbers, or the whole disk."""
    open_to_all: bool = True
    """Strangers may open rooms; otherwise only the relay's own process does."""
    puts_a_second: float = 20
    burst: int = 40
    handshake: float = 10
    """For TLS, for opening the websocket, and for the first frame, each."""
    connections: int = 10_000
    connections_an_address: int = 200


class Bucket:
    """A token bucket: holds up to `burst` tokens, and gains `rate` of them a second."""

    __slots__ = ("_at", "_burst", "_drops", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._drops = burst
        self._at = monotonic()

    def wait(self, drops: int = 1) -> float:
        """Seconds until there are so many tokens."""
        now = monotonic()
        self._drops = min(self._burst, self._drops + (now - self._at) * self._rate)
        self._at = now
        return max(0.0, (drops - self._drops) / self._rate)

    def take(self, drops: int = 1) -> bool:
        """Take so many tokens, if there are enough."""
        if self.wait(drops) > 0:
            return False
        self._drops -= drops
        return True


class RecentlyUsed(OrderedDict[str, T]):
    """A value for each name; forgets the one unused for longest, so that strangers cannot fill the memory."""

    def __init__(self, make: Callable[[], T], most: int = 10_000) -> None:
        super().__init__()
        self._make, self._most = make, most

    def of(self, name: str) -> T:
        """The value for a name; created when missing."""
        value = self.setdefault(name, self._make())
        self.move_to_end(name)
        if len(self) > self._most:
            self.popitem(last=False)
        return value


class OnceAMinute(logging.Filter):
    """Lets each warning or error through once a minute, whatever its arguments."""

    def __init__(self) -> None:
        super().__init__()
        self._last: RecentlyUsed[list[float]] = RecentlyUsed(list, 100)

    def filter(self, record: logging.LogRecord) -> bool:
        """Let a record pass if it is no warning, or the first of its kind within a minute."""
        last, now = self._last.of(record.msg if isinstance(record.msg, str) else record.name), monotonic()
        if record.levelno < logging.WARNING or not last or now > last[0] + MINUTE:
            last[:] = [now]
            return True
        return False


def span(seconds: float) -> str:
    """A length of time in the largest unit that it exceeds."""
    for unit, size in (("day", DAY), ("hour", HOUR), ("minute", MINUTE), ("second", 1)):
        if seconds > size or unit == "second":
            count = f"{seconds / size:g}"
            return f"{count} {unit}{'' if count == '1' else 's'}"
    raise AssertionError
