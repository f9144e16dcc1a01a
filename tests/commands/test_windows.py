"""duelbox without modules and calls that only Unix has; they are removed here.

The Windows console itself cannot be tested on Unix.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.ui.terminal.pty import Terminal

ROOT = Path(__file__).parents[2]

# modules of the standard library that use the removed ones are imported first; Windows has others.
# A first loop chooses how loops are made here; chosen later, asyncio would look for the modules of Windows
WITHOUT = """
import asyncio, concurrent.futures.process, os, pathlib, shutil, signal, socket, subprocess, sys, sysconfig, tempfile
sysconfig.get_config_vars()
asyncio.new_event_loop().close()

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in {"fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Absent())
for name in ("fork", "getpgrp", "getsid", "getuid", "killpg", "login_tty", "openpty", "setsid", "umask"):
    delattr(os, name)
for name in ("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGQUIT", "SIGTSTP", "SIGWINCH", "alarm", "pthread_sigmask",
             "setitimer", "sigwait"):
    delattr(signal, name)
sys.platform = os.environ.get("AS_PLATFORM", sys.platform)
"""
MAIN = "from duelbox.cli import main; sys.exit(main(sys.argv[1:]))"
ALL_OF_IT = """
from pathlib import Path
from tests.command_line import run
import json, re

def said(*args, typed="", status=0):
    ran = run(*args, typed=typed)
    assert ran.status == status, (args, ran)
    return ran.out + ran.err

for command, answer in {
    "--version": "duelbox ",
    "show circle-duel/4.5.6": "Player 2 is to move: 7",
    "solve circle-duel/4.5.6": "wins",
    "games": "number-duel",
    "rules digit-chain": "Digit Chain Duel",
    "learn": "circle-duel",
    "puzzle circle-duel --json --seed 1": '"code"',
    "history": "No",
    "doctor": "whole",
    "help codes": "Position codes",
}.items():
    assert answer in said(*command.split()), command

said(*"play circle-duel --plain --p1 Ann --p2 Ben".split(), typed="5\\n6\\n7\\n")
assert "Ann" in said("history")
assert "Ben" in said("play", "--plain", "--continue", typed="8\\n")
(match,) = json.loads(run("history", "--json").out)
record = Path(os.environ["DUELBOX_HOME"], "record.json")
record.write_text(run("export", match["id"]).out, encoding="utf-8")
os.environ["DUELBOX_HOME"] += "/elsewhere"
said("import", str(record))
assert said("serve", status=2) == (
    "duelbox serve needs pseudo-terminals, as Linux and macOS have them. On Windows, start it in WSL.\\n"
)
print("done")
"""


def test_commands_and_games_in_lines_need_nothing_of_unix(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT + ALL_OF_IT],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "DUELBOX_HOME": str(tmp_path / "home"), "AS_PLATFORM": "win32", "PYTHONUTF8": "1"},
        check=False,
    )
    assert ran.stdout == "done\n", ran.stderr


def test_the_full_screen_says_what_it_lacks(tmp_path: Path) -> None:
    env = {"DUELBOX_HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "AS_PLATFORM": "linux"}
    with Terminal.python("-c", WITHOUT + MAIN, env=env, size=(160, 24)) as terminal:
        assert terminal.wait() == 2
        terminal.pump(0)
        sentence = "this Python has no termios. For lines of text: duelbox play GAME --plain"
        assert sentence in terminal.screen.text
