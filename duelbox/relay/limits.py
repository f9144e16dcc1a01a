"""How much a relay gives to one room, one address, one member."""

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
    """What is allowed; times in seconds."""

    watchers: int = 20
    entries: int = 10_000
    size: int = 4_000_000
    """Bytes in all entries of a room: twice what so many messages of a match take."""
    unpaired: float = 10 * MINUTE
    idle: float = 30 * DAY
    """So long two who met may leave their match."""
    life: float = 90 * DAY
    proof: float = 10
    """So long a guest has the place before the host has answered that they know the code."""
    joins_a_room: int = 3
    """Per minute and address, so that one stranger has the place for half of the time at most."""
    misses_an_address: int = 20
    """Numbers without a room, full rooms and wrong keys, per minute."""
    waiting_an_address: int = 40
    """Rooms without a guest, open at once."""
    rooms_an_address: int = 200
    """Open at once; so that nobody uses up the numbers, or the disk."""
    open_to_all: bool = True
    """Strangers open rooms; otherwise only the process that the relay runs in does."""
    puts_a_second: float = 20
    burst: int = 40
    handshake: float = 10
    """For TLS, for the websocket to open, and for the first frame, each."""
    connections: int = 10_000
    connections_an_address: int = 200


class Bucket:
    """Holds up to `burst` drops, one more every 1/rate seconds."""

    __slots__ = ("_at", "_burst", "_drops", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst, self._drops, self._at = rate, burst, burst, monotonic()

    def wait(self, drops: int = 1) -> float:
        """Seconds until there are so many drops."""
        now = monotonic()
        self._drops = min(self._burst, self._drops + (now - self._at) * self._rate)
        self._at = now
        return max(0.0, (drops - self._drops) / self._rate)

    def take(self, drops: int = 1) -> bool:
        """Take so many drops, if they are there."""
        if self.wait(drops) > 0:
            return False
        self._drops -= drops
        return True


class RecentlyUsed(OrderedDict[str, T]):
    """Something for each name, the least used forgotten, so that no stranger fills the memory."""

    def __init__(self, make: Callable[[], T], most: int = 10_000) -> None:
        super().__init__()
        self._make, self._most = make, most

    def of(self, name: str) -> T:
        """That of this name, made where there is none."""
        found = self.setdefault(name, self._make())
        self.move_to_end(name)
        if len(self) > self._most:
            self.popitem(last=False)
        return found


class OnceAMinute(logging.Filter):
    """Lets a warning or an error through once a minute, whatever its details."""

    def __init__(self) -> None:
        super().__init__()
        self._last: RecentlyUsed[list[float]] = RecentlyUsed(list, 100)

    def filter(self, record: logging.LogRecord) -> bool:
        """Let information pass, and a kind of warning that was not logged within a minute."""
        last, now = self._last.of(record.msg if isinstance(record.msg, str) else record.name), monotonic()
        if record.levelno < logging.WARNING or not last or now > last[0] + MINUTE:
            last[:] = [now]
            return True
        return False


def span(seconds: float) -> str:
    """A length of time in the largest unit that it fills."""
    for unit, size in (("day", DAY), ("hour", HOUR), ("minute", MINUTE), ("second", 1)):
        if seconds > size or unit == "second":
            count = f"{seconds / size:g}"
            return f"{count} {unit}{'' if count == '1' else 's'}"
    raise AssertionError
