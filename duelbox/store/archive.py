"""Finds, lists, counts, deletes, exports and imports saved matches."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError, RecordError
from duelbox.core.record import PlayerInfo, Record, recorded_round
from duelbox.core.record_reader import OpenedRecord, open_record
from duelbox.core.session import DEFAULT_NAMES
from duelbox.registry import find_game, why_unplayable
from duelbox.store import matches
from duelbox.store.index import MatchLine
from duelbox.store.matches import EVERYTHING, Filter, Kept, NoSuchGame, Standing, opened, playable, playing, written
from duelbox.store.records import Records
from duelbox.store.statistics import Played, Tally, latest_played, tallies
from duelbox.store.summary import Summary, summary_of
from duelbox.store.times import in_calendar, now
from duelbox.store.trouble import Unavailable
from duelbox.store.worker import Worker

T = TypeVar("T")
PAGE = 500
"""`each_record` reads this many matches at a time."""
IMPORT_SECONDS = 60.0
"""The longest wait of an import for others that write, such as five more imports."""
CHECKED = 1000
"""`check` replays this many matches, the latest ones; for older ones it relies on `Records.look_over`."""


class Archive:
    """Access to all saved matches. Thread-safe.

    Every method blocks on the disk, so call it with `asyncio.to_thread` where a few milliseconds matter.
    """

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    # -- looking

    def find(self, match_id: str) -> Summary:
        """Return the match with this id or unique beginning of an id; raises NoSuchGame."""
        whole_id = self._whole_id(match_id)
        elsewhere = self._worker.records.running.elsewhere
        summary, played = self._worker.read(lambda db: (matches.find(db, whole_id), elsewhere()))
        return summary.changed(open_elsewhere=whole_id in played)

    def _whole_id(self, match_id: str) -> str:
        """Complete the beginning of an id; raises NoSuchGame unless exactly one id has it."""
        beginning = match_id.strip().lower()
        query = "SELECT id FROM match WHERE id >= ? AND id < ? ORDER BY id LIMIT 2"  # deleted ones, too, for `restore`
        bounds = beginning, f"{beginning}\U0010ffff"
        rows = self._worker.read(lambda db: db.execute(query, bounds).fetchall()) if beginning else []
        ids: list[str] = [row[0] for row in rows]
        if len(ids) > 1 and beginning not in ids:
            raise NoSuchGame(f"More than one saved game begins with {match_id[:24]!a}: {ids[0]}, {ids[1]}…")
        if not ids:
            raise NoSuchGame(f"There is no saved game {match_id[:24]!a}. `duelbox history` lists them.")
        return ids[0]

    def _kept(self, match_id: str) -> Kept:
        """Read a match from its line; raises NoSuchGame."""
        return matches.kept_of(self._line(self._whole_id(match_id)))

    def _line(self, whole_id: str) -> MatchLine:
        return self._worker.do(lambda records: records.line_of(whole_id))

    def load(self, match_id: str) -> OpenedRecord:
        """Open a match for reading: its record, sessions with undo history, and first error. Raises NoSuchGame.

        The id may be shortened if it still fits one match only.
        """
        return opened(self._kept(match_id))

    def unfinished(self, limit: int = EVERYTHING) -> tuple[Summary, ...]:
        """List the unfinished matches of installed duels, the latest first."""

        def query(db: sqlite3.Connection) -> tuple[Summary, ...]:
            listed = matches.each(db, Filter(result="unfinished"), self._worker.records.running.elsewhere())
            installed = (summary for summary in listed if why_unplayable(summary.game) is None)
            return tuple(installed if limit < 0 else islice(installed, limit))

        return self._listed(query, ())

    def to_go_on(self, match_id: str) -> Summary:
        """Return the unfinished match with this id, or the latest one for an empty id; raises DuelboxError."""
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
        """List saved matches, the latest first; `opponent` is a player's name or a computer's level."""
        which, page = Filter(game, opponent, result), (min(limit, sys.maxsize), min(offset, sys.maxsize))
        return self._listed(
            lambda db: tuple(matches.each(db, which, self._worker.records.running.elsewhere(), *page)), ()
        )

    def count(self, game: str | None = None, opponent: str | None = None, result: Standing | None = None) -> int:
        """Count the matches that `history` would list with these filters."""
        return self._listed(lambda db: matches.count(db, Filter(game, opponent, result)), 0)

    def games(self) -> dict[str, int]:
        """Count the matches of each game."""
        query = "SELECT game, count(*) FROM match INDEXED BY match_short WHERE listed GROUP BY game"
        return self._listed(lambda db: dict(db.execute(query)), dict[str, int]())

    def opponents(self) -> tuple[str, ...]:
        """List all names and levels that `history` can filter by."""
        query = "SELECT DISTINCT pair FROM match INDEXED BY match_short WHERE listed"
        pairs = self._listed(lambda db: db.execute(query).fetchall(), list[tuple[str]]())
        return tuple(sorted({name for (pair,) in pairs for name in json.loads(pair) if name}))

    def statistics(self) -> tuple[Tally, ...]:
        """Count every person's results by game, opponent and level."""
        return self._listed(tallies, ())

    def latest_played(self) -> tuple[Played, ...]:
        """The last games of people against computers, the latest first."""
        return self._listed(latest_played, ())

    def _listed(self, query: Callable[[sqlite3.Connection], T], nothing: T) -> T:
        """Run a query, or return `nothing` while the files can't be read (the store's `notice` says so)."""
        try:
            return self._worker.read(query)
        except Unavailable:
            return nothing

    # -- keeping

    def delete(self, match_id: str) -> None:
        """Hide a match from history and statistics; `restore` brings it back.

        Raises DuelboxError while another terminal plays it: its next move would bring it back.
        """
        if self.find(match_id).open_elsewhere:
            raise DuelboxError("This game is open in another terminal. Close it there, then delete it.")
        self._mark(match_id, deleted=True)

    def restore(self, match_id: str) -> None:
        """Undo `delete`."""
        self._mark(match_id, deleted=False)

    def _mark(self, match_id: str, *, deleted: bool) -> None:
        whole_id = self._whole_id(match_id)

        def mark(db: sqlite3.Connection, number: int) -> tuple[list[str], None]:
            line = self._worker.records.line_in(db, whole_id)
            kept = matches.kept_of(line)
            changed = kept._replace(summary=kept.summary.changed(deleted=deleted))
            if changed == kept:
                return [], None
            return [matches.line_of(changed, number, line.place)], None

        self._worker.write(mark)

    def export(self, match_id: str) -> str:
        """Return the JSON record; raises DuelboxError while the record would reveal hidden numbers."""
        record = self._public(match_id).record
        assert record is not None
        return record.to_json()

    def codes(self, match_id: str) -> tuple[str, ...]:
        """Return the position code of each round; raises DuelboxError while a code would reveal hidden numbers."""
        return tuple(session.code() for session in self._public(match_id).sessions)

    def _public(self, match_id: str) -> OpenedRecord:
        kept = self._kept(match_id)
        check_public(kept.summary.game, over=kept.summary.over)
        record = opened(kept)
        if record.error:
            raise DuelboxError(record.error)
        return record

    def each_record(self) -> Iterator[tuple[str, str | DuelboxError]]:
        """The id and the JSON record of every listed match, oldest first, as they are kept; or why it is left out."""
        last = (0, "")
        while page := self._worker.read(partial(self._page, last)):
            last = page[-1].place, page[-1].id
            for one in page:
                try:
                    check_public(one.game, over=one.result is not None)
                    yield one.id, one.record
                except DuelboxError as error:
                    yield one.id, error

    def _page(self, last: tuple[int, str], db: sqlite3.Connection) -> list[MatchLine]:
        return matches.page_after(db, last, PAGE, self._worker.records.line_in)

    def import_text(self, text: str | bytes) -> str:
        """Save a JSON record or a position code and return its id.

        Does not save the same record twice. Raises RecordError or CodeError, and then saves nothing.
        """
        (match_id,) = self.import_all([read_match(text)])
        return match_id

    def import_all(self, kept: Sequence[Kept]) -> list[str]:
        """Save what `read_match` has read, at once, and return the ids; none is saved twice.

        A match that was not there before gets the id that it was read with.
        """

        def add(db: sqlite3.Connection, number: int) -> tuple[list[str], list[str]]:
            line_of = partial(self._worker.records.line_in, db)
            ids: dict[str, str] = {}
            found: list[str] = []
            lines: list[str] = []
            for one in kept:
                same = matches.without_reasons(one.record)
                if same not in ids:
                    known = matches.same_record(db, one, line_of)
                    ids[same] = known or one.summary.id
                    if not known:
                        lines.append(matches.line_of(one, number + len(lines)))
                found.append(ids[same])
            return lines, found

        return self._worker.write(add, IMPORT_SECONDS)

    def check(self) -> tuple[str, ...]:
        """Read all files, and describe each fault. Raises Unavailable."""
        damage = self._worker.do(Records.look_over)
        faults = [damage] if damage else []
        for summary in self.history(limit=CHECKED):
            faults += self._faults(summary)
        return tuple(faults)

    def _faults(self, summary: Summary) -> list[str]:
        """Describe what is wrong with a match, which is replayed."""
        if why_unplayable(summary.game):
            return []  # its checksum is right; its moves cannot be replayed here
        match = open_record(self._kept(summary.id).record, find_game)
        record = match.record
        if record is None or match.error:
            return [f"{summary.id} cannot be replayed: {match.error}"]
        expected = summary_of(record, summary.id, summary.last_played, imported=summary.imported)
        if expected != summary.changed(open_elsewhere=False):
            return [f"the summary of {summary.id} does not follow from its moves"]
        return []


