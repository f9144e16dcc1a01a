"""A deal that was lost from the start is said, and a loss in it is not counted."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from duelbox.store.settings import Settings
from duelbox.ui.home_known import facts_of
from duelbox.ui.widgets.end_card import Face
from tests.ui.conftest import Started
from tests.ui.person import table, text_of, until

LEAP = "circle-duel:size=17,reach=3,trails=own,gaps=2"
LOST = f"{LEAP},seed=1/16.7.14.4.15.6.13.9"
"""Lost from the start for the first player, and by any answer to 11."""
THROWN = f"{LEAP},seed=2/16.7.17.4.2.6.3.8"
"""Won from the start for the first player, and lost by any answer to 1."""
ONE_BOARD = "circle-duel:size=16,reach=2,trails=own,gaps=1,seed=3/4.11"
"""Of a preset in which the first player wins every draw."""


def words(app: Any) -> str:
    return " ".join(text_of(app).replace("│", " ").split())


def card(app: Any) -> str:
    """The text of the card that is to be seen."""
    return " ".join(" ".join(line.plain for line in app.screen.query_one(Face).lines).split())


async def end(app: Any, pilot: Any, move: str) -> None:
    """Play the last move of the person, and wait until the game is judged."""
    await pilot.press(*move, "enter")
    await until(pilot, lambda: table(app).state.judged is not None)
    await pilot.pause()


SIZES = ((120, 40), (80, 24), (60, 20))


@pytest.mark.parametrize("size", SIZES)
async def test_a_loss_in_a_lost_deal_is_said_and_not_counted(started: Started, size: tuple[int, int]) -> None:
    async with started(LOST, None, "bot:1", size=size) as (app, pilot):
        await end(app, pilot, "11")
        assert "This deal was lost from the start: all 15 first moves lose." in card(app)
        await app.workers.wait_for_complete()
        assert app.store.statistics() == ()
        assert app.store.latest_played() == ()
        assert facts_of(app.store, Settings(), date.today()).games[0].record == ""


async def test_a_loss_without_a_slip_names_the_best_try(started: Started) -> None:
    async with started(f"{LEAP},seed=1/14.1.15.2.17.5.16.8.13.11", None, "bot:1", size=(120, 40)) as (app, pilot):
        await until(pilot, lambda: "Your best try at turn 5 was 17: only 3 of 4 answers win." in card(app))


async def test_enter_after_it_deals_the_same_again_in_the_other_seat(started: Started) -> None:
    async with started(LOST, None, "bot:1", size=(120, 40)) as (app, pilot):
        before = table(app).session
        await end(app, pilot, "11")
        assert ("Enter: the same deal, other seat", "play") in table(app).state.prompts.parts
        await pilot.press("enter")
        await until(pilot, lambda: table(app).session is not before)
        again = table(app).table
        assert again.session.options == before.options
        assert (again.match.first, [who.level for who in again.players]) == (1, [None, "dash"])


async def test_a_loss_in_a_deal_that_could_be_won_counts(started: Started) -> None:
    async with started(THROWN, None, "bot:1", size=(120, 40)) as (app, pilot):
        await end(app, pilot, "1")
        assert "from the start" not in words(app)
        await until(pilot, lambda: [one.lost for one in app.store.statistics()] == [1])


async def test_a_preset_that_one_player_always_wins_has_no_lost_deals(started: Started) -> None:
    async with started(ONE_BOARD, "bot:1", None, size=(120, 40)) as (app, pilot):
        await until(pilot, lambda: table(app).state.may_move)
        table(app).session.resign(1)
        table(app).sync()
        await until(pilot, lambda: table(app).state.judged is not None)
        await pilot.pause()
        assert "from the start" not in words(app)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("sequence-duel/10", "In classic Sequence Duel the first player can always win. Here that was Dash."),
        (ONE_BOARD, "In Two Trails the first player can always win. Here that was Dash."),
    ],
)
async def test_the_winner_of_a_preset_is_said_at_the_end_of_its_first_game_and_never_again(
    started: Started, size: tuple[int, int], code: str, said: str
) -> None:
    for count in (1, 0):
        async with started(code, "bot:1", None, size=size) as (app, pilot):
            await until(pilot, lambda: table(app).state.may_move)
            await pilot.press("g", "g")
            await until(pilot, lambda: table(app).state.judged is not None)
            await pilot.pause()
            assert card(app).count(said) == count
            await app.workers.wait_for_complete()
