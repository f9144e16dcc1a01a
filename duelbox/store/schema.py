"""The database: its schema and migrations, and how it is opened so that nothing acknowledged is lost.

sqlite3 of the standard library, without a mapper on top: there are three tables and a dozen statements, all in
`rows`; a mapper would add up to 250 ms to every start, and hide the pragmas and transactions that matter here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

APPLICATION_ID = 0x6475656C  # "duel"
PAGE_SIZE = 4096

# `move` is the log and the only truth: rows are only ever added (an undo is a row, deleting a match is a row), and
# each carries a hash chained over all rows of its match before it. `summary` follows from the log; it is there to list
# and filter 100,000 matches at once, and its `steps` and `hash` tell where the log of a match must end. `lease` says
# which matches are being played at this moment. Tables without rowids keep a match's rows side by side. No index: going
# through all of `summary` takes 15 ms for 100,000 matches, and an index can be wrong without anybody noticing.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE move (
            id TEXT NOT NULL, number INTEGER NOT NULL, round INTEGER NOT NULL, what TEXT NOT NULL,
            at INTEGER NOT NULL, hash BLOB NOT NULL,
            PRIMARY KEY (id, number)
        ) WITHOUT ROWID""",
        """CREATE TRIGGER move_is_never_changed BEFORE UPDATE ON move
            BEGIN SELECT RAISE(ABORT, 'moves are only ever added'); END""",
        """CREATE TRIGGER move_is_never_deleted BEFORE DELETE ON move
            BEGIN SELECT RAISE(ABORT, 'moves are only ever added'); END""",
        """CREATE TABLE summary (
            id TEXT NOT NULL PRIMARY KEY, game TEXT NOT NULL,
            name_1 TEXT NOT NULL, level_1 TEXT, name_2 TEXT NOT NULL, level_2 TEXT,
            rounds INTEGER NOT NULL, first INTEGER NOT NULL, started INTEGER NOT NULL, last_played INTEGER NOT NULL,
            moves INTEGER NOT NULL, finished TEXT NOT NULL, result TEXT, deleted INTEGER NOT NULL,
            steps INTEGER NOT NULL, hash BLOB NOT NULL, seal BLOB NOT NULL
        ) WITHOUT ROWID""",
        """CREATE TABLE lease (
            id TEXT NOT NULL PRIMARY KEY, instance TEXT NOT NULL, process INTEGER NOT NULL, beat REAL NOT NULL
        ) WITHOUT ROWID""",
    ),
)
VERSION = len(MIGRATIONS)


# What survives a power cut: SQLite's default (DELETE + FULL) forgets to sync the folder after deleting the journal,
# so a finished commit can be rolled back; WAL + NORMAL does not sync at commit at all; WAL + FULL is safe, but
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
    "recursive_triggers=ON",
)


class Newer(Exception):
    """The file was written by a newer duelbox; its version is the argument."""


class Damaged(Exception):
    """What is in the file can't be what was written."""


def connect(path: Path, timeout: float) -> sqlite3.Connection:
    """Open a database file with the settings that keep it safe; raises Newer before it touches the file."""
    _refuse_newer(path)
    # One thread at a time uses it (the store's own), but it need not be the one that made it.
    db = sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)
    # Text that is no UTF-8 must reach the hash check, not raise on its way there.
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    try:
        for pragma in PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
    except BaseException:
        db.close()
        raise
    return db


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a database file that can't be written."""
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", timeout=0.2, isolation_level=None, uri=True)


def _refuse_newer(path: Path) -> None:
    """Look at the header itself: even opening a file of another version could change it."""
    if not path.exists():
        return
    with path.open("rb") as file:
        header = file.read(72)
    if header.startswith(b"SQLite format 3\0") and header[68:] == APPLICATION_ID.to_bytes(4, "big"):
        version = int.from_bytes(header[60:64], "big", signed=True)
        if version > VERSION:
            raise Newer(version)


def prepare(db: sqlite3.Connection, path: Path | None, migrations: Sequence[Sequence[str]] = MIGRATIONS) -> None:
    """Bring the schema up to date, in one transaction, after a backup of the file if there is one; raises Damaged."""
    with transaction(db, "DEFERRED"):  # another process that makes the file just now must not be seen half-way
        version = _version(db)
    if version < len(migrations):
        if version and path is not None:
            _back_up(db, path.with_name(f"{path.stem}.v{version}{path.suffix}"))
        with transaction(db):
            # Another process may have been faster while this one waited for the lock.
            for migration in migrations[_version(db) :]:
                for statement in migration:
                    db.execute(statement)
            db.execute(f"PRAGMA application_id={APPLICATION_ID}")
            db.execute(f"PRAGMA user_version={len(migrations)}")
    if not _fresh_schema(migrations) <= _schema(db):
        raise Damaged("the schema is not ours")


def _version(db: sqlite3.Connection) -> int:
    """The version of the schema; 0 for a new file."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    ours = application == APPLICATION_ID
    if ours != bool(version) or (not ours and (application or _schema(db))):
        raise Damaged("the file is not ours")
    return int(version)


def _back_up(db: sqlite3.Connection, backup: Path) -> None:
    if not backup.exists():
        db.execute("VACUUM INTO ?", (str(backup),))


def _schema(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    return set(db.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


def _fresh_schema(migrations: Sequence[Sequence[str]]) -> set[tuple[str, str, str]]:
    db = memory(migrations)
    try:
        return _schema(db)
    finally:
        db.close()


def memory(migrations: Sequence[Sequence[str]] = MIGRATIONS) -> sqlite3.Connection:
    """A database that is gone with the process."""
    db = empty()
    for migration in migrations:
        for statement in migration:
            db.execute(statement)
    return db


def empty() -> sqlite3.Connection:
    """Memory for a database, without a schema."""
    return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)


class transaction:  # noqa: N801 - used like a function, `with transaction(db):`
    """All or nothing; BEGIN IMMEDIATE, since a read that turns into a write can't wait for another writer."""

    def __init__(self, db: sqlite3.Connection, kind: str = "IMMEDIATE") -> None:
        self._db = db
        self._kind = kind

    def __enter__(self) -> None:
        self._db.execute(f"BEGIN {self._kind}")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            try:
                self._db.execute("COMMIT")
            except sqlite3.Error:
                self._roll_back()
                raise
        else:
            self._roll_back()

    def _roll_back(self) -> None:
        # SQLite has rolled back by itself after some errors (a full disk, for one).
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
