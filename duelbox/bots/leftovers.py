"""Ends everything that a program has started, by a mark in its environment; a process that watches does it too.

The watching process outlives the app when that is killed: it reads from a pipe that nobody writes to, and whose end
tells it. It runs this file alone, so nothing of duelbox is imported here.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MARK = "PLAYER_OF_DUEL"
"""The environment variable by which everything that the program started is found at its end."""


def marked(mark: str) -> Iterator[int]:
    """The processes that have this mark in their environment, on systems with /proc: those that went away by itself."""
    wanted = f"{MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)


def end_all(mark: str, group: int = 0) -> None:
    """End the group of a process, if one is named, and all processes with this mark."""
    if group:
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    for pid in marked(mark):
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def main() -> None:
    """Wait until the app is gone, then end the program; its group is told in a line."""
    mark = sys.argv[1]
    group = sys.stdin.readline().strip()
    sys.stdin.read()
    end_all(mark, int(group or 0))


if __name__ == "__main__":
    main()
