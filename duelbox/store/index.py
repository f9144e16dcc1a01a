"""The index: an SQLite file with a row for every match and every mark of progress in the history, for lists and counts.

It is a cache: the history as it was once, in a file that is never changed, only replaced by a newer one. What has come
since is read into a transaction in memory that is never committed, and so is, for a query, what is being played. It is
made anew whenever it is missing, of another version, damaged or not usable, and nothing ever comes back from it. It
uses the standard library's sqlite3 directly: an object-relational mapper would add up to 250 ms to every start.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from duelbox.store import files
from duelbox.store.journal import lines_in
from duelbox.store.times import moment

APPLICATION_ID = 0x6475656C  # "duel"
PAGE_SIZE = 4096
VERIFIED = 16_000_000
"""The size up to which an index, of about 14,000 matches, is verified at every start, in 25 ms at most."""
TAIL = 4096
"""Bytes at the end of what was read; where they are not as they were, the history is another one."""

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
        size INTEGER NOT NULL, changed INTEGER NOT NULL, crc INTEGER NOT NULL, number INTEGER NOT NULL,
        day TEXT NOT NULL
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
PRAGMAS = ("journal_mode=MEMORY", "synchronous=OFF", "cell_size_check=ON", "trusted_schema=OFF", "cache_spill=OFF")
"""With these, nothing reaches the disk before a commit."""
NEW = (f"page_size={PAGE_SIZE}", f"application_id={APPLICATION_ID}", "cache_size=-16000", *PRAGMAS[:4])
"""With these, a new index takes no more than 16 MB of memory."""
_SEAL = 60
"""The place in the file of SQLite's number of a user, which holds the checksum of the rest."""


class Damaged(Exception):
    """The content of the index differs from what was written, or does not belong to the history."""


class Outdated(Damaged):
    """The history is not the one that the index was made from, with lines added."""


_STRANGE = (
    *(ValueError, TypeError, LookupError, RecursionError, OverflowError),
    *(sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.ProgrammingError, sqlite3.DataError),
)
"""The exceptions of a line that is whole and makes no row: another version wrote it."""
FAULTS = (sqlite3.Error, Damaged, UnicodeDecodeError)
"""The exceptions a damaged file can raise; the last when SQLite's message quotes damaged bytes."""


class Noted(NamedTuple):
    """The part of the history that an index has read."""

    size: int
    """The byte after the last line that was read."""
    changed: int
    """The time of the file's last change, in nanoseconds."""
    crc: int
    """The CRC-32 of the last bytes that were read."""
    number: int
    """The highest number of a change."""
    day: str
    """The day of the last line, such as 2026-03-04; empty before the first."""


NOTHING = Noted(0, 0, 0, 0, "")


# -- the file


def is_ours(path: Path) -> bool:
    """True if a file can be an index of ours, or is empty, or is not there; raises OSError."""
    with suppress(FileNotFoundError), files.raw_file(path) as file:
        head = file.read(100)
        return not head or head[68:72] == APPLICATION_ID.to_bytes(4, "big")
    return True


def strangers(path: Path) -> list[Path]:
    """The files that are in the way of an index; raises OSError for what is no file."""
    return _beside(path) if is_ours(path) else [path, *_beside(path)]


def _beside(path: Path) -> list[Path]:
    """The files of SQLite that belong to another database: ours has none."""
    files.check_database(path)
    paths = [path.with_name(path.name + ending) for ending in files.BESIDE]
    return [one for one in paths if one.exists()]


def connect(path: Path) -> sqlite3.Connection:
    """Open an index that is there; raises Damaged, OSError or sqlite3.Error for one that cannot be used."""
    if _beside(path):
        raise Damaged("another file is in the way")
    with files.raw_file(path) as file:
        if not _is_sealed(file):
            raise Damaged("the content is not as it was written")
    db = _begin(f"{path.absolute().as_uri()}?mode=rw&nolock=1", PRAGMAS)
    try:
        if _schema(db) != {*TABLES, *LOOKUPS}:
            raise Damaged("the schema is not ours")
    except BaseException:
        db.close()
        raise
    return db


def memory() -> sqlite3.Connection:
    """Create an index in memory, which ends with the process."""
    db = _begin(":memory:", ())
    _create(db)
    return db


