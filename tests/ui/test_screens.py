"""Home, help and the palette, by keys alone and by mouse alone, in a usual and in a small terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from textual.command import CommandPalette
from textual.screen import Screen

from duelbox import themes
from duelbox.core.code import parse_code
from duelbox.registry import find_game, game_ids
from duelbox.store.settings import Config
from duelbox.ui.screens.handover import HandoverScreen
from duelbox.ui.screens.help import HelpScreen, RulesScreen
from duelbox.ui.screens.history import HistoryScreen
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.new_game import NewGameScreen
from duelbox.ui.screens.settings import SettingsScreen
from duelbox.ui.svg import save_picture
from duelbox.ui.widgets.form import Form
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import (
    SIZES,
    SMALL,
    Acting,
    Keys,
    Mouse,
    click_at,
    is_on,
    record_of,
    rows_of,
    table,
    text_of,
    two_ways,
    until,
)

# -- closing


async def test_what_is_closed_twice_leaves_what_lies_below(started: Started) -> None:
    async with started("circle-duel/4.5") as (app, pilot):
        for screen in (
            RulesScreen(find_game("circle-duel")),
            SettingsScreen(),
            HandoverScreen("Ann"),
            CommandPalette(),
        ):
            app.push_screen(screen)
            await pilot.pause()
            screen.dismiss()
            screen.dismiss()
            await pilot.pause()
            assert table(app).session.code() == "circle-duel/4.5"


# -- home


async def test_every_row_opens_its_game_and_leads_back(started: Started) -> None:
    async with started(size=SMALL) as (app, pilot):
        person = Mouse(pilot)
        for number, game_id in enumerate(game_ids(), 1):
            await person.open_card(number)
            assert table(app).table.game.INFO.id == game_id
            await person.do("Home")
            is_on(person, HomeScreen)


@two_ways
async def test_home_leads_everywhere_and_everything_leads_back(acting: Acting) -> None:
    ways: dict[str, type[Screen[None]]] = {
        "New game": NewGameScreen,
        "History": HistoryScreen,
        "Settings": SettingsScreen,
        "Help": HelpScreen,
    }
    async with acting() as person:
        for label, screen in ways.items():
            await person.do(label)
            is_on(person, screen)
            await person.do("Back")
            is_on(person, HomeScreen)


async def test_what_is_unfinished_comes_first_and_goes_on(acting: Acting) -> None:
    async with acting(kept=(record_of("circle-duel/4.5"),)) as person:
        assert "Continue" in text_of(person.app).partition("Number Circle Duel")[0]
        await person.do("Continue")
        assert table(person.app).session.code() == "circle-duel/4.5"
        assert table(person.app).session.names == ("Ann", "Bo")


async def test_a_game_gone_on_with_is_still_one_with_help(acting: Acting) -> None:
    async with acting("sequence-duel:size=9/2", p1="Ann", p2="Bo") as person:
        await person.do("Hint")
        await person.pilot.press("8", "enter")
        await person.do("Home")
        await person.do("Continue")
        assert table(person.app).session.code() == "sequence-duel:size=9/2.8"
        assert "with help" in text_of(person.app)


# -- windows too small


@pytest.mark.parametrize(
    ("code", "size", "lacking"),
    [
        (None, (59, 20), "1 column"),
        ("digit-chain/26", (60, 19), "1 row"),
        (None, (100, 12), "8 rows"),
        ("digit-chain/26", (58, 18), "2 columns and 2 rows"),
    ],
)
async def test_too_small_a_window_says_what_it_lacks_and_the_way_out(
    started: Started, code: str | None, size: tuple[int, int], lacking: str
) -> None:
    async with started(code, size=size) as (app, pilot):
        assert f"This window has {size[0]}x{size[1]}: {lacking} too few." in text_of(app)
        assert "Ctrl+Q" in text_of(app)
        await pilot.resize_terminal(60, 20)
        assert "too few" not in text_of(app)
        assert "Menu" in text_of(app)
        await pilot.press("ctrl+q")
    assert app.return_code == 0


# -- help


async def test_the_rules_of_every_game_can_be_read(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("question_mark", "question_mark")
        is_on(Keys(pilot), RulesScreen)
        assert {"• Pick a number at most 2 steps from your own last one."} <= {row.strip() for row in rows_of(app)}
        assert ".---" not in text_of(app)
        seen, titles = [], [find_game(game_id).INFO.title for game_id in game_ids()]
        for _ in game_ids():
            shown = {row.strip().partition(",")[0] for row in rows_of(app)[2:3]}
            seen += [title for title in titles if title in shown]
            await pilot.press("right")
        assert seen == titles
        await pilot.press("left")
        assert seen[-1] in text_of(app)
        await pilot.press("escape")
        is_on(Keys(pilot), HomeScreen)


def said_on(app: Any) -> str:
    """The panel on the left as one line of words."""
    return " ".join(" ".join(row[:40] for row in rows_of(app)).replace("│", " ").split())


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("circle-duel/4.5", "Pick a number next to the last one, whoever picked it."),
        ("circle-duel:size=15,reach=2,trails=own,gaps=2,seed=8/10.4", "at most 2 steps from your own last one."),
        ("number-circle:shared_total=on,floor=0", "It may not go above 15, or below 0."),
        ("sequence-duel:size=9,ring=on", "The line is a ring: 9 is next to 1."),
        ("digit-chain:zero=wild", "After a number that ends in 0, any number may follow."),
        ("number-duel:victors_stay=on", "An attacker that wins goes back to its place."),
    ],
)
async def test_help_tells_the_rules_of_this_table(started: Started, code: str, rules: str) -> None:
    for size in SIZES:
        async with started(code, p1="Ann", p2="Bo", size=size) as (app, pilot):
            await pilot.press("question_mark")
            is_on(Keys(pilot), HelpScreen)
            assert all(word in said_on(app).split() for word in rules.split())
            for name in ("Ann", "Bo"):
                assert re.search(rf"[●◆]  {name}", text_of(app))
            await pilot.press("question_mark", "escape")
            table(app)


@pytest.mark.parametrize(("code", "way"), [("sequence-duel:size=5/3.1.4", "e"), ("digit-chain/26", "n")])
async def test_help_beside_a_table_is_about_the_same_game(started: Started, code: str, way: str) -> None:
    async with started(code, p1="Ann", p2="Bo") as (app, pilot):
        at_table = app.screen
        await pilot.press(way)
        await until(pilot, lambda: app.screen is not at_table)
        for presses in (["question_mark"], ["s", "question_mark"]):
            await pilot.press(*presses)
            is_on(Keys(pilot), HelpScreen)
            assert parse_code(code, find_game).game.INFO.title in text_of(app)
            await pilot.press("escape")


async def test_help_tells_the_keys_as_they_are_set(started: Started) -> None:
    keymap = {"hint": "f9", "why": "vertical_line", "undo": "asterisk"}
    async with started("circle-duel/4", p1="Ann", p2="bot:1", keymap=keymap) as (app, pilot):
        await pilot.press("question_mark")
        for key, words in (("f9", "Hint"), ("|", "Why"), ("*", "Undo"), ("y", "Redo"), ("e", "Review")):
            assert re.search(rf" {re.escape(key)}  {words}", text_of(app))
        assert not re.search(r" [huw]  (Hint|Undo|Why)", text_of(app))
        assert "Claim" not in text_of(app), "nobody elsewhere plays"


async def test_help_closes_and_leaves_all_as_it_was(started: Started) -> None:
    for size in SIZES:
        async with started("circle-duel/4.5", p1="Ann", p2="Bo", size=size) as (app, pilot):
            board = table(app).board.region
            await pilot.press("question_mark")
            assert "…" not in text_of(app), "no label is cut"
            assert app.screen.styles.background.a < 1, "the table stays to be seen"
            await pilot.press("escape")
            for close in ("escape", "enter", "q", "click"):
                await pilot.press("question_mark")
                assert "Hint" in text_of(app)
                if close == "click":
                    await click_at(pilot, 0, size[1] - 2)
                else:
                    await pilot.press(close)
                assert table(app).board.region == board


async def test_help_comes_on_every_screen_with_its_keys(started: Started) -> None:
    here = (("", "Lesson|Learn the game"), ("i", "Undelete|Delete"), ("s", "Change"), ("n", "Change"))
    async with started(size=(100, 40)) as (app, pilot):
        for way, key in here:
            await pilot.press(*way, "question_mark")
            is_on(Keys(pilot), HelpScreen)
            assert re.search(key, text_of(app))
            await pilot.press("escape", *["escape"] * len(way))
            is_on(Keys(pilot), HomeScreen)


# -- the palette


async def test_the_palette_leads_to_our_own_themes_alone(started: Started) -> None:
    async with started(theme="dark", size=SMALL) as (app, pilot):
        person = Mouse(pilot)
        for _ in range(2):  # from home and from the settings
            await person.from_menu("Theme")
            is_on(person, SettingsScreen)
            form = app.screen.query_one(Form)
            assert [value for value, _ in form.row.choices] == [*themes.NAMES]
            form.at = 5
        assert len(app.screen_stack) == 3
        await person.change("Theme")
        assert app.theme == "duelbox-light"
        assert Config.load(app.config.path.parent, environ={}).settings.theme == "light"


async def test_a_picture_waits_for_a_screen_that_has_just_opened(
    make_app: MakeApp, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    app = make_app("circle-duel/4.5")
    async with app.run_test(size=(80, 24)) as pilot:
        app.action_command_palette()
        app.deliver_screenshot()
        await until(pilot, lambda: list(tmp_path.glob("*.svg")))


async def test_a_picture_is_kept_where_it_can_be(make_app: MakeApp, tmp_path: Path, monkeypatch: Any) -> None:
    home, here = tmp_path / "person", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(here)
    app = make_app("circle-duel/4.5")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await Mouse(pilot).from_menu("Screenshot")
        await until(pilot, lambda: list(here.glob("*.svg")))
        (kept,) = here.glob("*.svg")
        assert [note.message for note in app._notifications] == [f"Saved as {kept}"]
        assert "Number" in kept.read_text(encoding="utf-8")
        (home / "Downloads").mkdir()
        assert "Saved as ~/Downloads/duelbox-" in (app.deliver_screenshot() or "")
        (tmp_path / "file").touch()
        assert "cannot be saved in" in (app.deliver_screenshot(path=str(tmp_path / "file")) or "")
        app.push_screen(HandoverScreen("Ann"))
        await pilot.pause()
        assert app.deliver_screenshot() is None


def test_no_picture_is_written_over(tmp_path: Path) -> None:
    told = {save_picture(f"<svg {number}/>", (tmp_path,), "duelbox") for number in range(3)}
    assert len(told) == len(list(tmp_path.iterdir())) == 3


async def test_the_palette_runs_what_it_lists(started: Started) -> None:
    async with started("circle-duel/4.5", p1="Ann", p2="Bo", size=SMALL) as (app, pilot):
        person = Mouse(pilot)
        await person.from_menu("Resign")
        assert "Press g again to resign." in text_of(app)
        await person.from_menu("Resign")
        assert table(app).session.cut_short
        await person.from_menu("New game")
        assert not table(app).session.plies


async def test_the_palette_names_everything_once(started: Started) -> None:
    for code in (None, "circle-duel/4.5", "number-duel:deal=31524-51234"):
        async with started(code, p1="Ann", p2="Bo") as (app, _):
            names = [command.title for command in app.get_system_commands(app.screen)]
            assert len(names) == len(set(names))


async def test_the_palette_opens_once_and_closes(started: Started) -> None:
    async with started("circle-duel") as (app, pilot):
        await pilot.press("ctrl+p", "ctrl+p")
        assert sum(isinstance(screen, CommandPalette) for screen in app.screen_stack) == 1
        await pilot.press("escape")
        table(app)
