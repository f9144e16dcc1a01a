"""Whole games on a real pseudo-terminal: each duel by the mouse alone, by the keys alone, and against a computer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from time import monotonic

import pytest

from tests.effort import tries
from tests.ui.terminal.pty import Terminal
from tests.ui.test_table import GAMES, targets
from tests.ui.test_terminal_play import Open, duelbox, quits

__all__ = ["duelbox"]

# Where numbers are drawn large, as on a short line, nobody finds them by reading: the whole line instead.
PLAYED = {code: moves for code, (moves, _) in GAMES.items() if "size" not in code}
PLAYED["sequence-duel"] = "11 17 19 6 9 7 4 1 15 2 14"
CODES = list(PLAYED)
over_first = pytest.mark.parametrize("code", CODES[: tries(len(CODES))])
over_last = pytest.mark.parametrize("code", CODES[-tries(len(CODES)) :])
CARDS = ("circle-duel", "number-circle", "sequence-duel", "digit-chain", "number-duel")
OVER, PASS, HERE = "Game over", "Enter covers the table", "I'm "
ARROWS = ("\x1b[C", "\x1b[B", "\x1b[D", "\x1b[A")
LONGEST = 99
"""So many turns against a computer are enough."""
SOON, TRIES = 1.0, 5
"""Seconds after which a click has done nothing, and how often all that may be meant is clicked."""


def prompt(terminal: Terminal) -> str:
    """The line that says whose move it is, and what Enter does."""
    return terminal.screen.lines[-3]


def soon(terminal: Terminal, wanted: str) -> bool:
    """Whether this is said there before long."""
    last = monotonic() + SOON
    while wanted not in prompt(terminal) and monotonic() < last:
        terminal.pump(0.05)
    return wanted in prompt(terminal)


def spots(terminal: Terminal, target: str) -> Iterator[tuple[int, int]]:
    """Where a number, a hidden card or the sign beside a number stands on the board, from below."""
    sign, number = (target[0], target[1:]) if target[0] in "+-" else ("", target)
    for y, line in reversed(list(enumerate(terminal.screen.lines[2:-5], 2))):
        for found in re.finditer(rf"(?<![\dx]){number}(?!\d)", line):
            x = found.start() if not sign else line.find(sign, found.start() - 3, found.end() + 3)
            if x >= 0:
                yield x, y


def click_move(terminal: Terminal, move: str, pieces: list[str]) -> None:
    """Click what makes the move, piece by piece, and the last piece once more."""
    for piece in pieces:
        spot = clicked(terminal, piece, f" {move} " if piece == pieces[-1] else f" {piece}x ")
    terminal.click(*spot)


def clicked(terminal: Terminal, piece: str, wanted: str) -> tuple[int, int]:
    """Where a click led to this; what lay there may have been drawn anew, and elsewhere, in between."""
    for _ in range(TRIES):
        terminal.settle()
        for spot in spots(terminal, piece):
            terminal.click(*spot)
            if soon(terminal, wanted):
                return spot
    raise AssertionError(f"nothing to click for {wanted}:\n{terminal.screen.text}")


def played(terminal: Terminal, before: str) -> None:
    """Wait until the move stands in the list below, or the game is over."""
    terminal.until(lambda: terminal.screen.lines[-2] != before or OVER in terminal.screen.text, "the next turn")
    terminal.settle(0.05)


@over_first
def test_a_whole_game_by_the_mouse_alone(duelbox: Open, code: str) -> None:
    terminal = duelbox("play", code)
    terminal.see("your move")
    for move in PLAYED[code].split():
        if OVER in terminal.screen.text:
            break
        before = terminal.screen.lines[-2]
        click_move(terminal, move, targets(code, move))
        played(terminal, before)
        if PASS in terminal.screen.text:
            terminal.click_on(PASS)
            terminal.see(HERE)
            while HERE in terminal.screen.text:  # deaf for a moment
                terminal.click_on(HERE)
                terminal.settle()
    terminal.see(OVER)
    terminal.click_on("copy code")
    terminal.see("Copied")
    quits(terminal)


@over_first
def test_a_whole_game_by_the_keys_alone_in_a_small_terminal(duelbox: Open, code: str) -> None:
    terminal = duelbox("play", code, size=(60, 20))
    terminal.see("your move")
    for move in PLAYED[code].split():
        if OVER in terminal.screen.text:
            break
        before = terminal.screen.lines[-2]
        terminal.send(f"{move}\r")
        played(terminal, before)
        while PASS in terminal.screen.text or HERE in terminal.screen.text:
            terminal.send("\r")
            terminal.settle()
    terminal.see(OVER)
    quits(terminal)


@over_last
def test_a_whole_game_against_a_computer(duelbox: Open, code: str) -> None:
    """Chosen on home by arrows and a click; then arrows lead to a move, and Enter plays it."""
    terminal = duelbox()
    terminal.see("Quit")
    terminal.send(ARROWS[0] * CARDS.index(code.partition(":")[0]))
    terminal.click_on("Computer")
    for _ in range(LONGEST):
        terminal.until(lambda: re.search("Your move|Game over", terminal.screen.text), "my turn")
        if OVER in terminal.screen.text:
            break
        for arrow in ARROWS * 4:
            terminal.send(arrow)
            if soon(terminal, "Enter"):
                break
        before = terminal.screen.lines[-2]
        terminal.send("\r")
        played(terminal, before)
    terminal.see(OVER)
    quits(terminal)
