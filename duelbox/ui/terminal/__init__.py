"""What keeps a terminal whole, whatever happens to the app in it: this room knows Textual and nothing of duelbox.

`watched(work, program)` does the work in a child and restores the terminal if that dies; `TerminalApp` is a Textual app
hardened against signals, crashes, odd input and Textual's own faults; `CrashReports` says where its reports go;
`in_background` computes without keeping anybody from quitting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duelbox.ui.terminal.watcher import watched

if TYPE_CHECKING:
    from duelbox.ui.terminal.app import TerminalApp
    from duelbox.ui.terminal.background import in_background
    from duelbox.ui.terminal.crash_report import CrashReports

__all__ = ["CrashReports", "TerminalApp", "in_background", "watched"]

_ROOMS = {"TerminalApp": "app", "CrashReports": "crash_report", "in_background": "background"}


def __getattr__(name: str) -> Any:
    """The rest, loaded when it is asked for: the watching process stays small without Textual."""
    if name not in _ROOMS:
        raise AttributeError(name)
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
