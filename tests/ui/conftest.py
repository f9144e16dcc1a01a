"""The app in tests: with a home of its own, without delays, clocks and the user's settings."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import copy_context
from pathlib import Path
from pkgutil import resolve_name
from time import monotonic
from typing import Any
from weakref import WeakSet

import pytest
import textual.app
import textual.pilot
from textual._compositor import Compositor
from textual._context import active_app
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.message_pump import MessagePump
from textual.pilot import Pilot

from duelbox.core.match import Match
from duelbox.store.settings import Config
from duelbox.store.store import Store
from duelbox.table.local import LocalTable
from duelbox.table.new_game import read_new_game
from duelbox.table.players import named_players, with_default_names
from duelbox.table.programs import Programs, commands_of
from duelbox.ui.app import DuelboxApp
from duelbox.ui.terminal.app import TerminalApp
from tests.effort import sampled
from tests.ui.person import TIME_LIMIT, WAYS, Acting, Person

MakeApp = Callable[..., DuelboxApp]
Started = Callable[..., AbstractAsyncContextManager[tuple[DuelboxApp, Pilot[Any]]]]


HABITS = ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "COLORTERM", "COLUMNS", "LINES")
CALM = 3
"""The app rests after so many turns of the event loop without work."""
MOMENT = 0.001
"""Seconds between two checks of something that waits for a thread or a timer."""
MOST_FRAMES = 20
"""Most repaints during a wait, since an animation may never end."""
END_SECONDS = "duelbox.table.verbs.END_SECONDS"
"""Seconds before Enter leaves the end of a game; none in tests, since Pilot reads fast."""
SEEN_SECONDS = "duelbox.table.verbs.SEEN_SECONDS"
"""Seconds before a question can be answered."""
PEEK_SECONDS = "duelbox.table.verbs.PEEK_SECONDS"
"""Seconds that own numbers stay open."""
END_SECONDS_OF_PLAYERS: float = resolve_name(END_SECONDS)
RESIZING = 0.01
"""Seconds that Textual waits for another new size."""


async def _settled(app: TerminalApp) -> None:
    """Wait until the app has nothing left to do or to lay out; fail at once if it has crashed.

    Textual waits until the processor seems idle, which takes longer and is less sure on a busy machine.
    """
    for _ in range(MOST_FRAMES):
        if app.is_running and app._exception is None:
            await _calm(app)
        if app._exception is not None:
            raise app._exception
        if not app.is_running or _is_drawn(app):
            return
        app.screen._on_timer_update()
        if app._resize_event is not None:
            await asyncio.sleep(RESIZING)


def _is_drawn(app: TerminalApp) -> bool:
    screen = app.screen
    layout = screen._layout_required or screen._scroll_required or screen._recompose_required
    return not (layout or screen._repaint_required or screen._dirty_widgets or app._resize_event)


async def _calm(app: TerminalApp) -> None:
    """Wait until all widgets are idle and stay so after pending callbacks."""
    calm, last, about = 0, monotonic() + TIME_LIMIT, asyncio.get_running_loop()._ready
    while calm < CALM and app.is_running and app._exception is None:
        if about:
            calm, busy = 0, None
        else:
            busy = next((pump for pump in (app, *app._registry) if pump.is_running and _is_busy(pump)), None)
            calm = 0 if busy else calm + 1
        assert monotonic() < last, f"the app does not come to rest: {busy}"
        await asyncio.sleep(MOMENT if busy else 0)


def _is_busy(pump: MessagePump) -> bool:
    queue = pump._message_queue
    return not (queue.empty() and queue.ready_event._waiters)


async def _after_key(_: float) -> None:
    app = active_app.get()
    if isinstance(app, TerminalApp):
        await _settled(app)


async def _screen_settled(pilot: Pilot[Any], timeout: float = TIME_LIMIT) -> bool:
    if not isinstance(pilot.app, TerminalApp):
        return await _wait_for_screen(pilot, timeout)
    await _settled(pilot.app)
    if pilot.app.is_running and pilot in _begun:
        copy_context().run(_draw, pilot.app.screen._compositor, screen_stack=pilot.app._background_screens)
    _begun.add(pilot)
    return True


def _draw_later(compositor: Compositor, full: bool = False, **kwargs: Any) -> Any:
    """Paint only after the last key, since no test sees the pictures before."""
    return _draw(compositor, full, **kwargs) if full or not isinstance(active_app.get(), TerminalApp) else None


async def _at_once(_: float = 0) -> None:
    """Do not wait: Pilot has waited for the screen already."""


def _parse_once(sheet: Stylesheet, *args: Any, **kwargs: Any) -> list[RuleSet]:
    """Parse the style sheets once: parsing takes a third of the start of an app."""
    asked = (args, tuple(kwargs.items()), tuple(sheet._variables.items()))
    if asked not in _parsed:
        _parsed[asked] = _parse(sheet, *args, **kwargs)
    return _parsed[asked]


_parse = Stylesheet._parse_rules
_parsed: dict[object, list[RuleSet]] = {}
Stylesheet._parse_rules = _parse_once

_begun: WeakSet[Pilot[Any]] = WeakSet()
_draw = Compositor.render_update
Compositor.render_update = _draw_later
_wait_for_screen = Pilot._wait_for_screen
Pilot._wait_for_screen = _screen_settled
textual.app.wait_for_idle = _after_key
textual.pilot.wait_for_idle = _at_once


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the settings of this machine's user out."""
    for name in list(os.environ):
        if name.startswith("DUELBOX_") or name in HABITS:
            monkeypatch.delenv(name)
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(END_SECONDS, 0)
    monkeypatch.setattr("duelbox.table.trial_table.JUDGING", TIME_LIMIT)


