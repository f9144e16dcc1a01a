"""The database: its tables and migrations, and how it is opened so that nothing acknowledged is lost.

sqlite3 of the standard library, without a mapper on top: there are three tables and a dozen statements; a mapper would
add up to 250 ms to every start, and hide the pragmas and transactions that matter here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from duelbox.store.files import make_private

APPLICATION_ID = 0x6475656C  # "duel"
PAGE_SIZE = 4096

# A row of `match` is a match: its record, what can be played again, and what is asked for in lists, with a checksum
# over all of it. `seq` grows with every change of any match, so it is the order in which things happened. The indexes
# hold all that lists and statistics ask for. `lease` says which matches are being played at this moment.
TABLES = (
    """CREATE TABLE match (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, sum TEXT NOT NULL, game TEXT NOT NULL, pair TEXT NOT NULL,
        result TEXT, results TEXT NOT NULL, listed INTEGER NOT NULL,
        summary TEXT NOT NULL, record TEXT NOT NULL, undone TEXT NOT NULL
    )""",
    "CREATE INDEX match_short ON match (game, pair, seq, results, result, listed)",
    "CREATE INDEX match_unfinished ON match (seq) WHERE listed AND result IS NULL",
    """CREATE TABLE progress (
        seq INTEGER PRIMARY KEY, sum TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, json TEXT NOT NULL
    )""",
    "CREATE INDEX progress_key ON progress (kind, key)",
    """CREATE TABLE lease (
        id TEXT NOT NULL PRIMARY KEY, instance TEXT NOT NULL, process INTEGER NOT NULL, beat REAL NOT NULL
    ) WITHOUT ROWID""",
)
Migration = Callable[[sqlite3.Connection], object]


def _create(db: sqlite3.Connection) -> None:
    for statement in TABLES:
        db.execute(statement)


def _from_version_1(db: sqlite3.Connection) -> None:
    """Version 1 had a row for every move."""
    from duelbox.store import version_1
    from duelbox.store.matches import Kept, put, row_of

    matches = [Kept(*match) for match in version_1.matches(db)]
    for table in ("move", "summary", "lease"):
        db.execute(f"DROP TABLE {table}")
    _create(db)
    for match in matches:
        put(db, row_of(match))


def _from_version_2(db: sqlite3.Connection) -> None:
    """Version 2 did not say beside the results who began."""
    from duelbox.store.matches import COLUMNS, put, renewed

    for seq, *row in db.execute(f"SELECT seq, {COLUMNS} FROM match").fetchall():
        put(db, renewed(tuple(row)), seq)


MIGRATIONS: tuple[Migration, ...] = (_create, _from_version_1, _from_version_2)
"""What brings a file from each version, or from nothing, to the next; a new file begins with the last tables."""
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
)


class Newer(Exception):
    """The file was written by a newer duelbox; its version is the argument."""


class Damaged(Exception):
    """What is in the file can't be what was written."""


# No statement here can break a constraint, ask for a row too big or for a table there is not, unless what is there
# is wrong; nor can a header that is whole ask for a format there is not.
_DAMAGE = {
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT),
    *(sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH),
}
FAULTS = (sqlite3.Error, Damaged, UnicodeDecodeError)
"""What a file can raise; the last where SQLite's own message quotes the damage."""


def code_of(error: Exception) -> int:
    """SQLite's code of an error, without what it adds to it; 0 for others."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def is_damage(error: Exception) -> bool:
    """Whether the file, and not the disk or another program, is the matter."""
    return isinstance(error, Damaged | UnicodeDecodeError) or code_of(error) in _DAMAGE


def connect(path: Path, timeout: float, pragmas: Iterable[str] = ()) -> sqlite3.Connection:
    """Open a database file with the settings that keep it safe; raises Newer before it touches the file."""
    if path.exists():
        # The header itself is looked at: even opening a file of another version could change it.
        with path.open("rb") as file:
            header = file.read(72)
        version = int.from_bytes(header[60:64], "big", signed=True)
        ours = header.startswith(b"SQLite format 3\0") and header[68:] == APPLICATION_ID.to_bytes(4, "big")
        if ours and version > VERSION:
            raise Newer(version)
    # One thread at a time uses it (the store's own), but it need not be the one that made it.
    db = sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)
    db.text_factory = _decoded
    try:
        for pragma in (*PRAGMAS, *pragmas):
            db.execute(f"PRAGMA {pragma}")
    except BaseException:
        db.close()
        raise
    return db


def connect_read_only(path: Path, how: str = "mode=ro") -> sqlite3.Connection:
    """Open a database file that can't, or must not, be written."""
    db = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", timeout=0.2, isolation_level=None, uri=True)
    db.text_factory = _decoded
    return db


def _decoded(raw: bytes) -> str:
    """Text that is no UTF-8 must reach the checksum, not raise on its way there."""
    return raw.decode("utf-8", "replace")


def prepare(db: sqlite3.Connection, path: Path | None, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring the tables up to date, in one transaction, after a backup of the file if there is one; raises Damaged."""
    with transaction(db, "DEFERRED"):  # another process that makes the file just now must not be seen half-way
        version = _version(db)
    if version < len(migrations):
        if version and path is not None:
            backup = path.with_name(f"{path.stem}.v{version}{path.suffix}")
            if not backup.exists():
                db.execute("VACUUM INTO ?", (str(backup),))
                make_private(backup)
        with transaction(db):
            # Another process may have been faster while this one waited for the lock.
            version = _version(db)
            for migration in migrations[version:] if version else migrations[:1]:
                migration(db)
            db.execute(f"PRAGMA application_id={APPLICATION_ID}")
            db.execute(f"PRAGMA user_version={len(migrations)}")
    if _schema(db) != set(TABLES) and migrations is MIGRATIONS:
        raise Damaged("the schema is not ours")


def _version(db: sqlite3.Connection) -> int:
    """The version of the schema; 0 for a new file."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    ours = application == APPLICATION_ID
    if ours != bool(version) or (not ours and (application or _schema(db))):
        raise Damaged("the file is not ours")
    return int(version)


def _schema(db: sqlite3.Connection) -> set[str]:
    """All there is; statistics of SQLite's own, which some program may have asked for, do no harm."""
    query = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite#_stat%' ESCAPE '#'"
    return {row[0] for row in db.execute(query)}


def memory() -> sqlite3.Connection:
    """A database that is gone with the process."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _create(db)
    return db


@contextmanager
def transaction(db: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """All or nothing; BEGIN IMMEDIATE, since a read that turns into a write can't wait for another writer."""
    with db:  # commits, or rolls back
        db.execute(f"BEGIN {kind}")
        yield
