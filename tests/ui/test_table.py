"""The table in play: by keys, by clicks, typed; refusals, undo, handover, hints, late answers."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import cycle
from typing import Any

import pytest
from textual.pilot import Pilot

from duelbox.bots.api import Choice
from duelbox.core.session import Session
from duelbox.solve.api import Analysis
from duelbox.table.base import BaseTable
from duelbox.table.hints import analysed
from duelbox.table.local import LocalTable
from duelbox.table.thinking import Answer, play_choice
from duelbox.ui.screens.handover import HandoverScreen
from duelbox.ui.screens.new_game import NewGameScreen
from duelbox.ui.screens.table import TableScreen, WorkerAnswered
from duelbox.ui.widgets.board import Board
from duelbox.ui.widgets.lines import ClippedText, MoveLine
from tests.ui.conftest import SEEN_SECONDS, MakeApp, Started
from tests.ui.person import SIZES, rows_of, table, text_of, until

# A whole game of each kind as typed, and its winner.
GAMES = {
    "circle-duel": ("4 5 6 7 8 9 10 1 2 3", 1),
    "number-circle": ("+2 +9 +3 -8 +4 +7 +5 +6 -6 -5 +7", 0),
    "sequence-duel:size=5": ("3 1 4", 0),
    "digit-chain": ("26 61 19 90", 1),
    "number-duel:deal=31524-51234": ("5x1 4x3 4x1 3x2 3x1 2x1", None),
}


def key_of(char: str) -> str:
    """The name that Pilot has for a character."""
    return {"+": "plus", "-": "minus"}.get(char, char)


async def type_line(pilot: Pilot[Any], text: str) -> None:
    await pilot.press(*map(key_of, text))


async def click(pilot: Pilot[Any], screen: TableScreen, target: str) -> None:
    assert await pilot.click(screen.board, offset=tuple(screen.board.offset_of(target)))


async def lift(pilot: Pilot[Any]) -> None:
    """Pass the screen on if a handover is due."""
    if isinstance(pilot.app.screen, TableScreen) and pilot.app.screen.state.awaiting == "pass":
        await pilot.press("enter")
    if isinstance(pilot.app.screen, HandoverScreen):
        pilot.app.screen._since -= 1
        await pilot.press("enter")


def targets(code: str, move: str) -> list[str]:
    """The parts of the board to click for a move."""
    if code.startswith("number-duel"):
        number, _, position = move.partition("x")
        return [number, f"x{position}"]
    return [move]


@pytest.mark.parametrize(("code", "size"), zip(GAMES, cycle(SIZES), strict=False))
async def test_a_whole_game_clicked_and_typed_in_turns(started: Started, code: str, size: tuple[int, int]) -> None:
    moves, _ = GAMES[code]
    async with started(code, size=size) as (app, pilot):
        for turn, move in enumerate(moves.split()):
            if table(app).session.turn is None:
                break
            if turn % 2:
                await type_line(pilot, move)
                await pilot.press("enter")
                await lift(pilot)
                continue
            pieces = targets(code, move) if table(app).state.line != move else []
            for target in pieces:
                await click(pilot, table(app), target)
            assert table(app).state.line == move
            await click(pilot, table(app), targets(code, move)[-1])
            if table(app).state.awaiting == "pass":
                await pilot.click(MoveLine)
                assert isinstance(app.screen, HandoverScreen)
                app.screen._since -= 1
                await pilot.click("Button")
        session, winner = table(app).session, GAMES[code][1]
        assert session.code().partition("/")[2] == ".".join(moves.split()[: len(session.plies)])
        if winner is not None:
            assert session.outcome.winner == winner


@pytest.mark.parametrize("code", GAMES)
async def test_a_whole_game_by_arrows(started: Started, code: str) -> None:
    """Arrow keys and Enter alone reach a legal move in every position, and so the end of the game."""
    async with started(code) as (app, pilot):
        for turn in range(60):
            screen = table(app)
            if screen.session.turn is None:
                return
            before = screen.session.stamp
            for key in ("right", "down", "right", "up", "left")[turn % 3 :] * 4:
                await pilot.press(key)
                if screen.state.parsed.fault is None:
                    break
            for _ in range(2):
                if screen.session.stamp == before:
                    await pilot.press("enter")
                    if screen.state.parsed.fault is not None and screen.session.stamp == before:
                        await pilot.press("up", "right")
            assert screen.session.stamp > before, screen.state.line
            await lift(pilot)
        assert code == "number-circle", "only Number Circle may go on without end"


async def test_the_move_line_is_one_for_all_hands(started: Started) -> None:
    async with started("sequence-duel/10") as (app, pilot):
        screen = table(app)
        await type_line(pilot, "13")
        typed = screen.state.line, screen.query_one(MoveLine).parts
        await pilot.press("escape")
        assert screen.state.line == ""
        await click(pilot, screen, "13")
        assert (screen.state.line, screen.query_one(MoveLine).parts) == typed
        assert typed[1] == (("Enter claims 13: 12 and 14 are closed to Player 1", "play"),)
        await pilot.press("backspace", "7")
        assert screen.state.line == "17"
        await pilot.press("enter")
        assert screen.session.code() == "sequence-duel/10.17"


async def test_a_refusal_changes_nothing_and_names_the_number(started: Started) -> None:
    async with started("sequence-duel/13") as (app, pilot):
        screen = table(app)
        before = screen.session.state
        await type_line(pilot, "12")
        await pilot.press("enter")
        assert screen.session.state is before
        assert screen.state.refusal.blockers == (13,)
        assert "12 is next to Player 1's 13" in screen.state.prompts.note
        await pilot.press("escape")
        assert screen.state.refusal is None


async def test_undo_redo_and_back_to_the_game_before(started: Started) -> None:
    async with started("circle-duel/4.5", p1="Ann", p2="Bo") as (app, pilot):
        screen = table(app)
        await pilot.press("u", "u")
        assert screen.session.code() == "circle-duel"
        await pilot.press("y", "y")
        assert screen.session.code() == "circle-duel/4.5"
        await pilot.press("g")
        assert screen.session.outcome is None
        await pilot.press("g")
        assert screen.session.outcome is not None
        await pilot.press("n")
        rematch = table(app)
        assert rematch is not screen
        assert rematch.table.match.first == 1
        await pilot.press("u")
        assert table(app).session is screen.session


async def test_another_board_like_this_follows_one_that_was_drawn(started: Started) -> None:
    async with started("circle-duel:size=12,gaps=3,seed=7", p1="Ann", p2="Bo") as (app, pilot):
        before = table(app).session
        await pilot.press("g", "g")
        await until(pilot, lambda: "↵ next game" in text_of(app))
        await pilot.press("n")
        now = table(app).session
        assert now.options.rules_only() == before.options.rules_only()
        assert now.options != before.options
        assert "Another board." in text_of(app)


@pytest.mark.parametrize("code", ["circle-duel", "number-duel"])
async def test_new_asks_for_a_new_game_before_the_end_and_plays_another_after_it(started: Started, code: str) -> None:
    async with started(code, p1="Ann", p2="Bo") as (app, pilot):
        await pilot.press("n")
        assert isinstance(app.screen, NewGameScreen)
        assert "seed" not in text_of(app)
        await pilot.press("escape", "g", "g")
        before = table(app).session
        await until(pilot, lambda: "↵ next game" in text_of(app))
        assert "another" not in text_of(app), "Enter does the same"
        await pilot.press("n")
        assert table(app).session is not before
        assert table(app).table.match.first == 1


async def test_give_up_takes_the_key_twice(started: Started) -> None:
    async with started("circle-duel/4.5") as (app, pilot):
        for between in ("6", "h", "v", "right", "c"):
            await pilot.press("g", between, "escape", "g")
            assert table(app).session.outcome is None, between
            await pilot.press("escape")
        await pilot.press("g", "g")
        assert table(app).session.cut_short


async def test_late_answers_are_dropped(started: Started) -> None:
    async with started("sequence-duel/10") as (app, pilot):
        screen = table(app)
        session, stamp = screen.session, screen.session.stamp
        await type_line(pilot, "13")
        await pilot.press("enter")
        code = session.code()
        analysis = Analysis(1, "win", 3, Fraction(1), Fraction(0), (), "Old.")
        screen.post_message(WorkerAnswered(Answer(session, stamp, partial(analysed, analysis=analysis))))
        screen.post_message(WorkerAnswered(Answer(session, stamp, partial(play_choice, choice=Choice("7", "Old.")))))
        await pilot.pause()
        assert session.code() == code
        assert screen.state.analysis is None
        assert screen.table.why == ""


async def test_a_table_left_while_its_move_is_written_draws_no_more(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app("circle-duel")
    written = app.game_changed

    async def left_meanwhile(play: LocalTable) -> None:
        await written(play)
        await left.remove_children()

    async with app.run_test(size=(80, 24)) as pilot:
        left = table(app)
        monkeypatch.setattr(app, "game_changed", left_meanwhile)
        await pilot.press("4", "enter")
        assert left.session.code() == "circle-duel/4"
        assert app.is_running


async def test_a_line_is_read_once_and_an_offer_made_once_for_each_change(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, offered = [], []
    preview, prompts = Session.preview, BaseTable.prompts
    monkeypatch.setattr(Session, "preview", lambda self, text: (read.append(text), preview(self, text))[1])
    monkeypatch.setattr(
        BaseTable, "prompts", lambda at, state, *more: (offered.append(state.line), prompts(at, state, *more))[1]
    )
    async with started("sequence-duel/10", p1="Ann", p2="Bo") as (app, pilot):
        for key, line in (("1", "1"), ("3", "13"), ("escape", ""), ("right", None)):
            read.clear()
            offered.clear()
            await pilot.press(key)
            line = table(app).state.line if line is None else line
            assert read == ([line] if line else [])
            assert offered == [line]
        await pilot.press("1", "3")
        read.clear()
        offered.clear()
        await pilot.press("enter")
        assert read == []
        assert offered == [""]


async def test_the_third_hint_lies_in_the_line_and_enter_plays_it(started: Started) -> None:
    async with started("sequence-duel/10.13.7.16", p1="Ann", p2="Bo") as (app, pilot):
        for step, drawn in ((1, False), (2, True)):
            await pilot.press("h")
            await until(pilot, lambda step=step: f"Hint {step} of 3." in text_of(app))
            assert ("?" in app.screen.query_one(Board).drawing().canvas.dump()) == drawn
            assert table(app).state.line == ""
        await pilot.press("h")
        move = table(app).state.line
        assert f"Play {move}." in text_of(app)
        await pilot.press("enter")
        assert table(app).session.log()[-1] == (0, move)


@pytest.mark.parametrize(("size", "beside"), [((99, 40), False), ((100, 24), True), ((200, 60), True)])
async def test_from_a_hundred_columns_on_the_note_stands_beside_the_board(
    started: Started, size: tuple[int, int], beside: bool
) -> None:
    async with started("circle-duel/4", p1="Ann", p2="Bo", size=size) as (app, pilot):
        await pilot.press("v")
        await until(pilot, lambda: table(app).prompts.rated is not None)
        told = app.screen.query_one("#help").region
        reason, verdict = table(app).prompts.note, table(app).prompts.verdict
        shown = [one.plain for one in app.screen.query_one("#help" if beside else "#text", ClippedText).words]
        assert reason in shown
        assert (verdict in "".join(shown)) == beside
        assert (told.width > 20) == beside
        assert "".join(rows_of(app)).count(verdict[:15]) == 1, "nothing is said twice"
        await pilot.press("9", "enter")
        refused = app.screen.query_one("#text")
        assert refused.region.y >= app.screen.query_one("#board").region.bottom
        assert refused.region.height > 0
        assert "9 is not next to" in text_of(app)
        kept = [one.plain for one in app.screen.query_one("#help", ClippedText).words]
        prompts = table(app).prompts
        assert not beside or (prompts.reason in kept and prompts.verdict in "".join(kept))
        assert prompts.reason != prompts.note


@pytest.mark.parametrize("size", [(60, 20), (100, 20)])
async def test_a_long_reason_is_shown_to_its_end_in_little_room(started: Started, size: tuple[int, int]) -> None:
    async with started("number-duel", p1="Alexander", p2="bot:1", size=size) as (app, pilot):
        await pilot.press("v")
        await until(pilot, lambda: table(app).state.prompts.rated is not None)
        await pilot.pause()
        if (short := app.screen.query_one("#help" if size[0] >= 100 else "#text", ClippedText)).cut:
            assert "…  Tab" in text_of(app)
            await pilot.press("tab")
        told = " ".join(text_of(app).split())
        assert short.words[-1].plain.split()[-1] in told


async def test_two_agree_on_a_draw_by_keys(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SEEN_SECONDS, 0.0)
    async with started("number-circle", size=(60, 20)) as (app, pilot):
        screen = table(app)
        await pilot.press("equals_sign")
        assert screen.state.prompts.prompt == "Player 1 offers a draw."
        await pilot.press("z")
        assert "Player 2 said no." in text_of(app)
        assert screen.session.outcome is None
        await pilot.press("equals_sign")
        assert "A draw was declined in this position" in text_of(app)
        await pilot.press(*"+2", "enter", "equals_sign", "a")
        assert screen.session.by == "agreement"
        assert "Both players agreed on a draw." in text_of(app)
        await pilot.press("u")
        assert screen.session.outcome is None


async def test_a_draw_is_offered_to_a_computer(started: Started) -> None:
    async with started("number-circle:target=10/-9.+2.-8.+3.-7.+4", p2="bot:planner") as (app, pilot):
        await pilot.press("equals_sign", "escape", "equals_sign")
        assert table(app).table.offered is None, "a computer answers at once, so a stray key asks it nothing"
        assert "Press = again to offer a draw." in text_of(app)
        await pilot.press("equals_sign")
        await until(pilot, lambda: "Planner said no." in text_of(app))
        assert table(app).session.outcome is None
