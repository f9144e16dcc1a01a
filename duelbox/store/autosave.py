"""Saves a match while it is played: follows its sessions and writes every change."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Lock
from typing import TYPE_CHECKING

from duelbox.core.errors import DuelboxError
from duelbox.core.record import Record
from duelbox.core.session import Session
from duelbox.registry import title_of
from duelbox.store.matches import Kept, Playing, new_id, written
from duelbox.store.times import now

if TYPE_CHECKING:
    from duelbox.store.records import Records
    from duelbox.store.worker import Worker

TAKEN = "This game is open in another terminal, so you play on in a copy."


class Saved:
    """A match that is saved as it is played, from its first turn; made by `Store.begin` and `Store.resume`."""

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
        self._changes = 0
        self._noted = 0
        """The number of changes that the store knows."""
        self._written = 0
        """The number of changes that are on disk."""

    def go_on(self, kept: Kept, rounds: list[Playing], copy_because: str | None) -> None:
        """Continue a match that was saved before; with `copy_because`, as a copy."""
        self._id = kept.summary.id
        self._imported = kept.summary.imported
        self._rounds = rounds
        self._copy_because = copy_because
        self._last_played = max([self._last_played, *(one.ended or one.started for one in rounds)])
        if self._imported and rounds[-1].session.game.INFO.hidden:
            self._notice = "The record or code of this game tells its hidden numbers."

    @property
    def id(self) -> str:
        """The id that `duelbox export` takes. It changes when the match goes on as a copy (`notice` says so)."""
        return self._id

    @property
    def notice(self) -> str | None:
        """A sentence to show: why the match goes on as a copy, or that its import revealed hidden numbers."""
        return self._copy_because or self._notice

    @property
    def begun(self) -> bool:
        """True once something was played, so that there is something to write."""
        return bool(self._rounds)

    @property
    def lost(self) -> str:
        """A sentence that names a match whose last moves could not be saved, with its code if that is public."""
        one, two = self._match.players
        which = f"{title_of(self._match.game)}, {one.name} and {two.name}"
        try:
            code = self._rounds[-1].session.public_code()
        except DuelboxError:
            return f"{which}: not saved up to its last move, and its code would tell both hands."
        return f"{which}: not saved up to its last move. Its code: {code}"

    def sync(self, session: Session, number: int = 0, *, assisted: bool = False) -> Future[bool]:
        """Save the changes in the session of round `number` (from 0); call it after every play, undo, redo and resign.

        Returns at once. The future's result is True when the change is on disk, safe from a power cut. It is False
        when writing failed: `Store.notice` says why, and every later change tries again. Show a move as played only
        when the future is done: `await asyncio.wrap_future(future)`, or `future.result()` where nothing else runs.
        `assisted` means that hints were used, and stays on for the round. Raises ValueError for a round whose
        predecessor was never synced.
        """
        with self._lock:
            self._follow(session, number, assisted)
        return self._worker.flush(self)

    def _follow(self, session: Session, number: int, assisted: bool) -> None:
        if number > len(self._rounds) and session.plies:
            raise ValueError(f"round {number} cannot follow {len(self._rounds)} rounds")
        # The clock may have been set back, but a game must not end before it began.
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
        ended = None
        if same:
            ended = before.ended
        elif session.outcome:
            ended = at
        self._rounds[number] = Playing(session.copy(), before.started, ended, assisted or before.assisted)
        self._last_played = at
        self._changes += 1

    def close(self) -> None:
        """Release the match, so that another terminal can continue it. Returns at once."""
        self._worker.later(lambda records: records.put_away(self._id))

    def write(self, records: Records) -> None:
        """Write the current state to the match's journal. Runs in the store's thread. Raises Unavailable.

        If another terminal changed the match meanwhile, this one goes on as a copy.
        """
        with self._lock:
            rounds = tuple(self._rounds)
            last_played = self._last_played
            changes = self._changes
        if changes == (self._written if records.kept else self._noted):
            return

        records.try_again()
        try:
            taken = self._copy_because is not None or self._is_changed(records)
        except BlockingIOError:  # another terminal opened it first
            taken = True
        if taken:
            self._become_copy(records)
        kept = written(self._match, rounds, self._id, last_played, imported=self._imported)
        records.save(self._id, kept)
        self._noted = changes
        if records.kept:
            self._written = changes

    def _is_changed(self, records: Records) -> bool:
        """True if another terminal has changed the match since it was last held here; raises BlockingIOError."""
        return records.hold(self._id) and records.is_changed(self._id)

    def _become_copy(self, records: Records) -> None:
        records.put_away(self._id)
        self._notice, self._copy_because = self._copy_because or TAKEN, None
        self._id = new_id()
