"""No hidden hand is left behind, on the screen after a signal or in a core dump."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from tests.ui.terminal.pty import Terminal

ROOT = Path(__file__).parents[2]
HAND = "Your numbers by position:"


@pytest.fixture
def hand_open(tmp_path: Path):
    """A game in lines on a terminal that shows Ann's hand."""
    home = {"DUELBOX_HOME": str(tmp_path / "home"), "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    asked = ("play", "number-duel", "--plain", "--p1", "Ann", "--p2", "Ben", "--seed", "3")
    terminal = Terminal.python("-m", "duelbox", *asked, env=home, cwd=tmp_path, size=(80, 24))
    try:
        terminal.see("press Enter when")
        terminal.insist(lambda: terminal.send("\r"), HAND)
        yield terminal
    finally:
        terminal.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_leaves_no_hand_on_the_screen(hand_open: Terminal, number: signal.Signals) -> None:
    hand_open.kill(number)
    assert hand_open.wait() == 128 + number
    assert HAND not in hand_open.screen.text


def test_a_core_dump_is_not_made(hand_open: Terminal) -> None:
    limits = Path(f"/proc/{hand_open.process.pid}/limits")
    if not limits.exists():
        pytest.skip("reads the limits of a process through /proc")
    assert re.search(r"Max core file size +0 ", limits.read_text(encoding="utf-8"))
