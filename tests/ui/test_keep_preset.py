"""Presets of the player's own: kept from the form, played, known after a restart, deleted and kept again."""

from __future__ import annotations

import pytest

from duelbox.store.settings import Config, LastUsed
from duelbox.ui.app import DuelboxApp
from duelbox.ui.screens.keep_preset import KeepPresetScreen
from duelbox.ui.screens.new_game import NewGameScreen
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.widgets.form import Form
from tests.ui.conftest import Started
from tests.ui.person import Acting, table, text_of, two_ways

LINE = "gaps=1"


def chosen(app: DuelboxApp, key: str = "preset") -> str:
    return next((row.value for row in app.screen.query_one(Form).rows if row.key == key), "")


@two_ways
async def test_rules_are_kept_played_known_again_and_deleted(acting: Acting) -> None:
    async with acting("circle-duel", delay=0) as person:
        app = person.app
        await person.do("New")
        await person.change("House rules", back=True)
        await person.change("Number of gaps")
        await person.do("Keep")
        assert isinstance(app.screen, KeepPresetScreen)
        await person.pilot.press(*"Classic", "enter")
        assert "has a preset Classic already" in " ".join(text_of(app).split())
        await person.pilot.press(*["backspace"] * 7, *"[b]Odd", "enter")
        assert isinstance(app.screen, NewGameScreen)
        assert chosen(app) == "[b]odd"
        assert Config.load().settings.presets == {"circle-duel": {"[b]Odd": LINE}}
        await person.do("Start")
        assert table(app).table.session.options.texts()["gaps"] == "1"
        assert "[b]Odd" in text_of(app)
    async with acting(presets=Config.load().settings.presets, last=Config.load().settings.last) as person:
        app = person.app
        await person.do("New game")
        if chosen(app, "game") != "circle-duel":
            await person.reach("Game")
            while chosen(app, "game") != "circle-duel":
                await person.change("Game")
        assert chosen(app) == "[b]odd", "the rules played last, by their name"
        await person.reach("Rounds")
        await person.pilot.press("delete")
        assert chosen(app) == "[b]odd", "Del on another row is for what stands there"
        await person.reach("House rules")
        await person.do("Delete")
        assert chosen(app) == "house rules"
        assert chosen(app, "option gaps") == "1", "the rules are still there"
        assert app.settings.presets == {"circle-duel": {}}
        await person.do("Keep")
        await person.pilot.press(*"[b]Odd", "enter")
        assert chosen(app) == "[b]odd"
        assert Config.load().settings.presets == {"circle-duel": {"[b]Odd": LINE}}


async def test_the_name_of_a_preset_that_was_replaced_is_taken(acting: Acting) -> None:
    """A record or a code of before may still say `Long Line`."""
    async with acting("sequence-duel") as person:
        await person.do("New")
        await person.change("House rules", back=True)
        await person.change("Ends meet")
        await person.do("Keep")
        await person.pilot.press(*"long line", "enter")
        assert "has a preset Long Line already" in " ".join(text_of(person.app).split())
        assert isinstance(person.app.screen, KeepPresetScreen)
        assert person.app.settings.presets == {}


@pytest.mark.parametrize(
    ("key", "game_id", "rules"),
    [
        ("1", "circle-duel", {"size": "15", "reach": "2", "trails": "own", "gaps": "2"}),
        ("2", "number-circle", {"target": "13", "sharing": "off", "shared_total": "on", "floor": "0"}),
        ("3", "sequence-duel", {"size": "49", "ring": "on"}),
    ],
)
async def test_rules_that_were_a_preset_once_go_on_for_who_chose_them(
    started: Started, key: str, game_id: str, rules: dict[str, str]
) -> None:
    async with started(last={game_id: LastUsed(options=rules)}) as (app, pilot):
        await pilot.press(key)
        assert isinstance(app.screen, TableScreen)
        assert app.screen.table.options.rules_only().texts() == rules


async def test_home_steps_through_them_too(started: Started) -> None:
    async with started(presets={"circle-duel": {"Odd": LINE}}) as (app, pilot):
        await pilot.press(*["left"] * 2)
        assert "Odd" in text_of(app)
        await pilot.press("enter")
        assert isinstance(app.screen, TableScreen)
        assert app.screen.table.options.rules_only().texts() == {"gaps": "1"}


@pytest.mark.parametrize("name", ["\x1b[31m", "", "x" * 60])
async def test_a_name_that_cannot_be_shown_is_refused(started: Started, name: str) -> None:
    async with started() as (app, pilot):
        await pilot.press("n")
        form = app.screen
        assert isinstance(form, NewGameScreen)
        told: list[str] = []
        app.push_screen(KeepPresetScreen(form.game, form.game.Options(gaps=1), told.append))
        await pilot.pause()
        row = app.screen.query_one(Form).rows[0]
        app.screen.query_one(Form).rows = (type(row)("name", "Name", name, typed=True),)
        await pilot.press("enter")
        assert isinstance(app.screen, KeepPresetScreen)
        assert not told
        assert "A name" in text_of(app)
