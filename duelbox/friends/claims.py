"""The times after which a game can be claimed, and the clocks that measure them."""

from __future__ import annotations

import time
from dataclasses import dataclass

from duelbox.core.match import Player

AFTER = 12 * 3600
STANDS = 60
"""Seconds until a claim counts, so that a friend who is there can answer."""


@dataclass(frozen=True, slots=True)
class PendingClaim:
    """A claim that was made but does not count yet."""

    by: Player
    time: int
    """The relay's time at which it was made."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time by the clocks of this machine."""

    wall: int = 0
    steady: float | None = None
    """None if an earlier process took it."""


def steady() -> float:
    """Seconds by a clock that nobody can set and that counts while the machine sleeps."""
    clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    return time.monotonic() if clock is None else time.clock_gettime(clock)
