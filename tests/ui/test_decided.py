"""The form of a new game with pasted codes and changed rows, and games that are over before they begin."""

from __future__ import annotations

import pytest
from textual import events

from duelbox.core.game import preset_of
from duelbox.core.record import PlayerInfo
from duelbox.registry import find_game
from duelbox.rules_lab.preset_facts import settled
from duelbox.table.local import LocalTable
from duelbox.table.new_game import read_new_game
from duelbox.table.state import TableState
from duelbox.ui.game_board import board_of
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.new_game import NewGameScreen
from duelbox.ui.widgets.form import Form
from tests.ui.conftest import Started
from tests.ui.person import Keys, table, text_of, until

WHO = (PlayerInfo(name="Ann"), PlayerInfo(name="Bo"))


async def test_a_code_is_pasted_into_the_form_a_name_into_its_row_and_ctrl_u_clears_it(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("n")
        form = app.screen.query_one(Form)
        await Keys(pilot).change("Opponent")
        form.at = next(at for at, row in enumerate(form.rows) if row.key == "name1")
        await pilot.press("ctrl+u")
        assert form.rows[form.at].value == ""
        app.post_message(events.Paste(" Ada\nLovelace "))
        await pilot.pause()
        assert form.rows[form.at].value == "Ada Lovelace"
        app.post_message(events.Paste("digit-chain/26.61"))
        await pilot.pause()
        assert table(app).session.code() == "digit-chain/26.61"
        assert not any(isinstance(screen, NewGameScreen) for screen in app.screen_stack)


async def test_the_players_stay_when_the_game_changes(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("n")
        screen, keys = app.screen, Keys(pilot)
        assert isinstance(screen, NewGameScreen)
        await keys.change("Level")
        await keys.change("You")
        await keys.change("Game")
        assert (screen.filled.value("level"), screen.filled.value("first")) == ("peek", "player-2")
        await keys.change("Opponent")
        await keys.change("Game")
        assert screen.filled.value("opponent") == "here"
        assert any(row.key == "name2" for row in screen.form.rows)


@pytest.mark.parametrize(
    ("key", "game_id", "preset"), [("1", "circle-duel", "Two Trails"), ("4", "digit-chain", "Wild Zero")]
)
async def test_a_decided_game_says_so_and_one_key_leads_to_more(
    started: Started, key: str, game_id: str, preset: str
) -> None:
    async with started(delay=10_000) as (app, pilot):
        known = settled(find_game(game_id), find_game(game_id).Options())
        assert known
        assert known[1].name == preset
        home = app.screen
        assert isinstance(home, HomeScreen)
        await pilot.press(*["down"] * (int(key) - 1))
        assert home.row.preset == preset, "what is settled is not what one begins with"
        while home.row.preset != "Classic":
            await pilot.press("left")
        if game_id == "circle-duel":  # the aim of Digit Chain needs all three rows there are
            assert "To know" in text_of(app)
        await pilot.press("enter")
        assert "player always wins here" in " ".join(text_of(app).split())
        await pilot.press("o")
        assert preset_of(table(app).table.game, table(app).table.options) == known[1]
        assert "player always wins here" not in " ".join(text_of(app).split())
        await pilot.press("escape", key)
        assert preset_of(table(app).table.game, table(app).table.options) == known[1], "home remembers it"
    for code in ("circle-duel/4.5.6.7.8.9.10.1.2.3", "digit-chain/10"):
        if code.startswith(game_id):
            state = TableState(LocalTable(read_new_game(code), WHO), board_of(game_id))
            assert "press o." in state.prompts.note


async def test_a_game_whose_moves_were_all_undone_is_not_offered_as_continue(started: Started) -> None:
    async with started("sequence-duel", p1="Ann", p2="Bo") as (app, pilot):
        await pilot.press("5", "enter", "escape")
        await until(pilot, lambda: "Continue" in text_of(app))
        await pilot.press("c", "u", "escape")
        await until(pilot, lambda: "Learn" in text_of(app))
