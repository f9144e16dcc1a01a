"""The one thread that uses the files, in the order of requests, so that no event loop waits for the disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from duelbox.store.autosave import Saved
from duelbox.store.files import Folders
from duelbox.store.records import Change, Records
from duelbox.store.trouble import Unavailable

T = TypeVar("T")


class Worker:
    """Reads and writes for callers that wait, and saves matches for callers that do not."""

    def __init__(self, folders: Folders) -> None:
        self._unsaved: dict[Saved, None] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="duelbox-store")
        self.records = self._thread.submit(Records, folders).result()

    def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """The answer of a query; raises Unavailable."""
        return self._thread.submit(self.records.read, query).result()

    def write(self, change: Change[T], patience: float | None = None) -> T:
        """Add lines to the history, with an answer; when it returns, they are on disk. Raises Unavailable."""
        return self._thread.submit(self.records.write, change, patience).result()

    def do(self, work: Callable[[Records], T]) -> T:
        """Run a job on the files."""
        return self._thread.submit(work, self.records).result()

    def flush(self, saved: Saved) -> Future[bool]:
        """Write a match; for `Saved`. The match is written even if the caller cancels this future."""
        try:
            self._thread.submit(self._write, saved)
            return self._thread.submit(lambda: saved not in self._unsaved)
        except RuntimeError:  # closed
            refused = Future[bool]()
            refused.set_result(False)
            return refused

    def later(self, work: Callable[[Records], None]) -> None:
        """Run a job on the files, and return at once; none after closing."""
        with suppress(RuntimeError):
            self._thread.submit(work, self.records)

    def _write(self, saved: Saved) -> None:
        self._unsaved[saved] = None
        self._write_unsaved()

    def _write_unsaved(self) -> None:
        """Write all matches that have changed since they were written, as far as possible."""
        with suppress(Unavailable):
            for saved in tuple(self._unsaved):
                saved.write(self.records)
                if self.records.kept:
                    del self._unsaved[saved]

    @property
    def lost(self) -> tuple[str, ...]:
        """A sentence for each match whose last moves are not on disk; for `Store.lost`."""
        return tuple(saved.lost for saved in self._unsaved if saved.begun)

    def let_go(self) -> None:
        """Write what is left, and put all matches away."""
        self.do(self._let_go)

    def _let_go(self, records: Records) -> None:
        self._write_unsaved()
        records.put_all_away()

    def close(self) -> None:
        """Write all pending changes and close the files."""
        with suppress(RuntimeError):
            self._thread.submit(self._let_go, self.records)
            self._thread.submit(self.records.close)
        self._thread.shutdown()
