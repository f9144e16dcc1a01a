"""Keys, clicks, solvers, computers and the disk at random moments; every move is checked after each event."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from duelbox import bots
from duelbox.bots.api import Choice
from duelbox.core.game import AnyGame
from duelbox.core.model import SEATS
from duelbox.core.session import Session
from duelbox.solve import explained
from duelbox.solve.api import Stop
from duelbox.store.store import Store
from duelbox.ui.app import DuelboxApp
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.widgets.form import Form
from tests.effort import sampled
from tests.ui.conftest import END_SECONDS, MakeApp, Started
from tests.ui.person import mouse, table, until

TRIES = sampled(8, 200)
MOMENTS = (0, 0, 0, 0.001, 0.004, 0.015)
"""Seconds between two events."""
NEVER = 3600.0
NAMES = {"+": "plus", "-": "minus"}


def press(app: DuelboxApp, *keys: str) -> None:
    """Press keys without waiting for their effect."""
    for key in keys:
        app.post_message(events.Key(NAMES.get(key, key), key if len(key) == 1 else None))


def clear(app: DuelboxApp) -> list[str]:
    """Keys that empty the move line."""
    return ["backspace"] * len(table(app).state.line)


def click(app: DuelboxApp, target: str, times: int) -> None:
    """Click on a number of the board without waiting."""
    board = table(app).board
    spot = board.region.offset + board.offset_of(target)
    for _ in range(times):
        for kind in (events.MouseMove, events.MouseDown, events.MouseUp, events.Click):
            app.screen._forward_event(mouse(kind, *spot, button=1))


def a_move(session: Session, rng: Random) -> str:
    return session.game.format_move(rng.choice(session.legal_moves()))


async def begin_anew(pilot: Pilot[Any]) -> TableScreen:
    table(pilot.app).open_new()
    await pilot.press("enter")
    return table(pilot.app)


async def test_a_solver_against_moves_undo_redo_and_new_games(make_app: MakeApp) -> None:
    rng, app = Random(1), make_app("sequence-duel", p1="Ann", p2="Bo")
    async with app.run_test(size=(80, 24)) as pilot:
        wanted = table(app).session.copy()
        for _ in range(TRIES):
            for _ in range(rng.randint(2, 6)):
                what = rng.choice("vmmurn")
                if what == "n":
                    await begin_anew(pilot)  # while the old game is analysed
                    wanted = Session(wanted.game, wanted.options)
                elif what == "m" and len(wanted.legal_moves()) > 4:
                    move = a_move(wanted, rng)
                    press(app, *move, "enter")
                    wanted.type(move)
                elif what == "u" and wanted.plies:
                    press(app, "u")
                    wanted.undo(SEATS)
                elif what == "r" and wanted.can_redo:
                    press(app, "y")
                    wanted.redo(SEATS)
                elif what == "v":
                    press(app, "v")
                await asyncio.sleep(rng.choice(MOMENTS))
            await pilot.pause()
            screen = table(app)
            assert screen.session.code() == wanted.code()
            if screen.state.verdict_on:
                await until(pilot, lambda: (found := table(app).state.analysis) and found.complete)
                assert screen.state.analysis == [*explained(wanted.game, wanted.view(wanted.turn))][-1]


@pytest.mark.parametrize(("code", "one_click"), [("circle-duel", False), ("sequence-duel", True)])
async def test_a_double_click_plays_once(make_app: MakeApp, code: str, one_click: bool) -> None:
    rng, app = Random(2), make_app(code, p1="Ann", p2="Bo", one_click=one_click)
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(TRIES):
            screen = table(app)
            if screen.session.turn is None:
                screen = await begin_anew(pilot)
            session, before = screen.session, screen.session.code()
            move = a_move(session, rng)
            wanted = session.copy()
            wanted.type(move)
            click(app, move, rng.randint(2, 4))
            await asyncio.sleep(rng.choice(MOMENTS))
            await pilot.pause()
            assert table(app).session is session, "no other game begins"
            assert session.code() == wanted.code(), f"{before}, {move}"


@pytest.mark.parametrize("rival", ["Bo", "bot:1"])
async def test_enter_twice_plays_once(make_app: MakeApp, rival: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(END_SECONDS, NEVER)
    rng, app = Random(3), make_app("circle-duel", p1="Ann", p2=rival)
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(TRIES):
            await until(pilot, lambda: table(app).session.turn in (None, *table(app).table.people))
            screen = table(app)
            if screen.session.turn is None:
                screen = await begin_anew(pilot)
            session, seat = screen.session, screen.session.turn
            before, move = [ply.move for ply in session.plies], a_move(session, rng)
            press(app, *clear(app), *move, *["enter"] * 2)
            await asyncio.sleep(rng.choice(MOMENTS))
            await pilot.pause()
            assert table(app).session is session, "no rematch begins unseen"
            new = session.plies[len(before) :]
            assert [session.game.format_move(ply.move) for ply in new if ply.move and ply.seat == seat] == [move]


async def test_events_while_a_computer_thinks_move_nothing(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, chosen, choose = Random(4), list[str](), bots.choose

    def slow(game: AnyGame, view: Any, level: str, seed: int, stop: Stop) -> Choice:
        choice = choose(game, view, level, seed, stop)
        while rng.random() < 0.7:
            stop.check()
        chosen.append(choice.move)
        return choice

    monkeypatch.setattr(bots, "choose", slow)
    app, asked = make_app("sequence-duel", p1="Ann", p2="bot:2"), list[str]()
    async with app.run_test(size=(80, 24)) as pilot:
        for _ in range(TRIES):
            await until(pilot, lambda: table(app).session.turn != 1)
            if table(app).session.turn is None:
                await begin_anew(pilot)
                asked.clear()
                chosen.clear()
            session = table(app).session
            asked.append(a_move(session, rng))
            press(app, *clear(app), *asked[-1], "enter")
            for _ in range(rng.randint(1, 5)):
                press(app, rng.choice(("1", "7", "v", "h", "up", "left", "w", "backspace")))
                await asyncio.sleep(rng.choice(MOMENTS))
            await pilot.pause()
            await until(pilot, lambda: table(app).session.turn != 1)
            played = [(ply.seat, session.game.format_move(ply.move)) for ply in session.plies if ply.move]
            assert [move for seat, move in played if seat == 0] == asked
            assert [move for seat, move in played if seat == 1] == chosen


HARD = ("number-duel:hand=7", "sequence-duel:size=60/30.20", "circle-duel:size=30,reach=3", "digit-chain:zero=wild")


@pytest.mark.parametrize("rival", ["Bo", "bot:5"])
async def test_quitting_while_something_is_thought_or_saved_keeps_every_move(started: Started, rival: str) -> None:
    rng = Random(5)
    for _ in range(TRIES // 2):
        async with started(rng.choice(HARD), p1="Ann", p2=rival) as (app, pilot):
            screen = table(app)
            press(app, *rng.choice(("", "v", "h")), *a_move(screen.session, rng), "enter", *rng.choice(("", "v", "u")))
            await asyncio.sleep(rng.choice(MOMENTS) * 10)
            press(app, "ctrl+q")
            await until(pilot, lambda app=app: not app.is_running)
        session, saved = screen.session, screen.table.saved
        app.store.close()
        assert app.store.lost == ()
        assert app._exception is None
        with Store.open(app.store.folders.data) as store:
            assert store.check() == ()
            if saved is not None:
                assert store.load(saved.id).sessions[0].code() == session.code()
            else:
                assert not session.plies


async def test_a_code_that_is_typed_fast_loses_no_letter(started: Started) -> None:
    code = "1234-lagoon-honey-berry@ws://127.0.0.1:8999"
    async with started() as (app, pilot):
        await pilot.press("o", "ctrl+u")
        for char in code:
            press(app, char)
            await asyncio.sleep(0)
        await until(pilot, lambda: app.screen.query_one(Form).row.value == code)
