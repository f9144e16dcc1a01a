"""The index: an SQLite file with the newest row of every match and all marks of progress, made from the journals.

Lists and statistics are read from it. It also holds a second copy of every row, so that a damaged archive is restored
from the index, and the other way round. It uses the standard library's sqlite3 directly: an object-relational mapper
would add up to 250 ms to every start and hide the pragmas and transactions that matter here.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from duelbox.store.journal import checksum

APPLICATION_ID = 0x6475656C  # "duel"
PAGE_SIZE = 4096

COLUMNS = {
    "match": "sum, number, place, id, game, pair, result, listed, summary, record, undone",
    "progress": "sum, number, kind, key, at, json",
}
"""The columns of each table: the checksum of its line, and then those that a line has after the table's name.

`number` grows with every change; the row of a match with the highest number is the valid one. `place` is the number of
the change by which a match was played last, so that matches sorted by it are in the order of play.
"""
TABLES = (
    """CREATE TABLE match (
        number INTEGER NOT NULL, place INTEGER NOT NULL, id TEXT NOT NULL UNIQUE, game TEXT NOT NULL,
        pair TEXT NOT NULL, result TEXT, listed INTEGER NOT NULL,
        summary TEXT NOT NULL, record TEXT NOT NULL, undone TEXT NOT NULL, sum TEXT NOT NULL
    )""",
    "CREATE INDEX match_number ON match (number)",
    "CREATE INDEX match_short ON match (game, pair, place, result, listed)",
    "CREATE INDEX match_latest ON match (place) WHERE listed",
    "CREATE INDEX match_unfinished ON match (place) WHERE listed AND result IS NULL",
    """CREATE TABLE progress (
        number INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, json TEXT NOT NULL,
        sum TEXT NOT NULL, UNIQUE (kind, key, at, json)
    )""",
    "CREATE INDEX progress_number ON progress (number)",
    """CREATE TABLE round (
        id TEXT NOT NULL, at INTEGER NOT NULL, seat INTEGER NOT NULL, place INTEGER NOT NULL, game TEXT NOT NULL,
        player TEXT NOT NULL, own_level TEXT, opponent TEXT NOT NULL, level TEXT,
        points REAL NOT NULL, assisted INTEGER NOT NULL, second INTEGER NOT NULL,
        PRIMARY KEY (id, at, seat)
    ) WITHOUT ROWID""",
    """CREATE INDEX round_short ON round (
        own_level, player, game, opponent, level, place, at, points, assisted, second
    )""",
    "CREATE TABLE archive (size INTEGER NOT NULL, crc INTEGER NOT NULL)",
)
ROUNDS = """
    SELECT match.id, done.key AS at, seats.mine, match.place, match.game,
        json_extract(match.summary, '$.players[' || seats.mine || '].name'),
        json_extract(match.summary, '$.players[' || seats.mine || '].level'),
        json_extract(match.summary, '$.players[' || (1 - seats.mine) || '].name'),
        json_extract(match.summary, '$.players[' || (1 - seats.mine) || '].level'),
        ifnull(json_extract(done.value, '$.winner') = seats.mine, 0.5) * 1.0, json_extract(done.value, '$.assisted'),
        (json_extract(match.summary, '$.first') + done.key) % 2 <> seats.mine
    FROM match, json_each(match.summary, '$.finished') AS done, (SELECT 0 AS mine UNION ALL SELECT 1) AS seats
    WHERE match.listed"""
"""The rows of `round`: each finished round as each of the two players saw it, a win 1 point and a draw ½."""

# The safe mode against power cuts: SQLite's default (DELETE + FULL) does not sync the folder after it has deleted the
# journal, so a finished commit can be rolled back; WAL + NORMAL does not sync at commit at all; WAL + FULL is safe, but
# before 3.51.3 a checkpoint can meet a second writer badly, and it can't be read in a read-only folder. With
# PERSIST + FULL a commit is done when the journal's header has been overwritten *and synced*: nothing
# acknowledged is lost, and it is as fast as any other rollback mode. fullfsync: on macOS an fsync alone
# stops at the drive's cache.
PRAGMAS = (
    f"page_size={PAGE_SIZE}",
    "journal_mode=PERSIST",
    "synchronous=FULL",
    "fullfsync=ON",
    "cell_size_check=ON",
    "trusted_schema=OFF",
)


class Damaged(Exception):
    """The content of the file differs from what was written."""


# In an undamaged file no statement of ours breaks a constraint, meets a row that is too big or lacks a table,
# and a valid header always names a format that SQLite knows.
_DAMAGE = {
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT),
    *(sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH),
}
FAULTS = (sqlite3.Error, Damaged, UnicodeDecodeError)
"""The exceptions a damaged file can raise; the last when SQLite's message quotes damaged bytes."""


