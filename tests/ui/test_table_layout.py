"""Each part of a table has one place: no text moves the board, and the end is a card over it."""

from __future__ import annotations

import re

import pytest

from duelbox.table import verbs
from duelbox.table.coach import TELLS_SIGNS
from duelbox.ui.screens.table_layout import board_rows, pane_columns
from duelbox.ui.widgets.end_card import EndCard
from duelbox.ui.widgets.key_bar import KeyBar
from duelbox.ui.widgets.lines import ClippedText, MoveLine, OneSentence, Plates
from tests.ui.conftest import END_SECONDS, END_SECONDS_OF_PLAYERS, Started
from tests.ui.person import SIZES, click_on, rows_of, table, text_of, until

GAME = "sequence-duel/11.3.9.18.6.15.13.1.20.4.7.16.8.2.10.17"


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40), (200, 60)])
async def test_nothing_moves_between_any_two_moments_of_a_game(started: Started, size: tuple[int, int]) -> None:
    async with started(GAME, p1="Ann", p2="bot:2", size=size) as (app, pilot):
        places, panes = [], set[tuple[object, ...]]()

        def note() -> None:
            kinds = (EndCard, Plates, OneSentence, MoveLine, KeyBar)
            found = [app.screen.query_one(kind).region for kind in kinds[1:]]
            beside = (
                () if table(app).prompts.card else app.screen.query("#beside ClippedText")
            )  # one of them is gone at the end
            below = app.screen.query("#play ClippedText")
            places.append((table(app).board.region, *found, *(one.region for one in below)))
            panes.update({tuple(one.region for one in beside)} if beside else ())

        note()
        for keys in ("h", "h", "h", "h", "escape", "v", "9 enter", "escape", "v", "u", "y", "w", "1 2", "enter"):
            await pilot.press(*keys.split())
            note()
        await until(pilot, lambda: table(app).state.judged is not None)
        await pilot.pause()
        note()
        assert len(set(places)) == 1, "every row keeps its place"
        assert len(panes) == 1
        board = table(app).board.region
        assert board.height == board_rows(size[1])
        assert board.width == size[0] - (pane_columns(size[0]) + 1 if size[0] >= 100 else 0)


def test_the_measures_are_those_of_the_drawings() -> None:
    assert [board_rows(height) for height in (20, 24, 40)] == [12, 16, 28]
    assert [pane_columns(width) for width in (100, 120, 200)] == [27, 36, 47]


@pytest.mark.parametrize("size", SIZES)
async def test_you_sit_on_the_left_whatever_your_seat(started: Started, size: tuple[int, int]) -> None:
    for p1, p2 in (("Ann", "bot:2"), ("bot:2", "Ann")):
        async with started("circle-duel/4.5", p1=p1, p2=p2, size=size, delay=10_000) as (app, _):
            plates = next(row for row in rows_of(app) if "You" in row)
            assert plates.index("You") < plates.index("Peek")
            assert ("●" if p1 == "Ann" else "◆") in plates[: plates.index("You")]
            assert "Peek ◆" in plates or "Peek ●" in plates, "a computer is its name"


@pytest.mark.parametrize("size", [(120, 40), (200, 60)])
async def test_panes_have_the_last_move_and_none_is_empty(started: Started, size: tuple[int, int]) -> None:
    async with started(GAME, p1="Ann", p2="bot:2", size=size) as (app, pilot):
        assert "claims 17" in " ".join(one.plain for one in app.screen.query_one("#happened", ClippedText).words)
        await pilot.press("1", "2", "enter")
        await until(pilot, lambda: table(app).prompts.card)
        assert "claim 12" in " ".join(one.plain for one in app.screen.query_one("#happened", ClippedText).words)
        assert all(one.words for one in app.screen.query("#beside ClippedText") if one.display)
        assert "Verdict ─" not in text_of(app)


async def test_a_refusal_is_said_once(started: Started) -> None:
    for size in ((80, 24), (120, 40)):
        async with started("sequence-duel/13", size=size) as (app, pilot):
            await pilot.press("1", "2", "enter")
            assert " ".join(text_of(app).split()).count("12 is next to") == 1


async def test_the_rule_goes_after_three_moves_of_a_life(started: Started) -> None:
    async with started("sequence-duel", p1="Ann", p2="Bo") as (app, pilot):
        rule = table(app).table.game.INFO.goal
        for move in ("1", "5", "9"):
            assert table(app).prompts.note == rule
            await pilot.press(move, "enter")
        assert table(app).prompts.note == ""
        await until(pilot, lambda: app.store.progress.newest("moves")["sequence-duel"] == {"count": 3})
        await pilot.press("escape", "n", "enter")
        assert rule not in text_of(app), "nor is it told in the next game"


async def test_the_signs_of_a_line_are_explained_in_the_first_games(started: Started) -> None:
    async with started("sequence-duel/11.3.9", p1="Ann", p2="Bo") as (app, pilot):
        assert "◈ safe: nobody can close it" in text_of(app)
        table(app).state.moves_of_life = TELLS_SIGNS - 1
        await pilot.press("1", "8", "enter")
        assert table(app).state.moves_of_life == TELLS_SIGNS
        assert "safe: nobody" not in text_of(app)


