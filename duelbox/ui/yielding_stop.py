"""A stop flag for searches that let the app draw first."""

from __future__ import annotations

from threading import Event as Flag

from duelbox.solve.api import Stop

_LONGEST_WAIT = 0.1
"""Most seconds a search waits for a key press to be drawn."""


class YieldingStop(Stop):
    """A stop flag; `check` waits up to 0.1 s for pending key presses to be drawn before the search goes on."""

    def __init__(self, seconds: float | None, at_rest: Flag) -> None:
        super().__init__(seconds)
        self._at_rest = at_rest

    def check(self) -> None:
        """Wait for pending key presses, then raise Stopped if the search must end."""
        if not self._at_rest.wait(_LONGEST_WAIT):
            self._at_rest.set()
        super().check()
