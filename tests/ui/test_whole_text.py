"""A text that is cut can be shown whole."""

from __future__ import annotations

from typing import Any

import pytest

from duelbox.ui.screens.panel_screen import PanelScreen
from tests.ui.conftest import Started
from tests.ui.person import rows_of, table, until

GAME = "sequence-duel/11.3.9.18.6.15.13.1.20.4.7.16.8.2.10.17"


def panel_text(app: Any) -> str:
    """The text of the panel that is open."""
    ((_, text),) = app.screen.panes()
    return str(text.plain)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40)])
async def test_tab_shows_all_that_was_asked_for(started: Started, size: tuple[int, int]) -> None:
    async with started("sequence-duel/11", p1="Ann", p2="Bo", size=size) as (app, pilot):
        for key in ("h", "v"):
            await pilot.press(key)
            await until(pilot, lambda: table(app).prompts.note and "orking" not in table(app).prompts.note)
            prompts = table(app).prompts
            await pilot.press("tab")
            await until(pilot, lambda: isinstance(app.screen, PanelScreen))
            shown = " ".join(panel_text(app).split())
            assert prompts.note in shown
            assert prompts.verdict in shown
            await pilot.press("tab")
            assert table(app).prompts.note == prompts.note


async def test_tab_opens_nothing_where_nothing_was_asked_for(started: Started) -> None:
    async with started(GAME, p1="Ann", p2="Bo") as (app, pilot):
        table(app).state.moves_of_life = 9
        table(app).sync()
        await pilot.press("tab")
        assert not isinstance(app.screen, PanelScreen)


async def test_in_review_other_eyes_and_the_whole_text_have_keys_of_their_own(started: Started) -> None:
    async with started("circle-duel:size=4/1.2.3.4", p1="Ann", p2="bot:2") as (app, pilot):
        await pilot.press("e")
        await until(pilot, lambda: type(app.screen).__name__ == "ReviewScreen")
        await pilot.press("home", "v")
        await until(pilot, lambda: table(app).prompts.note and "orking" not in table(app).prompts.note)
        note = table(app).prompts.note
        await pilot.press("semicolon")
        await until(pilot, lambda: isinstance(app.screen, PanelScreen))
        assert note in " ".join(panel_text(app).split())
        await pilot.press("semicolon")
        assert table(app).prompts.note == note
        await pilot.press("right", "w")
        await until(pilot, lambda: "orking" not in table(app).prompts.note)
        assert table(app).prompts.note.startswith("Turn 1: ")


async def test_shown_keys_work_beside_a_half_typed_move(started: Started) -> None:
    async with started("number-duel:deal=31524-51234", p1="Ann", p2="bot:1") as (app, pilot):
        await pilot.press("4", "x", "v")
        assert table(app).state.line == "4x"
        assert table(app).state.verdict_on


async def test_undo_is_not_offered_before_a_move_of_ones_own(started: Started) -> None:
    async with started("circle-duel:size=4/1.2.3.4", p1="Ann", p2="Bo") as (app, pilot):
        await pilot.press("n")
        await until(pilot, lambda: not table(app).session.plies)
        assert table(app).prompts.works("undo"), "the game before can be gone back to"
        assert "u Undo" not in rows_of(app)[-1]
        await pilot.press("2", "enter")
        assert "u Undo" in rows_of(app)[-1]
