"""A match as it is being saved: it follows sessions and writes what changed."""

from __future__ import annotations

import sqlite3
import time
from concurrent.futures import Future
from threading import Lock
from typing import Protocol

from duelbox.core.errors import DuelboxError
from duelbox.core.session import Session
from duelbox.registry import title_of
from duelbox.store.log import Log
from duelbox.store.rows import append, chain, new_id, release, tail, take_lease
from duelbox.store.summary import Summary

TAKEN = "This game is being played in another terminal, so you play on in a copy of it."


class Writer(Protocol):
    """What a saved match needs of the store."""

    instance: str

    def flush(self, saved: Saved) -> Future[bool]:
        """Write it, off this thread."""

    def release(self, saved: Saved) -> None:
        """Let others play it, off this thread."""


class Saved:
    """One match in the store. Made by `Store.begin` and `Store.resume`; nothing is written before the first turn."""

    def __init__(self, writer: Writer, log: Log, match_id: str | None = None, copy_because: str | None = None) -> None:
        self._writer = writer
        self._log = log
        self._id = match_id or new_id()
        self._copy_because = copy_because
        self._notice: str | None = None
        self._lock = Lock()
        self._summary: Summary | None = None
        self._hashes: list[bytes] = []

    @property
    def id(self) -> str:
        """What `duelbox export` takes. It changes if the match had to be carried on as a copy (`notice` says so)."""
        return self._id

    @property
    def notice(self) -> str | None:
        """One sentence on why this is saved as a copy, if it is (or will be with the next turn)."""
        return self._notice or self._copy_because

    @property
    def begun(self) -> bool:
        """Whether there is anything to write."""
        return self._summary is not None

    @property
    def lost(self) -> str:
        """One sentence for a match that could not be saved to its end: which it is, and its code, if that is public."""
        one, two = self._log.header.players
        which = f"{title_of(self._log.header.game)}, {one.name} and {two.name}"
        try:
            code = self._log.sessions[-1].public_code()
        except DuelboxError:
            return f"{which}: not saved up to its last move, and its code would tell both hands."
        return f"{which}: not saved up to its last move. Its code: {code}"

    def sync(self, session: Session, number: int = 0, *, assisted: bool = False) -> Future[bool]:
        """Save what changed in the session of a round, counted from 0; call it after every play, undo, redo, resign.

        Returns at once. The future is done when the change is on disk (True: safe from a power cut from now on) or
        could not be put there (False: `Store.notice` says why; it is tried again with every later change). Show a move
        as played only when the future is done: `await asyncio.wrap_future(future)`, or `future.result()` where nothing
        else runs. `assisted` (hints were asked for) stays on once given. Raises ValueError for a round whose
        predecessor was never synced.
        """
        with self._lock:
            # A clock set back must not let a game end before it began.
            now = max(time.time_ns() // 1_000_000, self._log.steps[-1].at)
            known = len(self._log.steps)
            self._log.follow(session, number, assisted, now)
            if len(self._log.steps) > known:
                self._summary = self._log.summary(self._id)
        return self._writer.flush(self)

    def close(self) -> None:
        """The match is no longer played here, so that another terminal may go on with it. Returns at once."""
        self._writer.release(self)

    def write(self, db: sqlite3.Connection) -> None:
        """Add to the database what it does not have yet; for the store's own thread, in a transaction."""
        with self._lock:
            steps, summary = tuple(self._log.steps), self._summary
        if summary is None:
            return
        hashes = chain(self._id, steps, self._hashes)
        there, last = tail(db, self._id)
        ours = there <= len(hashes) and (not there or hashes[there - 1] == last)
        if self._copy_because is not None or not ours:
            self._notice, self._copy_because = self._copy_because or TAKEN, None
            self._id, there = new_id(), 0
            hashes = chain(self._id, steps)
        self._hashes = hashes
        if there < len(steps):
            append(db, summary.changed(id=self._id), steps, hashes, there)
            take_lease(db, self._id, self._writer.instance)

    def let_go(self, db: sqlite3.Connection) -> None:
        """Give up the lease; for the store's own thread."""
        release(db, self._writer.instance, self._id)
