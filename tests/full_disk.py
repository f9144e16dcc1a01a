"""A disk that is full, or cannot be read, for a while."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import IO

import pytest

from duelbox.core.session import Session
from duelbox.store import files
from duelbox.store.autosave import Saved
from duelbox.store.records import Records
from duelbox.store.trouble import Unavailable


class Holder:
    """The disk."""

    def __init__(self) -> None:
        self._patch = pytest.MonkeyPatch()

    def hold(self, kind: str = "full") -> None:
        """Nothing can be written from now on; where it is "unreadable", nothing can be read from the store either."""
        self._patch.setattr(files, "sync", _full)
        if kind == "unreadable":
            self._patch.setattr(Records, "read", _unreadable)

    def let_go(self) -> None:
        self._patch.undo()


def _full(file: IO[bytes]) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _unreadable(records: Records, query: object) -> object:
    records.told.trouble = "The disk is full, so nothing can be read."
    raise Unavailable(records.told.trouble)


def before_change(monkeypatch: pytest.MonkeyPatch, happens: dict[int, Callable[[], object]]) -> None:
    """Call a function before the change of this number, counted from 1, is saved."""
    changes, sync = 0, Saved.sync

    def counted(saved: Saved, session: Session, number: int = 0, *, assisted: bool = False) -> object:
        nonlocal changes
        changes += 1
        happens.get(changes, lambda: None)()
        return sync(saved, session, number, assisted=assisted)

    monkeypatch.setattr(Saved, "sync", counted)
