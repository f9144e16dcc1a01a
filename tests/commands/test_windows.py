"""Without what only Unix has, as far as that can be tried on Unix: the modules are taken away, and their calls.

What Windows itself brings, its console above all, cannot be tried here.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.terminal.pty import Terminal

ROOT = Path(__file__).parents[2]

# The standard library's own users of these come first; on Windows it has other ones.
WITHOUT = """
import asyncio, concurrent.futures.process, os, pathlib, shutil, signal, socket, subprocess, sys, sysconfig, tempfile
sysconfig.get_config_vars()

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
from duelbox.cli import main
sys.exit(main(sys.argv[1:]))
"""


def without(tmp_path: Path, *args: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *args],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "DUELBOX_HOME": str(tmp_path / "home"), "AS_PLATFORM": "win32", "PYTHONUTF8": "1"},
        check=False,
    )


@pytest.mark.parametrize(
    ("args", "answer"),
    [
        (("--version",), "duelbox "),
        (("show", "circle-duel/4.5.6"), "Player 2 is to move: 7"),
        (("solve", "circle-duel/4.5.6"), "wins"),
        (("games",), "number-duel"),
        (("rules", "digit-chain"), "Digit Chain Duel"),
        (("learn",), "circle-duel"),
        (("puzzle", "circle-duel", "--json", "--seed", "1"), '"code"'),
        (("history",), "No"),
        (("doctor",), "whole"),
        (("help", "codes"), "Position codes"),
    ],
    ids=lambda part: part[0] if isinstance(part, tuple) else "",
)
def test_commands_need_nothing_of_unix(tmp_path: Path, args: tuple[str, ...], answer: str) -> None:
    ran = without(tmp_path, *args)
    assert ran.returncode == 0, ran.stderr
    assert answer in ran.stdout + ran.stderr


def test_a_game_in_lines_is_played_kept_exported_and_imported(tmp_path: Path) -> None:
    played = without(tmp_path, "play", "circle-duel", "--plain", "--p1", "Ann", "--p2", "Ben", typed="5\n6\n7\n")
    assert "Traceback" not in played.stderr
    assert "Ann" in without(tmp_path, "history").stdout
    assert "Ben" in without(tmp_path, "play", "--plain", "--continue", typed="8\n").stdout
    (match,) = re.findall(r'"id": ?"([^"]+)"', without(tmp_path, "history", "--json").stdout)
    record = without(tmp_path, "export", match)
    assert record.returncode == 0
    (tmp_path / "record.json").write_text(record.stdout, encoding="utf-8")
    assert without(tmp_path / "elsewhere", "import", str(tmp_path / "record.json")).returncode == 0


def test_the_full_screen_says_what_it_lacks(tmp_path: Path) -> None:
    env = {"DUELBOX_HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "AS_PLATFORM": "linux"}
    with Terminal.python("-c", WITHOUT, env=env, size=(160, 24)) as terminal:
        assert terminal.wait() == 2
        terminal.pump(0)
        sentence = "this Python has no termios. For lines of text: duelbox play GAME --plain"
        assert sentence in terminal.screen.text


def test_serving_says_where_it_can_be_done(tmp_path: Path) -> None:
    ran = without(tmp_path, "serve")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == (
        "duelbox serve needs pseudo-terminals, as Linux and macOS have them. On Windows, start it in WSL.\n"
    )
