"""Files of version 1, which had a row for every change of a match: read once, to be written anew."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Any

from duelbox.core.record import PlayerInfo, PlayerNumber, Record, RecordedRound, Result
from duelbox.store.calendar import moment
from duelbox.store.summary import Summary, summary_of


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
    of_rounds: list[list[tuple[str, int]]] = []
    for number, what, at in rest:
        if what.startswith("round "):
            of_rounds.append([(what.removeprefix("round "), at)])
        elif what not in ("delete", "restore"):
            of_rounds[number].append((what, at))
    rounds = [_round(done, end) for done, end in zip_longest(of_rounds, finished)]
    one, two = header["players"]
    record = Record(
        game=header["game"],
        players=(PlayerInfo(**one), PlayerInfo(**two)),
        rounds=header["rounds"],
        first=2 if header["first"] else 1,
        played=tuple(played for played, _ in rounds),
    )
    return record, json.dumps([undone for _, undone in rounds])


def _round(steps: list[tuple[str, int]], end: Sequence[Any] | None) -> tuple[RecordedRound, list[str]]:
    """A round of its options and what was done ("move 5", "resign 0", "undo"), and what can be played again."""
    (options, started), *done = steps
    turns: list[str] = []
    cursor = 0
    for what, _ in done:
        if what in ("undo", "redo"):
            cursor += 1 if what == "redo" else -1
        elif what != "assist":
            turns[cursor:] = [what]
            cursor += 1
    result = None
    if end:
        winner: PlayerNumber | None = None if end[0] is None else 2 if end[0] else 1
        resigned = turns[cursor - 1].startswith("resign")
        result = Result(winner=winner, by="resignation" if resigned else "play", reason="")
    played = RecordedRound(
        options=json.loads(options),
        moves=tuple(turn.removeprefix("move ") for turn in turns[:cursor] if turn.startswith("move ")),
        result=result,
        started=moment(started),
        ended=moment(end[1]) if end else None,
        assisted=any(what == "assist" for what, _ in done),
    )
    return played, [turn.removeprefix("move ") for turn in turns[cursor:]]
