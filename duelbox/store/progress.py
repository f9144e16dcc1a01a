"""Progress: what was learned and earned, as marks that are only ever added; the newest of a key counts."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from pydantic import AwareDatetime, JsonValue, ValidationError

from duelbox.core.errors import RecordError
from duelbox.core.model import Model
from duelbox.core.names import printable
from duelbox.store.calendar import in_calendar, milliseconds, moment, now
from duelbox.store.matches import checksum
from duelbox.store.schema import Damaged

if TYPE_CHECKING:
    from duelbox.store.worker import Worker

COLUMNS = "sum, kind, key, at, json"


class Mark(Model):
    """A mark: of which kind, of what (a puzzle's id, a player's name), when, and what there is to say."""

    kind: str
    key: str
    at: AwareDatetime
    value: JsonValue


class Document(Model):
    """All progress, to be taken to another machine."""

    duelbox: Literal[1] = 1
    progress: tuple[Mark, ...]


class Progress:
    """What there is of it, in the store; every method waits for the disk. Reading raises Unavailable, as writing."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def add(self, kind: str, key: str, value: JsonValue) -> None:
        """Note something now."""
        mark = Mark(kind=kind, key=key, at=now(), value=value)
        self._worker.write(lambda db: add(db, (mark,)))

    def newest(self, kind: str) -> dict[str, Mark]:
        """What was noted last of each key of a kind."""
        latest = "WHERE seq IN (SELECT max(seq) FROM progress WHERE kind = ? GROUP BY key)"
        return {mark.key: mark for mark in self._worker.read(lambda db: marks(db, latest, kind))}

    def all(self, kind: str) -> list[Mark]:
        """All that was noted of a kind, in its order."""
        return self._worker.read(lambda db: marks(db, "WHERE kind = ?", kind))

    def export(self) -> str:
        """All of it as JSON."""
        return Document(progress=tuple(self._worker.read(marks))).model_dump_json(indent=1)

    def import_text(self, text: bytes) -> int:
        """Add what is not there yet; how much that was. Raises RecordError."""
        try:
            found = Document.model_validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            place = " ".join(printable(part)[:40] for part in first["loc"])
            raise RecordError(f"It is not whole progress: {place or 'it'}: {first['msg']}.") from None
        if not in_calendar(*(mark.at for mark in found.progress)):
            raise RecordError("It has a time outside the calendar.")
        return self._worker.write(lambda db: add(db, found.progress))


def is_progress(text: bytes) -> bool:
    """Whether a text is meant to be exported progress, and no record."""
    return re.match(rb'\s*\{\s*("duelbox"\s*:\s*1\s*,\s*)?"progress"', text[:1000]) is not None


def add(db: sqlite3.Connection, marks: Iterable[Mark]) -> int:
    """Add marks, those left out that are there already; how many were new."""
    before = _count(db)
    for mark in marks:
        text = json.dumps(mark.value, sort_keys=True)
        row = (mark.kind, mark.key, milliseconds(mark.at), text)
        put(db, (checksum(row), *row))
    return _count(db) - before


def _count(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM progress").fetchone()[0])


def put(db: sqlite3.Connection, row: tuple[Any, ...]) -> None:
    """Add a row, unless it is there already; raises Damaged where it is not there afterwards."""
    db.execute(f"INSERT OR IGNORE INTO progress ({COLUMNS}) VALUES (?, ?, ?, ?, ?)", row)
    if not db.execute("SELECT count(*) FROM progress WHERE sum = ?", row[:1]).fetchone()[0]:
        raise Damaged("what was just written is not there")


def marks(db: sqlite3.Connection, where: str = "", *values: str) -> list[Mark]:
    """Marks in the order they were added; raises Damaged."""
    found = db.execute(f"SELECT {COLUMNS} FROM progress {where} ORDER BY seq", values).fetchall()
    if not all(map(is_whole, found)):
        raise Damaged("a mark of progress")
    return [Mark(kind=kind, key=key, at=moment(at), value=json.loads(text)) for _, kind, key, at, text in found]


def is_whole(row: tuple[Any, ...]) -> bool:
    """Whether a row is as it was written."""
    return bool(checksum(row[1:]) == row[0])
