"""Small programs that play, and a look at what is left of them."""

from __future__ import annotations

import shlex
import sys
import time
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


HOSTILE = {
    "mute": ("import time; time.sleep(60)", "did not say ready in time"),
    "mute at its turn": (f"{READY}time.sleep(60)", "did not say a move in time"),
    "floods": (f"{READY}\nwhile True: print('info x')", "lines before its move|in time"),
    "floods its errors": (f"{READY}\nwhile True: sys.stderr.write('x' * 9999)", "did not say a move in time"),
    "closes its errors": (f"{READY}os.close(2); time.sleep(60)", "did not say a move in time"),
    "half a line": (f"{READY}sys.stdout.write('move 6'); sys.stdout.flush(); time.sleep(60)", "in time"),
    "an endless line": (f"{READY}\nwhile True: sys.stdout.write('x' * 65536)", "more than 64 KiB"),
    "exits": (f"{READY}sys.exit(3)", "ended by itself, with status 3"),
    "closes its output": (f"{READY}os.close(1); time.sleep(60)", "closed its output"),
    "answers before it is asked": ("print('move 6', flush=True); import time; time.sleep(60)", "'ready NAME'"),
    "escape sequences": (f"{READY}print('move \\x1b[31m6', flush=True); time.sleep(60)", "printable ASCII"),
    "an illegal move": (f"{READY}print('move 99', flush=True); time.sleep(60)", "played '99', which is not legal here"),
    "another word": (f"{READY}print('resign', flush=True); time.sleep(60)", "said 'resign' where a move"),
    "ignores SIGTERM": (f"import signal; signal.signal(15, signal.SIG_IGN)\n{READY}time.sleep(60)", "in time"),
    "no greeting": ("print('hello', flush=True); import time; time.sleep(60)", "'ready NAME'"),
    "does not read": (f"{READY}print('board?\\n' * 5000, flush=True); time.sleep(60)", "does not read|in time"),
    "forks a child that lives on": (
        f"import subprocess\nsubprocess.Popen(['sleep', '300'], start_new_session=True)\n{READY}time.sleep(60)",
        "did not say a move in time",
    ),
    "the wrong protocol": ("print('uci', flush=True); import time; time.sleep(60)", "'ready NAME'"),
}
"""Programs that mean no good, and the sentence for each."""


def command(folder: Path, source: str, name: str = "program") -> str:
    """The command of a program in Python."""
    file = folder / f"{name}.py"
    file.write_text(source)
    return shlex.join([sys.executable, "-S", str(file)])


def alive(player: Program) -> list[int]:
    """The processes that still run of all that the program started."""
    return [pid for pid in marked(player._mark) if state(pid) != "Z"]


def all_end(player: Program) -> bool:
    """True once nothing runs any more of what the program started; a killed process takes a moment."""
    deadline = time.monotonic() + 20
    while alive(player):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def state(pid: int) -> str:
    """The state of a process; "Z" if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"
