"""The one thread that uses the files, in the order of requests, so that no event loop waits for the disk."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from duelbox.store.autosave import Saved
from duelbox.store.files import Folders
from duelbox.store.records import Records, Unavailable

T = TypeVar("T")


class Worker:
    """Reads and writes for callers that wait, and saves matches for callers that do not."""

    def __init__(self, folders: Folders) -> None:
        self._unsaved: dict[Saved, None] = {}
        self._asked: deque[tuple[Saved, Future[bool]]] = deque()
        self._closing = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="duelbox-store")
        self.records = self._thread.submit(Records, folders).result()

    def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """The answer of a query; raises Unavailable."""
        return self._thread.submit(self.records.read, query).result()

    def write(self, change: Callable[[sqlite3.Connection], tuple[Sequence[str], T]]) -> T:
        """Add lines to the archive, with an answer; when it returns, they are on disk. Raises Unavailable."""
        return self._thread.submit(self.records.write, change).result()

    def do(self, work: Callable[[Records], T]) -> T:
        """Run a job on the files."""
        return self._thread.submit(work, self.records).result()

    def flush(self, saved: Saved) -> Future[bool]:
        """Write a match; for `Saved`."""
        done: Future[bool] = Future()
        # A waiting caller may be cancelled; the change must still be written.
        done.set_running_or_notify_cancel()
        asked = saved, done
        self._asked.append(asked)
        try:
            self._thread.submit(self._flush)
        except RuntimeError:  # closed
            with suppress(ValueError):
                self._asked.remove(asked)
                done.set_result(False)
        return done

    def release(self, saved: Saved) -> None:
        """Put away a match that is no longer played here; for `Saved`."""
        with suppress(RuntimeError):
            self._thread.submit(lambda: self.records.put_away(saved.id))

    def _flush(self) -> None:
        if self._asked and not self._closing:  # else `_shut` does it
            self._write_unsaved()

    def _write_unsaved(self) -> None:
        """Write all requested changes; one wait for a locked file serves them all."""
        asked = [self._asked.popleft() for _ in range(len(self._asked))]
        self._unsaved |= dict.fromkeys(saved for saved, _ in asked)
        try:
            with suppress(Unavailable):
                for saved in tuple(self._unsaved):
                    saved.write(self.records)
                    if self.records.kept:
                        del self._unsaved[saved]
        except BaseException as error:
            for _, done in asked:
                done.set_exception(error)
            return
        for saved, done in asked:
            done.set_result(saved not in self._unsaved)

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
        self._closing = True
        with suppress(RuntimeError):
            self._thread.submit(self._shut)
        self._thread.shutdown()

    def _shut(self) -> None:
        self._let_go(self.records)
        self.records.close()
