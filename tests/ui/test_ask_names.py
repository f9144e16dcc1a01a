"""Two people at one screen are asked for their names once, and never before a first move."""

from __future__ import annotations

import pytest

from duelbox.store.settings import Config
from duelbox.ui.screens.ask_names import AskNamesScreen
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import SIZES, table, text_of

OVER = "sequence-duel:size=5/3.1.5"


async def test_two_people_are_named_at_their_first_rematch_and_never_again(started: Started) -> None:
    async with started(OVER) as (app, pilot):
        await pilot.press("enter")
        assert isinstance(app.screen, AskNamesScreen)
        assert "You are asked only once" in " ".join(text_of(app).split())
        await pilot.press(*"Ann", "down", *"Bo", "enter")
        assert [who.name for who in table(app).table.players] == ["Ann", "Bo"]
        assert sorted(table(app).session.names) == ["Ann", "Bo"]
        assert table(app).table.previous is not None
        assert Config.load(app.config.path.parent, environ={}).settings.names == ("Ann", "Bo")
        await pilot.press("3", "enter", "1", "enter", "5", "enter", "enter")
        assert not table(app).session.plies


@pytest.mark.parametrize(("one", "two", "refused"), [("You", "Bo", "Everybody is You"), ("Al", "A1", "looks like")])
async def test_names_that_would_be_misread_are_refused(started: Started, one: str, two: str, refused: str) -> None:
    async with started(OVER) as (app, pilot):
        await pilot.press("enter", *one, "down", *two, "enter")
        assert refused in " ".join(text_of(app).split())
        assert isinstance(app.screen, AskNamesScreen)


@pytest.mark.parametrize("size", SIZES)
async def test_names_that_are_refused_here_are_not_asked_for_again(make_app: MakeApp, size: tuple[int, int]) -> None:
    app = make_app(OVER)
    async with app.run_test(size=size) as pilot:
        await pilot.press("enter", *"Ann", "down", *"ann", "enter")
        assert "Both players cannot be called ann." in " ".join(text_of(app).split())
        await pilot.press("escape")
        assert [who.name for who in table(app).table.players] == ["Player 1", "Player 2"]
        await app.workers.wait_for_complete()
        await pilot.press("3", "enter", "1", "enter", "5", "enter", "enter")
        assert not table(app).session.plies


@pytest.mark.parametrize("players", [("Ann", "Bo"), (None, "bot:1")])
async def test_who_has_a_name_or_plays_a_computer_is_not_asked(
    started: Started, players: tuple[str | None, str | None]
) -> None:
    async with started(OVER, *players) as (app, pilot):
        await pilot.press("enter")
        assert not table(app).session.outcome
