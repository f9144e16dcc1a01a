"""The real program in a pseudo-terminal: clicks, typing, saving, and all sizes."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from duelbox.store.store import Store
from tests.effort import sampled
from tests.ui.terminal.pty import Terminal

ROOT = Path(__file__).parents[2]
Open = Callable[..., Terminal]


@pytest.fixture
def duelbox(tmp_path: Path) -> Iterator[Open]:
    """Opens duelbox with a home of its own, and closes it after the test."""
    opened: list[Terminal] = []

    def open_it(*args: str, env: dict[str, str] | None = None, size: tuple[int, int] = (80, 24)) -> Terminal:
        home = {"DUELBOX_HOME": str(tmp_path / "home"), "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
        terminal = Terminal.python("-m", "duelbox", *args, env=home | (env or {}), cwd=tmp_path, size=size)
        opened.append(terminal)
        return terminal

    yield open_it
    for terminal in opened:
        terminal.close()


def quits(terminal: Terminal) -> None:
    terminal.send("\x11")
    assert terminal.wait() == 0
    assert terminal.left_on == set()


def test_host_and_join_meet_on_the_full_screen(duelbox: Open, tmp_path: Path) -> None:
    ann = duelbox("host", "sequence-duel", "--name", "Ann")
    ann.see("Read this code to your friend", "@", "Waiting for your friend")
    ann.settle()
    code = re.search(r"([0-9a-z-]+)@[0-9.]+(:[0-9]+)?", ann.screen.text)
    assert code, ann.screen.text
    bob = duelbox(
        "join", f"{code[1]}@127.0.0.1{code[2] or ''}", "--name", "Bob", env={"DUELBOX_HOME": str(tmp_path / "b")}
    )
    bob.see("Ann invites you to Sequence Duel")
    bob.send("\r")
    for one, friend in ((ann, "Bob"), (bob, "Ann")):
        one.see("Sequence Duel", "You", friend)
        quits(one)


def test_letters_tell_the_players_apart_as_long_as_the_cells_are_small(duelbox: Open) -> None:
    terminal = duelbox("play", "sequence-duel/10.13", "--p1", "Ann", "--p2", "Bob")
    terminal.see("● Ann", "Bob ◆")
    terminal.set_size(80, 24, cell=(6, 13))
    terminal.see("O Ann", "Bob X", "╭")
    terminal.set_size(80, 24, cell=(9, 18))
    terminal.see("● Ann", "Bob ◆")
    quits(terminal)


def test_a_terminal_shows_the_colours_it_has_at_once_and_at_the_next_start(duelbox: Open) -> None:
    for start in range(2):
        terminal = duelbox("play", "sequence-duel/10.13", env={"TERM": "xterm", "COLORTERM": ""})
        terminal.see("your move")
        answers = terminal.asked()
        terminal.settle()
        is_fine = b"48;2;" in terminal.raw
        assert is_fine == bool(start)
        terminal.send("".join(answers))
        terminal.sees(b"48;2;")
        quits(terminal)


def test_host_and_join_ask_for_a_name_once(duelbox: Open, tmp_path: Path) -> None:
    ann = duelbox("host", "sequence-duel")
    ann.see("Your name, for your friend to read (Enter: Player 1):")
    ann.send("You\r")
    ann.see("Everybody is You", "Your name, for your friend to read")
    ann.send("Ann\r")
    ann.see("Read this code to your friend", "Waiting for your friend")
    ann.settle()
    code = re.search(r"([0-9a-z-]+)@[0-9.]+(:[0-9]+)?", ann.screen.text)
    assert code, ann.screen.text
    bob = duelbox("join", f"{code[1]}@127.0.0.1{code[2] or ''}", env={"DUELBOX_HOME": str(tmp_path / "b")})
    bob.see("Your name, for your friend to read (Enter: Player 2):")
    bob.send("\r")
    bob.see("Ann invites you to Sequence Duel")
    bob.send("\r")
    ann.see("Sequence Duel", "Player 2")
    quits(bob)
    quits(ann)
    again = duelbox("host", "sequence-duel")
    again.see("Read this code to your friend")
    quits(again)
    bob = duelbox("host", "sequence-duel", env={"DUELBOX_HOME": str(tmp_path / "b")})
    bob.see("Read this code to your friend")
    quits(bob)


def colours(terminal: Terminal) -> set[tuple[int, int, int]]:
    found = re.findall(rb"[34]8;2;(\d+);(\d+);(\d+)", terminal.raw)
    return {(int(red), int(green), int(blue)) for red, green, blue in found}


def test_typing_ahead_loses_nothing_and_no_end_loses_a_move(duelbox: Open, tmp_path: Path) -> None:
    """Of a game without colours, at first."""
    terminal = duelbox("play", "sequence-duel", env={"NO_COLOR": "1"})
    terminal.see("your move")
    terminal.send("13\r5\r17\r2\r9\r11\r")
    terminal.see("Player 1, your move", "3 claimed")  # on a busy machine this takes longer than quitting waits
    terminal.send("\x11")
    assert terminal.wait() == 0
    assert colours(terminal)
    assert all(red == green == blue for red, green, blue in colours(terminal))
    again = duelbox()
    again.see("Continue")
    again.send("c")
    again.see("Player 1, your move", "3 claimed")
    again.send("7\r")
    again.see("Player 2, your move")
    again.kill(signal.SIGTERM)
    assert again.wait() == 128 + signal.SIGTERM
    assert again.left_on == set()
    with Store.open(tmp_path / "home") as store:
        assert [one.moves for one in store.unfinished()] == [7]


def test_keys_count_while_the_computer_thinks(duelbox: Open) -> None:
    terminal = duelbox("play", "sequence-duel", "--p2", "bot:1")
    terminal.see("Your move")
    terminal.send("13\rs")  # the settings, while the computer begins to think
    terminal.see("Computer waits")
    terminal.send("\x1b")
    terminal.see("Your move", "1 claimed")
    quits(terminal)


KEYS = {"right": "\x1b[C", "left": "\x1b[D", "up": "\x1b[A", "down": "\x1b[B", "enter": "\r"}
GAMES = ("circle-duel", "number-circle", "sequence-duel", "digit-chain", "number-duel")
PLAYED = GAMES[: sampled(1, 5)]


@pytest.mark.parametrize(
    ("args", "scripts"),
    [
        ((), ("right right down left", "down right up right")),
        *((("play", game), ("right right down left", "v right", "v enter right enter up right u")) for game in PLAYED),
    ],
)
def test_what_is_sent_adds_up_to_the_whole(duelbox: Open, args: tuple[str, ...], scripts: tuple[str, ...]) -> None:
    """Keys send only what they change; the result equals a screen sent as a whole."""
    terminal = duelbox(*args)
    terminal.see("Help")
    terminal.settle()
    sizes = []
    for keys in scripts:
        for key in keys.split():
            before = terminal.received
            terminal.send(KEYS.get(key, key))
            terminal.settle()
            sizes += [terminal.received - before] if key in ("right", "left", "up", "down") else []
        terminal.settle(0.5)
        seen = terminal.screen.text
        terminal.screen.resize(80, 24)  # clears the screen
        os.killpg(terminal.process.pid, signal.SIGCONT)
        terminal.until(lambda seen=seen: terminal.screen.text == seen, keys)
        terminal.settle()
    assert sorted(sizes)[len(sizes) // 2] < 3500, "a board sent as a whole takes 5 to 13 kB"
    quits(terminal)


def test_two_clicks_play_a_move_and_sixteen_colours_are_enough(duelbox: Open) -> None:
    terminal = duelbox("play", "sequence-duel", env={"TERM": "xterm-16color", "COLORTERM": ""})
    terminal.click_on(" 13 ")
    terminal.see("claims 13")
    terminal.click_on(" 13 ")
    terminal.see("Player 2, your move", "1 claimed")
    assert not re.search(rb"48;[25];", terminal.raw)
    quits(terminal)


@pytest.mark.parametrize("screen", ["home", "table"])
def test_a_terminal_with_wide_signs_gets_ascii_at_once_and_from_the_first_frame_next_time(
    duelbox: Open, screen: str
) -> None:
    args = ("play", "circle-duel", "--p2", "bot:1") if screen == "table" else ()
    title = "Number Circle Duel"
    first = duelbox(*args)
    first.screen.wide = "●◆○◇─│╭╮╰╯═║╔╗╚╝━┃┏┓┗┛■□▸·↵"
    first.see(title)
    first.send("".join(first.asked()))
    first.until(lambda: first.screen.text.isascii(), "plain ASCII")
    first.see(title)
    quits(first)
    again = duelbox(*args)
    again.see(title)
    again.asked()
    drawn = again.raw.decode()
    asked = drawn.index("\x1b[?6n")
    assert drawn[:asked].replace("◆", "", 1).isascii()
    quits(again)


def test_a_late_answer_never_reaches_the_line_for_moves(duelbox: Open) -> None:
    terminal = duelbox("play", "sequence-duel", "--p2", "bot:1")
    terminal.see("Sequence Duel")
    first, *others = terminal.asked()
    terminal.send("1")
    terminal.send(first[:5])
    terminal.settle()
    terminal.send(first[5:] + "2" + "".join(others))
    terminal.see("12▏")
    terminal.send("\r")
    terminal.see("You claim 12")
    quits(terminal)
