"""The app in tests: a home of its own, no waiting, no clocks, no user's settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import textual._wait

from duelbox.plain.opening import opening
from duelbox.store.settings import Config
from duelbox.store.store import Store
from duelbox.ui.app import DuelboxApp, play_from

# Textual waits for a quiet moment after every press; asking more often makes the tests three times as fast.
textual._wait.SLEEP_GRANULARITY = 0.005
textual._wait.SLEEP_IDLE = 0.00025

MakeApp = Callable[..., DuelboxApp]


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
