"""Matches as they are kept: made of sessions, put into rows, read, listed, counted, and opened again."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
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
from duelbox.store.journal import checksum
from duelbox.store.summary import Ending, Summary, summary_of

EVERYTHING = -1
ID_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 10
COLUMNS = f"sum, {index.COLUMNS['match']}"

_WORDS: dict[By, str] = {"resignation": "resign", "agreement": "draw", "claim": "claim", "unshown": "unshown"}
_ENDINGS = {word: by for by, word in _WORDS.items()}
Standing = Ending | Literal["unfinished"]


class NoSuchGame(DuelboxError):
    """No saved match has this id, or more than one."""


class Kept(NamedTuple):
    """A match as it is kept: in short, as the JSON of its record, and what can be played again in each round."""

    summary: Summary
    record: str
    undone: str


def new_id() -> str:
    """A new match's id: short enough to type, and random, so that two terminals never choose the same."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


# -- sessions


@dataclass(frozen=True, slots=True)
class Playing:
    """One round as it stands: its session, when it began and ended, and whether hints were asked for."""

    session: Session
    started: datetime
    ended: datetime | None = None
    assisted: bool = False


def playing(found: OpenedRecord) -> list[Playing]:
    """The rounds of a match that was opened."""
    assert found.record is not None
    return [
        Playing(session.copy(), one.started, one.ended, one.assisted)
        for session, one in zip(found.sessions, found.record.played, strict=True)
    ]


def playable(game_id: str) -> AnyGame:
    """The game of a match; raises UnknownGame where its duel is no longer installed, or not whole."""
    if fault := why_unplayable(game_id):
        raise UnknownGame(f"This game is kept, but cannot be opened. {fault}")
    return find_game(game_id)


def written(match: Record, rounds: Sequence[Playing], match_id: str, last_played: datetime, *, imported: bool) -> Kept:
    """A match as it is kept: `match` says who plays what, `rounds` how it stands."""
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
    """The sessions of a match, with their undo history; raises UnknownGame."""
    playable(kept.summary.game)
    found = open_record(kept.record, find_game)
    if found.record is None:
        raise DuelboxError(f"This game cannot be read: {found.error}")
    for session, texts in zip(found.sessions, json.loads(kept.undone), strict=True) if not found.error else ():
        for text in texts:
            kind, _, seat = text.partition(" ")
            if kind in _ENDINGS:
                session.cut(_ENDINGS[kind], 1 if seat == "1" else 0)
            else:
                session.type(text)
        for _ in texts:
            session.undo()
    return found


# -- rows


def line_of(db: sqlite3.Connection, kept: Kept, place: int = 0) -> str:
    """The line that makes this the newest row of its match, and the match the latest of all unless it has a place."""
    one, number = kept.summary, index.next_number(db)
    short = one.id, one.game, _pair(one), one.result, int(one.listed)
    return index.line("match", number, place or number, *short, one.model_dump_json(), kept.record, kept.undone)


def _pair(summary: Summary) -> str:
    """The two players, a person and whoever comes first in the alphabet before the other."""
    ranked = sorted(summary.players, key=lambda who: (who.level is not None, who.name, who.level or ""))
    return json.dumps([part for who in ranked for part in (who.name, who.level)], ensure_ascii=False)


def state(db: sqlite3.Connection, match_id: str) -> str | None:
    """A checksum of what was played in a match; None if there is none."""
    found = db.execute("SELECT record, undone FROM match WHERE id = ?", (match_id,)).fetchone()
    return found and checksum("".join(found))


def read(db: sqlite3.Connection, match_id: str) -> tuple[int, Kept]:
    """The place of a match among all, and the match; raises NoSuchGame, or Damaged unless it is as it was written."""
    found = db.execute(f"SELECT {COLUMNS} FROM match WHERE id = ?", (match_id,)).fetchone()
    if not found:
        raise NoSuchGame(f"The saved game {match_id} is no longer there.")
    return _verified(found)


def _verified(row: tuple[Any, ...]) -> tuple[int, Kept]:
    if checksum(index.line("match", *row[1:])) != row[0]:
        raise index.Damaged(f"the match {row[3]}")
    return row[2], Kept(Summary.model_validate_json(row[-3]), row[-2], row[-1])


# -- lists


@dataclass(frozen=True, slots=True)
class Filter:
    """A choice of matches to list; what is None does not matter."""

    game: str | None = None
    opponent: str | None = None
    """A player's name, or a computer's level."""
    result: Standing | None = None

    def source(self, *, in_order: bool = False) -> tuple[str, list[str]]:
        """The table with the index that holds all columns asked for, as SQL, and its values."""
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
    """Matches in short, the latest first, read as they are asked for."""
    source, values = which.source(in_order=True)
    latest = f"SELECT rowid FROM {source} ORDER BY place DESC, rowid DESC LIMIT ? OFFSET ?"
    for (place,) in db.execute(latest, (*values, limit, offset)):
        row = db.execute(f"SELECT {COLUMNS} FROM match WHERE rowid = ?", (place,)).fetchone()
        summary = _verified(row)[1].summary
        yield summary.changed(open_elsewhere=True) if summary.id in elsewhere else summary


def count(db: sqlite3.Connection, which: Filter) -> int:
    """The number of matches that pass a filter."""
    source, values = which.source()
    (number,) = db.execute(f"SELECT count(*) FROM {source}", values).fetchone()
    return int(number)


def same_record(db: sqlite3.Connection, kept: Kept) -> str | None:
    """The id of a match with this very record; reasons are sentences, and may be put better one day."""
    query = "SELECT id, record FROM match INDEXED BY match_short WHERE game = ? AND pair = ? AND result IS ? AND listed"
    found = db.execute(query, (kept.summary.game, _pair(kept.summary), kept.summary.result))
    wanted = _without_reasons(kept.record)
    return next((match_id for match_id, record in found if _without_reasons(record) == wanted), None)


def _without_reasons(record: str) -> Any:
    return json.loads(record, object_hook=lambda part: {key: part[key] for key in part if key != "reason"})
