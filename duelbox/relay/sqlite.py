"""The room log of one relay, in an SQLite file; everything that waits is written in one transaction."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from duelbox.core.errors import DuelboxError
from duelbox.core.names import printable
from duelbox.relay.room_log import Conflict, RoomLog, RoomRecord, Unavailable

T = TypeVar("T")
PAGE = 64
"""Records read at a time, which bounds the memory for a slow reader."""
SWEPT = 200
"""Rooms dropped at once, so that a move never waits long for it."""
BATCH = 1000
_APPLICATION = 0x6475656C  # "duel"
_VERSION = 1
_SCHEMA = f"""
CREATE TABLE record (room TEXT, place INTEGER, who TEXT, n INTEGER, body BLOB, time REAL, PRIMARY KEY (room, place))
    WITHOUT ROWID;
CREATE TABLE room (room TEXT PRIMARY KEY, dies REAL) WITHOUT ROWID;
CREATE INDEX room_dies ON room (dies);
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_VERSION};
"""
_Job = tuple[Callable[[sqlite3.Connection], Any], "asyncio.Future[Any]"]


class SqliteRoomLog(RoomLog):
    """One connection in one thread; refuses a file that another relay uses or another program made."""

    def __init__(self, path: Path | None) -> None:
        self._named = printable(path) if path else "memory"
        self._thread = ThreadPoolExecutor(1, "relay-log")
        self._waiting: list[_Job] = []
        self._work: asyncio.Task[None] | None = None
        try:
            self._db = _opened(path)
        except (OSError, sqlite3.Error) as error:
            busy = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY
            why = "another relay is using it" if busy else printable(getattr(error, "strerror", error))
            raise DuelboxError(f"{self._named} cannot be the relay's file: {why}.") from error

    async def append(self, room: str, after: int, record: RoomRecord, dies: float | None) -> int:
        """Store a record; it is on disk when this returns."""
        place = after + 1

        def insert(db: sqlite3.Connection) -> int:
            (last,) = db.execute("SELECT max(place) FROM record WHERE room = ?", (room,)).fetchone()
            if (last or 0) != after:
                raise Conflict
            values = (room, place, record.who, record.n, record.body, record.time)
            db.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)", values)
            if dies is not None:
                db.execute("REPLACE INTO room VALUES (?, ?)", (room, dies))
            return place

        return await self._do(insert)

    async def read(self, room: str, after: int) -> list[tuple[int, RoomRecord]]:
        """Read the next records after a place."""

        def select(db: sqlite3.Connection) -> list[tuple[int, RoomRecord]]:
            rows = db.execute(
                "SELECT place, who, n, body, time FROM record WHERE room = ? AND place > ? ORDER BY place LIMIT ?",
                (room, after, PAGE),
            )
            return [(place, RoomRecord(*rest)) for place, *rest in rows]

        return await self._do(select)

    async def forget(self, room: str) -> None:
        """Drop a room."""

        def delete(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM record WHERE room = ?", (room,))
            db.execute("DELETE FROM room WHERE room = ?", (room,))

        await self._do(delete)

    async def sweep(self, died: float) -> None:
        """Drop rooms that were to be kept until `died` at most."""

        def due(db: sqlite3.Connection) -> list[str]:
            rows = db.execute("SELECT room FROM room WHERE dies < ? LIMIT ?", (died, SWEPT))
            return [room for (room,) in rows]

        for room in await self._do(due):
            await self.forget(room)

    async def close(self) -> None:
        """Finish all writes and close the file."""
        while self._work is not None:
            await asyncio.wait([self._work])
        self._thread.submit(self._db.close).result()
        self._thread.shutdown()

    async def _do(self, job: Callable[[sqlite3.Connection], T]) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((job, done))
        if self._work is None:
            self._work = asyncio.create_task(self._run())
        return await done

    async def _run(self) -> None:
        """Run everything that waits as one transaction, again until nothing waits."""
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
                answers = await loop.run_in_executor(self._thread, self._commit, [job for job, _ in batch])
                for (_, done), answer in zip(batch, answers, strict=True):
                    if done.done():  # the caller is gone
                        continue
                    if isinstance(answer, Exception):
                        done.set_exception(answer)
                    else:
                        done.set_result(answer)
        finally:
            self._work = None

    def _commit(self, jobs: list[Callable[[sqlite3.Connection], Any]]) -> list[Any]:
        answers: list[Any] = []
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for job in jobs:
                try:
                    answers.append(job(self._db))
                except Conflict as conflict:
                    answers.append(conflict)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            return [Unavailable(f"The relay cannot use its file ({printable(error)}). Try again later.")] * len(jobs)
        return answers


def _opened(path: Path | None) -> sqlite3.Connection:
    if path is not None:
        path.touch(mode=0o600)
    db = sqlite3.connect(path or ":memory:", timeout=1, isolation_level=None, check_same_thread=False)
    try:
        # Exclusive: a second relay on the same file would not read what the first one writes.
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN IMMEDIATE")
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        db.execute("COMMIT")
        if tables and (application, version) != (_APPLICATION, _VERSION):
            raise sqlite3.DatabaseError("it belongs to another program, or to another version of duelbox")
        db.execute("PRAGMA journal_mode = WAL")  # so a commit is one write
        db.execute("PRAGMA synchronous = FULL")
        if not tables:
            db.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
    except BaseException:
        db.close()
        raise
    return db
