"""The saved matches: finding, listing, counting, deleting, exporting and importing them."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Callable
from itertools import islice
from typing import TypeVar

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError, RecordError
from duelbox.core.record import PlayerInfo, Record, recorded_round
from duelbox.core.record_reader import OpenedRecord, open_record
from duelbox.core.session import DEFAULT_NAMES
from duelbox.registry import find_game, why_unplayable
from duelbox.store import matches
from duelbox.store.matches import EVERYTHING, Filter, Kept, NoSuchGame, Standing, opened, playable, playing, written
from duelbox.store.records import Records, Unavailable
from duelbox.store.statistics import Tally, left_out, tallies
from duelbox.store.summary import Summary, summary_of
from duelbox.store.times import in_calendar, now
from duelbox.store.worker import Worker

T = TypeVar("T")
CHECKED = 1000
"""`check` plays so many matches through, the latest first; of the others it checks the checksums."""


class Archive:
    """Thread-safe; every method waits for the disk, so call them off an event loop (`asyncio.to_thread`) where a few
    milliseconds matter."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    # -- looking

    def find(self, match_id: str) -> Summary:
        """The match with this id, or a beginning of it that fits no other; raises NoSuchGame."""
        whole_id = self._whole_id(match_id)
        elsewhere = self._worker.records.elsewhere
        kept, played = self._worker.read(lambda db: (matches.read(db, whole_id)[1], elsewhere()))
        return kept.summary.changed(open_elsewhere=whole_id in played)

    def _whole_id(self, match_id: str) -> str:
        """The id that begins like this; raises NoSuchGame."""
        beginning = match_id.strip().lower()
        query = "SELECT id FROM match WHERE id >= ? AND id < ? ORDER BY id LIMIT 2"  # deleted ones, too: to be restored
        ends = beginning, f"{beginning}\U0010ffff"
        rows = self._worker.read(lambda db: db.execute(query, ends).fetchall()) if beginning else []
        found: list[str] = [row[0] for row in rows]
        if len(found) > 1 and beginning not in found:
            raise NoSuchGame(f"More than one saved game begins with {match_id[:24]!a}: {found[0]}, {found[1]}…")
        if not found:
            raise NoSuchGame(f"There is no saved game {match_id[:24]!a}. `duelbox history` lists them.")
        return found[0]

    def _kept(self, match_id: str) -> Kept:
        """The row of a match; raises NoSuchGame."""
        whole_id = self._whole_id(match_id)
        return self._worker.read(lambda db: matches.read(db, whole_id)[1])

    def load(self, match_id: str) -> OpenedRecord:
        """A match to look at: record, sessions with undo history, first error; raises NoSuchGame.

        An id may be shortened as long as it names one match.
        """
        return opened(self._kept(match_id))

    def unfinished(self, limit: int = EVERYTHING) -> tuple[Summary, ...]:
        """The matches that can be gone on with, the latest first; those of duels that are not installed can't."""

        def query(db: sqlite3.Connection) -> tuple[Summary, ...]:
            listed = matches.each(db, Filter(result="unfinished"), self._worker.records.elsewhere())
            found = (summary for summary in listed if why_unplayable(summary.game) is None)
            return tuple(found if limit < 0 else islice(found, limit))

        return self._listed(query, ())

    def to_go_on(self, match_id: str) -> Summary:
        """The match of this id, or the latest unfinished one for an empty id; raises DuelboxError."""
        if match_id:
            summary = self.find(match_id)
            if summary.over:
                raise DuelboxError(f"The game {summary.id} has been played to its end.")
            return summary
        unfinished = self.unfinished(1)
        if not unfinished and self.count(result="unfinished"):
            raise DuelboxError("What is unfinished is of duels that are not installed here.")
        if not unfinished:
            raise DuelboxError("Nothing is unfinished: every game that was begun has been played to its end.")
        return unfinished[0]

    def history(
        self,
        game: str | None = None,
        opponent: str | None = None,
        result: Standing | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[Summary, ...]:
        """Saved matches, the latest first; `opponent` is a player's name or a computer's level."""
        which, page = Filter(game, opponent, result), (min(limit, sys.maxsize), min(offset, sys.maxsize))
        return self._listed(lambda db: tuple(matches.each(db, which, self._worker.records.elsewhere(), *page)), ())

    def count(self, game: str | None = None, opponent: str | None = None, result: Standing | None = None) -> int:
        """The number of matches that `history` has with these filters."""
        return self._listed(lambda db: matches.count(db, Filter(game, opponent, result)), 0)

    def games(self) -> dict[str, int]:
        """The number of matches of each game."""
        query = "SELECT game, count(*) FROM match INDEXED BY match_short WHERE listed GROUP BY game"
        return self._listed(lambda db: dict(db.execute(query)), dict[str, int]())

    def opponents(self) -> tuple[str, ...]:
        """Names and levels there are to filter by."""
        query = "SELECT DISTINCT pair FROM match INDEXED BY match_short WHERE listed"
        pairs = self._listed(lambda db: db.execute(query).fetchall(), list[tuple[str]]())
        return tuple(sorted({name for (pair,) in pairs for name in json.loads(pair) if name}))

    def statistics(self, assisted: bool | None = None) -> tuple[Tally, ...]:
        """Every person's games, all, with hints or without, by game, opponent and level."""
        return self._listed(lambda db: tallies(db, assisted), ())

    def left_out(self) -> int:
        """The number of games of computers alone, which `statistics` leaves out."""
        return self._listed(left_out, 0)

    def _listed(self, query: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        """A list is empty while the file can't be read; the store's `notice` says so."""
        try:
            return self._worker.read(query)
        except Unavailable:
            return nothing

    def check(self) -> tuple[str, ...]:
        """The faults of the files, found by going through all of them; none, as a rule. Raises Unavailable."""
        return tuple(self._worker.do(Records.faults) or self._worker.read(_check))

    # -- keeping

    def delete(self, match_id: str) -> None:
        """Take a match out of history and statistics; `restore` brings it back."""
        self._mark(match_id, deleted=True)

    def restore(self, match_id: str) -> None:
        """Undo `delete`."""
        self._mark(match_id, deleted=False)

    def _mark(self, match_id: str, *, deleted: bool) -> None:
        whole_id = self._whole_id(match_id)

        def mark(db: sqlite3.Connection) -> tuple[list[str], None]:
            place, kept = matches.read(db, whole_id)
            changed = kept._replace(summary=kept.summary.changed(deleted=deleted))
            return [] if changed == kept else [matches.line_of(db, changed, place)], None

        self._worker.write(mark)

    def export(self, match_id: str) -> str:
        """The JSON record; raises DuelboxError while it would tell what is hidden."""
        record = self._public(match_id).record
        assert record is not None
        return record.to_json()

    def codes(self, match_id: str) -> tuple[str, ...]:
        """The position code of each round; raises DuelboxError while one would tell what is hidden."""
        return tuple(session.code() for session in self._public(match_id).sessions)

    def _public(self, match_id: str) -> OpenedRecord:
        kept = self._kept(match_id)
        if playable(kept.summary.game).INFO.hidden and not kept.summary.over:
            # All rounds of a match are drawn from one seed, so a finished round would tell the next.
            raise DuelboxError("The record tells both hands: you can export it when the match is over.")
        found = opened(kept)
        if found.error:
            raise DuelboxError(found.error)
        return found

    def import_text(self, text: str | bytes) -> str:
        """Add a JSON record or a position code and return its id; raises RecordError or CodeError and adds nothing.

        A record that is there already is not added again.
        """
        found = _opened(text)
        if found.record is None or found.error:
            raise RecordError(found.error or "It is not a record.")
        if not any(session.plies for session in found.sessions):
            raise RecordError("It is a record without a single move, so there is nothing to keep.")
        played = found.record.played
        if not in_calendar(*(time for one in played for time in (one.started, one.ended))):
            raise RecordError("It has a time outside the calendar.")
        last_played = max(one.ended or one.started for one in played)
        over = len(played) == found.record.rounds and played[-1].result is not None
        kept = written(found.record, playing(found), matches.new_id(), last_played, imported=not over)

        def add(db: sqlite3.Connection) -> tuple[list[str], str]:
            if known := matches.same_record(db, kept):
                return [], known
            return [matches.line_of(db, kept)], kept.summary.id

        return self.find(self._worker.write(add)).id


def _check(db: sqlite3.Connection) -> list[str]:
    faults = []
    for summary in matches.each(db, Filter(), set(), CHECKED):
        if why_unplayable(summary.game):
            continue  # its checksum holds; nobody here can say what follows from its moves
        record = opened(matches.read(db, summary.id)[1]).record
        assert record is not None
        told = summary_of(record, summary.id, summary.last_played, imported=summary.imported)
        if told != summary:
            faults.append(f"the summary of {summary.id} does not follow from its moves")
    return faults


def _opened(text: str | bytes) -> OpenedRecord:
    code = text if isinstance(text, str) else text.decode("utf-8", "replace")
    if not re.match(r"\s*[a-z]", code[:1000], re.IGNORECASE):  # as every code begins, and no JSON object
        return open_record(text, find_game)
    session, at = parse_code(code, find_game), now()
    players = (PlayerInfo(name=DEFAULT_NAMES[0]), PlayerInfo(name=DEFAULT_NAMES[1]))
    one = recorded_round(session, 1, 0, at, at)
    return OpenedRecord(Record(game=session.game.INFO.id, players=players, played=(one,)), (session,), None)