def make(path: Path, history: Path) -> None:
    """Make the index of a history anew; raises OSError or sqlite3.Error."""
    with files.new_beside(path) as temporary:
        with closing(_begin(temporary.absolute().as_uri(), NEW)) as db:
            _create(db, history)
            db.execute("COMMIT")
        _seal(temporary)


def renew(path: Path, history: Path) -> None:
    """Replace an index by one that has read on; raises Damaged, OSError or sqlite3.Error."""
    with files.new_beside(path) as temporary:
        files.copy(path, temporary)
        with closing(connect(temporary)) as db:
            read_on(db, history)
            db.execute("COMMIT")
        _seal(temporary)


def _create(db: sqlite3.Connection, history: Path | None = None) -> None:
    """Create all tables, read the history, and create the lookups last, which is quicker."""
    for table in TABLES:
        db.execute(table)
    db.execute("INSERT INTO noted VALUES (?, ?, ?, ?, ?)", NOTHING)
    if history is not None:
        read_on(db, history)
    for lookup in LOOKUPS:
        db.execute(lookup)


def _begin(address: str, pragmas: Iterable[str]) -> sqlite3.Connection:
    """Open a database, and begin the transaction in which all is read and written."""
    # Only one thread at a time uses the connection, but not always the thread that opened it.
    db = sqlite3.connect(address, isolation_level=None, check_same_thread=False, uri=True)
    try:
        for pragma in pragmas:
            db.execute(f"PRAGMA {pragma}")
        db.execute("BEGIN")
    except BaseException:
        db.close()
        raise
    return db


def _schema(db: sqlite3.Connection) -> set[str]:
    return {row[0] for row in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}


def _seal(path: Path) -> None:
    with files.raw_file(path, write=True) as file:
        crc = _checksum(file)
        file.seek(_SEAL)
        file.write(crc)


def _is_sealed(file: IO[bytes]) -> bool:
    file.seek(_SEAL)
    return file.read(4) == _checksum(file)


