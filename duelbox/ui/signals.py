"""Signals that end the app the way quitting does, with the status a shell expects."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

from textual.app import App

__all__ = ["end_on_signals", "leave"]

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def leave(app: App[Any], number: signal.Signals) -> None:
    """End the app as if by this signal: the terminal restored, status 128 + n."""
    app.exit(return_code=128 + number)


def end_on_signals(app: App[Any], lifeline: int | None = None) -> None:
    """Leave cleanly on SIGINT, SIGTERM and SIGHUP, and when the other end of the lifeline closes.

    The lifeline is a pipe held by the process that guards this one: when that is killed, the shell has taken the
    terminal back, and the app must go.
    """
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        loop.add_signal_handler(number, leave, app, number)
    if lifeline is not None:
        # From here on this is a background process; touching the terminal's settings must not stop it.
        def cut_off() -> None:
            loop.remove_reader(lifeline)
            os.close(lifeline)
            signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            leave(app, signal.SIGHUP)

        loop.add_reader(lifeline, cut_off)
