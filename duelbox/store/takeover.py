"""Takes over, once, the saved games of the format before journals: an SQLite database and its backup."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

from duelbox.store import index
from duelbox.store.files import check_regular, shown

NAMES = ("history.db", "history.backup.db")
_COLUMNS = {
    "match": "id, game, pair, result, results, listed, summary, record, undone",
    "progress": "kind, key, at, json",
}


def read(folder: Path) -> tuple[list[str], list[str]]:
    """Read the old files; returns the lines of all undamaged rows, and sentences about damage."""
    texts, damaged = dict[str, None](), list[str]()
    for path in map(folder.joinpath, NAMES):
        try:
            check_regular(path)
            if path.exists():
                # A change that was cut off is taken back first, which only a writer can do.
                with closing(index.connect_read_only(path, "mode=rw")) as db:
                    _read(db, texts)
        except (OSError, *index.FAULTS):
            damaged.append(f"{shown(path)} was damaged, and what could be read of it was taken over.")
    return list(texts), damaged


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
    """Rename the old files, so that they are not taken over again."""
    for path in map(folder.joinpath, NAMES):
        if path.is_file():
            path.rename(path.with_name(path.name.replace(".db", ".v3.db")))
            path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
