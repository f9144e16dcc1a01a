"""Turns sessions into the rows of saved matches, and reads, lists, counts and opens such rows."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.record import Record, recorded_round
from duelbox.core.record_reader import OpenedRecord, open_record
from duelbox.core.session import By, Ply, Session
from duelbox.registry import find_game, why_unplayable
from duelbox.store import index
from duelbox.store.index import MatchLine
from duelbox.store.summary import Ending, Summary, summary_of

EVERYTHING = -1
ID_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 10
COLUMNS = index.COLUMNS

_ENDINGS: dict[str, By] = {"resign": "resignation", "draw": "agreement", "claim": "claim", "unshown": "unshown"}
_WORDS: dict[By, str] = {"fault": "resign", **{by: word for word, by in _ENDINGS.items()}}
Standing = Ending | Literal["unfinished"]


class NoSuchGame(DuelboxError):
    """No saved match has this id, or more than one."""


class Kept(NamedTuple):
    """A saved match: its summary, its record as JSON, and the undone turns of each round as JSON."""

    summary: Summary
    record: str
    undone: str


def new_id() -> str:
    """Make an id for a match: short enough to type, random enough that two terminals never choose the same."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


# -- sessions


@dataclass(frozen=True, slots=True)
class Playing:
    """One round of a match: its session, the times of its begin and end, and True if hints were used."""

    session: Session
    started: datetime
    ended: datetime | None = None
    assisted: bool = False


def playing(match: OpenedRecord) -> list[Playing]:
    """Copy the rounds of an opened match."""
    assert match.record is not None
    return [
        Playing(session.copy(), one.started, one.ended, one.assisted)
        for session, one in zip(match.sessions, match.record.played, strict=True)
    ]


def playable(game_id: str) -> AnyGame:
    """Return the game with this id; raises UnknownGame if its duel is not installed, or broken."""
    if fault := why_unplayable(game_id):
        raise UnknownGame(f"This game is kept, but cannot be opened. {fault}")
    return find_game(game_id)


def written(match: Record, rounds: Sequence[Playing], match_id: str, last_played: datetime, *, imported: bool) -> Kept:
    """Make a saved match of the players and game in `match` and the turns in `rounds`."""
    played = tuple(
        recorded_round(one.session, match.first, number, one.started, one.ended).changed(assisted=one.assisted)
        for number, one in enumerate(rounds)
    )
    undone = [[_text(one.session, ply) for ply in one.session.undone] for one in rounds]
    record = match.changed(played=played)
    summary = summary_of(record, match_id, last_played, imported=imported)
    return Kept(summary, record.model_dump_json(), json.dumps(undone))


def _text(session: Session, ply: Ply) -> str:
    return f"{_WORDS[ply.by]} {ply.seat}" if ply.move is None else session.game.format_move(ply.move)


def opened(kept: Kept) -> OpenedRecord:
    """Replay a saved match into sessions with their undo history; raises UnknownGame or DuelboxError."""
    playable(kept.summary.game)
    match = open_record(kept.record, find_game)
    if match.record is None:
        raise DuelboxError(f"This game cannot be read: {match.error}")
    for session, texts in zip(match.sessions, json.loads(kept.undone), strict=True) if not match.error else ():
        for text in texts:
            kind, _, seat = text.partition(" ")
            if kind in _ENDINGS:
                session.cut(_ENDINGS[kind], 1 if seat == "1" else 0)
            else:
                session.type(text)
        for _ in texts:
            session.undo()
    return match


# -- lines


def line_of(kept: Kept, number: int, place: int = 0) -> str:
    """Make the newest line of a match; without a `place`, the match becomes the one played last."""
    one = kept.summary
    short = number, place or number, one.id, one.game, _pair(one), one.result, int(one.listed)
    return index.line("match", *MatchLine(*short, one.model_dump_json(), kept.record, kept.undone))


def number_of(text: str) -> int:
    """The number of the change in a line."""
    return int(text.split(",", 2)[1].rstrip("]"))


def kept_of(line: MatchLine) -> Kept:
    """Read the line of a match."""
    return Kept(Summary.model_validate_json(line.summary), line.record, line.undone)


def _pair(summary: Summary) -> str:
    """Return both players as JSON in a fixed order: persons before computers, then by name."""
    ranked = sorted(summary.players, key=lambda who: (who.level is not None, who.name, who.level or ""))
    return json.dumps([part for who in ranked for part in (who.name, who.level)], ensure_ascii=False)


