"""The statements: entries and summaries to rows and back, each row checked as it is read."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from duelbox.core.record import Who
from duelbox.store.log import Step, moment, stamp
from duelbox.store.schema import Damaged
from duelbox.store.statistics import Game
from duelbox.store.summary import Ending, Finished, Summary

ID_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 10
LEASE = 600.0
"""Seconds without a move after which a match is no longer taken for open in another terminal."""

Result = Ending | Literal["unfinished"]
Columns = tuple[Any, ...]

_SUMMARY = (
    "id, game, name_1, level_1, name_2, level_2, rounds, first, started, last_played,"
    " moves, finished, result, deleted, steps, hash, seal"
)
SUMMARY_COLUMNS = _SUMMARY.count(",") + 1
MOVE_COLUMNS = 6


def new_id() -> str:
    """A new match's id: short enough to type, and random, so that two terminals never choose the same."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


# -- the log


def chain(match_id: str, steps: Sequence[Step], known: Sequence[bytes] = ()) -> list[bytes]:
    """The hash of each entry, chained over the match's id and all entries before it; the first may be known."""
    hashes = list(known)
    link = hashes[-1] if hashes else match_id.encode()
    for number, step in enumerate(steps[len(hashes) :], len(hashes)):
        link = _digest(link + f"{number} {step.round} {step.at} {step.what}".encode())
        hashes.append(link)
    return hashes


def _digest(raw: bytes) -> bytes:
    return hashlib.sha256(raw).digest()[:16]


def tail(db: sqlite3.Connection, match_id: str) -> tuple[int, bytes]:
    """How many entries a match has here, and the hash of the last one; raises Damaged."""
    found = db.execute(f"SELECT {_SUMMARY} FROM summary WHERE id = ?", (match_id,)).fetchone()
    return _sealed(found)[-3:-1] if found else (0, b"")


def append(
    db: sqlite3.Connection, summary: Summary, steps: Sequence[Step], hashes: Sequence[bytes], since: int
) -> None:
    """Add the entries of a match from this number on, and renew its summary."""
    rows = (
        (summary.id, number, steps[number].round, steps[number].what, steps[number].at, hashes[number])
        for number in range(since, len(steps))
    )
    db.executemany("INSERT INTO move (id, number, round, what, at, hash) VALUES (?, ?, ?, ?, ?, ?)", rows)
    put_summary(db, columns(summary, len(steps), hashes[-1]))


def put_summary(db: sqlite3.Connection, row: Columns) -> None:
    """Write a summary over the one before."""
    db.execute(f"REPLACE INTO summary ({_SUMMARY}) VALUES ({', '.join('?' * len(row))})", row)


def read_steps(db: sqlite3.Connection, match_id: str) -> list[Step]:
    """All entries of a match, or none; raises Damaged unless they are exactly what was written."""
    rows = db.execute("SELECT number, round, what, at, hash FROM move WHERE id = ? ORDER BY number", (match_id,))
    found = rows.fetchall()
    steps = verified(match_id, {row[0]: [row[1:]] for row in found})
    count, last = tail(db, match_id)
    if not count == len(steps) == len(found) or (found and found[-1][-1] != last):
        raise Damaged(f"the entries of {match_id}")
    return steps


def verified(match_id: str, rows: dict[Any, list[Columns]]) -> list[Step]:
    """The entries up to the first that the chain does not hold; rows are (round, what, at, hash) by number."""
    steps: list[Step] = []
    link = match_id.encode("utf-8", "replace")
    while candidates := rows.get(len(steps)):
        for number, what, at, link_there in candidates:
            here = _digest(link + f"{len(steps)} {number} {at} {what}".encode("utf-8", "replace"))
            if here == link_there:
                steps.append(Step(number, what, at))
                link = here
                break
        else:
            break
    return steps


def match_ids(db: sqlite3.Connection) -> set[str]:
    """All matches there are, deleted ones too."""
    return {row[0] for row in db.execute("SELECT id FROM summary UNION SELECT DISTINCT id FROM move")}


