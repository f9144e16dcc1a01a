"""The one thread that has the database to itself: commits are off every event loop, in the order they are asked for."""

from __future__ import annotations

import secrets
import sqlite3
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from duelbox.store import leases
from duelbox.store.autosave import Saved
from duelbox.store.database import Database, Unavailable

T = TypeVar("T")


class Worker:
    """Reads and writes for whoever waits, and saves matches for those who don't."""

    def __init__(self, path: Path) -> None:
        self.instance = secrets.token_hex(8)
        self._unsaved: dict[Saved, None] = {}
        self._asked: deque[tuple[Saved, Future[bool]]] = deque()
        self._closing = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="duelbox-store")
        self.database = self._thread.submit(Database, path).result()

    def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """The answer of a query; raises Unavailable."""
        return self._thread.submit(self.database.read, query).result()

    def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Change the database; when it returns, that is on disk. Raises Unavailable."""
        done = self._thread.submit(self.database.write, change).result()
        self._thread.submit(self.database.back_up)
        return done

    def flush(self, saved: Saved) -> Future[bool]:
        """Write a match; for `Saved`."""
        done: Future[bool] = Future()
        # Whoever waits may be cancelled; the change must be written all the same.
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
        """Give up a match's lease; for `Saved`."""
        with suppress(RuntimeError):
            self._thread.submit(self._release, saved)

    def _flush(self) -> None:
        if self._asked and not self._closing:  # else `_shut` does it
            self._write_unsaved()
            if not self._asked:
                self.database.back_up()

    def _write_unsaved(self) -> bool:
        """Write for all who have asked by now: where the file has to be waited for, one wait does for them all."""
        asked = [self._asked.popleft() for _ in range(len(self._asked))]
        self._unsaved |= dict.fromkeys(saved for saved, _ in asked)
        try:
            with suppress(Unavailable):
                for saved in tuple(self._unsaved):
                    self.database.write(saved.write)
                    if self.database.kept:
                        del self._unsaved[saved]
        except BaseException as error:
            for _, done in asked:
                done.set_exception(error)
            return False
        for saved, done in asked:
            done.set_result(saved not in self._unsaved)
        return not self._unsaved

    def _release(self, saved: Saved) -> None:
        with suppress(Unavailable):
            self.database.write(lambda db: leases.release(db, self.instance, saved.id))

    @property
    def lost(self) -> tuple[str, ...]:
        """A sentence for each match that is not on disk to its last move; for when it is closed."""
        return tuple(saved.lost for saved in self._unsaved if saved.begun)

    def let_go(self) -> None:
        """Write what is left, and give up all leases."""
        self._thread.submit(self._let_go).result()

    def _let_go(self) -> None:
        if self._write_unsaved():
            with suppress(Unavailable):
                self.database.write(lambda db: leases.release(db, self.instance))

    def close(self) -> None:
        """Write what is left and let go of the file."""
        self._closing = True
        with suppress(RuntimeError):
            self._thread.submit(self._shut)
        self._thread.shutdown()

    def _shut(self) -> None:
        self._let_go()
        self.database.back_up()
        self.database.close()
