"""Signals that end the app the way quitting does, with the status a shell expects."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import Any

from textual.app import App

__all__ = ["end_on_signals", "leave", "on_signal"]

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def leave(app: App[Any], number: signal.Signals) -> None:
    """End the app as if by this signal: the terminal restored, status 128 + n."""
    app.exit(return_code=128 + number)


def on_signal(number: signal.Signals, callback: Callable[[], object]) -> None:
    """Call back from the running loop when this signal comes.

    Unlike the loop's own handlers, which share a pipe with everything threads tell the loop, this loses no signal when
    the pipe is full of keys; unlike a bare handler, it can't come in the middle of a write.
    """
    loop, context = asyncio.get_running_loop(), copy_context()

    def handle(*_: object) -> None:
        with suppress(RuntimeError):  # the loop has closed
            loop.call_soon_threadsafe(callback, context=context)

    loop.add_signal_handler(number, lambda: None)  # for its pipe wakes the loop, whichever thread gets the signal
    signal.signal(number, handle)


def end_on_signals(app: App[Any], lifeline: int | None = None) -> None:
    """Leave cleanly on SIGINT, SIGTERM and SIGHUP, and when the other end of the lifeline closes.

    The lifeline is a pipe held by the process that guards this one: when that is killed, the shell has taken the
    terminal back, and the app must go.
    """
    for number in _ENDING:
        on_signal(number, partial(leave, app, number))
    if lifeline is None:
        return
    loop = asyncio.get_running_loop()

    def cut_off() -> None:
        loop.remove_reader(lifeline)
        # From here on this is a background process; touching the terminal's settings must not stop it.
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        leave(app, signal.SIGHUP)

    loop.add_reader(lifeline, cut_off)
