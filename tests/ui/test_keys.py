"""The line of keys: its keys at each width, and clicks on them."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import pairwise

import pytest
from rich.cells import cell_len
from textual.command import CommandPalette

from duelbox.registry import BUILT_IN
from duelbox.ui import screens
from duelbox.ui.app import DuelboxApp
from duelbox.ui.game_board import board_of
from duelbox.ui.screens.base_screen import BaseScreen
from duelbox.ui.screens.help import HelpScreen
from duelbox.ui.table_keys import as_key
from duelbox.ui.widgets.key_bar import _KEPT, Item, KeyBar, arranged
from duelbox.ui.widgets.lines import Plate, Plates
from tests.ui.conftest import Started
from tests.ui.person import table

MENU = Item("ctrl+p", "^p", "Menu")
ITEMS = tuple(Item(label[0].lower(), label[0].lower(), label) for label in ("Play", "Hint", "Undo", "Verdict", "Home"))


def test_keys_keep_apart_and_the_ways_out_stay() -> None:
    for width in range(1, 80):
        *placed, (last, right) = arranged(ITEMS, MENU, width)
        for (left, x), (_, after) in pairwise([*placed, (last, right)]):
            assert x + len(left.text) < after
        assert last is MENU
        shown = [item for item, _ in placed]
        assert [item for item in ITEMS if item in shown] == shown
        assert shown[-_KEPT:] == list(ITEMS[-_KEPT:])[-len(shown) :] or not shown
        if width >= 34:
            assert len(shown) >= 3
            assert right + len(MENU.text) == width - 1


def test_with_room_for_all_all_are_shown_with_two_blanks_between() -> None:
    placed = arranged(ITEMS, MENU, 80)
    assert [item for item, _ in placed] == [*ITEMS, MENU]
    assert placed[1][1] - (placed[0][1] + len(ITEMS[0].text)) == 2


@pytest.mark.parametrize(
    ("width", "shown"),
    [(60, "Play Hint Undo Verdict Home"), (41, "Play Hint Verdict Home"), (34, "Play Verdict Home"), (22, "Home")],
)
def test_what_can_be_spared_goes_first(width: int, shown: str) -> None:
    spare = {"Undo": 3, "Hint": 2, "Play": 1}
    items = tuple(replace(item, spare=spare.get(item.label, 0)) for item in ITEMS)
    assert " ".join(item.label for item, _ in arranged(items, MENU, width)[:-1]) == shown


def text_of(bar: KeyBar) -> str:
    return bar.render().plain


async def test_clicking_a_key_presses_it_and_the_menu_is_always_there(started: Started) -> None:
    async with started("number-duel:deal=31524-42513", size=(120, 40)) as (app, pilot):
        bar = app.screen.query_one(KeyBar)
        for size in ((120, 40), (80, 24), (60, 20)):
            await pilot.resize_terminal(*size)
            line = text_of(bar)
            assert len(line) <= size[0]
            assert line.endswith("esc Home")
            await pilot.click(bar, offset=(line.index("Menu"), 0))
            assert isinstance(app.screen, CommandPalette)
            await pilot.press("escape")
            await pilot.click(bar, offset=(line.index("Help"), 0))
            assert isinstance(app.screen, HelpScreen)
            await pilot.press("escape")


async def test_a_click_between_keys_does_nothing(started: Started) -> None:
    async with started() as (app, pilot):
        bar = app.screen.query_one(KeyBar)
        await pilot.click(bar, offset=(text_of(bar).index("^p") - 2, 0))
        assert len(app.screen_stack) == 2


async def test_the_line_is_plain_in_ascii_and_follows_what_works(started: Started) -> None:
    async with started("circle-duel", ascii=True) as (app, pilot):
        bar = app.screen.query_one(KeyBar)
        assert text_of(bar).isascii()
        assert "Enter Play" in text_of(bar)
        assert "Undo" not in text_of(bar)
        await pilot.press("4", "enter")
        assert "u Undo" in text_of(bar)


async def test_a_key_says_what_it_is_for_when_pointed_at(started: Started) -> None:
    async with started(size=(200, 60)) as (app, pilot):
        bar = app.screen.query_one(KeyBar)
        await pilot.hover(bar, offset=(text_of(bar).index("New"), 0))
        assert str(bar.tooltip) == "Choose players and house rules"
        await pilot.hover(bar, offset=(text_of(bar).index("^p") - 3, 0))
        assert bar.tooltip is None


async def test_names_are_the_last_thing_to_be_cut(started: Started) -> None:
    async with started("sequence-duel", size=(98, 24)) as (app, pilot):
        plates = app.screen.query_one(Plates)
        for width in (98, 80, 66, 60):
            await pilot.resize_terminal(width, 24)
            for names in (("Ann", "Bo"), ("x" * 24, "y" * 24), ("日本語" * 4, "Bo")):
                one = Plate(0, names[0], "13 claimed · 2 safe", to_move=True)
                plates.plates = (one, Plate(1, names[1], "4 claimed · 1 safe"))
                shown = plates.render().plain
                assert cell_len(shown) == width
                assert names[0] in shown
                assert names[1] in shown
                assert "…" not in shown
                assert width < 80 or max(map(cell_len, names)) > 12 or "claimed" in shown


def every_screen(kind: type[BaseScreen] = BaseScreen) -> Iterator[type[BaseScreen]]:
    for module in pkgutil.iter_modules(screens.__path__):
        import_module(f"{screens.__name__}.{module.name}")
    for one in kind.__subclasses__():
        yield one
        yield from every_screen(one)


NEVER_BOTH = {
    "k": ({"do('claim')", "do('prove')"},),
    "space": ({"do('peek')", "do('hold')"},),
    "enter": ({"open", "done", "check"},),
    "escape": ({"put_away", "back"}, {"stop", "back"}),
    "q": ({"put_away", "back"}, {"stop", "back"}),
}
"""Keys with verbs that never work at the same time."""


def test_no_key_has_two_meanings_on_one_screen() -> None:
    app = DuelboxApp._merge_bindings().key_to_bindings
    seen = set(every_screen())
    assert len(seen) > 15
    for screen in seen:
        for key, bindings in screen._merge_bindings().key_to_bindings.items():
            actions = {one.action for one in bindings}
            assert len(actions) == 1 or actions in NEVER_BOTH.get(key, ()), (screen, key, actions)
            if key in app and key != "ctrl+c":
                names = {one.description for one in (*bindings, *app[key])}
                opened = key == "question_mark" or (key, screen.__name__) == ("s", "SettingsScreen")
                assert len(names) == 1 or opened, (screen, key, names)
        ways = {key for key, one in screen._merge_bindings().key_to_bindings.items() if "back" in one[0].action}
        typed = screen.__name__ in ("KeepPresetScreen", "AskNameScreen", "AskNamesScreen", "SetScreen")
        assert typed or "escape" not in ways or "q" in ways, f"q is Esc on {screen}"


@pytest.mark.parametrize("game_id", BUILT_IN)
@pytest.mark.parametrize(("one", "other"), [("Ann", "bot:2"), ("Ann", "Bo"), ("bot:1", "bot:2")])
async def test_no_key_of_the_table_is_a_sign_of_a_move_that_can_be_typed(
    started: Started, game_id: str, one: str, other: str
) -> None:
    async with started(game_id, one, other, delay=10_000, open_hand=False) as (app, pilot):
        for keys in ((), ("h",), ("v",), ("g", "g")):
            await pilot.press(*keys)
            screen, signs = table(app), board_of(game_id).keys
            works = [name for name, verb in screen.table.verbs.items() if verb.key and screen.prompts.works(name)]
            taken = [key for name in works for key in screen.table.verbs[name].key.split(",")]
            assert len(set(taken)) == len(taken), taken
            assert not (screen.state.may_move and {as_key(sign) for sign in signs} & set(taken))
