"""Small programs that play, and a look at what is left of them."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from duelbox.bots.leftovers import marked
from duelbox.bots.program import Program

FIRST = """
import sys
for line in sys.stdin:
    word, *rest = line.split(maxsplit=3)
    if word == "hello":
        print("ready First", flush=True)
    elif word == "turn":
        print("info", len(rest[1].split(".")), "moves", flush=True)
        print("move", rest[1].split(".")[0], flush=True)
"""
"""Plays the first legal move, and says how many there are."""
READY = "import os, sys, time; print('ready Bad', flush=True); sys.stdin.readline(); sys.stdin.readline()\n"
"""Greets, and reads its first turn."""


def command(folder: Path, source: str, name: str = "program") -> str:
    """The command of a program in Python."""
    file = folder / f"{name}.py"
    file.write_text(source)
    return shlex.join([sys.executable, "-S", str(file)])


def alive(player: Program) -> list[int]:
    """The processes that still run of all that the program started."""
    return [pid for pid in marked(player._mark) if state(pid) != "Z"]


def state(pid: int) -> str:
    """The state of a process; "Z" if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"