def check_public(game_id: str, *, over: bool) -> None:
    """Raise DuelboxError if a record of this game would reveal hidden numbers, or cannot be read here."""
    if playable(game_id).INFO.hidden and not over:
        # All rounds of a match are drawn from one seed, so a finished round reveals the next one.
        raise DuelboxError("The record tells both hands: you can export it when the match is over.")


def read_match(text: str | bytes) -> Kept:
    """Read and replay a JSON record or a position code; raises RecordError or CodeError."""
    match = _opened(text)
    if match.record is None or match.error:
        raise RecordError(match.error or "It is not a record.")
    if not any(session.plies for session in match.sessions):
        raise RecordError("It is a record without a single move, so there is nothing to keep.")
    played = match.record.played
    if not in_calendar(*(time for one in played for time in (one.started, one.ended))):
        raise RecordError("It has a time outside the calendar.")
    last_played = max(one.ended or one.started for one in played)
    over = len(played) == match.record.rounds and played[-1].result is not None
    return written(match.record, playing(match), matches.new_id(), last_played, imported=not over)


def _opened(text: str | bytes) -> OpenedRecord:
    code = text if isinstance(text, str) else text.decode("utf-8", "replace")
    # Every code begins with a letter, and no JSON object does.
    if not re.match(r"\s*[a-z]", code[:1000], re.IGNORECASE):
        return open_record(text, find_game)
    session, at = parse_code(code, find_game), now()
    players = (PlayerInfo(name=DEFAULT_NAMES[0]), PlayerInfo(name=DEFAULT_NAMES[1]))
    one = recorded_round(session, 1, 0, at, at)
    return OpenedRecord(Record(game=session.game.INFO.id, players=players, played=(one,)), (session,), None)
