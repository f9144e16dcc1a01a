"""Progress: what was learned and earned, as entries that are only ever added; the newest of a key counts."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from pydantic import AwareDatetime, JsonValue

from duelbox.core.model import Model
from duelbox.store.calendar import milliseconds, moment
from duelbox.store.matches import checksum
from duelbox.store.schema import Damaged

COLUMNS = "sum, kind, key, at, json"


class Entry(Model):
    """An entry: of which kind, of what (a puzzle's id, a player's name), when, and what there is to say."""

    kind: str
    key: str
    at: AwareDatetime
    value: JsonValue


def add(db: sqlite3.Connection, entries: Iterable[Entry]) -> int:
    """Add entries, those left out that are there already; how many were new."""
    before = db.total_changes
    for entry in entries:
        text = json.dumps(entry.value, ensure_ascii=False, sort_keys=True)
        row = (entry.kind, entry.key, milliseconds(entry.at), text)
        put(db, (checksum(row), *row))
    return db.total_changes - before


def put(db: sqlite3.Connection, row: tuple[Any, ...]) -> None:
    """Add a row, unless it is there already."""
    db.execute(f"INSERT OR IGNORE INTO progress ({COLUMNS}) VALUES (?, ?, ?, ?, ?)", row)


def entries(db: sqlite3.Connection, kind: str | None = None) -> list[Entry]:
    """All entries of a kind, or all there are, in the order they were added; raises Damaged."""
    where = "" if kind is None else "WHERE kind = ?"
    rows = db.execute(f"SELECT {COLUMNS} FROM progress {where} ORDER BY seq", () if kind is None else (kind,))
    return list(map(verified, rows))


def newest(db: sqlite3.Connection, kind: str) -> dict[str, Entry]:
    """The newest entry of every key of a kind; raises Damaged."""
    latest = "SELECT max(seq) FROM progress WHERE kind = ? GROUP BY key"
    rows = db.execute(f"SELECT {COLUMNS} FROM progress WHERE seq IN ({latest}) ORDER BY seq", (kind,))
    return {entry.key: entry for entry in map(verified, rows)}


def verified(row: tuple[Any, ...]) -> Entry:
    """A row as an entry; raises Damaged."""
    check, kind, key, at, text = row
    if checksum(row[1:]) != check:
        raise Damaged("an entry of progress")
    return Entry(kind=kind, key=key, at=moment(at), value=json.loads(text))
