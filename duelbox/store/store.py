"""The history of all games on this machine: autosave, history, statistics, import and export."""

from __future__ import annotations

import re
import secrets
import sqlite3
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self, TypeVar

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError, RecordError
from duelbox.core.match import Player
from duelbox.core.reader import Opened, open_record
from duelbox.core.record import Record, Who, round_record
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.registry import find_game, why_not
from duelbox.store import rows
from duelbox.store.database import Database, Unavailable
from duelbox.store.log import Header, Log, Step, playable
from duelbox.store.paths import Folders, find_folders
from duelbox.store.rows import Filter, Result
from duelbox.store.saved import TAKEN, Saved
from duelbox.store.statistics import Game, Tally, tallies
from duelbox.store.summary import Summary

T = TypeVar("T")
EVERYTHING = -1
CHECKED = 1000
"""How many matches `check` plays through, the latest first; of the others it checks the hashes."""


class NoSuchGame(DuelboxError):
    """No saved match has this id, or more than one."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A match to go on with: where to save it, and its rounds so far with their undo history."""

    saved: Saved
    record: Record
    sessions: tuple[Session, ...]
    error: str | None
    """What could not be replayed of it, as a sentence; the sessions are what is good."""


class Store:
    """Saved games. Thread-safe; every method but `begin`, `Saved.sync` and `Saved.close` waits for the disk, so call
    them off an event loop (`asyncio.to_thread`) where a few milliseconds matter."""

    def __init__(self, folders: Folders) -> None:
        self.folders = folders
        self.instance = secrets.token_hex(8)
        self._unsaved: dict[Saved, None] = {}
        self._asked: deque[tuple[Saved, Future[bool]]] = deque()
        self._closing = False
        # One thread has the database to itself: commits are off every event loop, and in the order they were asked for.
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="duelbox-store")
        self._database = self._worker.submit(Database, folders.history).result()

    @classmethod
    def open(cls, home: str | Path | None = None) -> Self:
        """The store in this home (or DUELBOX_HOME, or the platform's folder); never raises for what it finds there.

        Where it can't be used, `notice` says why and everything works in memory.
        """
        return cls(find_folders(home))

    @property
    def notice(self) -> str | None:
        """One sentence to show once: why games are not kept, or what was repaired. It can come up later, too."""
        return self.trouble or self.repaired

    @property
    def trouble(self) -> str | None:
        """Why what is played is not kept just now, in a sentence."""
        return self._database.trouble

    @property
    def repaired(self) -> str | None:
        """What was damaged, and what became of it, in a sentence."""
        return self._database.repaired

    @property
    def kept(self) -> bool:
        """Whether there is a file, so that games outlive this process."""
        return self._database.kept

    def close(self) -> None:
        """Write what is left and let go of the file; `lost` says what could not be written."""
        self._closing = True
        with suppress(RuntimeError):
            self._worker.submit(self._shut)
        self._worker.shutdown()

    def _shut(self) -> None:
        if self._write_unsaved():
            with suppress(Unavailable):
                self._database.write(lambda db: rows.release(db, self.instance))
        self._database.close()

    @property
    def lost(self) -> tuple[str, ...]:
        """A sentence for each match that is not on disk to its last move; for when the store is closed."""
        return tuple(saved.lost for saved in self._unsaved if saved.begun)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        return self._worker.submit(self._database.read, query).result()

    def _write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        return self._worker.submit(self._database.write, change).result()

    # -- playing

    def begin(self, game: str, players: tuple[Who, Who], rounds: int = 1, first: Player = 0) -> Saved:
        """A new match; returns at once, and writes nothing before the first `sync` with a turn in it."""
        header = Header(game=find_game(game).INFO.id, players=players, rounds=rounds, first=first)
        return Saved(self, Log(header, time.time_ns() // 1_000_000))

    def resume(self, match_id: str) -> Resumed:
        """Go on with a match; raises NoSuchGame, or DuelboxError where nothing of it can be read.

        One that is open in another terminal, or can't be read to its end, is carried on as a copy.
        """
        summary = self.find(match_id)
        whole_id = summary.id
        playable(summary.game)

        def take(db: sqlite3.Connection) -> tuple[list[Step], bool]:
            taken = whole_id in rows.open_elsewhere(db, self.instance)
            if not taken:
                rows.take_lease(db, whole_id, self.instance)
            return _steps(db, whole_id), taken

        try:
            steps, taken = self._write(take)
        except Unavailable:
            steps, taken = self._read(lambda db: _steps(db, whole_id)), False
        log = Log.replay(steps)
        saved = Saved(self, log, whole_id, TAKEN if taken else log.error)
        return Resumed(saved, log.record(), log.sessions, log.error)

    def flush(self, saved: Saved) -> Future[bool]:
        """Write a match on the store's thread; for `Saved`."""
        done: Future[bool] = Future()
        # Whoever waits may be cancelled; the change must be written all the same.
        done.set_running_or_notify_cancel()
        asked = saved, done
        self._asked.append(asked)
        try:
            self._worker.submit(self._flush)
        except RuntimeError:  # closed
            with suppress(ValueError):
                self._asked.remove(asked)
                done.set_result(False)
        return done

    def release(self, saved: Saved) -> None:
        """Give up a match's lease on the store's thread; for `Saved`."""
        with suppress(RuntimeError):
            self._worker.submit(self._release, saved)

    def _flush(self) -> None:
        if self._asked and not self._closing:  # else `_shut` does it
            self._write_unsaved()

    def _write_unsaved(self) -> bool:
        """Write for all who have asked by now: where the file has to be waited for, one wait does for them all."""
        asked = [self._asked.popleft() for _ in range(len(self._asked))]
        self._unsaved |= dict.fromkeys(saved for saved, _ in asked)
        try:
            with suppress(Unavailable):
                for saved in tuple(self._unsaved):
                    self._database.write(saved.write)
                    if self._database.kept:
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
            self._database.write(saved.let_go)

    # -- looking

    def find(self, match_id: str) -> Summary:
        """The match with this id, or a beginning of it that fits no other; raises NoSuchGame."""
        beginning = match_id.strip().lower()
        found = self._read(lambda db: rows.ids_like(db, beginning)) if beginning else []
        if len(found) > 1 and beginning not in found:
            raise NoSuchGame(f"More than one saved game begins with {match_id[:24]!a}: {found[0]}, {found[1]}…")
        summary = self._read(lambda db: rows.read_summary(db, found[0], self.instance)) if found else None
        if summary is None:
            raise NoSuchGame(f"There is no saved game {match_id[:24]!a}. `duelbox history` lists them.")
        return summary

    def load(self, match_id: str) -> Opened:
        """A match to look at: record, sessions with undo history, first error; raises NoSuchGame.

        An id may be shortened as long as it names one match.
        """
        whole_id = self.find(match_id).id
        return Log.replay(self._read(lambda db: _steps(db, whole_id))).opened()

    def unfinished(self) -> tuple[Summary, ...]:
        """What can be gone on with, the latest first; games of duels that are not installed can't."""
        unfinished = self.history(result="unfinished", limit=EVERYTHING)
        return tuple(summary for summary in unfinished if why_not(summary.game) is None)

    def history(
        self,
        game: str | None = None,
        opponent: str | None = None,
        result: Result | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[Summary, ...]:
        """Saved matches, the latest first; `opponent` is a player's name or a computer's level."""
        which = Filter(game, opponent, result)
        return self._listed(lambda db: tuple(rows.list_summaries(db, which, limit, offset, self.instance)), ())

    def count(self, game: str | None = None, opponent: str | None = None, result: Result | None = None) -> int:
        """How many matches `history` has with these filters."""
        return self._listed(lambda db: rows.count_summaries(db, Filter(game, opponent, result)), 0)

    def games(self) -> dict[str, int]:
        """How many matches there are of each game."""
        return self._listed(rows.count_by_game, dict[str, int]())

    def opponents(self) -> tuple[str, ...]:
        """Names and levels there are to filter by."""
        return tuple(sorted(self._listed(rows.opponents, set[str]())))

    def statistics(
        self, game: str | None = None, opponent: str | None = None, assisted: bool | None = None
    ) -> tuple[Tally, ...]:
        """Every person's games by game, opponent and level."""
        games = self._listed(lambda db: rows.finished(db, Filter(game, opponent)), list[Game]())
        return tallies(one for one in games if assisted in (None, one.assisted))

    def _listed(self, query: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        """A list is empty while the file can't be read; `notice` says so."""
        try:
            return self._read(query)
        except Unavailable:
            return nothing

    def check(self) -> tuple[str, ...]:
        """What is wrong with the file, by going through all of it; nothing, as a rule. Raises Unavailable."""
        return tuple(self._read(_check))

    # -- keeping

    def delete(self, match_id: str) -> None:
        """Take a match out of history and statistics; `restore` brings it back."""
        self._mark(match_id, "delete")

    def restore(self, match_id: str) -> None:
        """Undo `delete`."""
        self._mark(match_id, "restore")

    def _mark(self, match_id: str, what: str) -> None:
        whole_id = self.find(match_id).id

        def mark(db: sqlite3.Connection) -> None:
            steps = _steps(db, whole_id)
            summary = rows.read_summary(db, whole_id, self.instance)
            if summary is None or summary.deleted == (what == "delete"):
                return
            steps.append(Step(0, what, max(time.time_ns() // 1_000_000, steps[-1].at)))
            marked = summary.changed(deleted=not summary.deleted)
            rows.append(db, marked, steps, rows.chain(whole_id, steps), len(steps) - 1)

        self._write(mark)

    def export(self, match_id: str) -> str:
        """The JSON record; raises DuelboxError while it would tell what is hidden."""
        record = self._public(match_id).record
        assert record is not None
        return record.to_json()

    def codes(self, match_id: str) -> tuple[str, ...]:
        """The position code of each round; raises DuelboxError while one would tell what is hidden."""
        return tuple(session.code() for session in self._public(match_id).sessions)

    def _public(self, match_id: str) -> Opened:
        summary = self.find(match_id)
        if playable(summary.game).INFO.hidden and not summary.over:
            # All rounds of a match are drawn from one seed, so a finished round would tell the next.
            raise DuelboxError("The record tells both hands, so it can be had when the match is over.")
        opened = self.load(summary.id)
        if opened.error:
            raise DuelboxError(opened.error)
        return opened

    def import_text(self, text: str | bytes) -> str:
        """Add a JSON record or a position code and return its id; raises RecordError or CodeError and adds nothing.

        A record that is there already is not added again.
        """
        opened = _opened(text)
        if opened.record is None or opened.error:
            raise RecordError(opened.error or "It is not a record.")
        if not any(session.plies for session in opened.sessions):
            raise RecordError("It is a record without a single move, so there is nothing to keep.")
        try:
            log = Log.of_record(opened.record, opened.sessions)
        except OverflowError:
            raise RecordError("It has a time outside the calendar.") from None
        return self._write(lambda db: _add(db, log))


def _check(db: sqlite3.Connection) -> list[str]:
    faults = rows.faults(db)
    for summary in rows.list_summaries(db, Filter(), CHECKED, 0, "") if not faults else ():
        try:
            told = summary.changed(open_elsewhere=False)
            if why_not(summary.game):
                continue  # its hashes hold; nobody here can say what follows from its moves
            if Log.replay(rows.read_steps(db, summary.id)).summary(summary.id) != told:
                faults.append(f"the summary of {summary.id} does not follow from its moves")
        except DuelboxError as error:
            faults.append(f"{summary.id}: {error.sentence}")
    return faults


def _steps(db: sqlite3.Connection, match_id: str) -> list[Step]:
    steps = rows.read_steps(db, match_id)
    if not steps:
        raise NoSuchGame(f"The saved game {match_id} is no longer there.")
    return steps


def _opened(text: str | bytes) -> Opened:
    start = text[:1000] if isinstance(text, str) else text[:1000].decode("utf-8", "replace")
    if not re.match(r"\s*[a-z]", start, re.IGNORECASE):  # as every code begins, and no JSON object
        return open_record(text, find_game)
    played = parse_code(text if isinstance(text, str) else text.decode("utf-8", "replace"), find_game)
    session, now = played.session, datetime.now(UTC)
    players = (Who(name=DEFAULT_NAMES[0]), Who(name=DEFAULT_NAMES[1]))
    one = round_record(session, 1, 0, now, now)
    return Opened(Record(game=played.game.INFO.id, players=players, played=(one,)), (session,), None)


def _add(db: sqlite3.Connection, log: Log) -> str:
    """Write a whole match, unless there is one with the same record."""
    record = log.record()
    for match_id in rows.started_at(db, log.header.game, log.steps[0].at):
        if Log.replay(rows.read_steps(db, match_id)).record() == record:
            return match_id
    match_id = rows.new_id()
    rows.append(db, log.summary(match_id), log.steps, rows.chain(match_id, log.steps), 0)
    return match_id