def is_damage(error: Exception) -> bool:
    """True if the error comes from a damaged file, not from the disk or another program."""
    return isinstance(error, Damaged | UnicodeDecodeError) or getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE


def connect(path: Path, timeout: float) -> sqlite3.Connection:
    """Open an index, and create a missing one; raises Damaged for a file that is no index of ours."""
    # Only one thread at a time uses the connection, but not always the thread that opened it.
    db = sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)
    db.text_factory = _decoded
    try:
        for pragma in PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        with transaction(db):
            if not _schema(db) and not db.execute("PRAGMA application_id").fetchone()[0]:
                _create(db)
                db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        if _schema(db) != set(TABLES):
            raise Damaged("the schema is not ours")
    except BaseException:
        db.close()
        raise
    return db


def connect_read_only(path: Path, how: str) -> sqlite3.Connection:
    """Open an existing database to read it; `how` is the query of its URI, such as "immutable=1"."""
    db = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", timeout=0.2, isolation_level=None, uri=True)
    db.text_factory = _decoded
    return db


def _decoded(raw: bytes) -> str:
    """Decode text without raising for bad UTF-8: the checksum will reject it."""
    return raw.decode("utf-8", "replace")


def memory() -> sqlite3.Connection:
    """Create an index in memory, which ends with the process."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _create(db)
    return db


def _create(db: sqlite3.Connection) -> None:
    for statement in TABLES:
        db.execute(statement)
    db.execute("INSERT INTO archive VALUES (0, 0)")


def _schema(db: sqlite3.Connection) -> set[str]:
    """Return the SQL of all tables and indexes, except SQLite's own statistics, which do no harm."""
    query = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite#_stat%' ESCAPE '#'"
    return {row[0] for row in db.execute(query)}


