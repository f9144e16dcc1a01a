"""Times in saved games: the machine's clock, kept inside the calendar."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

# A day from each end of Python's calendar, so that every time has a date in every time zone.
EARLIEST = datetime(1, 1, 2, tzinfo=UTC)
LATEST = datetime(9999, 12, 30, tzinfo=UTC)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def now() -> datetime:
    """The time on the clock, to the millisecond; the end of the calendar for a clock beyond it."""
    try:
        return min(LATEST, moment(time.time_ns() // 1_000_000))
    except OverflowError:
        return LATEST


def moment(at: int) -> datetime:
    """Milliseconds since 1970 as a time; raises OverflowError outside the calendar."""
    return _EPOCH + timedelta(milliseconds=at)


def milliseconds(time: datetime) -> int:
    """A time as milliseconds since 1970."""
    return (time - _EPOCH) // timedelta(milliseconds=1)


def in_calendar(*times: datetime | None) -> bool:
    """True if all of these times have a date in every time zone."""
    return all(one is None or EARLIEST <= one <= LATEST for one in times)
