"""The clocks of this machine, and the times that they showed when the players of a match were heard of."""

from __future__ import annotations

from collections.abc import Callable

from duelbox.core.match import Player
from duelbox.friends.claims import Moment
from duelbox.friends.journal_notes import Touch

_TOUCH = 600
"""Seconds between two notes of being connected."""


class Times:
    """The clocks of one side, and its times of a match."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float]) -> None:
        self._wall = wall
        self._steady = steady
        self.in_touch = self.now()
        """The last time at which this side was connected and had read everything; later entries came no earlier."""
        self.moved = Moment()
        """The last change of the position."""
        self.claimed = self.now()
        """The time of this side's claim, or of the start of this process."""
        self.last = [Moment(), Moment()]
        """The last sign of life of each player."""
        self._read = 0
        self._touch_noted = 0
        self._ran_at = 0
        self._absences: list[tuple[int, int]] = []

    def now(self) -> Moment:
        """The present time."""
        return Moment(int(self._wall()), self._steady())

    def elapsed(self, since: Moment) -> float:
        """The seconds since a moment: by the clock that nobody can set, or between processes by the other."""
        if since.steady is None:
            return self._wall() - since.wall
        return self._steady() - since.steady

    def note_message(self, who: Player, *, moved: bool) -> None:
        """Note a sign of life of a player, which may have changed the position."""
        self.last[who] = self.in_touch
        if moved:
            self.last = [self.in_touch] * 2
            self.moved = self.in_touch

    def note_connected(self, read: int) -> Touch | None:
        """Note that this side is connected, and has read so many entries; returns what must be on disk, if anything."""
        known, self._read = self._read, read
        if known != read:
            return None
        self.in_touch = self.now()
        if self.in_touch.wall < self._touch_noted + _TOUCH:
            return None
        self._touch_noted = self.in_touch.wall
        return Touch(time=self._touch_noted)

    # -- the times in which this side did not run, as far as its notes tell

    def note_start(self, time: int, count: int) -> None:
        """Note that a process begins at this time, after so many messages; a time of 0 is unknown."""
        if time and self._ran_at:
            self._absences.append((count, time - self._ran_at))
        self.note_running(time)

    def note_running(self, time: int) -> None:
        """Note that a process of this side runs at this time."""
        self._ran_at = max(self._ran_at, time)

    def longest_absence(self, since: int) -> int:
        """The seconds of the longest absence after the first `since` messages."""
        return max((seconds for count, seconds in self._absences if count >= since), default=0)
