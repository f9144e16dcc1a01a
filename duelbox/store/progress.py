"""Saves progress in learning as marks, which are only added; the newest mark of a key is the valid one."""

from __future__ import annotations

import json
import re
import sqlite3
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import AwareDatetime, JsonValue, ValidationError

from duelbox.core.errors import RecordError
from duelbox.core.model import Model
from duelbox.core.names import printable
from duelbox.store.index import line, verified
from duelbox.store.times import in_calendar, milliseconds, moment, now

if TYPE_CHECKING:
    from duelbox.store.worker import Worker


class Mark(Model):
    """One entry of progress: its kind, its key (a puzzle's id, a player's name), its time and its value."""

    kind: str
    key: str
    at: AwareDatetime
    value: JsonValue


class Document(Model):
    """An export of all progress, for another machine."""

    duelbox: Literal[1] = 1
    progress: tuple[Mark, ...]


class Progress:
    """Access to all progress in the store. Every method blocks on the disk and may raise Unavailable."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def add(self, kind: str, key: str, value: JsonValue) -> None:
        """Add a mark with the present time."""
        self._put(Mark(kind=kind, key=key, at=now(), value=value))

    def newest(self, kind: str) -> dict[str, Any]:
        """Return the newest value of each key of a kind."""
        latest = "WHERE kind = ? AND rowid IN (SELECT max(rowid) FROM progress WHERE kind = ? GROUP BY key)"
        return {mark.key: mark.value for mark in self._marks(latest, kind, kind)}

    def all(self, kind: str) -> list[tuple[str, Any]]:
        """List the keys and values of all marks of a kind, in the order they were added."""
        return [(key, value) for key, value, _ in self.dated(kind)]

    def dated(self, kind: str) -> list[tuple[str, Any, datetime]]:
        """List the keys, values and times of all marks of a kind, in the order they were added."""
        return [(mark.key, mark.value, mark.at) for mark in self._marks("WHERE kind = ?", kind)]

    def export(self) -> str:
        """Return all marks as JSON."""
        return Document(progress=tuple(self._marks())).model_dump_json(indent=1)

    def import_text(self, text: bytes) -> int:
        """Add the marks of an export that are missing here, and return their number. Raises RecordError."""
        return self._put(*marks_in(text))

    def _put(self, *marks: Mark) -> int:
        """Add the marks that are missing, and return their number."""
        rows = dict.fromkeys(
            (one.kind, one.key, milliseconds(one.at), json.dumps(one.value, sort_keys=True)) for one in marks
        )
        there = "SELECT 1 FROM progress WHERE kind = ? AND key = ? AND at = ? AND json = ?"

        def add(db: sqlite3.Connection, number: int) -> tuple[list[str], int]:
            missing = [row for row in rows if not db.execute(there, row).fetchone()]
            texts = [line("progress", at, *row) for at, row in enumerate(missing, number)]
            return texts, len(texts)

        return self._worker.write(add)

    def _marks(self, where: str = "", *values: str) -> list[Mark]:
        """Read marks in the order they were added."""

        def read(db: sqlite3.Connection) -> list[tuple[Any, ...]]:
            query = f"SELECT kind, key, at, json, sum FROM progress {where} ORDER BY rowid"
            return [verified(row) for row in db.execute(query, values).fetchall()]

        rows = self._worker.read(read)
        return [Mark(kind=kind, key=key, at=moment(at), value=json.loads(text)) for kind, key, at, text in rows]


def marks_in(text: bytes) -> tuple[Mark, ...]:
    """Read the marks of an export, in their order; raises RecordError."""
    try:
        document = Document.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = " ".join(printable(part)[:40] for part in first["loc"])
        raise RecordError(f"It is not whole progress: {place or 'it'}: {first['msg']}.") from None
    if not in_calendar(*(mark.at for mark in document.progress)):
        raise RecordError("It has a time outside the calendar.")
    return document.progress


def is_progress(text: bytes) -> bool:
    """True if a text begins like an export of progress, not like a record."""
    return re.match(rb'\s*\{\s*("duelbox"\s*:\s*1\s*,\s*)?"progress"', text[:1000]) is not None
