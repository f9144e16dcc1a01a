"""The times after which a game can be claimed, and the clocks that measure them."""

from __future__ import annotations

import time
from dataclasses import dataclass

from duelbox.core.match import Player

AFTER = 12 * 3600
"""Seconds of silence after which a game can be claimed."""
STANDS = 60
"""Seconds until a claim counts, so that a friend who is there can show it."""


@dataclass(frozen=True, slots=True)
class PendingClaim:
    """A claim that was made and does not count yet."""

    by: Player
    time: int
    """When it was made, by the relay's clock."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment by the clocks of this machine."""

    wall: int = 0
    steady: float | None = None
    """None for one of an earlier process."""


def steady() -> float:
    """Seconds by a clock that nobody sets, and that goes on while the machine sleeps."""
    clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    return time.monotonic() if clock is None else time.clock_gettime(clock)
