"""Hidden hands stay hidden: on the screen, in exported pictures and in logs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from textual.pilot import Pilot

from duelbox.ui.screens.handover import HandoverScreen
from duelbox.ui.screens.table import TableScreen, look_of
from duelbox.ui.svg import screen_svg
from duelbox.ui.widgets.lines import MoveLine
from tests.ui.conftest import MakeApp, Started
from tests.ui.person import table, until

# Two worlds that differ only in hidden cards once 3x2 has met a 1.
WORLDS = ("number-duel:deal=31524-51234", "number-duel:deal=45321-21543")


async def shown(pilot: Pilot[Any]) -> str:
    """The text on the screen and in the exported picture, once nothing moves."""
    app, before = pilot.app, ""
    while (now := _text(app)) != before:
        before = now
        await pilot.pause(0.05)
    return now


def _text(app: Any) -> str:
    rows = ["".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips()]
    svg = re.sub("<[^>]*>", "", screen_svg(app))
    return "\n".join([*rows, svg, app.title, app.sub_title])


async def to_handover(pilot: Pilot[Any]) -> None:
    await pilot.press("space", "3", "x", "2", "enter", "enter")
    assert isinstance(pilot.app.screen, HandoverScreen)


async def test_two_worlds_look_alike_until_something_is_revealed(make_app: MakeApp) -> None:
    seen: list[list[str]] = []
    for code in WORLDS:
        app = make_app(code)
        pictures: list[str] = []
        async with app.run_test(size=(80, 24)) as pilot:
            table(app).state.moves_of_life = None  # the number of earlier games is no part of a world
            pictures.append(await shown(pilot))
            await pilot.press("3", "x", "2", "enter")
            pictures.append(await shown(pilot))
            await pilot.press("2", "x", "2", "enter")
            pictures.append(await shown(pilot))
            assert len(table(app).session.plies) == 2, "without a look nobody waits for a handover"
        seen.append(pictures)
    assert seen[0] == seen[1]


async def test_looking_shows_only_ones_own_hand_and_hides_again(started: Started) -> None:
    async with started(WORLDS[0]) as (app, pilot):
        covered = await shown(pilot)
        await pilot.press("space")
        looked = await shown(pilot)
        assert looked != covered
        screen = table(app)
        assert look_of(screen.state, app.glyphs).seat == 0
        await pilot.press("space")
        assert await shown(pilot) == covered
        await pilot.press("space")
        screen.state.hide_hand()
        await pilot.pause()
        assert await shown(pilot) == covered


async def test_the_other_hand_is_in_no_world_shown_when_looking(started: Started) -> None:
    """The player's order is the same in both worlds, the opponent's is not; both must look the same."""
    pictures = []
    for code in ("number-duel:deal=31524-51234", "number-duel:deal=31524-43215"):
        async with started(code) as (_, pilot):
            await pilot.press("space")
            pictures.append(await shown(pilot))
    assert pictures[0] == pictures[1]


async def test_the_handover_drops_typed_ahead_keys_and_opens_nothing(make_app: MakeApp) -> None:
    app = make_app(WORLDS[0])
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify("Player 1 has 5 at position 3")
        await to_handover(pilot)
        handover = app.screen
        assert isinstance(handover, HandoverScreen)
        before = await shown(pilot)
        assert "position" not in before
        handover._since += 60
        await pilot.press("enter", "ctrl+p", "space", "v", "5", "s", "question_mark")
        assert app.screen is handover
        assert await shown(pilot) == before
        handover._since -= 120
        await pilot.press("enter")
        assert isinstance(app.screen, TableScreen)
        assert app.screen.state.line == ""
        assert app.screen.state.front == 1


async def test_enter_pressed_twice_does_not_uncover_the_next_hand(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr("duelbox.ui.screens.handover.monotonic", lambda: clock[0])
    async with started(WORLDS[0]) as (app, pilot):
        await to_handover(pilot)
        covered = await shown(pilot)
        for _ in range(2):
            await pilot.press("enter")
            assert await shown(pilot) == covered
            clock[0] += 0.3
        await pilot.press("enter")
        assert isinstance(app.screen, TableScreen), "by now it has been seen"


async def test_the_next_player_sees_no_hand_without_a_look_of_their_own(started: Started) -> None:
    pictures = []
    for code in WORLDS:
        async with started(code) as (app, pilot):
            await to_handover(pilot)
            app.screen._since -= 1
            await pilot.press("enter")
            table(app).state.moves_of_life = None  # the number of earlier games is no part of a world
            table(app).state.push()
            pictures.append(await shown(pilot))
            await pilot.press("space")
            assert await shown(pilot) != pictures[-1]
    assert pictures[0] == pictures[1]


async def test_secret_orders_are_made_after_the_handover(started: Started) -> None:
    async with started("number-duel:hand=3,arrange=chosen") as (app, pilot):
        await pilot.press("2", "3", "1", "enter")
        screen = table(app)
        assert screen.state.awaiting == "pass"
        assert "231" not in await shown(pilot)
        assert "•••" in await shown(pilot)
        await pilot.click(MoveLine)
        assert isinstance(app.screen, HandoverScreen)
        assert "231" not in await shown(pilot)
        app.screen._since -= 1
        await pilot.press("enter", "1", "2", "3", "enter")
        assert screen.session.state.hands == ((2, 3, 1), (1, 2, 3))


async def test_the_code_of_a_game_going_on_is_not_told(started: Started) -> None:
    async with started(WORLDS[0]) as (app, pilot):
        await pilot.press("c")
        assert "31524" not in await shown(pilot)
        await pilot.press("g", "g", "c")
        assert app.clipboard == WORLDS[0]


@pytest.mark.parametrize(
    "keys",
    [
        ("3", "x", "2", "enter", "escape", "c"),  # home, and continue
        ("3", "x", "2", "enter", "n", "enter", "u"),  # a new game, taken back
        ("3", "x", "2", "enter", "n", "enter"),  # a new game
    ],
)
async def test_where_nobody_knows_who_sits_in_front_no_hand_is_shown(started: Started, keys: tuple[str, ...]) -> None:
    async with started(WORLDS[0], rounds=2) as (app, pilot):
        await pilot.press(*keys)
        screen = table(app)
        assert screen.state.viewer is None
        covered = await shown(pilot)
        await pilot.press("space")
        assert await shown(pilot) == covered
        await pilot.press("enter")
        assert isinstance(app.screen, HandoverScreen)
        app.screen._since -= 1
        await pilot.press("enter")
        assert screen.state.viewer == screen.session.turn


async def test_a_round_begins_without_a_handover_and_with_no_hand_to_be_seen(started: Started) -> None:
    async with started(WORLDS[0].partition(":")[0], rounds=2) as (app, pilot):
        await pilot.press("g", "g", "enter")
        screen = table(app)
        assert screen.state.viewer == screen.session.turn
        assert "order hidden" in await shown(pilot)


async def test_the_handover_comes_where_a_hand_was_shown_and_hides_what_was_said_before(started: Started) -> None:
    async with started(WORLDS[0], "Ann", "Ben") as (app, pilot):
        screen, state = table(app), table(app).state
        await pilot.press("space", "space", *"3x2", "enter", "2")
        assert (state.awaiting, state.viewer) == ("pass", None)
        assert state.said == "Press Enter first: the screen goes to Ben."
        await pilot.press("enter")
        assert isinstance(app.screen, HandoverScreen)
        app.screen._since -= 1
        await pilot.press("enter")
        assert (state.said, state.awaiting, state.viewer) == ("", "", 1)
        assert "Press Enter" not in await shown(pilot)
        await pilot.press(*"2x2", "enter", *"1x1", "enter")
        assert len(screen.session.plies) == 3, "nobody looked in these turns: Enter plays, once a turn"


async def test_a_computer_does_not_tell_why_it_put_its_hand_in_this_order(started: Started) -> None:
    async with started("number-duel:arrange=chosen", p1="Ann", p2="bot:1") as (app, pilot):
        await pilot.press(*"31524", "enter")
        screen = table(app)
        await until(pilot, lambda: len(screen.session.plies) == 2)
        await pilot.press("w")
        assert screen.state.said == "It keeps that a secret."


async def test_a_hand_that_hides_itself_wakes_no_computer_under_another_screen(started: Started) -> None:
    async with started(WORLDS[0], p1="Ann", p2="bot:1", delay=10_000) as (app, pilot):
        screen = table(app)
        await pilot.press("space", *"3x2", "enter", "question_mark")
        assert screen.thinking._work is None
        screen.state.hide_hand()
        await pilot.pause()
        assert screen.thinking._work is None
        await pilot.press("escape")
        assert screen.thinking._work is not None
