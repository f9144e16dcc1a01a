"""Takes over, once, the saved games of the format before journals: an SQLite database and its backup."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from duelbox.store import files, index, matches
from duelbox.store.files import shown

NAMES = ("history.db", "history.backup.db")
INDEX, SEAL = "history.index.db", "history.index.seal"
"""The index of the version before, which had a copy of every row, and its checksum."""
_COLUMNS = {
    "match": "id, game, pair, result, results, listed, summary, record, undone",
    "progress": "kind, key, at, json",
}


def is_due(folder: Path) -> bool:
    """True if an older version left saved games."""
    return any(map(os.path.lexists, map(folder.joinpath, NAMES)))


def read(folder: Path) -> tuple[list[str], list[str]]:
    """Read the old files; returns the lines of all undamaged rows in order, and sentences about damage."""
    texts: dict[str, None] = {}
    damaged: list[str] = []
    for path in map(folder.joinpath, NAMES):
        try:
            files.check_database(path)
            if path.exists():
                # A change that was cut off is taken back first, which only a writer can do.
                address = f"{path.absolute().as_uri()}?mode=rw"
                with closing(sqlite3.connect(address, timeout=0.2, isolation_level=None, uri=True)) as db:
                    _read(db, texts)
        except (OSError, *index.FAULTS):
            damaged.append(f"{shown(path)} was damaged, and what could be read of it was taken over.")
    return sorted(texts, key=matches.number_of), damaged


def _read(db: sqlite3.Connection, texts: dict[str, None]) -> None:
    whole = True
    for table, columns in _COLUMNS.items():
        for place, check, *row in db.execute(f"SELECT seq, sum, {columns} FROM {table}"):
            if hashlib.sha256(repr(tuple(row)).encode("utf-8", "replace")).hexdigest()[:16] != check:
                whole = False
            elif table == "match":
                texts[index.line(table, place, place, *row[:4], *row[5:])] = None  # without its results in letters
            else:
                texts[index.line(table, place, *row)] = None
    if not whole:
        raise index.Damaged


def put_away(folder: Path) -> None:
    """Rename the old files, so that they are not taken over again, and remove what the version before left."""
    for path in map(folder.joinpath, NAMES):
        if path.is_file():
            files.rename(path, path.with_name(path.name.replace(".db", ".v3.db")))
            files.remove(path.with_name(f"{path.name}-journal"))
    with suppress(OSError):
        if index.is_ours(folder / INDEX):
            files.remove(folder / INDEX)
            files.remove(folder / f"{INDEX}-journal")
    with suppress(OSError, ValueError):
        int(files.read_regular(folder / SEAL, 8), 16)  # else it is not ours
        files.remove(folder / SEAL)