def _checksum(file: IO[bytes]) -> bytes:
    """A checksum of all but the seal; of a large file, only of what is before it."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    crc = zlib.crc32(file.read(_SEAL))
    file.seek(_SEAL + 4)
    while size <= VERIFIED and (part := file.read(1 << 20)):
        crc = zlib.crc32(part, crc)
    return crc.to_bytes(4, "big")


# -- the history


def noted(db: sqlite3.Connection) -> Noted:
    """Return the part of the history that the index has read."""
    row = db.execute("SELECT size, changed, crc, number, day FROM noted").fetchone()
    if row is None:
        raise Damaged("it does not say what it has read")
    return Noted(*row)


def read_on(db: sqlite3.Connection, history: Path, *, locked: bool = False) -> None:
    """Take up what the history has got since it was read; one `stat` where that is nothing. Raises Outdated.

    What is behind the last whole line may still be in the making, and is left; in a `locked` history, it is damage.
    """
    size = 0
    changed = 0
    with suppress(FileNotFoundError):
        found = history.stat()
        size = found.st_size
        changed = found.st_mtime_ns if size else 0
    before = noted(db)
    if (size, changed) == (before.size, before.changed):
        return
    if size <= before.size:
        raise Outdated("the history is another one")
    with files.raw_file(history) as file, _step(db, keep=True):
        if _tail(file, before.size) != before.crc:
            raise Outdated("the history is another one")
        _read_lines(db, file, before, to_the_end=locked)


def _read_lines(db: sqlite3.Connection, file: IO[bytes], before: Noted, *, to_the_end: bool) -> None:
    """Put the lines behind what was read before, up to the last whole one or to the end."""
    changed = os.fstat(file.fileno()).st_mtime_ns
    size = before.size
    number = before.number
    day = before.day
    damaged: list[tuple[int, str]] = []
    for line in lines_in(file, before.size):
        put = None
        if line.text is not None:
            with suppress(*_STRANGE):
                put = _put(db, line.at, line.size, json.loads(line.text))
        if put is None:
            damaged.append((line.at, day))
        else:
            number = max(number, put.number)
            day = put.day or day
        if line.text is not None or to_the_end:
            size = line.at + line.size
            if damaged:
                db.executemany("INSERT INTO damage VALUES (?, ?)", damaged)
                damaged.clear()
    after = Noted(size, changed, _tail(file, size), number, day)
    db.execute("UPDATE noted SET size = ?, changed = ?, crc = ?, number = ?, day = ?", after)


def _tail(file: IO[bytes], size: int) -> int:
    start = max(0, size - TAIL)
    file.seek(start)
    return zlib.crc32(file.read(size - start))


@contextmanager
def laid_over(db: sqlite3.Connection, texts: Iterable[str]) -> Iterator[None]:
    """Show these lines as if they were in the history, for as long as the block runs."""
    with _step(db, keep=False):
        for text in texts:
            with suppress(*_STRANGE):  # of a newer version
                _put(db, -1, 0, json.loads(text))
        yield


@contextmanager
def _step(db: sqlite3.Connection, *, keep: bool) -> Iterator[None]:
    """Take the changes of the block back in the end, or `keep` them unless it raises."""
    db.execute("SAVEPOINT step")
    try:
        yield
    except BaseException:
        keep = False
        raise
    finally:
        if not keep:
            db.execute("ROLLBACK TO step")
        db.execute("RELEASE step")


class Damage(NamedTuple):
    """The damaged lines of the history."""

    places: tuple[int, ...] = ()
    """The bytes at which they begin."""
    days: tuple[str, ...] = ()
    """The days of the lines before them, in order."""


def damage(db: sqlite3.Connection) -> Damage:
    """Return the damaged lines that the index has met."""
    rows = db.execute("SELECT at, day FROM damage ORDER BY at").fetchall()
    days = sorted({day for _, day in rows if day})
    return Damage(tuple(at for at, _ in rows), tuple(days))


def lacking(db: sqlite3.Connection, before: sqlite3.Connection) -> str:
    """Tell in words what an index from before has more than this one; empty for nothing."""
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


def verify(db: sqlite3.Connection) -> None:
    """Read all matches; raises Damaged."""
    for row in db.execute(f"SELECT {COLUMNS} FROM match"):
        verified(row)


# -- rows


class MatchLine(NamedTuple):
    """A match as a line of a journal or of the history has it."""

    number: int
    """The number of the change; the highest of a match holds."""
    place: int
    """The number of the change by which it was played last."""
    id: str
    game: str
    pair: str
    """Both players, as JSON."""
    result: str | None
    listed: int
    summary: str
    record: str
    undone: str
    """The undone turns of each round, as JSON."""


def line(table: str, *columns: object) -> str:
    """Write a row as the JSON that a line of a journal has."""
    return json.dumps([table, *columns])


def match_in(text: str) -> MatchLine | None:
    """Read a line; None if it is not of a match."""
    table, *columns = json.loads(text)
    return MatchLine(*columns) if table == "match" else None


class _Put(NamedTuple):
    number: int
    """The number of the change."""
    day: str
    """Its day; empty for the first line of the history."""


def _put(db: sqlite3.Connection, at: int, size: int, columns: list[Any]) -> _Put:
    """Write the row of a line; of the lines of a match, the one with the highest number holds."""
    if columns[0] == "match":
        return _put_match(db, at, size, MatchLine(*columns[1:]))
    if columns[0] == "progress":
        _, number, *row = columns
        db.execute("INSERT OR IGNORE INTO progress VALUES (?, ?, ?, ?, ?)", (*row, _sum(row)))
        return _Put(number, f"{moment(row[2]):%Y-%m-%d}")
    if columns[0] == "archive":
        return _Put(0, "")
    raise ValueError(f"no rows of {columns[0]} are known")


def _put_match(db: sqlite3.Connection, at: int, size: int, one: MatchLine) -> _Put:
    summary = json.loads(one.summary)
    put = _Put(one.number, summary["last_played"][:10])
    known = db.execute("SELECT number FROM match WHERE id = ?", (one.id,)).fetchone()
    if known and known[0] >= one.number:
        return put
    if known:
        db.execute("DELETE FROM match WHERE id = ?", (one.id,))
        db.execute("DELETE FROM round WHERE id = ?", (one.id,))
    row = (*one[:7], summary["started"], one.summary, at, size)
    db.execute("INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, _sum(row)))
    if one.listed:
        rounds = _rounds(one.id, one.place, one.game, summary)
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
