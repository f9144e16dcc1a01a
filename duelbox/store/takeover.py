"""The file of saved games that was an SQLite database by itself: its rows are taken over once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from duelbox.store import index

NAMES = ("history.db", "history.backup.db")
_MATCH = "sum, id, game, pair, result, results, listed, summary, record, undone"
_MARK = "sum, kind, key, at, json"


def lines(folder: Path) -> Iterator[str]:
    """The rows that are as they were written, in the files of a folder that has such."""
    for path in map(folder.joinpath, NAMES):
        if path.is_file():
            # A change that was cut off is taken back first, which only a writer can do.
            with suppress(*index.FAULTS), closing(index.connect_read_only(path, "mode=rw")) as db:
                yield from _rows(db)


def _rows(db: sqlite3.Connection) -> Iterator[str]:
    for table, columns in (("match", _MATCH), ("progress", _MARK)):
        with suppress(*index.FAULTS):
            for seq, check, *row in db.execute(f"SELECT seq, {columns} FROM {table}"):
                if hashlib.sha256(repr(tuple(row)).encode("utf-8", "replace")).hexdigest()[:16] == check:
                    if table == "match":
                        row[4:5] = []  # its results, in letters
                        row = [seq, *row]
                    yield index.line(table, seq, *row)


def put_away(folder: Path) -> None:
    """Give the files that were taken over another name."""
    for path in map(folder.joinpath, NAMES):
        if path.is_file():
            path.rename(path.with_name(path.name.replace(".db", ".v3.db")))
            path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