@contextmanager
def transaction(db: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """Commit the block or roll it back. IMMEDIATE, since a read that becomes a write can't wait for another writer."""
    with db:  # commits, or rolls back
        db.execute(f"BEGIN {kind}")
        yield


# -- rows


def line(table: str, *columns: object) -> str:
    """Write a row as the JSON that a line of a journal has; other JSON for bytes, which only a damaged row has."""
    return json.dumps([table, *columns], default=repr)


def put(db: sqlite3.Connection, text: str) -> None:
    """Write the row of a line, unless it or a newer one is there. Raises sqlite3.Error, ValueError or TypeError."""
    table, *columns = json.loads(text)
    places = ", ".join("?" * (len(columns) + 1))
    if table == "match":
        number, _, match_id, *_ = columns
        if db.execute("SELECT 1 FROM match WHERE id = ? AND number >= ?", (match_id, number)).fetchone():
            return
        db.execute(f"REPLACE INTO match ({COLUMNS[table]}) VALUES ({places})", (checksum(text), *columns))
        db.execute("DELETE FROM round WHERE id = ?", (match_id,))
        db.execute(f"INSERT INTO round {ROUNDS} AND match.id = ?", (match_id,))
    elif table == "progress":
        db.execute(f"INSERT OR IGNORE INTO progress ({COLUMNS[table]}) VALUES ({places})", (checksum(text), *columns))
    else:
        raise ValueError(f"no rows of {table} are known")


def put_all(db: sqlite3.Connection, texts: Iterable[str]) -> int:
    """Write the rows of lines that nobody vouches for, and return the number of lines without a row."""
    bad = 0
    for text in texts:
        try:
            put(db, text)
        except (ValueError, TypeError, RecursionError, *FAULTS) as error:
            if isinstance(error, sqlite3.Error) and not is_damage(error):
                raise  # a full disk
            bad += 1
    return bad


def next_number(db: sqlite3.Connection) -> int:
    """Return the number of the next change."""
    query = "SELECT max(ifnull((SELECT max(number) FROM match), 0), ifnull((SELECT max(number) FROM progress), 0)) + 1"
    return int(db.execute(query).fetchone()[0])


def sums(db: sqlite3.Connection) -> set[str]:
    """Return the checksums of all rows."""
    return {check for (check,) in db.execute("SELECT sum FROM match UNION ALL SELECT sum FROM progress")}


def verified(table: str, row: Sequence[Any]) -> str:
    """Return the line of a row, which begins with its checksum; raises Damaged."""
    check, *columns = row
    if checksum(text := line(table, *columns)) != check:
        raise Damaged(f"{table} {columns[2]} is not as it was written")
    return text


def line_of(db: sqlite3.Connection, match_id: str) -> str | None:
    """Return the line of a match, or None if it has none; raises Damaged."""
    row = db.execute(f"SELECT {COLUMNS['match']} FROM match WHERE id = ?", (match_id,)).fetchone()
    return row and verified("match", row)


def rows(db: sqlite3.Connection, without: Set[str] = frozenset()) -> list[tuple[int, str, str]]:
    """List all undamaged rows in order of their numbers, except those whose checksums are in `without`.

    Each entry has the row's number, its match (empty for progress), and its line. Unreadable rows are left out.
    """
    lines = []
    for table, columns in COLUMNS.items():
        with suppress(*FAULTS):
            for row in db.execute(f"SELECT {columns} FROM {table}"):
                with suppress(Damaged):
                    if row[0] not in without:
                        lines.append((row[1], row[3] if table == "match" else "", verified(table, row)))
    return sorted(lines)


def archive_read(db: sqlite3.Connection) -> tuple[int, int]:
    """Return the size and the CRC-32 that the archive had when the index last held all of its lines."""
    size, crc = db.execute("SELECT size, crc FROM archive").fetchone() or (0, 0)
    return size, crc


def note_archive(db: sqlite3.Connection, size: int, crc: int) -> None:
    """Keep the size and the CRC-32 of an archive whose lines are all in the index."""
    db.execute("UPDATE archive SET size = ?, crc = ?", (size, crc))


def seal(db: sqlite3.Connection) -> str:
    """Return a checksum of the whole file; empty where SQLite was built without a way to read it."""
    return f"{zlib.crc32(db.serialize()):08x}" if hasattr(db, "serialize") else ""


def faults(db: sqlite3.Connection) -> list[str]:
    """Describe all damage that SQLite's integrity check, the checksums, or the rounds in the summaries reveal."""
    found = [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    for table, columns in COLUMNS.items():
        for row in db.execute(f"SELECT {columns} FROM {table}"):
            try:
                verified(table, row)
            except Damaged as error:
                found.append(f"{error}")
    (expected,) = db.execute(f"SELECT count(*) FROM ({ROUNDS})").fetchone()
    (counted,) = db.execute("SELECT count(*) FROM round").fetchone()
    if not found and (expected != counted or db.execute(f"{ROUNDS} EXCEPT SELECT * FROM round").fetchone()):
        found.append("the rounds are not those of the matches")
    return found