def faults(db: sqlite3.Connection) -> list[str]:
    """What is not as it was written, by SQLite's own check and by all hashes."""
    found = [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    for match_id in sorted(match_ids(db)):
        try:
            if not read_steps(db, match_id):
                raise Damaged(f"the entries of {match_id}")
        except Damaged as damaged:
            found.append(f"{damaged} are not as they were written")
    return found


# -- summaries


def columns(summary: Summary, steps: int, last: bytes) -> Columns:
    """A summary as a row, with a seal that no damaged row has."""
    one, two = summary.players
    finished = [[each.winner, stamp(each.ended), int(each.assisted)] for each in summary.finished]
    row = (
        summary.id,
        summary.game,
        one.name,
        one.level,
        two.name,
        two.level,
        summary.rounds,
        summary.first,
        stamp(summary.started),
        stamp(summary.last_played),
        summary.moves,
        json.dumps(finished),
        summary.result,
        int(summary.deleted),
        steps,
        last,
    )
    return (*row, seal(row))


def seal(row: Columns) -> bytes:
    """A hash over all columns of a summary but the seal itself."""
    return _digest(repr(row).encode("utf-8", "replace"))


def _sealed(row: Columns) -> Columns:
    if seal(row[:-1]) != row[-1]:
        raise Damaged(f"the summary of {row[0]}")
    return row


def summary_of(row: Columns, elsewhere: bool = False) -> Summary:
    """A row as a summary; raises Damaged if it is not as it was written."""
    told = _sealed(row)
    match_id, game, name_1, level_1, name_2, level_2, rounds, first, started, last, moves, finished, _, deleted = told[
        :14
    ]
    return Summary(
        id=match_id,
        game=game,
        players=(Who(name=name_1, level=level_1), Who(name=name_2, level=level_2)),
        rounds=rounds,
        first=first,
        started=moment(started),
        last_played=moment(last),
        moves=moves,
        finished=tuple(
            Finished(winner=winner, ended=moment(ended), assisted=bool(assisted))
            for winner, ended, assisted in json.loads(finished)
        ),
        deleted=bool(deleted),
        open_elsewhere=elsewhere,
    )


@dataclass(frozen=True, slots=True)
class Filter:
    """Which matches to list; what is None does not matter."""

    game: str | None = None
    opponent: str | None = None
    result: Result | None = None

    def where(self) -> tuple[str, list[str]]:
        """The condition, and the values in it."""
        parts, values = ["NOT deleted"], list[str]()
        if self.game is not None:
            parts.append("game = ?")
            values.append(self.game)
        if self.opponent is not None:
            parts.append("? IN (name_1, name_2, ifnull(level_1, ''), ifnull(level_2, ''))")
            values.append(self.opponent)
        if self.result == "unfinished":
            parts.append("result IS NULL")
        elif self.result is not None:
            parts.append("result = ?")
            values.append(self.result)
        return " AND ".join(parts), values


def list_summaries(db: sqlite3.Connection, which: Filter, limit: int, offset: int, instance: str) -> list[Summary]:
    """Matches, the latest first."""
    where, values = which.where()
    # Only ids and times are sorted: with whole rows it takes ten times as long.
    latest = f"SELECT id FROM summary WHERE {where} ORDER BY last_played DESC, id LIMIT ? OFFSET ?"
    query = f"SELECT {_SUMMARY} FROM summary WHERE id IN ({latest}) ORDER BY last_played DESC, id"
    elsewhere = open_elsewhere(db, instance)
    return [summary_of(row, row[0] in elsewhere) for row in db.execute(query, (*values, limit, offset))]


def count_summaries(db: sqlite3.Connection, which: Filter) -> int:
    """How many matches there are."""
    where, values = which.where()
    (count,) = db.execute(f"SELECT count(*) FROM summary WHERE {where}", values).fetchone()
    return int(count)


def count_by_game(db: sqlite3.Connection) -> dict[str, int]:
    """How many matches there are of each game."""
    return dict(db.execute("SELECT game, count(*) FROM summary WHERE NOT deleted GROUP BY game ORDER BY game"))


def ids_like(db: sqlite3.Connection, beginning: str) -> list[str]:
    """At most two ids that begin so; deleted matches are found too, so that they can be restored."""
    query = "SELECT id FROM summary WHERE id >= ? AND id < ? ORDER BY id LIMIT 2"
    return [row[0] for row in db.execute(query, (beginning, beginning + "\U0010ffff"))]


def read_summary(db: sqlite3.Connection, match_id: str, instance: str) -> Summary | None:
    """One match in short."""
    row = db.execute(f"SELECT {_SUMMARY} FROM summary WHERE id = ?", (match_id,)).fetchone()
    return summary_of(row, match_id in open_elsewhere(db, instance)) if row else None


def started_at(db: sqlite3.Connection, game: str, started: int) -> list[str]:
    """Matches of a game that began at this moment."""
    query = "SELECT id FROM summary WHERE NOT deleted AND started = ? AND game = ?"
    return [row[0] for row in db.execute(query, (started, game))]


def opponents(db: sqlite3.Connection) -> set[str]:
    """Every name and level."""
    rows = db.execute("SELECT DISTINCT name_1, level_1, name_2, level_2 FROM summary WHERE NOT deleted")
    return {name for row in rows for name in row if name}


def finished(db: sqlite3.Connection, which: Filter) -> list[Game]:
    """Every round that has ended, without the detour through models that takes seconds for 100,000 matches."""
    where, values = which.where()
    found: list[Game] = []
    for row in db.execute(f"SELECT {_SUMMARY} FROM summary WHERE {where} AND finished <> '[]'", values):
        _, game, name_1, level_1, name_2, level_2, *_, rounds, _, _, _, _, _ = _sealed(row)
        pair = ((name_1, level_1), (name_2, level_2))
        found += [Game(game, pair, winner, ended, bool(assisted)) for winner, ended, assisted in json.loads(rounds)]
    return found


def look_over(db: sqlite3.Connection) -> None:
    """A quick check that no match is missing and no summary wrong; raises Damaged."""
    if db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise Damaged("the structure of the file")
    for row in db.execute(f"SELECT {_SUMMARY} FROM summary"):
        _sealed(row)


# -- leases


def take_lease(db: sqlite3.Connection, match_id: str, instance: str) -> None:
    """Say that a match is being played here; said again only when a good part of the time has passed."""
    now = time.monotonic()
    found = db.execute("SELECT instance, beat FROM lease WHERE id = ?", (match_id,)).fetchone()
    if found and found[0] == instance and 0 <= now - found[1] < LEASE / 4:
        return
    gone = _leases(db, instance) - open_elsewhere(db, instance)
    db.executemany("DELETE FROM lease WHERE id = ?", [(one,) for one in gone])
    db.execute(
        "REPLACE INTO lease (id, instance, process, beat) VALUES (?, ?, ?, ?)", (match_id, instance, os.getpid(), now)
    )


def release(db: sqlite3.Connection, instance: str, match_id: str | None = None) -> None:
    """Say that a match, or anything, is no longer played here."""
    db.execute("DELETE FROM lease WHERE instance = ? AND id = ifnull(?, id)", (instance, match_id))


def _leases(db: sqlite3.Connection, instance: str) -> set[str]:
    return {row[0] for row in db.execute("SELECT id FROM lease WHERE instance <> ?", (instance,))}


def open_elsewhere(db: sqlite3.Connection, instance: str) -> set[str]:
    """Matches that another living process plays. The clock counts from the machine's start and is never set back; a
    lease from before the last start is from the future or long past."""
    now = time.monotonic()
    leases = db.execute("SELECT id, process, beat FROM lease WHERE instance <> ?", (instance,))
    return {row[0] for row in leases if 0 <= now - row[2] < LEASE and _alive(row[1])}


def _alive(process: int) -> bool:
    if sys.platform == "win32":
        return True  # there, os.kill would end it; the lease's age has to do
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True
