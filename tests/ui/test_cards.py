"""Number Duel by hand: own cards are the buttons, in either order, by mouse, arrows and digits."""

from __future__ import annotations

from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from tests.ui.conftest import Started
from tests.ui.person import click_at, mouse, table, text_of, until
from tests.ui.test_one_moment import moment

HANDS = "number-duel:deal=42351-35142"
SIZES = [(80, 24), (60, 20), (120, 40), (200, 60)]


async def click(pilot: Pilot[Any], target: str) -> None:
    board = table(pilot.app).board
    await click_at(pilot, *(board.region.offset + board.offset_of(target)))


def lifted(app: Any) -> list[str]:
    board = table(app).board
    return [str(card.face) for card in board.scene.mine if card.lifted]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "clicks", [("4", "x2", "x2"), ("x2", "4", "4"), ("2", "4", "x1", "x2", "x2"), ("x2", "4", "x2")]
)
async def test_a_click_lifts_one_on_theirs_aims_and_the_same_again_plays(
    started: Started, size: tuple[int, int], clicks: tuple[str, ...]
) -> None:
    async with started(HANDS, "Ann", "bot:2", size=size, open_hand=True, delay=10_000) as (app, pilot):
        session = table(app).session
        for target in clicks[:-1]:
            await click(pilot, target)
            assert not session.plies
            assert lifted(app) == ([target] if target.isdigit() else lifted(app))
        assert lifted(app) == ["4"]
        assert "▗" in moment(app).board
        await click(pilot, clicks[-1])
        assert session.log() == ((0, "4x2"),)


async def test_a_lifted_card_is_hit_where_it_lies_and_where_it_lay(started: Started) -> None:
    async with started(HANDS, "Ann", "bot:2", open_hand=True, delay=10_000) as (app, pilot):
        board = table(app).board
        before = board.regions()["4"]
        await click(pilot, "4")
        after = board.regions()["4"]
        assert (after.y, after.bottom) == (before.y - 1, before.bottom)
        assert [board.regions()[one] for one in "2351"] == [before.translate((12 * at, 0)) for at in range(1, 5)]


async def test_arrows_and_digits_choose_too(started: Started) -> None:
    async with started(HANDS, "Ann", "bot:2", open_hand=True, delay=10_000) as (app, pilot):
        await pilot.press("right")
        assert lifted(app) == ["4"]
        await pilot.press("right", "up")
        assert table(app).state.line == "2x2"
        await pilot.press("down", "left", "enter")
        assert table(app).session.log() == ((0, "4x2"),)


async def test_a_card_without_a_place_says_what_is_missing(started: Started) -> None:
    async with started(HANDS, "Ann", "bot:2", open_hand=True, delay=10_000) as (app, pilot):
        await pilot.press("4", "x", "enter")
        assert "Name one of your opponent's positions, too" in " ".join(text_of(app).split())
        await pilot.press("escape")
        await click(pilot, "x2")
        await pilot.press("enter")
        assert "Name one of your numbers, too" in " ".join(text_of(app).split())
        assert not table(app).session.plies


async def test_the_verdict_rates_own_cards_and_for_the_chosen_one_their_places(started: Started) -> None:
    async with started(f"{HANDS}/2x4.1x1", "Ann", "bot:2", open_hand=True, delay=10_000) as (app, pilot):
        await pilot.press("v")
        await until(pilot, lambda: all(card.worth and card.worth.verdict for card in table(app).board.scene.mine))
        scene = table(app).board.scene
        assert not any(card.worth for card in scene.theirs)
        await pilot.press("4")
        scene = table(app).board.scene
        rated = [card.worth for card in scene.theirs]
        assert [worth.best for worth in rated] == [False, False, True, False]
        assert [f"{worth.figure} " in moment(app).board for worth in rated] == [True] * 4
        assert "═ 50% ═" in moment(app).board


@pytest.mark.parametrize("glyphs", [False, True], ids=["signs", "ascii"])
async def test_two_at_one_screen_choose_by_the_same_buttons_and_see_no_order(started: Started, glyphs: bool) -> None:
    async with started(HANDS, "Ann", "Ben", ascii=glyphs) as (app, pilot):
        assert "order hidden" in text_of(app)
        await click(pilot, "4")
        assert ("▗" not in text_of(app)) == glyphs
        await click(pilot, "x2")
        await click(pilot, "x2")
        assert table(app).session.log() == ((0, "4x2"),)
        assert [card.face for card in table(app).board.scene.mine] == [1, 2, 3, 4, 5]


# -- an order of one's own


async def test_an_order_is_made_by_clicks_and_by_dragging(started: Started) -> None:
    async with started("number-duel:arrange=chosen", "Ann", "bot:1", delay=10_000) as (app, pilot):
        board = table(app).board
        for number in "315":
            await click(pilot, number)
        assert table(app).state.line == "315"
        start, end = (board.region.offset + board.offset_of(target) for target in ("4", "@1"))
        for kind, spot in ((events.MouseDown, start), (events.MouseUp, end), (events.Click, end)):
            app.screen._forward_event(mouse(kind, *spot, button=1))
        await pilot.pause()
        assert table(app).state.line == "4315"
        assert [card.face for card in board.scene.mine] == [4, 3, 1, 5, None]
        await pilot.press("2", "enter")
        assert table(app).session.state.hands[0] == (4, 3, 1, 5, 2)
