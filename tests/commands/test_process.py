"""The commands as processes: the modules they load, and their behaviour at broken streams and terminals."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

from duelbox import __version__
from duelbox.commands.shared import version_in_full
from tests.command_line import run

HOME = Path(__file__).parents[2]


def python(*args: str, typed: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *args], input=typed, capture_output=True, cwd=HOME, env={**os.environ, **environ}, check=False
    )


# -- what is loaded


def loaded_by(*commands: str) -> set[str]:
    """The modules that are loaded after running these lines."""
    script = (
        "import sys\n"
        "from duelbox.cli import main\n"
        "for command in sys.argv[1:]:\n"
        "    try:\n        main(command.split())\n"
        "    except SystemExit:\n        pass\n"
        "sys.stderr.write('\\n'.join(sys.modules))"
    )
    return set(python("-c", script, *commands, typed=b"circle-duel/4\n").stderr.decode().splitlines())


def test_no_command_but_the_full_screen_loads_textual() -> None:
    commands = ("show circle-duel/4 number-duel", "show - --json", "games", "games --json", "rules number-duel")
    loaded = loaded_by(*commands, "play circle-duel --plain", "play circle-duel", "", "--help")
    assert "duelbox.plain.line_match" in loaded
    assert not {"textual", "rich"} & loaded


def test_showing_loads_one_game_and_nothing_that_looks_for_others() -> None:
    loaded = loaded_by("show circle-duel/4")
    assert "duelbox.games.circle_duel" in loaded
    assert not {"importlib.metadata", "sqlite3", "duelbox.games.digit_chain", "duelbox.store"} & loaded


def test_the_version_is_told_without_pydantic() -> None:
    assert not {"pydantic", "importlib.metadata"} & loaded_by("--version")
    assert run("--version").out == f"duelbox {version_in_full()}\n"


def test_in_a_checkout_the_version_has_its_commit(tmp_path: Path) -> None:
    copytree(HOME / "duelbox", tmp_path / "duelbox", ignore=lambda *_: ["__pycache__"])
    asked = sys.executable, "-m", "duelbox", "--version"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}

    def version() -> str:
        return subprocess.run(asked, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout

    assert version() == f"duelbox {__version__}\n"
    (tmp_path / ".git").mkdir()
    assert version() == f"duelbox {__version__}\n", "a folder that is no repository"
    who = "-c", "user.name=A", "-c", "user.email=a@example.org"
    for words in (("init", "-q"), ("add", "duelbox"), (*who, "commit", "-qm", "All")):
        subprocess.run(("git", *words), cwd=tmp_path, env=environment, check=True)
    assert re.fullmatch(rf"duelbox {re.escape(__version__)} \([0-9a-f]{{7,}}\)\n", version())
    (tmp_path / "duelbox" / "py.typed").write_text("changed")
    assert version().endswith("+)\n")


def test_without_a_terminal_the_full_screen_names_the_line_mode() -> None:
    ran = python("-m", "duelbox", "play", "circle-duel")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"needs a terminal" in ran.stderr
    assert b"--plain" in ran.stderr


def test_a_dumb_terminal_is_no_terminal_for_the_full_screen() -> None:
    master, slave = pty.openpty()
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "duelbox"],
            stdin=slave,
            stdout=slave,
            stderr=subprocess.PIPE,
            cwd=HOME,
            env={**os.environ, "TERM": "dumb"},
            check=False,
        )
    finally:
        os.close(master)
        os.close(slave)
    assert ran.returncode == 2
    assert b"--plain" in ran.stderr


# -- streams


def test_an_ascii_terminal_shows_any_name() -> None:
    ran = python(
        *("-m", "duelbox", "play", "circle-duel", "--plain", "--p1", "Zo\u00eb", "--p2", "\u5929"),
        typed=b"4\n",
        PYTHONIOENCODING="ascii",
        PYTHONUTF8="1",
    )
    assert ran.returncode == 0
    assert b"Zo\\xeb's turn." in ran.stdout
    assert b"\\u5929's turn." in ran.stdout
    assert ran.stderr == b""


def test_a_reader_that_leaves_ends_it_quietly() -> None:
    codes = b"digit-chain\n" * 5_000
    feed = subprocess.Popen(
        [sys.executable, "-m", "duelbox", "show", "-", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=HOME,
    )
    assert feed.stdin is not None
    assert feed.stdout is not None
    assert feed.stderr is not None
    with feed, feed.stdin as stdin:
        stdin.write(codes[:24])
        stdin.flush()
        feed.stdout.readline()
        feed.stdout.close()
        try:
            stdin.write(codes)
            stdin.flush()
        except BrokenPipeError:
            pass
        said = feed.stderr.read()
    assert feed.returncode == 141
    assert said == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told_in_a_sentence() -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "duelbox", "games"], stdout=full, stderr=subprocess.PIPE, cwd=HOME, check=False
        )
    assert ran.returncode == 2
    assert ran.stderr == b"The output cannot be written: No space left on device.\n"


def test_closed_streams_do_not_matter() -> None:
    command = f"{sys.executable} -m duelbox play circle-duel --plain <&- >&- 2>&-"
    assert subprocess.run(["sh", "-c", command], cwd=HOME, check=False).returncode == 0


def test_an_interrupt_ends_the_line_mode_with_its_code() -> None:
    game = subprocess.Popen(
        [sys.executable, "-m", "duelbox", "play", "circle-duel/4", "--plain", "--p1", "Ann", "--p2", "Ben"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=HOME,
    )
    with game:
        said = b""
        while not said.endswith(b"Select a number: "):
            said += os.read(game.stdout.fileno(), 4096)
        game.send_signal(signal.SIGINT)
        out, err = game.communicate(timeout=30)
    assert game.returncode == 130
    assert "duelbox play --plain --continue\n" in out.decode()
    assert out.decode().endswith(" circle-duel/4\n")
    assert err == b""


def test_an_enter_too_many_does_not_open_the_other_hand() -> None:
    master, slave = pty.openpty()
    game = subprocess.Popen(
        [sys.executable, "-m", "duelbox", "play", "number-duel:deal=31524-51234", "--plain", "--p1", "A", "--p2", "B"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=HOME,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(slave)

    def read_to(end: str) -> str:
        said = ""
        while end not in said:
            said += os.read(master, 4096).decode().replace("\r\n", "\n")
        return said

    with game:
        read_to("A, press Enter when only you can see the screen: ")
        os.write(master, b"\n")
        read_to("attack with: ")
        os.write(master, b"3x2\n\n\n")
        public = read_to("B, press Enter when only you can see the screen: ")
        os.write(master, b"moves\n")
        public += read_to("Played so far: A: 3x2.\n")
        os.write(master, b"\n")
        private = read_to("attack with: ")
        os.write(master, b"quit\n")
        game.wait(30)
    os.close(master)
    assert "Your numbers by position" not in public
    assert "Your numbers by position: 5, 2, 3, 4\n" in private
    cleared, _, public = public.rpartition("\x1b[H\x1b[2J\x1b[3J")
    assert cleared.startswith("3x2\n"), "the hand is cleared away before anything is told to both"
    assert "\x1b" not in public + private


def test_a_server_of_textual_apps_stands_for_a_terminal(tmp_path: Path) -> None:
    env = {**os.environ, "DUELBOX_HOME": str(tmp_path), "TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}
    with subprocess.Popen(
        [sys.executable, "-m", "duelbox"],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as ran:
        assert ran.stdin is not None
        assert ran.stdout is not None
        drawn = b""
        while b"Quit" not in drawn:
            piece = ran.stdout.read1(1 << 16)
            assert piece, drawn
            drawn += piece
        assert drawn.startswith(b"__GANGLION__\n")
        quitting = b'{"type": "quit"}'
        ran.stdin.write(b"M" + len(quitting).to_bytes(4, "big") + quitting)
        ran.stdin.flush()
        ran.communicate(timeout=60)
