"""Watching a match of two other players, through rounds and a rematch."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from duelbox.friends.lobby import watch
from duelbox.table.remote import RemoteTable
from duelbox.ui.app import DuelboxApp
from duelbox.ui.screens.elsewhere_screen import MeetScreen
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.remote_table import PhrasesScreen, RemoteScreen
from tests.table.elsewhere import play_out, two
from tests.table.elsewhere import watch as sitting_of_watcher
from tests.ui.conftest import MakeApp
from tests.ui.person import table, text_of, until


@asynccontextmanager
async def players(tmp_path: Path, code: str, rounds: int = 1) -> AsyncIterator[tuple[RemoteTable, RemoteTable]]:
    async with two(tmp_path / "players", code, rounds, watched=True) as both:
        yield both


async def test_the_table_is_seen_from_nobodys_seat(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app()
    async with players(tmp_path, "number-duel:hand=3", 2) as (ann, bob), app.run_test(size=(60, 20)) as pilot:
        app.navigation.meet("", lambda _: watch(ann.watch))
        await until(pilot, lambda: isinstance(app.screen, RemoteScreen))
        await until(pilot, lambda: "1 watching" in text_of(app) and "is thinking" in text_of(app))
        screen = table(app)
        for key in ("m", "a", "d", "u", "g", "h", "v", "e", "space", "1", "enter"):
            await pilot.press(key)
        assert app.screen is screen
        assert screen.state.view() == screen.session.view(None)
        mover = ann if ann.my_turn else bob
        mover.play(mover.game.format_move(mover.session.legal_moves()[0]))
        await until(pilot, lambda: len(screen.session.plies) == 1)
        await until(pilot, lambda: re.search("beats|runs into|meets", text_of(app)))
        await play_out(ann, bob, random.Random(2))
        await until(pilot, lambda: screen.table.score.over and screen.prompts.card is not None)
        assert "ask for a rematch" not in text_of(app)
        await pilot.press("enter")
        assert app.screen is screen
        ann.propose("rematch")
        await until(pilot, lambda: bob.offered is not None)
        await until(pilot, lambda: "asks for a rematch" in text_of(app))
        bob.answer(bob.offered.id, yes=True)
        await until(pilot, lambda: screen.session.outcome is None)
        await pilot.press("escape")
        assert isinstance(app.screen, HomeScreen)


async def test_players_see_how_many_watch_and_pass_the_key_on(make_app: MakeApp, tmp_path: Path) -> None:
    app: DuelboxApp = make_app()
    async with players(tmp_path, "sequence-duel") as (ann, bob), app.run_test(size=(80, 24)) as pilot:
        app.navigation.open_friend(ann)
        await until(pilot, lambda: isinstance(app.screen, RemoteScreen) and "0 watching" in text_of(app))
        watchers = await asyncio.gather(*(sitting_of_watcher(bob.watch) for _ in range(2)))
        await until(pilot, lambda: "2 watching" in text_of(app))
        await pilot.press("b")
        assert isinstance(app.screen, PhrasesScreen)
        await until(pilot, lambda: ann.watch in text_of(app))
        await pilot.press("c")
        assert app.clipboard == ann.watch
        await asyncio.gather(*(one.leave() for one in watchers))


async def test_a_watcher_with_a_wrong_key_is_told_so_and_is_back_at_home(
    make_app: MakeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, warned = make_app(), list[str]()
    monkeypatch.setattr(app, "warn", warned.append)
    async with players(tmp_path, "sequence-duel") as (ann, _), app.run_test(size=(80, 24)) as pilot:
        key, _, address = ann.watch.partition("@")
        app.navigation.meet("", lambda _: watch(f"{key[:-1]}@{address}"))
        await until(pilot, lambda: bool(warned) and not isinstance(app.screen, MeetScreen))
    assert "A key for watchers looks like" in warned[0]