# -- rows


def find(db: sqlite3.Connection, match_id: str) -> Summary:
    """Return the summary of a match; raises NoSuchGame or Damaged."""
    return _summary(_row(db, match_id))


def place_in(db: sqlite3.Connection, match_id: str) -> tuple[int, int]:
    """Return the byte and the size of the line of a match, -1 while it is played; raises NoSuchGame or Damaged."""
    at, size = _row(db, match_id)[-2:]
    return at, size


def _row(db: sqlite3.Connection, match_id: str) -> tuple[Any, ...]:
    row = db.execute(f"SELECT {COLUMNS} FROM match WHERE id = ?", (match_id,)).fetchone()
    if not row:
        raise NoSuchGame(f"The saved game {match_id} is no longer there.")
    return index.verified(row)


def _summary(row: tuple[Any, ...]) -> Summary:
    return Summary.model_validate_json(row[-3])


# -- lists


@dataclass(frozen=True, slots=True)
class Filter:
    """Selects the matches to list; a field that is None accepts every match."""

    game: str | None = None
    opponent: str | None = None
    """A player's name, or a computer's level."""
    result: Standing | None = None

    def source(self, *, in_order: bool = False) -> tuple[str, list[str]]:
        """Return the SQL after FROM, with the index that covers its columns, and the values of its parameters."""
        parts, values = ["listed"], list[str]()
        if self.game is not None:
            parts.append("game = ?")
            values.append(self.game)
        if self.opponent is not None:
            parts.append("instr(pair, ?)")
            values.append(json.dumps(self.opponent, ensure_ascii=False))
        if self.result == "unfinished":
            parts.append("result IS NULL")
        elif self.result is not None:
            parts.append("result = ?")
            values.append(self.result)
        name = "match_unfinished" if self.result == "unfinished" else "match_short"
        name = "match_latest" if in_order and self == Filter() else name
        return f"match INDEXED BY {name} WHERE {' AND '.join(parts)}", values


def each(
    db: sqlite3.Connection, which: Filter, elsewhere: set[str], limit: int = EVERYTHING, offset: int = 0
) -> Iterator[Summary]:
    """Iterate over the summaries of matches, the latest first; reads each row only when it is reached."""
    source, values = which.source(in_order=True)
    latest = f"SELECT rowid FROM {source} ORDER BY place DESC, id DESC LIMIT ? OFFSET ?"
    for (place,) in db.execute(latest, (*values, limit, offset)):
        row = db.execute(f"SELECT {COLUMNS} FROM match WHERE rowid = ?", (place,)).fetchone()
        if row is None:
            raise index.Damaged("a row that is listed is not there")
        summary = _summary(index.verified(row))
        yield summary.changed(open_elsewhere=True) if summary.id in elsewhere else summary


def count(db: sqlite3.Connection, which: Filter) -> int:
    """Count the matches that a filter selects."""
    source, values = which.source()
    (number,) = db.execute(f"SELECT count(*) FROM {source}", values).fetchone()
    return int(number)


def page_after(
    db: sqlite3.Connection, last: tuple[int, str], limit: int, line_in: Callable[[sqlite3.Connection, str], MatchLine]
) -> list[MatchLine]:
    """Read the listed matches after this place and id, in the order of play."""
    source = "match INDEXED BY match_latest WHERE listed AND (place, id) > (?, ?) ORDER BY place, id LIMIT ?"
    return [line_in(db, match_id) for (match_id,) in db.execute(f"SELECT id FROM {source}", (*last, limit)).fetchall()]


def same_record(db: sqlite3.Connection, kept: Kept, line_of: Callable[[str], MatchLine]) -> str | None:
    """Return the id of a saved match with the same record, apart from reasons, whose wording may change."""
    one = kept.summary
    started = json.loads(one.model_dump_json(include={"started"}))["started"]
    query = "SELECT id FROM match WHERE started = ? AND game = ? AND pair = ? AND result IS ? AND listed"
    wanted = without_reasons(kept.record)
    for (match_id,) in db.execute(query, (started, one.game, _pair(one), one.result)).fetchall():
        if without_reasons(line_of(match_id).record) == wanted:
            return str(match_id)
    return None


def without_reasons(record: str) -> str:
    """The JSON of a record without the words of its results, to compare it with others."""
    parts = json.loads(record, object_hook=lambda part: {key: part[key] for key in part if key != "reason"})
    return json.dumps(parts, sort_keys=True)