@pytest.fixture
def make_app(tmp_path: Path) -> Iterator[MakeApp]:
    """An app with a game on the table (or at home, without a code)."""
    stores: list[Store] = []

    def make(
        code: str | None = None, p1: str | None = None, p2: str | None = None, rounds: int = 1, **settings: Any
    ) -> DuelboxApp:
        config = Config.load(tmp_path / "home")
        config.settings = config.settings.changed(**{"animation": "none", "delay": 0, **settings})
        store = Store.open(tmp_path / "home")
        stores.append(store)
        return DuelboxApp(config, store, laid(store, code, p1, p2, rounds) if code else None)

    def laid(store: Store, code: str, p1: str | None, p2: str | None, rounds: int) -> LocalTable:
        asked = read_new_game(code)
        players = with_default_names(named_players(asked.game, (p1, p2), {}))
        table = LocalTable(asked, players, Match(rounds=rounds), store)
        table.programs = Programs(commands_of((p1, p2), {}))
        return table

    yield make
    for store in stores:
        store.close()


@pytest.fixture
def started(make_app: MakeApp) -> Started:
    """Starts such an app in a terminal of this size."""

    @asynccontextmanager
    async def start(
        *asked: Any, size: tuple[int, int] = (80, 24), **settings: Any
    ) -> AsyncIterator[tuple[DuelboxApp, Pilot[Any]]]:
        app = make_app(*asked, **settings)
        async with app.run_test(size=size) as pilot:
            yield app, pilot

    return start


@pytest.fixture(params=list(WAYS.values())[: sampled(1, 4)], ids=list(WAYS)[: sampled(1, 4)])
def acting(request: pytest.FixtureRequest, make_app: MakeApp) -> Acting:
    """Opens the app for a person with only a keyboard or only a mouse; `kept` are records in the history."""
    kind, size = request.param

    @asynccontextmanager
    async def opened(code: str | None = None, kept: tuple[str, ...] = (), **asked: Any) -> AsyncIterator[Person]:
        app = make_app(code, **asked)
        for record in kept:
            app.store.import_text(record)
        async with app.run_test(size=size) as pilot:
            yield kind(pilot)

    return opened
