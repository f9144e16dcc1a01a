"""Calling a user who looks at another window, by title, bell and notice; the title is restored; the size of cells."""

from __future__ import annotations

import os
import struct
import termios
from fcntl import ioctl
from pathlib import Path

import pytest

from duelbox.ui.terminal.window import GIVE_TITLE_BACK, KEEP_TITLE, has_small_cells, notice, titled
from tests.ui.conftest import Started
from tests.ui.person import table, until

YOUR_MOVE = titled("● your move")


def test_cells_are_small_only_where_the_kernel_knows_it(tmp_path: Path) -> None:
    master, slave = os.openpty()
    for width, is_small in ((0, False), (400, True), (484, True), (644, False)):
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, width, 316))
        assert has_small_cells(slave) == is_small
    for end in (master, slave):
        os.close(end)
    with (tmp_path / "file").open("w") as file:
        assert not has_small_cells(file.fileno())


def test_a_notice_is_wrapped_for_tmux() -> None:
    assert notice("hello", {}) == "\x1b]9;hello\x07"
    assert notice("hello", {"TERM": "foot"}) == "\x1b]777;notify;hello;\x07"
    assert notice("hello", {"TMUX": "1"}) == "\x1bPtmux;\x1b\x1b]9;hello\x07\x1b\\"


@pytest.mark.parametrize(
    ("how", "sent"), [("bell", ["bell"]), ("desktop", [notice("duelbox: your move")]), ("off", [])]
)
async def test_a_computers_move_calls_a_user_who_looks_elsewhere(
    how: str, sent: list[str], started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    async with started("sequence-duel", "Ann", "bot:2", notice=how) as (app, pilot):
        monkeypatch.setattr(app, "write_to_terminal", heard.append)
        monkeypatch.setattr(app, "bell", lambda: heard.append("bell"))
        await pilot.press("9", "enter")
        await until(pilot, lambda: len(table(app).session.plies) == 2)
        assert YOUR_MOVE not in heard, "nobody was told that the window is not looked at"
        mine = titled("Your turn - Sequence Duel")
        await until(pilot, lambda: not heard or heard[-1] == mine)
        heard.clear()
        app.on_app_blur()
        assert heard == [YOUR_MOVE]
        app.on_app_focus()
        assert heard[1:] == [mine]
        moves = iter(table(app).session.game.format_move(one) for one in table(app).session.legal_moves())
        await pilot.press(*next(moves))
        app.on_app_blur()
        heard.clear()
        await pilot.press("enter")
        await until(pilot, lambda: len(table(app).session.plies) == 4)
        called = [YOUR_MOVE + (sent[0] if how == "desktop" else ""), *(sent if how == "bell" else [])]
        await until(pilot, lambda: len(heard) >= len(called))
        await pilot.pause()
        assert heard == called


async def test_two_people_at_one_screen_are_not_called(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    async with started("sequence-duel", "Ann", "Ben") as (app, pilot):
        monkeypatch.setattr(app, "write_to_terminal", heard.append)
        app.on_app_blur()
        await pilot.press("9", "enter")
        assert heard == []


async def test_the_title_of_the_window_says_whose_turn_it_is_and_is_given_back(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    async with started() as (app, pilot):
        monkeypatch.setattr(app, "write_to_terminal", heard.append)
        await pilot.press("f")
        await until(pilot, lambda: len(heard) == 1)
        first = table(app)
        await pilot.press("question_mark", "escape")
        await pilot.press(*first.session.game.format_move(first.session.legal_moves()[0]), "enter")
        await until(pilot, lambda: len(heard) == 2)
        assert heard == [titled(f"{name}'s turn - Number Circle Duel") for name in ("Player 1", "Player 2")]
        await pilot.press("escape")
        await until(pilot, lambda: len(heard) == 3)
        assert heard[2] == GIVE_TITLE_BACK + KEEP_TITLE


async def test_the_title_is_the_windows_own_again_when_a_game_is_over(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []
    async with started("sequence-duel:size=5/3.1", "Ann", "Ben") as (app, pilot):
        monkeypatch.setattr(app, "write_to_terminal", heard.append)
        await pilot.press("5", "enter")
        await until(pilot, lambda: heard == [GIVE_TITLE_BACK + KEEP_TITLE])
