"""A win on the full screen when the host, whose process is the room, is gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from duelbox.store.store import Store
from duelbox.ui.screens.home import HomeScreen
from tests.table.elsewhere import host
from tests.ui.conftest import MakeApp
from tests.ui.person import text_of, until
from tests.ui.test_elsewhere import joined


@pytest.fixture
def friends_store(tmp_path: Path) -> Iterator[Store]:
    """The store of the friend, who hosts."""
    with Store.open(tmp_path / "friend") as store:
        yield store


async def test_a_win_is_shown_at_once_when_the_host_is_gone_with_the_room(
    make_app: MakeApp, friends_store: Store
) -> None:
    app = make_app(names=("Ann", "Cy"))
    async with app.run_test(size=(80, 24)) as pilot:
        while True:
            waiting = await host(friends_store, "sequence-duel:size=5/1.5", "Bo")
            screen, friend = await joined(pilot, waiting, waiting.way.ticket.relay)
            if screen.table.my_turn:
                break
            friend.propose("resign")
            await until(pilot, lambda screen=screen: screen.table.over)
            await friend.leave()
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await friend.leave()
        await until(pilot, lambda: screen.table.trouble is not None)
        await pilot.press("3", "enter")
        await until(pilot, lambda: "Not confirmed by Bo yet." in text_of(app))
        assert "You win" in text_of(app)
        assert app.store.history()[0].match.winner == 1
        await pilot.press("escape")
        await until(pilot, lambda: "Bo has not confirmed the end" in text_of(app))
        await pilot.press("i")
        await until(pilot, lambda: "won, not confirmed by Bo yet" in text_of(app))
