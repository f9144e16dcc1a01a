"""Settings, by keys alone and by mouse alone, in a usual and in a small terminal: in force at once, and saved."""

from __future__ import annotations

import gc

from duelbox.store.settings import Config
from duelbox.ui.glyphs import ASCII
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.widgets.form import Form
from tests.ui.conftest import Started
from tests.ui.person import Acting, Keys, click_on, is_on, table, text_of, two_ways, until


@two_ways
async def test_settings_are_true_at_once_and_kept(acting: Acting) -> None:
    async with acting() as person:
        await person.do("Settings")
        await person.change("Theme")
        assert person.app.theme == "duelbox-dark"
        await person.change("Theme")
        assert person.app.theme == "duelbox-light"
        await person.change("Theme", back=True)
        await person.change("More")
        for label in ("Plain ASCII", "Motion", "Computer waits", "Confirm moves", "One click plays"):
            await person.change(label)
        assert person.app.glyphs is ASCII
        assert person.app.animation_level == "basic"
        await person.do("Back")
        is_on(person, HomeScreen)
        kept = Config.load(person.app.config.path.parent, environ={}).settings
        assert (kept.theme, kept.ascii, kept.animation, kept.delay) == ("dark", True, "basic", 200)
        assert (kept.confirm, kept.one_click) == (True, True)


@two_ways
async def test_a_move_to_be_confirmed_takes_one_more(acting: Acting) -> None:
    async with acting("circle-duel", p1="Ann", p2="Bo", confirm=True) as person:
        screen = table(person.app)
        if isinstance(person, Keys):
            await person.pilot.press("4", "enter")
        else:
            for _ in range(2):
                await person.pilot.click(screen.board, offset=tuple(screen.board.offset_of("4")))
        assert "Enter again plays it" in text_of(person.app)
        assert not screen.session.plies
        if isinstance(person, Keys):
            await person.pilot.press("enter")
        else:
            await click_on(person.pilot, "Enter again plays it")
        assert screen.session.code() == "circle-duel/4"


async def test_one_click_plays_where_that_is_set(started: Started) -> None:
    async with started("number-duel:deal=31524-51234", p1="Ann", p2="Bo", one_click=True) as (app, pilot):
        screen = table(app)
        for target in ("3", "x2"):
            assert not screen.session.plies
            await pilot.click(screen.board, offset=tuple(screen.board.offset_of(target)))
        assert [text for _, text in screen.session.log()] == ["3x2"]


ODD_KEYS = {
    "h": "H is already the key for hint.",
    "ctrl+c": "Ctrl+c is already the key for interrupting.",
    "7": "7 is needed for moving.",
}


async def test_keys_are_set_by_pressing_and_odd_ones_refused(started: Started) -> None:
    async with started("circle-duel/4.5", p1="Ann", p2="Bo") as (app, pilot):
        await pilot.press("s")
        await Keys(pilot).change("More")
        await Keys(pilot).reach("Undo")
        for key, why in ODD_KEYS.items():
            await pilot.press(key)
            assert f"{why} The old key stays." in " ".join(text_of(app).split())
            assert Keys(pilot).app.screen.query_one(Form).row.value == "u"
            assert app.settings.keymap == {}
        await pilot.press("f5")
        assert "The key is f5 now." in text_of(app)
        await pilot.press("enter", "u")
        assert table(app).session.code() == "circle-duel/4.5"
        await pilot.press("f5")
        assert table(app).session.code() == "circle-duel/4"
        assert Config.load(app.config.path.parent, environ={}).settings.keymap == {"undo": "f5"}


async def test_what_settings_refuse_is_left_behind(started: Started) -> None:
    async with started(names=("Ann", "Bo")) as (app, pilot):
        await pilot.press("s")
        await Keys(pilot).reach("Player 2's name")
        await pilot.press(*"ann")
        assert "cannot be called ann. The old name stays." in text_of(app)
        assert app.settings.names == ("Ann", "Bo")
        await pilot.press("down")
        assert next(row.value for row in app.screen.query_one(Form).rows if row.key == "name2") == "Bo"
        await Keys(pilot).change("More")
        await Keys(pilot).reach("Look")
        await pilot.press("backspace", "f7", "backspace")
        assert app.settings.keymap == {}
        assert "The key is space now." in text_of(app)


@two_ways
async def test_half_of_the_settings_are_behind_more(acting: Acting) -> None:
    async with acting() as person:
        await person.do("Settings")
        form = person.app.screen.query_one(Form)
        few = [row.label for row in form.rows]
        assert len(few) == 8
        assert few[-1] == "More"
        await person.change("More")
        assert len(form.rows) > 2 * len(few)
        assert [row.label for row in form.rows[:8]] == few
        assert form.row
        assert form.row.label == "More"
        await person.change("More", back=True)
        assert [row.label for row in form.rows] == few


async def test_settings_do_not_pile_up(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("s", "s", "s", "escape")
        assert isinstance(app.screen, HomeScreen)


async def test_names_can_be_set_and_bad_ones_never_hold(started: Started) -> None:
    async with started() as (app, pilot):
        await pilot.press("s")
        await Keys(pilot).reach("Player 2's name")
        await pilot.press(*["backspace"] * 8)
        assert "The old name stays." in text_of(app)
        await pilot.press(*"Bo", "enter")
        assert app.settings.names == ("Player 1", "Bo")


async def test_garbage_is_collected_again_after_the_first_paint(started: Started) -> None:
    gc.disable()
    try:
        async with started():
            assert gc.isenabled()
    finally:
        gc.unfreeze()
        gc.enable()


async def test_large_is_true_as_soon_as_the_settings_are_left(started: Started) -> None:
    async with started("circle-duel", p1="Ann", p2="Bo", size=(120, 40)) as (app, pilot):
        app.navigation.open("settings")
        await until(pilot, lambda: "Large" in text_of(app))
        await Keys(pilot).change("Large")
        await pilot.press("escape")
        assert "esc Home" not in text_of(app)


async def test_plain_ascii_can_be_set_back_to_auto(started: Started) -> None:
    async with started(ascii="auto") as (app, pilot):
        usual = app.glyphs
        await pilot.press("s")
        await until(pilot, lambda: "More" in text_of(app))
        await Keys(pilot).change("More")
        for value in (True, False, "auto"):
            await Keys(pilot).change("Plain ASCII")
            assert app.settings.ascii == value
            assert Config.load(app.config.path.parent, environ={}).settings.ascii == value
        assert app.glyphs is usual
