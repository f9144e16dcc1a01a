"""Keys changed in the settings: good ones hold, bad ones are reported, and each action keeps a key."""

from __future__ import annotations

import string
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.binding import Binding

from duelbox.ui.game_board import board_of
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.table_keys import checked_keymap, key_fault, settable_verbs
from tests.golden.said import Said
from tests.ui.board_positions import DRAWN
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import table

ACTIONS = sorted(settable_verbs())


def keys_after(keymap: Mapping[str, str]) -> dict[str, str]:
    """The key of each action of the table under this keymap."""
    good, _ = checked_keymap(keymap)
    bindings = [one for one in TableScreen.BINDINGS if isinstance(one, Binding)]
    return {str(one.id): good.get(str(one.id), one.key) for one in bindings}


@pytest.mark.parametrize(
    "keymap",
    [
        {"undo": "f5"},
        {"undo": "ctrl+r", "hint": "R"},
        {"undo": "y", "redo": "u"},
        {"hint": "u", "undo": "v", "verdict": "h"},
        {"undo": "p", "redo": "u"},
        {"redo": "u", "undo": "p"},
        {"help": "f1", "space": "full_stop"},
        {"undo": "é"},
        {"undo": "u"},
    ],
)
def test_a_good_keymap_is_taken_as_it_is(keymap: dict[str, str]) -> None:
    assert checked_keymap(keymap) == ({f"table.{name}": key for name, key in keymap.items()}, ())


@pytest.mark.parametrize(
    ("name", "key", "reason"),
    [
        ("undo", "y", "the key for redo"),
        ("undo", "c", "the key for code"),
        ("undo", "?", "the key for help"),
        ("undo", "question_mark", "the key for help"),
        ("undo", "s", "the key for settings"),
        ("undo", "ctrl+q", "the key for quit"),
        ("undo", "ctrl+p", "the key for the palette"),
        ("undo", "ctrl+z", "the key for suspending"),
        ("undo", "ctrl+c", "the key for interrupting"),
        ("undo", "super+c", "the key for copying"),
        ("undo", "shift+tab", "needed for moving"),
        ("undo", "ctrl+left_square_bracket", "needed for moving"),
        ("undo", "left", "needed for moving"),
        ("undo", "enter", "needed for moving"),
        ("undo", "ctrl+m", "needed for moving"),
        ("undo", "7", "needed for moving"),
        ("undo", "x", "needed for moving"),
        ("undo", "X", "needed for moving"),
        ("undo", "+", "needed for moving"),
        ("undo", "plus", "needed for moving"),
        ("undo", "minus", "needed for moving"),
        ("undo", "banana", "'banana' is not a key"),
        ("undo", "banana+u", "'banana+u' is not a key"),
        ("undo", "a,b", "'a,b' is not a key"),
        ("undo", "ctrl+", "'ctrl+' is not a key"),
        ("undo", "<any>", "'<any>' is not a key"),
        ("undo", "\x07", "'\\x07' is not a key"),
        ("undone", "f5", "there is no action 'undone'"),
        ("play", "f5", "there is no action 'play'"),
        ("table.undo", "f5", "there is no action 'table.undo'"),
    ],
)
def test_a_bad_key_is_named_and_the_built_in_one_stays(name: str, key: str, reason: str, said: Said) -> None:
    good, faults = checked_keymap({name: key, "hint": "f6"})
    assert good == {"table.hint": "f6"}
    assert len(faults) == 1
    assert faults[0].startswith(f"keymap.{name}: ")
    assert reason in faults[0]
    said(faults[0])


def test_of_two_actions_with_one_key_the_first_has_it() -> None:
    good, faults = checked_keymap({"redo": "f5", "undo": "f5"})
    assert good == {"table.redo": "f5"}
    (fault,) = faults
    assert fault.startswith("keymap.undo: f5 ")
    assert " redo" in fault


