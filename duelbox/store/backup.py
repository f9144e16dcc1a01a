"""The backup: a second file that follows the first one change behind, for the day the first is damaged or gone."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from duelbox.store.carry import carry_over, faults, newest, outline
from duelbox.store.files import check_regular, make_private
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
        """What is wrong with it; nothing, as a rule."""
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
