"""Files of version 1, which had a row for every change of a match: read once, to be written anew."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from duelbox.core.record import Number, Record, Result, Round, Who
from duelbox.store.calendar import moment
from duelbox.store.summary import Summary, summary_of


@dataclass
class _Played:
    options: dict[str, Any]
    started: datetime
    turns: list[str] = field(default_factory=list)
    """Moves and resignations ("move 5", "resign 0"), those taken back too."""
    cursor: int = 0
    assisted: bool = False

    def do(self, what: str) -> None:
        if what == "assist":
            self.assisted = True
        elif what in ("undo", "redo"):
            self.cursor += 1 if what == "redo" else -1
        else:
            self.turns[self.cursor :] = [what]
            self.cursor += 1

    def round(self, finished: Sequence[Any] | None) -> Round:
        result = None
        if finished:
            winner: Number | None = None if finished[0] is None else 2 if finished[0] else 1
            resigned = self.turns[self.cursor - 1].startswith("resign")
            result = Result(winner=winner, by="resignation" if resigned else "play", reason="")
        return Round(
            options=self.options,
            moves=tuple(turn.removeprefix("move ") for turn in self.turns[: self.cursor] if turn.startswith("move ")),
            result=result,
            started=self.started,
            ended=moment(finished[1]) if finished else None,
            assisted=self.assisted,
        )


def matches(db: sqlite3.Connection) -> Iterator[tuple[Summary, str, str]]:
    """All matches that are as they were written, the first played first: in short, record, what can be played again."""
    query = "SELECT id, finished, last_played, deleted FROM summary ORDER BY last_played"
    for match_id, finished, last_played, deleted in db.execute(query).fetchall():
        with suppress(ValueError, LookupError, TypeError, OverflowError):
            record, undone = _record(_steps(db, match_id), json.loads(finished))
            summary = summary_of(record, match_id, moment(last_played)).changed(deleted=bool(deleted))
            yield summary, record.model_dump_json(), undone


def _steps(db: sqlite3.Connection, match_id: str) -> list[tuple[int, str, int]]:
    link, steps = match_id.encode(), []
    query = "SELECT number, round, what, at, hash FROM move WHERE id = ? ORDER BY number"
    for number, at_round, what, at, there in db.execute(query, (match_id,)):
        link = hashlib.sha256(link + f"{number} {at_round} {at} {what}".encode()).digest()[:16]
        if link != there:
            raise ValueError(match_id)
        steps.append((at_round, what, at))
    return steps


def _record(steps: list[tuple[int, str, int]], finished: list[Any]) -> tuple[Record, str]:
    (_, first, _), *rest = steps
    header = json.loads(first.removeprefix("match "))
    played: list[_Played] = []
    for number, what, at in rest:
        if what.startswith("round "):
            played.append(_Played(json.loads(what.removeprefix("round ")), moment(at)))
        elif what not in ("delete", "restore"):
            played[number].do(what)
    one, two = header["players"]
    record = Record(
        game=header["game"],
        players=(Who(**one), Who(**two)),
        rounds=header["rounds"],
        first=2 if header["first"] else 1,
        played=tuple(one.round(dict(enumerate(finished)).get(number)) for number, one in enumerate(played)),
    )
    undone = [[turn.removeprefix("move ") for turn in one.turns[one.cursor :]] for one in played]
    return record, json.dumps(undone)