async def test_a_forced_move_lies_in_the_line_and_enter_plays_it(started: Started) -> None:
    async with started("circle-duel/4", p1="Ann", p2="Bo") as (app, pilot):
        await pilot.press("5", "enter")
        assert table(app).state.line == "6"
        await pilot.press("h")
        assert table(app).prompts.note == "6 is your only move."
        await pilot.press("enter")
        assert table(app).session.code() == "circle-duel/4.5.6"


async def test_enter_does_nothing_for_600_ms_at_the_end_and_then_the_next_step(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert END_SECONDS_OF_PLAYERS == 0.6
    monkeypatch.setattr(END_SECONDS, 3600)
    async with started(GAME, p1="Ann", p2="bot:2") as (app, pilot):
        await pilot.press("1", "2", "enter", "enter", "enter")
        card = app.screen.query_one(EndCard)
        assert card.display
        assert card.region.y >= table(app).board.region.y
        assert "╭─ You win" in text_of(app)
        monkeypatch.setattr(verbs, "END_SECONDS", 0)
        await until(pilot, lambda: "Flawless." in text_of(app))
        assert "Right moves: 5 of 5 where it mattered." in text_of(app)
        assert "↵" not in rows_of(app)[-1], "the buttons of the card are not in the line of keys"
        await pilot.press("enter")
        assert table(app).table.players[1].name == "Counter"


async def test_after_a_loss_enter_tries_the_slip_again(started: Started) -> None:
    lost = "circle-duel:size=13,reach=2,trails=own,gaps=2,seed=8/10.4.12.6.13.5.2.7.1.8"
    async with started(lost, p1="Ann", p2="bot:2", delay=10_000) as (app, pilot):
        await until(pilot, lambda: "try turn 5 again" in text_of(app))
        assert "One slip, at turn 5." in " ".join(text_of(app).split())
        await click_on(pilot, "try turn 5 again")
        assert table(app).session.code().endswith("/10.4.12.6")
        assert table(app).table.players[1].level == "peek"
        assert "with help" in text_of(app), "the turn to mend was told, so a win counts as one with help"
        await pilot.press("g", "g")
        await until(pilot, lambda: table(app).session.outcome is not None)
        await until(pilot, lambda: any(summary.finished for summary in app.store.history()))
        (kept,) = [summary for summary in app.store.history() if summary.finished]
        assert kept.finished[0].assisted


async def test_the_coach_asks_before_the_answer(started: Started) -> None:
    async with started("sequence-duel/11.3.9.18.12.15.6.1", p1="Ann", p2="bot:2", coach=True) as (app, pilot):
        await pilot.press("7", "enter")
        await until(pilot, lambda: "That gives the win away. Take it back?" in text_of(app))
        assert table(app).table.assisted
        await pilot.press("h", "n", "3")
        assert len(table(app).session.plies) == 9, "other keys do nothing, and nobody answers"
        await pilot.press("u")
        assert table(app).session.code() == "sequence-duel/11.3.9.18.12.15.6.1"
        await pilot.press("2", "0", "enter")
        await until(pilot, lambda: len(table(app).session.plies) == 10)
        await pilot.press("u", "7", "enter")
        await until(pilot, lambda: table(app).state.asks_back)
        await pilot.press("enter")
        await until(pilot, lambda: len(table(app).session.plies) == 10)


async def test_the_coach_says_when_a_draw_was_given_away(started: Started) -> None:
    moves = "+2.+9.-3.-8.+4.+7.-5.+6.-4.-5.-3.+4.-2.+3.-1.+2.+3.-9.+4.+8.-5.-7.+6"
    drawn = f"number-circle:target=13,sharing=off,shared_total=on,floor=0/{moves}"
    async with started(drawn, p1="bot:2", p2="Ann", coach=True) as (app, pilot):
        await pilot.press(*"+5", "enter")
        await until(pilot, lambda: "That gives the draw away. Take it back?" in text_of(app))


async def test_a_clock_reminds_two_people_and_nobody_else(started: Started) -> None:
    for p2, shown in (("Bo", True), ("bot:1", False)):
        async with started("circle-duel", p1="Ann", p2=p2, pace="30") as (app, pilot):
            assert ("0:00 of 0:30" in text_of(app)) == shown
            table(app).state.began -= 75
            await pilot.press("right")
            past = re.search(r"1:(1[5-9]|[2-5]\d) of 0:30", text_of(app))  # may take a while on a busy machine
            assert bool(past) == shown, "it goes on past its time"
            assert table(app).state.may_move


@pytest.mark.parametrize("code", ["sequence-duel/10", "circle-duel/4", "number-circle/+2", "digit-chain/26"])
async def test_the_choices_of_a_computer_that_thinks_are_no_buttons(started: Started, code: str) -> None:
    async with started(code, "Ann", "bot:2", delay=10_000) as (app, pilot):
        screen = table(app)
        assert screen.table.computer_to_move
        assert screen.board.cursor_stops() == ()
        await pilot.press("u")
        assert screen.state.may_move
        assert screen.board.cursor_stops()