@pytest.mark.parametrize("keys", [("!", "!"), ("!", "exclamation_mark"), ("exclamation_mark", "!")])
def test_a_key_is_one_key_however_it_is_written(keys: tuple[str, str]) -> None:
    good, faults = checked_keymap({"undo": keys[0], "hint": keys[1]})
    assert good == {"table.undo": "exclamation_mark"}
    assert len(faults) == 1


def test_a_fault_frees_no_key_that_is_needed_again() -> None:
    """`redo` returns to its built-in y, so y is not free for `undo`."""
    good, faults = checked_keymap({"undo": "y", "redo": "banana"})
    assert good == {}
    assert len(faults) == 2


def test_punctuation_is_taken_as_it_is_typed() -> None:
    assert checked_keymap({"undo": "!", "hint": "/"}) == ({"table.undo": "exclamation_mark", "table.hint": "slash"}, ())


@given(st.dictionaries(st.sampled_from(ACTIONS), st.sampled_from([*string.ascii_letters, "f5", "7", "?", "tab", "no"])))
def test_no_keymap_takes_a_key_away(keymap: dict[str, str]) -> None:
    after = keys_after(keymap)
    assert len(set(after.values())) == len(after), "two actions with one key"
    good, faults = checked_keymap(keymap)
    assert len(good) + len(faults) == len(keymap)
    assert all(
        sum(fault.startswith(f"keymap.{name}: ") for fault in faults) == 1
        for name in keymap
        if f"table.{name}" not in good
    )


@pytest.mark.parametrize("game_id", DRAWN)
def test_no_character_of_a_move_can_be_taken(game_id: str) -> None:
    for char in board_of(game_id).keys:
        assert key_fault("undo", char, {}) == f"{char} is needed for moving"


async def test_keys_of_the_settings_file_work_at_the_table(make_app: MakeApp) -> None:
    app = make_app("circle-duel/4.5", keymap={"undo": "y", "redo": "u", "help": "!", "hint": "banana"})
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        screen = table(app)
        assert [note.message for note in app._notifications] == [*app.keymap_faults]
        assert "keymap.hint" in app.keymap_faults[0]
        await pilot.press("y", "y")
        assert screen.session.code() == "circle-duel"
        await pilot.press("u")
        assert screen.session.code() == "circle-duel/4"
        await pilot.press("!")
        assert app.screen is not screen


async def test_textual_finds_no_clash_in_what_is_taken(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    clashes: list[object] = []
    app = make_app("circle-duel", keymap={"hint": "u", "undo": "v", "verdict": "h", "why": "f2"})
    monkeypatch.setattr(app, "handle_bindings_clash", lambda *found: clashes.append(found))
    async with app.run_test(size=(80, 24)):
        built_in = {str(one.id) for one in TableScreen.BINDINGS if isinstance(one, Binding)}
        there = {one.id for ones in app.screen._bindings.key_to_bindings.values() for one in ones}
        assert built_in <= there
    assert clashes == []


async def test_one_key_for_looking_and_pausing_stays_one(started: Started) -> None:
    for code, p1, action in (("number-duel", "Ann", "peek"), ("circle-duel", "bot:1", "hold")):
        async with started(code, p1=p1, p2="bot:1", delay=10_000, keymap={"space": "f2"}, open_hand=False) as (app, _):
            assert app.screen.active_bindings["f2"].binding.action == f"do('{action}')"
            assert "space" not in app.screen.active_bindings


async def test_a_file_with_odd_keys_starts_all_the_same(started: Started, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text('[keymap]\nundo = ""\nredo = 7\nhint = ["h"]\nwhy = "é"\n', encoding="utf-8")
    async with started("circle-duel/4.5") as (app, pilot):
        await pilot.press("u")
        assert isinstance(app.screen, TableScreen)
        assert app.screen.session.code() == "circle-duel/4"
        assert len(app.config.notices) == 3
