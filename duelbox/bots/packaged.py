"""Bots that packages bring: functions from what a player sees to a move, by the entry points of one group.

Each plays as a program of its own, in a process that runs `duelbox/bot_process.py`.
"""

from __future__ import annotations

import sys
from functools import cache

from duelbox import startup

GROUP = "duelbox.bots"
"""The group of entry points; each names a function from a `duelbox.Seen` to a move."""


@cache
def packaged_bots() -> dict[str, str]:
    """The commands that run the bots of installed packages, by their names."""
    if not startup.may_have_entry_points(GROUP):
        return {}
    from importlib.metadata import entry_points

    return {point.name: command_for(point.name) for point in entry_points(group=GROUP)}


def command_for(name: str) -> str:
    """The command that runs the bot of this name."""
    import shlex

    return shlex.join([sys.executable, "-m", "duelbox.bot_process", name])
