"""Signals, told to the event loop in the order in which they came."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress

__all__ = ["Signals"]

Callback = Callable[[], object]


class Signals:
    """Calls back from the running loop when signals come.

    Through a pipe of their own: the loop's handlers share one with everything threads tell the loop, and lose signals
    when it is full of keys; and a bare handler can come in the middle of a write.
    """

    def __init__(self, callbacks: Mapping[signal.Signals, Callback]) -> None:
        self._callbacks = callbacks
        self._waiting: deque[signal.Signals] = deque()
        self._reader, writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(writer, False)
        asyncio.get_running_loop().add_reader(self._reader, self._tell)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in callbacks:
            self.take(number)

    def take(self, number: signal.Signals) -> None:
        """Take a signal from whoever has it now."""
        signal.signal(number, lambda *_: None)  # the number alone, in the pipe, says enough

    def goes_on(self) -> bool:
        """Whether SIGCONT has come and is about to be told."""
        self._read()
        return signal.SIGCONT in self._waiting

    def _read(self) -> None:
        with suppress(BlockingIOError):
            numbers = map(signal.Signals, os.read(self._reader, 1 << 12))
            self._waiting.extend(number for number in numbers if number in self._callbacks)
        if signal.SIGCONT in self._waiting:  # it undoes the stops before it, as it does in the kernel
            waiting = list(self._waiting)
            last = len(waiting) - 1 - waiting[::-1].index(signal.SIGCONT)
            self._waiting = deque(number for at, number in enumerate(waiting) if at > last or number != signal.SIGTSTP)

    def _tell(self) -> None:
        self._read()
        while self._waiting:
            self._callbacks[self._waiting.popleft()]()
            self._read()
