"""Two thousand random events per game, such as keys, clicks, sizes and other screens; the laws hold after each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count as count_up
from itertools import cycle, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual import events
from textual.command import CommandPalette
from textual.dom import DOMNode
from textual.geometry import Size
from textual.pilot import Pilot

from duelbox.bots import levels_of
from duelbox.bots.api import Choice
from duelbox.core.code import parse_code
from duelbox.core.game import AnyGame
from duelbox.core.rng import Rng
from duelbox.core.session import replayed
from duelbox.registry import find_game, game_ids
from duelbox.solve.api import Analysis, Rated, Stop, Stopped
from duelbox.ui.app import DuelboxApp
from duelbox.ui.screens import handover
from duelbox.ui.screens.home import HomeScreen
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.widgets.board import Board
from tests.effort import SHARE, sampled
from tests.ui.conftest import PEEK_SECONDS, Started
from tests.ui.person import mouse, table, text_of, until

EVENTS = sampled(60, 1_000)
OPPONENTS = ("person", "computer")
PAIRS = list(product(game_ids(), OPPONENTS) if SHARE == 1 else zip(game_ids(), cycle(OPPONENTS)))
"""Each game with each kind of opponent, or in short runs with one of them."""
BATCH = 12
"""The average number of events before the app gets time to handle them."""
NEVER = 3600.0
"""Seconds; a timer this long never fires on any machine."""

MOVES = 8
"""The most moves that computers make after an event; two random ones could play on for ever."""

MOVING = (*"0123456789x", "plus", "minus", "enter", "enter", "enter", "backspace")
POINTING = ("up", "down", "left", "right", "tab", "shift+tab", "home", "end", "pagedown", "escape")
ACTING = (*"hvuywrnlcgbsiofdtapxqkZé漢\u0301", "space", "question_mark", "f2", "delete")
SOUGHT = ("", "u", "le", "hi", "new", "the", "zzz")
SIZES = ((1, 1), (2, 60), (59, 20), (60, 19), (60, 20), (80, 24), (80, 24), (80, 24), (100, 32), (140, 50), (300, 3))


@pytest.fixture(autouse=True)
def _harmless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the app from quitting and from thinking long, as only the screens are tested."""

    def choose(game: AnyGame, view: Any, level: str, seed: int, stop: Stop) -> Choice:
        Storm.moves += 1
        if Storm.moves > MOVES:
            raise Stopped
        return Choice(game.format_move(Rng(seed % 1000).choice(game.legal_moves(view))), "Why not.")

    def stream(game: AnyGame, view: Any, stop: Stop) -> Iterator[Analysis]:
        moves = [game.format_move(move) for move in game.legal_moves(view)]
        rated = tuple(Rated(move, "win", 3, Fraction(1), Fraction(0)) for move in moves)
        yield Analysis(view.turn, "win", 3, Fraction(1), Fraction(0), rated[:1], "It is so.", complete=False)
        yield Analysis(view.turn, "win", 3, Fraction(1), Fraction(0), rated, "It is so.")

    monkeypatch.setattr("duelbox.bots.choose", choose)
    monkeypatch.setattr("duelbox.solve.stream", stream)
    monkeypatch.setattr("duelbox.rules_lab.preset_facts.facts_so_far", lambda *_, **__: iter(()))
    monkeypatch.setattr(DuelboxApp, "exit", lambda *_, **__: None)
    monkeypatch.setattr(DuelboxApp, "deliver_screenshot", lambda *_, **__: None)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _foreseeable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove chance, threads and clocks, except Textual's timers, so that a fault mostly comes again."""
    start = DOMNode.run_worker

    def run_worker(node: DOMNode, work: Any, *args: Any, thread: bool = False, **kwargs: Any) -> Any:
        return node.call_later(work) if thread else start(node, work, *args, **kwargs)

    async def at_once(work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return work(*args, **kwargs)

    monkeypatch.setattr(DOMNode, "run_worker", run_worker)
    monkeypatch.setattr("asyncio.to_thread", at_once)
    monkeypatch.setattr("duelbox.ui.screens.table.in_background", at_once)
    monkeypatch.setattr("duelbox.ui.screens.new_game.in_background", at_once)
    monkeypatch.setattr("duelbox.table.thinking.Workers.a_moment", lambda _: asyncio.sleep(0))
    shuffles = count_up()
    system = SimpleNamespace(urandom=lambda size: next(shuffles).to_bytes(size, "big"))
    monkeypatch.setattr("duelbox.core.seeds.os", system)
    clock = count_up()
    monkeypatch.setattr("duelbox.table.thinking.monotonic", lambda: NEVER * next(clock))  # thinking takes no time
    monkeypatch.setattr("duelbox.ui.app.SAVING_SECONDS", 0)
    monkeypatch.setattr(handover, "DEAF_SECONDS", 0)
    monkeypatch.setattr(PEEK_SECONDS, NEVER)
    monkeypatch.setattr("duelbox.table.review_table.AUTOPLAY_SECONDS", NEVER)


class Storm:
    """Random events for one app, drawn from a seed."""

    moves = 0
    """The number of moves that computers made since the last event."""

    def __init__(self, pilot: Pilot[Any], game_id: str, seed: int) -> None:
        self.pilot = pilot
        self.app: DuelboxApp = pilot.app
        self.rng = Rng(seed)
        self.number = str(game_ids().index(game_id) + 1)

    def key(self, *keys: str) -> None:
        for key in keys:
            char = {"plus": "+", "minus": "-", "space": " "}.get(key, key if len(key) == 1 else None)
            self.app.post_message(events.Key(key, char))

    def click(self, x: int, y: int) -> None:
        for kind in (events.MouseMove, events.MouseDown, events.MouseUp, events.Click):
            self.app.screen._forward_event(mouse(kind, x, y, button=1))

    def a_move(self, screen: TableScreen) -> None:
        """Let the game go on: type a legal move, or click on the board."""
        session, boards = screen.session, screen.query(Board)
        targets = boards.first().regions() if boards else {}
        if session.turn is None:
            self.key(self.rng.choice(("enter", "u", "enter")))
        elif targets and self.rng.below(2):
            target = self.rng.choice(tuple(targets))
            spot = screen.board.region.offset + screen.board.offset_of(target)
            self.click(*spot)
            self.click(*spot)
        else:
            text = session.game.format_move(self.rng.choice(session.legal_moves()))
            self.key("escape", *({"+": "plus", "-": "minus"}.get(char, char) for char in text), "enter")

    def home_again(self) -> None:
        """Return to the table from any screen."""
        if isinstance(self.app.screen, HomeScreen):
            self.key(self.number)
        else:
            self.key("escape" if not isinstance(self.app.screen, handover.HandoverScreen) else "enter")

    def event(self) -> None:
        Storm.moves = 0
        die, (width, height) = self.rng.below(100), self.app.size
        if die < 35 and isinstance(self.app.screen, TableScreen):
            self.a_move(self.app.screen)
        elif die < 50:
            self.key(self.rng.choice(MOVING))
        elif die < 60:
            self.key(self.rng.choice(POINTING))
        elif die < 70:
            self.key(self.rng.choice(ACTING))
        elif die < 85:
            self.click(self.rng.below(width), self.rng.below(height))
        elif die < 97:
            self.home_again()
        elif die < 98:
            kind = events.MouseScrollUp if self.rng.below(2) else events.MouseScrollDown
            self.app.screen._forward_event(mouse(kind, self.rng.below(width), self.rng.below(height)))
        else:
            size = Size(*self.rng.choice(SIZES))
            self.app.post_message(events.Resize(size, size))

    async def palette(self) -> None:
        """Search for a command in the palette, and perhaps run it."""
        self.key("ctrl+p")
        await self.pilot.pause()
        if isinstance(self.app.screen, CommandPalette):
            self.key(*self.rng.choice(SOUGHT))
            await until(self.pilot, lambda: not any(worker.is_running for worker in self.app.workers))
            await self.pilot.pause()
            self.key(*self.rng.choice((("escape",), ("enter",), ("down", "enter"), ("end", "enter"))))
            await self.pilot.pause()

    async def rage(self, count: int) -> None:
        for number in range(count):
            if self.rng.below(100) == 0:
                await self.palette()
            self.event()
            if self.rng.below(BATCH) == 0:
                await self.pilot.pause()
            if number % 50 == 0:
                await self.pilot.pause()
                check(self.app)


def check(app: DuelboxApp) -> None:
    """Check the laws of the game on the table."""
    for screen in app.screen_stack:
        if not isinstance(screen, TableScreen):
            continue
        session, state = screen.session, screen.state
        moves = [session.game.format_move(ply.move) for ply in session.plies if ply.move is not None]
        assert replayed(session.game, session.options, moves).state == session.state
        assert parse_code(session.code(), find_game).state == session.state
        assert (session.turn is None) == (session.outcome is not None)
        assert state.front in (None, 0, 1)
        if state.table.needs_handover and session.turn is not None and state.awaiting != "pass":
            assert state.front == session.turn
        if screen is app.screen and screen.is_mounted and app.size.width >= 60 and app.size.height >= 20:
            assert (state.analysis is None) or state.analysis.turn == session.turn


def check_saved(app: DuelboxApp, screen: TableScreen) -> None:
    """Check that the saved match is the one on the table."""
    play = screen.table
    if any(ply.seat in play.people for ply in screen.session.plies):  # nothing is saved before a person moves
        sessions = app.store.load(play.saved.id).sessions
        assert sessions[len(play.match.winners) if not play.match.over else -1].code() == screen.session.code()


@pytest.mark.parametrize(("game_id", "rival"), PAIRS)
async def test_a_storm_of_events_breaks_nothing(started: Started, game_id: str, rival: str) -> None:
    rival = rival if levels_of(game_id) else "person"
    async with started(game_id, p1="Ann", p2="Bo" if rival == "person" else "bot:1", rounds=3) as (app, pilot):
        storm = Storm(pilot, game_id, seed=len(game_id) * 2 + (rival == "person"))
        await storm.rage(EVENTS)
        app.post_message(events.Resize(Size(80, 24), Size(80, 24)))
        await pilot.pause()
        for _ in range(20):
            if isinstance(app.screen, TableScreen):
                break
            storm.home_again()
            await pilot.pause()
        check(app)
        screen = table(app)
        check_saved(app, screen)
        await pilot.press("escape", "ctrl+p")
        assert isinstance(app.screen, CommandPalette) or "Pass" in text_of(app)
        assert not (app.store.folders.data / "crash.log").exists()
