"""The file behind the store: opened, kept usable, repaired; where that can't be, memory takes its place."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from duelbox.core.errors import DuelboxError
from duelbox.core.names import printable
from duelbox.store import schema
from duelbox.store.backup import Backup, carry_over, faults
from duelbox.store.calendar import now
from duelbox.store.files import check_regular, free_path, make_private, make_private_folder, reason

T = TypeVar("T")
BUSY_SECONDS = 5.0
PATIENCE_AT_START = 3.0
LOOKED_OVER = 8_000_000
"""The size up to which a file is looked over at every start: about 5,000 matches, 40 ms."""

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
        self._named = printable(path)
        self.backup = Backup(path.with_suffix(".backup.db"))
        self._file: tuple[int, int] | None = None
        self._retry = self._changed = False
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
            with suppress(*schema.FAULTS, schema.Newer, OSError):
                self._db, before = self._connect(0.2), self._db
                before.close()
        done = self._run(change, "IMMEDIATE")
        self._changed = True
        if self.kept:
            self.trouble = None
        return done

    def back_up(self) -> None:
        """Let the backup follow."""
        if self.kept and self._changed:
            self._changed = False
            self.backup.renew(self._db)

    def close(self) -> None:
        """Let go of the files."""
        self.backup.close()
        self._db.close()

    # -- opening

    def _open(self) -> sqlite3.Connection:
        for _ in range(2):
            found = self._identity()
            try:
                return self._connect(PATIENCE_AT_START)
            except schema.Newer as newer:
                self.trouble = f"{self._named} was written by a newer duelbox (version {newer}). {_UNTIL_QUIT}"
                break
            except OSError as error:
                folder = printable(self._path.parent)
                self.trouble = f"Saved games cannot be kept in {folder}: {reason(error)}. {_UNTIL_QUIT}"
                break
            except schema.FAULTS as error:
                if not schema.is_damage(error):
                    self._retry = schema.code_of(error) not in _READ_ONLY
                    self.trouble = " ".join(self._cause(error))
                    break
            try:
                self._repair(found)
            except (OSError, *schema.FAULTS) as error:
                self._retry = schema.code_of(error) in _LOCKED
                self.trouble = f"{self._named} is damaged and cannot be set aside ({reason(error)}). {_UNTIL_QUIT}"
                break
        else:
            self.trouble = f"{self._named} cannot be repaired. {_UNTIL_QUIT}"
        return self._copy()

    def _connect(self, patience: float) -> sqlite3.Connection:
        make_private_folder(self._path.parent)
        if not os.access(self._path.parent, os.W_OK):
            raise PermissionError(errno.EACCES, "it cannot be written")
        for file in (self._path, self._path.with_name(f"{self._path.name}-journal")):
            check_regular(file)
        make_private(self._path)
        db = schema.connect(self._path, patience)
        try:
            schema.prepare(db, self._path)
            with schema.transaction(db):
                # Asking for the lock finds now, not at the first move, that a file can't be written.
                if self._path.stat().st_size < LOOKED_OVER and (found := faults(db)):
                    raise schema.Damaged(found[0])
            if back := self.backup.bring_back(db):
                self.repaired = f"{self._named} lacked {_games(back)}, now back from {self.backup.path.name}."
            db.execute(f"PRAGMA busy_timeout={int(BUSY_SECONDS * 1000)}")
            self._file = self._identity()
        except BaseException:
            db.close()
            raise
        return db

    def _copy(self) -> sqlite3.Connection:
        """What can be read of the file, in memory; the file itself stays as it is."""
        db = schema.memory()
        for how in ("mode=ro", "immutable=1"):  # the second for one that is locked
            with suppress(OSError, *schema.FAULTS):
                check_regular(self._path)
                with closing(schema.connect_read_only(self._path, how)) as source, schema.transaction(db):
                    source.execute("SELECT count(*) FROM sqlite_master").fetchone()
                    carry_over(source, db)
                    break
        return db

    def _identity(self) -> tuple[int, int] | None:
        with suppress(OSError):
            found = self._path.stat()
            return found.st_dev, found.st_ino
        return None

    # -- use

    def _run(self, work: Callable[[sqlite3.Connection], T], kind: str) -> T:
        for _ in range(3):
            try:
                with schema.transaction(self._db, kind):
                    if self._is_ours():
                        return work(self._db)
                damaged = False  # but another file by now: repaired by another process, or deleted
            except schema.FAULTS as error:
                damaged = schema.is_damage(error) and self._is_ours()
                if self._is_ours() and not damaged:
                    cause, outlook = self._cause(error)
                    self.trouble = f"{cause} {outlook}"
                    raise Unavailable(cause) from error
            self._open_anew(damaged)
        raise Unavailable(f"{self._named} cannot be read.")

    def _is_ours(self) -> bool:
        """Whether the file of this name is still the one that was opened."""
        return self._file in (None, self._identity())

    def _open_anew(self, damaged: bool) -> None:
        self.close()
        if not self.kept:
            self._db = self._copy()
            return
        found, self._file = self._file, None
        if damaged:
            with suppress(OSError, *schema.FAULTS):
                self._repair(found)
        self._db = self._open()

    # -- repair

    def _repair(self, damaged: tuple[int, int] | None) -> None:
        """Put what is good into a new file and set the damaged one aside under another name."""
        # One process at a time, by a lock that a killed one lets go of: the damaged file may be past locking. The file
        # of the lock (of no size) stays: taken away, it would part those who wait for it from those who come later.
        lock = self._path.with_suffix(".repair")
        make_private(lock)
        with closing(sqlite3.connect(lock, timeout=BUSY_SECONDS, isolation_level=None)) as turn:
            turn.execute("BEGIN EXCLUSIVE")
            if self._identity() == damaged:  # else another process has repaired it meanwhile
                rescued = self._path.with_suffix(".rescued")
                told = self._rescue(rescued)
                # The damaged file gets its second name before it loses the first, so that at no moment there is no
                # file. What another process writes into it meanwhile is in the backup, too.
                aside = free_path(self._path, f"damaged-{now():%Y-%m-%d}")
                try:
                    aside.hardlink_to(self._path.resolve())
                except OSError:
                    self._path.rename(aside)
                rescued.replace(self._path)
                self.repaired = f"{self._named} was damaged: {told}. The damaged file is kept as {aside.name}."

    def _rescue(self, into: Path) -> str:
        """Write a new file with what can still be read, and with what the backup has beside; says how much that is."""
        journal = into.with_name(f"{into.name}-journal")
        for leftover in (into, journal):
            leftover.unlink(missing_ok=True)
        make_private(into)
        # Immutable: whatever a journal says, or a lock, the file is read as it lies there.
        damaged = schema.connect_read_only(self._path, "immutable=1")
        with closing(damaged), closing(schema.connect(into, BUSY_SECONDS)) as db:
            schema.prepare(db, None)
            with schema.transaction(db):
                still = carry_over(damaged, db)
            back = self.backup.bring_back(db, whatever=True)
        journal.unlink(missing_ok=True)
        parts = [f"{_games(still)} could still be read"] if still else []
        parts += [f"{_games(back)} came back from {self.backup.path.name}"] if back else []
        return " and ".join(parts) or "nothing in it could be read"

    def _cause(self, error: Exception) -> tuple[str, str]:
        """What is wrong, and what that means for a game being played."""
        code = schema.code_of(error)
        if code in _LOCKED:
            return f"{self._named} is locked by another program.", _AGAIN
        if code in _READ_ONLY:
            return f"{self._named} cannot be written.", _UNTIL_QUIT
        if code == sqlite3.SQLITE_FULL:
            return f"The disk is full, so {self._named} cannot grow.", _AGAIN
        return f"{self._named} cannot be used ({reason(error)}).", _AGAIN


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"
