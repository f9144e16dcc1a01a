"""A match as it is being saved: it follows sessions and writes what changed."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Lock
from typing import TYPE_CHECKING

from duelbox.core.errors import DuelboxError
from duelbox.core.record import Record
from duelbox.core.session import Session
from duelbox.registry import title_of
from duelbox.store.journal import checksum
from duelbox.store.matches import Kept, Playing, line_of, new_id, state, written
from duelbox.store.times import now

if TYPE_CHECKING:
    from duelbox.store.records import Records
    from duelbox.store.worker import Worker

TAKEN = "This game is being played in another terminal, so you play on in a copy of it."


class Saved:
    """One match in the store. Made by `Store.begin` and `Store.resume`; nothing is written before the first turn."""

    def __init__(self, worker: Worker, match: Record) -> None:
        self._worker = worker
        self._match = match
        self._id = new_id()
        self._rounds: list[Playing] = []
        self._last_played = now()
        self._imported = False
        self._copy_because: str | None = None
        self._notice: str | None = None
        self._lock = Lock()
        self._changes = self._noted = self._written = 0  # the changes made; those in a row; those in one on disk
        self._states: set[str] = set()  # of all that this process wrote or read of it

    def go_on(self, kept: Kept, rounds: list[Playing], copy_because: str | None) -> None:
        """Take up a match that was saved before."""
        self._id, self._imported = kept.summary.id, kept.summary.imported
        self._rounds, self._copy_because = rounds, copy_because
        self._states.add(checksum(kept.record + kept.undone))
        self._last_played = max([self._last_played, *(one.ended or one.started for one in rounds)])
        if self._imported and rounds[-1].session.game.INFO.hidden:
            self._notice = "This game came in as a record or a code, which tells what is hidden in it."

    @property
    def id(self) -> str:
        """The id that `duelbox export` takes. It changes if the match is carried on as a copy (`notice` says so)."""
        return self._id

    @property
    def notice(self) -> str | None:
        """One sentence on why this is saved as a copy, if it is (or will be with the next turn)."""
        return self._copy_because or self._notice

    @property
    def begun(self) -> bool:
        """Something was played, so there is something to write."""
        return bool(self._rounds)

    @property
    def lost(self) -> str:
        """One sentence for a match that could not be saved to its end: which it is, and its code, if that is public."""
        one, two = self._match.players
        which = f"{title_of(self._match.game)}, {one.name} and {two.name}"
        try:
            code = self._rounds[-1].session.public_code()
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
            self._follow(session, number, assisted)
        return self._worker.flush(self)

    def _follow(self, session: Session, number: int, assisted: bool) -> None:
        if number > len(self._rounds) and session.plies:
            raise ValueError(f"round {number} cannot follow {len(self._rounds)} rounds")
        # A clock set back must not let a game end before it began.
        at = max(now(), self._last_played)
        if number >= len(self._rounds):
            if number > len(self._rounds) or not (session.plies or assisted):
                return
            before, same = Playing(session, at), False
            self._rounds.append(before)
        else:
            before = self._rounds[number]
            known = before.session
            same = known.plies == session.plies and known.undone == session.undone
            if same and before.assisted >= assisted:
                return
        ended = before.ended if same else at if session.outcome else None
        self._rounds[number] = Playing(session.copy(), before.started, ended, assisted or before.assisted)
        self._last_played = at
        self._changes += 1

    def close(self) -> None:
        """The match is no longer played here, so that another terminal may go on with it. Returns at once."""
        self._worker.release(self)

    def write(self, records: Records) -> None:
        """Put the match as it stands into its journal; for the store's own thread. Raises Unavailable.

        A match that changed elsewhere meanwhile is carried on as a copy.
        """
        with self._lock:
            rounds, last_played, changes = tuple(self._rounds), self._last_played, self._changes
        if changes == (self._written if records.kept else self._noted):
            return

        def add() -> None:
            kept = written(self._match, rounds, self._id, last_played, imported=self._imported)
            self._states.add(checksum(kept.record + kept.undone))
            records.save(self._id, records.read(lambda db: line_of(db, kept)))

        records.try_again()
        if self._copy_because is not None or records.read(lambda db: state(db, self._id)) not in (None, *self._states):
            self._become_copy(records)
        try:
            add()
        except BlockingIOError:  # another terminal was faster
            self._become_copy(records)
            add()
        self._noted = changes
        if records.kept:
            self._written = changes

    def _become_copy(self, records: Records) -> None:
        records.put_away(self._id)
        self._notice, self._copy_because = self._copy_because or TAKEN, None
        self._id = new_id()
