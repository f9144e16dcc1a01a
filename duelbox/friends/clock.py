"""The clocks of this machine, by which a side measures for how long it was waited for."""

from __future__ import annotations

import time
from dataclasses import dataclass


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
