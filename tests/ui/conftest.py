"""The app in tests: a home of its own, no waiting, no clocks, no user's settings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import textual.app
import textual.pilot
from textual._context import active_app

from duelbox.plain.opening import opening
from duelbox.store.settings import Config
from duelbox.store.store import Store
from duelbox.ui.app import DuelboxApp, play_from
from duelbox.ui.sturdy import SturdyApp
from tests.ui.acting import WAYS, Acting, Person

MakeApp = Callable[..., DuelboxApp]


async def _settled(*_: float) -> None:
    """Wait until the app has nothing left to do and to draw: sooner, and surer on a busy machine, than Textual's own
    wait for a moment in which the processor seems idle."""
    app = active_app.get()
    if isinstance(app, SturdyApp) and app.is_running:
        await app._settle()
        app.screen._on_timer_update()
        await app._settle()


textual.app.wait_for_idle = textual.pilot.wait_for_idle = _settled  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of this machine's user gets in."""
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DUELBOX_HOME", str(tmp_path / "home"))


@pytest.fixture
def make_app(tmp_path: Path) -> Iterator[MakeApp]:
    """An app with a game on the table (or at home, without a code)."""
    stores: list[Store] = []

    def make(
        code: str | None = None, p1: str | None = None, p2: str | None = None, rounds: int = 1, **settings: Any
    ) -> DuelboxApp:
        config = Config.load(tmp_path / "home")
        config.change(**{"animation": "none", "delay": 0, **settings})
        store = Store.open(tmp_path / "home")
        stores.append(store)
        return DuelboxApp(config, store, play_from(opening(code), (p1, p2), rounds) if code else None)

    yield make
    for store in stores:
        store.close()


@pytest.fixture(params=WAYS.values(), ids=WAYS.keys())
def acting(request: pytest.FixtureRequest, make_app: MakeApp) -> Acting:
    """Opens the app for a person with only a keyboard, or only a mouse; `kept` are records in the history."""
    kind, size = request.param

    @asynccontextmanager
    async def opened(code: str | None = None, kept: tuple[str, ...] = (), **asked: Any) -> AsyncIterator[Person]:
        app = make_app(code, **asked)
        for record in kept:
            app.store.import_text(record)
        async with app.run_test(size=size) as pilot:
            yield kind(pilot)

    return opened
