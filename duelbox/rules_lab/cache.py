"""A cache of facts in a file, which may be deleted at any time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from threading import Lock

from pydantic import ValidationError

from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.registry import package_of
from duelbox.rules_lab.best_rules import code_of
from duelbox.rules_lab.facts import DEALS, LIMIT, Facts, Layer, WorkOut, work_out
from duelbox.solve.api import Stop
from duelbox.store.files import check_database, make_private, make_private_folder, remove

MOST_ROWS = 20_000
_TABLE = "CREATE TABLE IF NOT EXISTS fact (key TEXT NOT NULL UNIQUE, game TEXT, version TEXT, json TEXT)"


class Cache:
    """Works out facts once; without a usable file it works them out each time."""

    def __init__(self, path: Path, work: WorkOut | None = None) -> None:
        """`work` works out what is not stored; by default, this thread."""
        self._path = path
        self._work = work
        self._lock = Lock()
        self._db: sqlite3.Connection | None = None
        self._ready = set[str]()
        with suppress(OSError, sqlite3.Error):
            make_private_folder(path.parent)
            check_database(path)
            make_private(path)
            self._db = self._opened()

    def _opened(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=0.2, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA synchronous=OFF")
            db.execute(_TABLE)
        except sqlite3.DatabaseError as error:
            db.close()
            if isinstance(error, sqlite3.OperationalError):  # another process is writing
                raise
            remove(self._path)
            make_private(self._path)
            return self._opened()
        return db

    def work_out(
        self,
        game: AnyGame,
        options: Options,
        layer: Layer,
        *,
        deals: int = DEALS,
        stop: Stop | None = None,
        limit: float | None = LIMIT,
    ) -> Facts:
        """The facts that `work_out` gives, stored unless they are late."""
        key = f"{code_of(game, options)} {layer} {deals}"
        if (stored := self._stored(game, key)) is not None:
            return stored
        work = self._work or work_out
        facts = work(game, options, layer, deals=deals, stop=stop, limit=limit)
        if not facts.late:
            self._store(game, key, facts)
        return facts

    def close(self) -> None:
        """Close the file."""
        with self._lock, suppress(sqlite3.Error):
            if self._db is not None:
                self._db.close()
            self._db = None

    def _stored(self, game: AnyGame, key: str) -> Facts | None:
        with self._lock, suppress(sqlite3.Error, ValidationError):
            if self._db is None:
                return None
            if game.INFO.id not in self._ready:
                self._ready.add(game.INFO.id)
                old = game.INFO.id, version(game.INFO.id)
                self._db.execute("DELETE FROM fact WHERE game = ? AND version <> ?", old)
            for (json,) in self._db.execute("SELECT json FROM fact WHERE key = ?", (key,)):
                return Facts.model_validate_json(json)
        return None

    def _store(self, game: AnyGame, key: str, facts: Facts) -> None:
        row = key, game.INFO.id, version(game.INFO.id), facts.model_dump_json(exclude_unset=True)
        with self._lock, suppress(sqlite3.Error):
            if self._db is not None:
                self._db.execute("INSERT OR REPLACE INTO fact VALUES (?, ?, ?, ?)", row)
                self._db.execute("DELETE FROM fact WHERE rowid <= (SELECT MAX(rowid) FROM fact) - ?", (MOST_ROWS,))


@cache
def version(game_id: str) -> str:
    """A hash of the files that decide the facts of a game: its own and those of the Lab, the solvers and the core."""
    digest = sha256()
    for package in (package_of(game_id), "duelbox.rules_lab", "duelbox.solve", "duelbox.core"):
        for file in _sources(files(package)):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _sources(folder: Traversable) -> Iterator[Traversable]:
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            yield from _sources(entry)
        elif entry.name.endswith((".py", ".odds")):
            yield entry
