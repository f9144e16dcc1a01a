"""A stop flag for searches that let the app draw first."""

from __future__ import annotations

from threading import Event as Flag

from duelbox.solve.api import Stop

PATIENCE = 0.1
"""So long a search waits at most for a key to be drawn."""


class YieldingStop(Stop):
    """A stop flag; `check` waits up to 0.1 s for pending key presses to be drawn before the search goes on."""

    def __init__(self, seconds: float | None, at_rest: Flag) -> None:
        super().__init__(seconds)
        self._at_rest = at_rest

    def check(self) -> None:
        """Wait for the app, but not for ever, then look whether to go on."""
        self._wait()
        super().check()

    def ended(self) -> bool:
        """Wait for the app, but not for ever, then say whether somebody asked for the end."""
        self._wait()
        return self.asked

    def _wait(self) -> None:
        if not self._at_rest.wait(PATIENCE):
            self._at_rest.set()
