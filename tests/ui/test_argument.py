"""Tab shows the whole argument for a verdict, and for the last hint."""

from __future__ import annotations

from typing import Any

from duelbox.ui.screens.panel_screen import PanelScreen
from tests.ui.conftest import Started
from tests.ui.person import table, text_of, until


async def panel(app: Any, pilot: Any) -> str:
    """The text of the panel that Tab opens."""
    await pilot.press("tab")
    await until(pilot, lambda: isinstance(app.screen, PanelScreen))
    await pilot.pause()
    return " ".join(text_of(app).split())


async def test_tab_tells_every_answer_behind_a_verdict(started: Started) -> None:
    async with started("sequence-duel:size=11/3.5", "Ann", "Ben", size=(100, 30)) as (app, pilot):
        await pilot.press("v")
        await until(pilot, lambda: table(app).state.prompts.argued is not None)
        await pilot.pause()
        assert "Tab more" in text_of(app)
        told = await panel(app, pilot)
        assert "Best play: " in told
        assert "Ben has" in told
        assert "The moves that give it away:" in told
        await pilot.press("tab")
        assert "Best play" not in text_of(app)


async def test_only_the_last_hint_has_the_argument_behind_it(started: Started) -> None:
    async with started("sequence-duel:size=11/3.5", "Ann", "Ben") as (app, pilot):
        for last in (False, False, True):
            await pilot.press("h")
            await until(pilot, lambda: table(app).state.said.startswith("Hint"))
            await pilot.pause()
            assert (table(app).state.prompts.argued is not None) == last
        assert "Best play: " in await panel(app, pilot)
