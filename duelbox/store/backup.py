"""The backup: a second file that follows the first one change behind, for the day the first is damaged or gone.

And how what is good is carried over from one file to another: to back it up, to have it back, to save it from damage.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from duelbox.store import matches, progress
from duelbox.store.files import check_regular, make_private
from duelbox.store.matches import Row, is_whole
from duelbox.store.schema import FAULTS, Newer, connect, is_damage, prepare, transaction

PATIENCE = 0.2
# Never waited for, so a power cut may damage it; then the first file, which is safe from that, is there to renew it.
PRAGMAS = ("synchronous=OFF",)


class Backup:
    """The second file; whatever is the matter with it, games are kept all the same."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db: sqlite3.Connection | None = None

    def renew(self, source: sqlite3.Connection) -> None:
        """Bring over what was changed since the last time; at first, whatever is otherwise than in the source."""
        try:
            first = self._db is None
            db = self._db = self._db or self._open()
            if first and newest(db) == (0, 0):
                source.backup(db)
            with transaction(db), transaction(source, "DEFERRED"):
                carry_over(source, db, newest(db), mirror=True)
                if first and outline(db) != outline(source):
                    carry_over(source, db, mirror=True)
        except (*FAULTS, Newer, OSError) as error:
            self.close()
            if is_damage(error):
                self.path.unlink(missing_ok=True)

    def bring_back(self, db: sqlite3.Connection, *, whatever: bool = False) -> int:
        """Give a database what it lacks, if it is behind or `whatever` it is; how many matches."""
        with suppress(*FAULTS, Newer, OSError):
            if self.path.exists():
                with closing(self._open()) as source, transaction(db), transaction(source, "DEFERRED"):
                    ahead = any(one > other for one, other in zip(newest(source), newest(db), strict=True))
                    return carry_over(source, db) if ahead or whatever else 0
        return 0

    def faults(self) -> list[str]:
        """Its faults; none, as a rule."""
        try:
            if self.path.exists():
                with closing(self._open()) as db:
                    return [f"{self.path.name}: {fault}." for fault in faults(db)]
        except (*FAULTS, Newer, OSError) as error:
            return [f"{self.path.name} cannot be used: {error}. It is written anew with the next move."]
        return []

    def _open(self) -> sqlite3.Connection:
        check_regular(self.path)
        make_private(self.path)
        db = connect(self.path, PATIENCE, PRAGMAS)
        try:
            prepare(db, None)
        except BaseException:
            db.close()
            raise
        return db

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close()
        self._db = None


Places = tuple[int, int]


def carry_over(
    source: sqlite3.Connection, target: sqlite3.Connection, since: Places = (0, 0), *, mirror: bool = False
) -> int:
    """Bring matches and progress to a database that lacks them or has them as they were earlier; how many matches.

    The source may be damaged: what can't be read of it is left out. With `mirror`, whatever is otherwise is brought.
    """
    carried = 0
    for place, *_ in _readable(source, "sum FROM progress", since[1] + 1, newest(source)[1]):
        if row := _good(source, "progress", place):
            progress.put(target, row)
    for place, match_id, check in _readable(source, "id, sum FROM match", since[0] + 1, newest(source)[0]):
        known = target.execute("SELECT seq, sum FROM match WHERE id = ?", (match_id,)).fetchone()
        if known and (known[1] == check or (known[0] >= place and not mirror)):
            continue
        if row := _good(source, "match", place):
            taken = target.execute("SELECT 1 FROM match WHERE seq = ? AND id <> ?", (place, match_id)).fetchone()
            matches.put(target, row, None if taken else place)
            carried += 1
    return carried


_COLUMNS = {"match": matches.COLUMNS, "progress": progress.COLUMNS}


def _good(db: sqlite3.Connection, table: str, place: int) -> Row | None:
    """The row at this place as it is written today, if it can be read and is as it was written."""
    with suppress(*FAULTS):
        row: Row | None = db.execute(f"SELECT {_COLUMNS[table]} FROM {table} WHERE seq = ?", (place,)).fetchone()
        if row and is_whole(row):
            return matches.renewed(row) if table == "match" else row
    return None


def newest(db: sqlite3.Connection) -> Places:
    """The places of the match that was changed last and of the last entry of progress; 0 where there is none."""
    return _last(db, "match", "match_short"), _last(db, "progress", "progress_key")


def outline(db: sqlite3.Connection) -> tuple[int, ...]:
    """What two databases of the same matches have in common, and hardly any others."""
    (row,) = db.execute("SELECT count(*), sum(seq), sum(listed) FROM match INDEXED BY match_short")
    return (*row, *db.execute("SELECT count(*) FROM progress").fetchone())


def _last(db: sqlite3.Connection, table: str, index: str) -> int:
    for source in (table, f"{table} INDEXED BY {index}"):  # where the end of the table is damaged
        with suppress(*FAULTS):
            return db.execute(f"SELECT max(seq) FROM {source}").fetchone()[0] or 0
    return 0


def _readable(db: sqlite3.Connection, what: str, low: int, high: int) -> Iterator[tuple[Any, ...]]:
    """The rows at these places, each behind its place; where they can't be read, those of each half."""
    try:
        rows = db.execute(f"SELECT seq, {what} WHERE seq BETWEEN ? AND ?", (low, high)).fetchall()
    except FAULTS:
        if low < high:
            middle = (low + high) // 2
            yield from _readable(db, what, low, middle)
            yield from _readable(db, what, middle + 1, high)
        return
    yield from rows


def faults(db: sqlite3.Connection) -> list[str]:
    """Whatever is not as it was written, by SQLite's own check and by the checksums."""
    found = [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    for table, columns in _COLUMNS.items():
        for row in db.execute(f"SELECT {columns} FROM {table}"):
            if not is_whole(row):
                found.append(f"{table} {row[1 if table == 'match' else 0]} is not as it was written")
    return found
