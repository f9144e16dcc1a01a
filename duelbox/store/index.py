"""The index: an SQLite file with a row for every match and every mark of progress in the history, for lists and counts.

It is a cache: it notes how much of the history it has read, takes up what it lacks, and is made anew whenever it is
missing, of another version, damaged or not usable. Nothing ever comes back from it. Where no file can be used, it is in
memory. It uses the standard library's sqlite3 directly: an object-relational mapper would add up to 250 ms to every
start and hide the pragmas and transactions that matter here.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from duelbox.store import files
from duelbox.store.journal import Line, lines_in
from duelbox.store.times import moment

APPLICATION_ID = 0x6475656C  # "duel"
PAGE_SIZE = 4096
PATIENCE = 3.0
"""Seconds to wait while another process uses the index."""
SEALING = 1.0
"""Seconds to wait while another process writes a large index."""
VERIFIED = 16_000_000
"""The size up to which an index, of about 14,000 matches, is verified at every start, in 25 ms at most."""

TABLES = (
    """CREATE TABLE match (
        number INTEGER NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL UNIQUE, game TEXT NOT NULL,
        pair TEXT NOT NULL, result TEXT, listed INTEGER NOT NULL, started TEXT NOT NULL, summary TEXT NOT NULL,
        at INTEGER NOT NULL, size INTEGER NOT NULL, sum INTEGER NOT NULL
    )""",
    """CREATE TABLE progress (
        kind TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, json TEXT NOT NULL, sum INTEGER NOT NULL
    )""",
    """CREATE TABLE round (
        id TEXT NOT NULL, at INTEGER NOT NULL, seat INTEGER NOT NULL, place INTEGER NOT NULL, game TEXT NOT NULL,
        player TEXT NOT NULL, own_level TEXT, opponent TEXT NOT NULL, level TEXT,
        points REAL NOT NULL, assisted INTEGER NOT NULL, second INTEGER NOT NULL,
        PRIMARY KEY (id, at, seat)
    ) WITHOUT ROWID""",
    "CREATE TABLE damage (at INTEGER PRIMARY KEY, day TEXT NOT NULL)",
    """CREATE TABLE noted (
        size INTEGER NOT NULL, seen INTEGER NOT NULL, changed INTEGER NOT NULL, crc INTEGER NOT NULL,
        number INTEGER NOT NULL, day TEXT NOT NULL
    )""",
)
"""`place` is the number of the change by which a match was played last, so it gives the order of play. `at` and `size`
are the place of a match's line in the history; `sum` is a checksum of the other columns.
"""
LOOKUPS = (
    "CREATE INDEX match_short ON match (game, pair, place, result, listed)",
    "CREATE INDEX match_latest ON match (place, id) WHERE listed",
    "CREATE INDEX match_unfinished ON match (place, id) WHERE listed AND result IS NULL",
    "CREATE INDEX match_started ON match (started)",
    "CREATE UNIQUE INDEX progress_mark ON progress (kind, key, at, json)",
    """CREATE INDEX round_short ON round (
        own_level, player, game, opponent, level, place, at, points, assisted, second
    )""",
)
COLUMNS = "number, place, id, game, pair, result, listed, started, summary, at, size, sum"

# A journal of SQLite on disk would be a second file that can be damaged, and one that belongs to another file once the
# index is made anew. Without it, a write that was cut off is seen by the seal, and the index is made anew. A query that
# is rolled back never reaches the disk. fullfsync: on macOS an fsync alone stops at the drive's cache.
PRAGMAS = (
    f"page_size={PAGE_SIZE}",
    "journal_mode=MEMORY",
    "synchronous=FULL",
    "fullfsync=ON",
    "cell_size_check=ON",
    "trusted_schema=OFF",
    "cache_spill=OFF",
)
BEING_WRITTEN = -1
"""The seal of a large index while it is written; a small one has a checksum of its content."""


class Damaged(Exception):
    """The content of the index differs from what was written, or does not belong to the history."""


class Outdated(Damaged):
    """The history is not the one that the index was made from, with lines added."""


# In an undamaged file no statement of ours breaks a constraint, meets a row that is too big or lacks a table,
# and a valid header always names a format that SQLite knows.
_DAMAGE = {
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT),
    *(sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH),
}
_STRANGE = (
    *(ValueError, TypeError, LookupError, RecursionError, OverflowError),
    *(sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.ProgrammingError, sqlite3.DataError),
)
"""The exceptions of a line that is whole and makes no row: another version wrote it."""
FAULTS = (sqlite3.Error, Damaged, UnicodeDecodeError)
"""The exceptions a damaged file can raise; the last when SQLite's message quotes damaged bytes."""


