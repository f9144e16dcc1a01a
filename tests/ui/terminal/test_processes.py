"""Signals, odd input and lost terminals: the app survives or ends cleanly, and restores the terminal."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.effort import sampled
from tests.ui.terminal.pty import ODD, Terminal
from tests.ui.terminal.sample_app import SECRET

ROOT = Path(__file__).parents[3]
Open = Callable[..., Terminal]


@pytest.fixture
def stand_in(tmp_path: Path):
    """Opens the sample app, with or without a guard, and closes it after the test."""
    opened: list[Terminal] = []

    def open_it(*args: str, env: dict[str, str] | None = None, size: tuple[int, int] = (80, 24)) -> Terminal:
        home = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
        terminal = Terminal.python(
            "-m", "tests.ui.terminal.sample_app", *args, env=home | (env or {}), cwd=tmp_path, size=size
        )
        opened.append(terminal)
        terminal.see("nothing yet", "press me")
        return terminal

    yield open_it
    for terminal in opened:
        terminal.close()


def app_of(terminal: Terminal) -> int:
    """The process id of the app below its supervisor."""
    (child,) = Path(f"/proc/{terminal.process.pid}/task/{terminal.process.pid}/children").read_text().split()
    return int(child)


def takes_typing(terminal: Terminal, text: str) -> None:
    def click_and_type() -> None:
        terminal.click(min(70, len(terminal.screen.lines[2]) - 4), 2)  # ends whatever odd bytes have begun
        terminal.settle()  # Textual sends keys to the old focus until the click is handled
        terminal.send(f"{text}\r")

    terminal.insist(click_and_type, f"{text}>")


def still_answers(terminal: Terminal) -> None:
    """Check that it takes clicks and keys, and quits cleanly."""
    terminal.insist(lambda: terminal.click_on("press me"), "pressed")
    takes_typing(terminal, "still here")
    quits(terminal)


def quits(terminal: Terminal) -> None:
    terminal.send("\x11")
    assert terminal.wait() == 0
    assert terminal.left_on == set()
    assert "press me" not in terminal.screen.text, "the picture stays where there is no alternate screen"


GUARDS = {"watched": ("watched",), "bare": ()}
both = pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS)
watched = pytest.mark.parametrize("guard", [*GUARDS.values()][: sampled(1, 2)], ids=[*GUARDS][: sampled(1, 2)])
"""Also for faults of Textual shown with a bare app, and for signals that both handle alike."""


@watched
def test_quitting_leaves_a_clean_terminal(stand_in: Open, guard: tuple[str, ...]) -> None:
    still_answers(stand_in(*guard))


@watched
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT][: sampled(2, 3)], ids=lambda number: number.name
)
def test_a_signal_ends_it_cleanly(stand_in: Open, guard: tuple[str, ...], number: signal.Signals) -> None:
    terminal = stand_in(*guard)
    terminal.kill(number)
    assert terminal.wait() == 128 + number
    assert terminal.left_on == set()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the app behind its guard through /proc")
class TestGuard:
    @pytest.mark.parametrize(
        "number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGQUIT][: sampled(2, 3)], ids=lambda number: number.name
    )
    def test_a_violent_end_of_the_app_is_cleaned_up(self, stand_in: Open, number: signal.Signals) -> None:
        terminal = stand_in("watched")
        os.kill(app_of(terminal), number)
        assert terminal.wait() == 128 + number
        assert terminal.left_on == set()
        assert "press me" not in terminal.screen.text
        assert f"ended by {number.name}" in terminal.tail

    def test_an_app_that_no_longer_listens_is_ended(self, stand_in: Open, tmp_path: Path) -> None:
        terminal = stand_in("watched")
        terminal.send("\x1b[17~")
        terminal.until((tmp_path / "blocked").exists, "the app to be busy")
        terminal.kill(signal.SIGTERM)
        assert terminal.wait() == 128 + signal.SIGKILL
        assert terminal.left_on == set()

    def test_the_app_goes_when_its_guard_is_killed(self, stand_in: Open) -> None:
        terminal = stand_in("watched")
        app = app_of(terminal)
        terminal.kill(signal.SIGKILL)
        terminal.wait()
        terminal.until(lambda: not Path(f"/proc/{app}").exists(), "the app to leave")
        terminal.pump(0)
        assert terminal.left_on == set()


@both
def test_a_stop_gives_the_terminal_back_and_going_on_takes_it_again(stand_in: Open, guard: tuple[str, ...]) -> None:
    terminal = stand_in(*guard)
    for _ in range(2):
        terminal.kill(signal.SIGTSTP)
        terminal.wait_stopped()
        assert terminal.left_on == set()
        terminal.screen.resize(80, 24)
        os.killpg(terminal.process.pid, signal.SIGCONT)
        terminal.see("press me")
    still_answers(terminal)


@watched
def test_a_stop_of_the_whole_group_takes_one_signal_to_go_on(stand_in: Open, guard: tuple[str, ...]) -> None:
    """Below a supervisor, the app is stopped twice: by the terminal and by the supervisor."""
    terminal = stand_in(*guard)
    for pause in (0, 0.001, 0.005, 0.02, 0.05):
        os.killpg(terminal.process.pid, signal.SIGTSTP)
        terminal.wait_stopped()
        time.sleep(pause)
        at = len(terminal.raw)
        os.killpg(terminal.process.pid, signal.SIGCONT)
        terminal.until(lambda at=at: b"\x1b[?1049h" in terminal.raw[at:], "the full screen again")
        terminal.settle()
    still_answers(terminal)


@watched
def test_going_on_undoes_a_stop_that_was_not_seen_yet(stand_in: Open, guard: tuple[str, ...]) -> None:
    terminal = stand_in(*guard)
    for _ in range(5):
        os.killpg(terminal.process.pid, signal.SIGTSTP)
        os.killpg(terminal.process.pid, signal.SIGCONT)
        terminal.settle()
        if guard and terminal.has_stopped():  # the supervisor forwarded a stop that came in between
            os.killpg(terminal.process.pid, signal.SIGCONT)

    def answers() -> bool:
        if guard and terminal.has_stopped():  # the last one may be forwarded late
            os.killpg(terminal.process.pid, signal.SIGCONT)
        if "press me" in terminal.screen.text:
            terminal.click(*terminal.screen.find("press me"))
        terminal.pump(0.5)
        return "pressed" in terminal.screen.text

    terminal.until(answers, "an answer")
    still_answers(terminal)


@watched
def test_what_nobody_announced_does_no_harm(stand_in: Open, guard: tuple[str, ...]) -> None:
    """SIGCONT without a stop, SIGSTOP, and Ctrl+Z without a shell that could continue the app."""
    terminal = stand_in(*guard)
    for _ in range(3):
        os.killpg(terminal.process.pid, signal.SIGCONT)
    terminal.settle()
    os.killpg(terminal.process.pid, signal.SIGSTOP)
    terminal.wait_stopped()
    terminal.screen.resize(80, 24)
    os.killpg(terminal.process.pid, signal.SIGCONT)
    terminal.see("press me")
    terminal.send("\x1a")
    still_answers(terminal)


def test_ctrl_z_and_fg_in_a_shell(tmp_path: Path) -> None:
    env = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PS1": "ready> ", "ENV": ""}
    with Terminal("/bin/sh", "-i", env=env, cwd=tmp_path) as shell:

        def prompt_after(keys: str) -> None:
            at = len(shell.raw)
            shell.send(keys)
            shell.until(lambda: b"ready> " in shell.raw[at:], "the prompt")

        shell.see("ready>")
        shell.send(f"{sys.executable} -m tests.ui.terminal.sample_app watched\n")
        shell.see("press me")
        prompt_after("\x1a")
        assert "1049" not in shell.screen.modes
        shell.screen.resize(80, 24)
        shell.send("fg\n")
        shell.see("press me")
        shell.send("typed again\r")
        shell.see("<typed again>")
        prompt_after("\x11")
        prompt_after("echo $((6*7))\n")
        assert b"$((6*7))\r\n42\r\n" in shell.raw  # echo is on, and lines end correctly


@watched
def test_a_terminal_that_goes_away_takes_the_app_with_it(stand_in: Open, guard: tuple[str, ...]) -> None:
    terminal = stand_in(*guard)
    terminal.hang_up()
    assert terminal.process.wait(30) in {128 + signal.SIGHUP, -signal.SIGHUP}


@watched
def test_a_crash_says_one_sentence_and_keeps_the_secret(stand_in: Open, guard: tuple[str, ...], tmp_path: Path) -> None:
    terminal = stand_in(*guard)
    terminal.send("\x1b[15~")
    assert terminal.wait() == 1
    assert terminal.left_on == set()
    assert terminal.tail.startswith("duelbox has run into a fault of its own")
    assert terminal.tail.count("\n") == 1
    report = (tmp_path / "state" / "crash.log").read_text()
    assert "ValueError" in report
    assert "action_crash" in report
    assert SECRET not in report + terminal.raw.decode()


def test_no_byte_upsets_it(stand_in: Open) -> None:
    terminal = stand_in()
    for at, (name, data) in enumerate(ODD.items()):
        terminal.send(data)
        terminal.settle()
        assert terminal.process.poll() is None, name
        takes_typing(terminal, f"after {at}")
    still_answers(terminal)


def test_what_was_typed_before_quitting_counts(stand_in: Open, tmp_path: Path) -> None:
    terminal = stand_in()
    for piece in ("\x1b[20", "0~one ", "two", "\x1b[201", "~\r"):  # a paste in pieces is one paste
        terminal.send(piece)
    terminal.see("<one two>")
    terminal.send("42\r\x11")
    assert terminal.wait() == 0
    assert (tmp_path / "typed").read_text() == "one two\n42\n"


QUEUED = {"keys": "x" * 15_000, "thought": "\x1b[18~", "mouse": "\x1b[<35;3;3M" * 5_000}


@pytest.mark.parametrize("before", list(QUEUED.values())[: sampled(2, 3)], ids=list(QUEUED)[: sampled(2, 3)])
def test_quitting_overtakes_what_is_queued_and_what_is_being_thought(
    stand_in: Open, tmp_path: Path, before: str
) -> None:
    terminal = stand_in()
    terminal.send(before)
    quits(terminal)
    assert int((tmp_path / "heard").read_text()) < 5_000


def test_a_size_that_changes_while_it_starts_is_seen(tmp_path: Path) -> None:
    env = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    with Terminal.python("-m", "tests.ui.terminal.sample_app", "slow", env=env, cwd=tmp_path) as terminal:
        terminal.until(lambda: "1049" in terminal.screen.modes, "the full screen")
        time.sleep(0.2)  # it has read its first size, and not reported it yet
        terminal.resize(100, 30)
        terminal.see("nothing yet")
        terminal.until(lambda: len(terminal.screen.lines[2].rstrip()) == 100, "the new width")
        quits(terminal)


def test_errors_may_go_to_a_file(stand_in: Open, tmp_path: Path) -> None:
    command = 'exec "$0" -m tests.ui.terminal.sample_app 2>errors'
    env = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    with Terminal("/bin/sh", "-c", command, sys.executable, env=env, cwd=tmp_path) as terminal:
        terminal.see("press me")
        still_answers(terminal)
    assert (tmp_path / "errors").read_text() == ""


def test_widths_from_1_to_200(stand_in: Open) -> None:
    terminal = stand_in()
    for width in [*range(1, 201, sampled(8, 1)), *range(200, 0, -7)]:
        terminal.resize(width, 24)
        terminal.pump(1)  # waits for a paint
    terminal.resize(80, 24)
    terminal.see("press me")
    still_answers(terminal)


def test_the_palette_closes_once(stand_in: Open) -> None:
    terminal = stand_in()
    for _ in range(sampled(2, 10)):
        terminal.send("\x10")
        terminal.see("Search for commands")
        terminal.send("\x1b[<0;2;22M\x1b[<0;2;22m" * 6)
        terminal.until(lambda: "Search for commands" not in terminal.screen.text, "the palette to close")
    still_answers(terminal)
