"""A database that another program locks for a while."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbox.core.session import Session
from duelbox.store import database
from duelbox.store.autosave import Saved


class Holder:
    """The other program."""

    def __init__(self, home: Path) -> None:
        self._path = home / "history.db"
        self._db: sqlite3.Connection | None = None

    def hold(self, kind: str = "IMMEDIATE") -> None:
        """Lock the database for writing; an EXCLUSIVE lock also for reading."""
        self._db = sqlite3.connect(self._path, isolation_level=None)
        self._db.execute(f"BEGIN {kind}")

    def let_go(self) -> None:
        if self._db is not None:
            self._db.close()
        self._db = None


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the time to wait for a locked database."""
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    monkeypatch.setattr(database, "PATIENCE_AT_START", 0.05)


def before_change(monkeypatch: pytest.MonkeyPatch, happens: dict[int, Callable[[], object]]) -> None:
    """Call a function before the change of this number, counted from 1, is saved."""
    changes, sync = 0, Saved.sync

    def counted(saved: Saved, session: Session, number: int = 0, *, assisted: bool = False) -> object:
        nonlocal changes
        changes += 1
        happens.get(changes, lambda: None)()
        return sync(saved, session, number, assisted=assisted)

    monkeypatch.setattr(Saved, "sync", counted)