def is_damage(error: Exception) -> bool:
    """True if the error comes from a damaged file, not from the disk or another program."""
    return isinstance(error, Damaged | UnicodeDecodeError) or getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE


class Noted(NamedTuple):
    """The part of the history that an index has read."""

    size: int
    """The byte after the last line that was read."""
    seen: int
    """The size of the file then."""
    changed: int
    """The time of the file's last change, in nanoseconds."""
    crc: int
    """The CRC-32 of what was read."""
    number: int
    """The highest number of a change."""
    day: str
    """The day of the last line, such as 2026-03-04; empty before the first."""


NOTHING = Noted(0, 0, 0, 0, 0, "")


# -- opening


def is_ours(path: Path) -> bool:
    """True if a file can be an index of ours, or is empty, or is not there; raises OSError."""
    with suppress(FileNotFoundError), files.raw_file(path) as file:
        head = file.read(100)
        return not head or head[68:72] == APPLICATION_ID.to_bytes(4, "big")
    return True


def connect(path: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open an index that is there; raises Damaged, OSError or sqlite3.Error for one that cannot be used."""
    files.check_database(path)
    if not path.exists():
        raise Damaged("there is none")
    files.make_private(path)
    # Only one thread at a time uses the connection, but not always the thread that opened it.
    db = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    db.text_factory = _decoded
    try:
        for pragma in PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        with transaction(db, "DEFERRED"):
            if _schema(db) != {*TABLES, *LOOKUPS}:
                raise Damaged("the schema is not ours")
        until = time.monotonic() + SEALING
        while not _is_sealed(db):
            if time.monotonic() > until or _bytes(db) <= VERIFIED:
                raise Damaged("the content is not as it was written")
            time.sleep(0.02)
    except BaseException:
        db.close()
        raise
    return db


def memory() -> sqlite3.Connection:
    """Create an index in memory, which ends with the process."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _create(db, (*TABLES, *LOOKUPS))
    return db


def make(path: Path, history: Path, before: sqlite3.Connection | None = None) -> str:
    """Make the index of a history anew; returns in words what it lacks of the one before. Raises OSError."""
    with files.new_beside(path) as temporary, closing(sqlite3.connect(temporary, isolation_level=None)) as db:
        for pragma in (f"page_size={PAGE_SIZE}", "journal_mode=OFF", "synchronous=OFF", "cache_size=-16000"):
            db.execute(f"PRAGMA {pragma}")
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        fill(db, history)
        _seal(db)
        return _lacking(db, before)


def fill(db: sqlite3.Connection, history: Path) -> None:
    """Read a whole history into an empty database; the lookups come last, which is quicker."""
    tables = () if _schema(db) else TABLES
    with transaction(db):
        _create(db, tables)
        with suppress(FileNotFoundError), files.raw_file(history) as file:
            _read_on(db, file)
        _create(db, LOOKUPS if tables else ())


def _create(db: sqlite3.Connection, statements: Iterable[str]) -> None:
    for statement in statements:
        db.execute(statement)
    if not db.execute("SELECT 1 FROM noted").fetchone():
        db.execute("INSERT INTO noted VALUES (?, ?, ?, ?, ?, ?)", NOTHING)


def _lacking(db: sqlite3.Connection, before: sqlite3.Connection | None) -> str:
    """Tell in words what an index from before has more than this one; empty for nothing."""
    if before is None:
        return ""
    with suppress(*FAULTS):
        there = "SELECT 1 FROM match WHERE id = ? AND number >= ?"
        rows = before.execute("SELECT id, number FROM match")
        games = sum(db.execute(there, row).fetchone() is None for row in rows)
        count = "SELECT count(*) FROM progress"
        if games:
            return "1 game" if games == 1 else f"{games} games"
        if db.execute(count).fetchone() < before.execute(count).fetchone():
            return "some progress"
    return ""


def _decoded(raw: bytes) -> str:
    """Decode text without raising for bad UTF-8: the checksum will reject it."""
    return raw.decode("utf-8", "replace")


def _schema(db: sqlite3.Connection) -> set[str]:
    """Return the SQL of all tables and indexes, except SQLite's own statistics, which do no harm."""
    query = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite#_stat%' ESCAPE '#'"
    return {row[0] for row in db.execute(query)}


def _bytes(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA page_count").fetchone()[0]) * PAGE_SIZE


def _crc(db: sqlite3.Connection, size: int) -> int:
    """A checksum of the whole file but the fields that a commit changes; 0 where it cannot be had."""
    if size > VERIFIED or not hasattr(db, "serialize"):  # SQLite may be built without it
        return 0
    content = memoryview(db.serialize())
    crc = zlib.crc32(content[:24])
    for start, end in ((28, 60), (64, 92), (100, len(content))):
        crc = zlib.crc32(content[start:end], crc)
    return crc & 0x7FFFFFFF


def _seal(db: sqlite3.Connection) -> None:
    """Write the checksum of the file into its header; in a transaction, after all other changes."""
    db.execute(f"PRAGMA user_version={_crc(db, _bytes(db))}")


def _is_sealed(db: sqlite3.Connection) -> bool:
    """True if the last write was not cut off, and a small index is as it was written."""
    with transaction(db, "DEFERRED"):
        seal = db.execute("PRAGMA user_version").fetchone()[0]
        return bool(seal == _crc(db, _bytes(db)))


@contextmanager
def transaction(db: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """Commit the block or roll it back. IMMEDIATE, since a read that becomes a write can't wait for another writer."""
    with db:  # commits, or rolls back
        db.execute(f"BEGIN {kind}")
        yield


@contextmanager
def _writing(db: sqlite3.Connection) -> Iterator[None]:
    """Commit the block; a write that is cut off is seen at the next start."""
    large = _bytes(db) > VERIFIED
    if large:
        db.execute(f"PRAGMA user_version={BEING_WRITTEN}")
    with transaction(db):
        yield
        if not large:
            _seal(db)
    if large:
        _seal(db)


@contextmanager
def laid_over(db: sqlite3.Connection, texts: Iterable[str]) -> Iterator[None]:
    """Show these lines as if they were in the history, for as long as the block runs; nothing is written."""
    db.execute("BEGIN IMMEDIATE")
    try:
        for text in texts:
            with suppress(*_STRANGE):  # of a newer version
                _put(db, Line(-1, 0, text, ended=True), json.loads(text), newer=True)
        yield
    finally:
        db.execute("ROLLBACK")


# -- the history


def noted(db: sqlite3.Connection) -> Noted:
    """Return the part of the history that the index has read."""
    row = db.execute("SELECT size, seen, changed, crc, number, day FROM noted").fetchone()
    if row is None:
        raise Damaged("it does not say what it has read")
    return Noted(*row)


def read_on(db: sqlite3.Connection, history: Path) -> None:
    """Take up what the history has got since it was read; one `stat` where that is nothing. Raises Outdated."""
    size, changed = 0, 0
    with suppress(FileNotFoundError):
        found = history.stat()
        size = found.st_size
        changed = found.st_mtime_ns
    before = noted(db)
    if (size, changed) == (before.seen, before.changed):
        return
    if size < before.size or (size == before.size > VERIFIED):
        raise Outdated("the history is another one")
    if size:
        with files.raw_file(history) as file, _writing(db):
            _read_on(db, file)


def _read_on(db: sqlite3.Connection, file: IO[bytes]) -> None:
    """Read the lines that are missing; what is behind the last whole one may still be in the making, and is left."""
    before = noted(db)
    found = os.fstat(file.fileno())
    if before.size <= VERIFIED and _crc_of(file, 0, before.size, 0) != before.crc:
        raise Outdated("the history is another one")
    size = before.size
    number = before.number
    day = before.day
    damaged: list[tuple[int, str]] = []
    for line in lines_in(file, before.size):
        if line.text is None:
            damaged.append((line.at, day))
            continue
        try:
            put = _put(db, line, json.loads(line.text))
            number = max(number, put.number)
            day = put.day or day
        except _STRANGE:
            damaged.append((line.at, day))
        if damaged:
            db.executemany("INSERT OR REPLACE INTO damage VALUES (?, ?)", damaged)
            damaged.clear()
        size = line.at + line.size
    crc = _crc_of(file, before.size, size, before.crc)
    after = Noted(size, found.st_size, found.st_mtime_ns, crc, number, day)
    db.execute("UPDATE noted SET size = ?, seen = ?, changed = ?, crc = ?, number = ?, day = ?", after)


def keep_tail(db: sqlite3.Connection, history: Path) -> None:
    """Note what stands behind the last whole line as damage, which stays; the history is locked."""
    with files.raw_file(history) as file, _writing(db):
        before = noted(db)
        end = before.size
        for line in lines_in(file, before.size):
            db.execute("INSERT OR REPLACE INTO damage VALUES (?, ?)", (line.at, before.day))
            end = line.at + line.size
        crc = _crc_of(file, before.size, end, before.crc)
        db.execute("UPDATE noted SET size = ?, crc = ?", (end, crc))


def _crc_of(file: IO[bytes], start: int, end: int, crc: int) -> int:
    file.seek(start)
    left = end - start
    while left > 0 and (part := file.read(min(left, 1 << 20))):
        crc = zlib.crc32(part, crc)
        left -= len(part)
    return crc


def damage(db: sqlite3.Connection) -> tuple[int, str, str]:
    """Return the number of damaged lines in the history, and the days of the first and the last."""
    count, first, last = db.execute("SELECT count(*), min(day), max(day) FROM damage").fetchone()
    return count, first or "", last or ""


# -- rows


def line(table: str, *columns: object) -> str:
    """Write a row as the JSON that a line of a journal has."""
    return json.dumps([table, *columns])


class _Put(NamedTuple):
    number: int
    """The number of the change."""
    day: str
    """Its day; empty for the first line of the history."""


def _put(db: sqlite3.Connection, line: Line, columns: list[Any], *, newer: bool = False) -> _Put:
    """Write the row of a line; with `newer`, only if it is newer than the one that is there."""
    if columns[0] == "match":
        return _put_match(db, line, columns, newer=newer)
    if columns[0] == "progress":
        _, number, *row = columns
        db.execute("INSERT OR IGNORE INTO progress VALUES (?, ?, ?, ?, ?)", (*row, _sum(row)))
        return _Put(number, f"{moment(row[2]):%Y-%m-%d}")
    if columns[0] == "archive":
        return _Put(0, "")
    raise ValueError(f"no rows of {columns[0]} are known")


def _put_match(db: sqlite3.Connection, line: Line, columns: list[Any], *, newer: bool) -> _Put:
    _, number, place, match_id, game, pair, result, listed, text, _, _ = columns
    summary = json.loads(text)
    put = _Put(number, summary["last_played"][:10])
    known = db.execute("SELECT number FROM match WHERE id = ?", (match_id,)).fetchone()
    if known and newer and known[0] >= number:
        return put
    if known:
        db.execute("DELETE FROM match WHERE id = ?", (match_id,))
        db.execute("DELETE FROM round WHERE id = ?", (match_id,))
    row = (number, place, match_id, game, pair, result, listed, summary["started"], text, line.at, line.size)
    db.execute("INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, _sum(row)))
    if listed:
        rounds = _rounds(match_id, place, game, summary)
        db.executemany("INSERT INTO round VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rounds)
    return put


def _rounds(match_id: str, place: int, game: str, summary: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Each finished round as each of the two players saw it: a win is 1 point, a draw ½."""
    rows: list[tuple[Any, ...]] = []
    for at, finished in enumerate(summary["finished"]):
        winner = finished["winner"]
        for mine in (0, 1):
            me, other = summary["players"][mine], summary["players"][1 - mine]
            points = 0.5
            if winner is not None:
                points = float(winner == mine)
            second = (summary["first"] + at) % 2 != mine
            who = (me["name"], me["level"], other["name"], other["level"])
            rows.append((match_id, at, mine, place, game, *who, points, finished["assisted"], second))
    return rows


def _sum(row: Iterable[Any]) -> int:
    return zlib.crc32(repr(tuple(row)).encode("utf-8", "replace"))


def verified(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row, whose last column is its checksum, without it; raises Damaged."""
    if _sum(row[:-1]) != row[-1]:
        raise Damaged("a row is not as it was written")
    return row[:-1]
