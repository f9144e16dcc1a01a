"""The file behind the store: opened, kept usable, repaired; where that can't be, memory takes its place."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from duelbox.core.errors import DuelboxError
from duelbox.store.rows import look_over
from duelbox.store.salvage import Salvaged, salvage
from duelbox.store.schema import Damaged, Newer, connect, connect_read_only, empty, memory, prepare, transaction

T = TypeVar("T")
BUSY_SECONDS = 5.0
PATIENCE_AT_START = 3.0
LOOKED_OVER = 8_000_000
"""The size up to which a file is looked over at every start: about 7,000 matches, 40 ms."""

# No statement here can break a constraint or ask for a row too big, unless the rows that are there are wrong.
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_TOOBIG}
_DAMAGED_AT_START = _DAMAGED | {sqlite3.SQLITE_ERROR}  # a header that asks for a format there is not
_FAULTS = (sqlite3.Error, Damaged, UnicodeDecodeError)  # the last where SQLite's own message quotes the damage
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_READ_ONLY = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN}
_UNTIL_QUIT = "What you play now is kept only until you quit."
_AGAIN = "What you play is kept in memory, and saving is tried again with every move."


class Unavailable(DuelboxError):
    """The saved games can't be read or written just now."""


class Database:
    """One connection, used by one thread at a time. `repaired` and `trouble` are sentences for people."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: tuple[int, int] | None = None
        self._retry = False
        self.repaired: str | None = None
        self.trouble: str | None = None
        self._db = self._open()

    @property
    def kept(self) -> bool:
        """Whether a file is behind it."""
        return self._file is not None

    def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """The answer of a query that sees one moment only; raises Unavailable."""
        return self._run(query, "DEFERRED")

    def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Change the database all at once; when it returns, that is on disk. Raises Unavailable."""
        if self._retry and not self.kept:
            self._try_again()
        done = self._run(change, "IMMEDIATE")
        if self.kept:
            self.trouble = None
        return done

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    # -- opening

    def _open(self) -> sqlite3.Connection:
        for _ in range(2):
            found = self._identity()
            try:
                return self._connect(PATIENCE_AT_START)
            except Newer as newer:
                self.trouble = f"{self._path} was written by a newer duelbox (version {newer}). {_UNTIL_QUIT}"
                return self._salvaged_copy()
            except OSError as error:
                self.trouble = f"Saved games can't be kept in {self._path.parent}: {_reason(error)}. {_UNTIL_QUIT}"
                return self._copy()
            except _FAULTS as error:
                if not _is_damage(error, _DAMAGED_AT_START):
                    self._retry = _code(error) not in _READ_ONLY
                    self.trouble = self._sentence(error)
                    return self._copy()
            try:
                self._repair(found)
            except (OSError, sqlite3.Error) as error:
                self._retry = _code(error) in _LOCKED
                self.trouble = f"{self._path} is damaged and can't be set aside ({_reason(error)}). {_UNTIL_QUIT}"
                return self._salvaged_copy()
        self.trouble = f"{self._path} can't be repaired. {_UNTIL_QUIT}"
        return self._salvaged_copy()

    def _connect(self, patience: float) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(self._path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, "it can't be written")
        db = connect(self._path, patience)
        try:
            prepare(db, self._path)
            with transaction(db):
                # Asking for the lock finds now, not at the first move, that a file can't be written.
                if self._path.stat().st_size < LOOKED_OVER:
                    look_over(db)
            db.execute(f"PRAGMA busy_timeout={int(BUSY_SECONDS * 1000)}")
            self._file = self._identity()
        except BaseException:
            db.close()
            raise
        return db

    def _copy(self) -> sqlite3.Connection:
        """The file in memory; the file itself stays as it is."""
        db = empty()
        try:
            with closing(connect_read_only(self._path)) as source, transaction(source, "DEFERRED"):
                # Takes the lock for reading, without which `backup` would wait for ever.
                source.execute("SELECT count(*) FROM sqlite_master").fetchone()
                source.backup(db)
            prepare(db, None)
        except _FAULTS:
            db.close()
            return self._salvaged_copy()
        return db

    def _salvaged_copy(self) -> sqlite3.Connection:
        """What can be read of the file, in memory."""
        db = memory()
        with suppress(OSError), transaction(db):
            salvage(self._path.read_bytes(), db)
        return db

    def _try_again(self) -> None:
        with suppress(*_FAULTS, Newer, OSError):
            db = self._connect(0.2)
            self._db.close()
            self._db = db

    def _identity(self) -> tuple[int, int] | None:
        with suppress(OSError):
            found = self._path.stat()
            return found.st_dev, found.st_ino
        return None

    # -- use

    def _run(self, work: Callable[[sqlite3.Connection], T], kind: str) -> T:
        for _ in range(3):
            try:
                with transaction(self._db, kind):
                    if self._file in (None, self._identity()):
                        return work(self._db)
                damaged = False  # but another file by now: repaired by another process, or deleted
            except _FAULTS as error:
                damaged = _is_damage(error, _DAMAGED)
                if not damaged:
                    self.trouble = self._sentence(error)
                    raise Unavailable(self._cause(error)[0]) from error
            self._open_anew(damaged)
        raise Unavailable(f"{self._path} can't be read.")

    def _open_anew(self, damaged: bool) -> None:
        self._db.close()
        if not self.kept:
            self._db = self._salvaged_copy()
            return
        found, self._file = self._file, None
        if damaged:
            with suppress(OSError, sqlite3.Error):
                self._repair(found)
        self._db = self._open()

    # -- repair

    def _repair(self, damaged: tuple[int, int] | None) -> None:
        """Put what is good into a new file and set the damaged one aside under another name."""
        # One process at a time, by a lock that a killed one lets go of: the damaged file may be past locking. The file
        # of the lock (of no size) stays: taken away, it would part those who wait for it from those who come later.
        lock = self._path.with_suffix(".repair")
        with closing(sqlite3.connect(lock, timeout=BUSY_SECONDS, isolation_level=None)) as turn:
            turn.execute("BEGIN EXCLUSIVE")
            if self._identity() == damaged:  # else another process has repaired it meanwhile
                self._replace(self._path.with_suffix(".rescued"))

    def _replace(self, rescued: Path) -> None:
        # Held open to the end: closing a file makes the process lose all its locks on it.
        with self._path.open("rb") as file, closing(sqlite3.connect(self._path, isolation_level=None)) as guard:
            try:
                guard.execute("BEGIN EXCLUSIVE")
            except (sqlite3.Error, UnicodeDecodeError) as error:
                if _code(error) in _LOCKED:
                    raise
            counts = _rescue(file.read(), rescued)
            if os.name != "nt":
                self._swap(rescued, counts)
        if os.name == "nt":  # where an open file can't be renamed
            self._swap(rescued, counts)

    def _swap(self, rescued: Path, counts: Salvaged) -> None:
        aside = self._aside()
        # The damaged file gets its second name before it loses the first, so that at no moment there is no file.
        try:
            aside.hardlink_to(self._path)
        except OSError:
            self._path.rename(aside)
        rescued.replace(self._path)
        self.repaired = f"{self._path} was damaged: {_told(counts)}. The damaged file is kept as {aside.name}."

    def _aside(self) -> Path:
        today = f"{datetime.now():%Y-%m-%d}"
        names = (f"{self._path.stem}.damaged-{today}-{count}{self._path.suffix}" for count in range(1, 10_000))
        return next(path for path in map(self._path.with_name, names) if not path.exists())

    def _sentence(self, error: Exception) -> str:
        return " ".join(self._cause(error))

    def _cause(self, error: Exception) -> tuple[str, str]:
        """What is wrong, and what that means for a game being played."""
        code = _code(error)
        if code in _LOCKED:
            return f"{self._path} is locked by another program.", _AGAIN
        if code in _READ_ONLY:
            return f"{self._path} can't be written.", _UNTIL_QUIT
        if code == sqlite3.SQLITE_FULL:
            return f"The disk is full, so {self._path} can't grow.", _AGAIN
        return f"{self._path} can't be used ({_reason(error)}).", _AGAIN


def _rescue(raw: bytes, into: Path) -> Salvaged:
    journal = into.with_name(f"{into.name}-journal")
    for leftover in (into, journal):
        leftover.unlink(missing_ok=True)
    with closing(connect(into, BUSY_SECONDS)) as db:
        prepare(db, into)
        with transaction(db):
            counts = salvage(raw, db)
    journal.unlink(missing_ok=True)
    return counts


def _code(error: Exception) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_damage(error: Exception, codes: set[int]) -> bool:
    return isinstance(error, Damaged | UnicodeDecodeError) or _code(error) in codes


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def _told(counts: Salvaged) -> str:
    parts = [
        f"{number} {words}"
        for number, words in (
            (counts.whole, "rescued whole"),
            (counts.cut, "cut short"),
            (counts.lost, "lost"),
        )
        if number
    ]
    return f"of its matches {', '.join(parts)}" if parts else "nothing in it could be read"
