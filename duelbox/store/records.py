"""All that is kept in the data folder: a journal for each running match, the history of what lasts, and its index.

It flows one way: a move is a line in the journal of its match; a match that is left is a line in the history, and then
its journal goes; the index takes up what the history has. Nothing comes back from the index. Where the folder cannot be
used, all that is new is kept in memory.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import TypeAlias, TypeVar

from duelbox.core.names import printable
from duelbox.store import files, index, matches, takeover
from duelbox.store.files import Folders, reason, shown
from duelbox.store.index import MatchLine
from duelbox.store.journal import Journal, checksum, line_at, lines_in, look
from duelbox.store.matches import Kept
from duelbox.store.running import Running
from duelbox.store.times import milliseconds, now
from duelbox.store.trouble import AGAIN, NO_LOCKS, PASSING, UNTIL_QUIT, Told, Unavailable

T = TypeVar("T")
Change: TypeAlias = Callable[[sqlite3.Connection, int], tuple[Sequence[str], T]]
"""A query that gives lines for the history, and an answer; its number is that of the next change."""
HEADER = index.line("archive", 1)
"""The first line of the history: the version of its format."""
TOLD = "damage-told"
"""The kind of progress that notes which damaged lines a player has been told of."""
BUSY_SECONDS = 3.0
GROWN = 1 / 1000
"""The share by which the history has grown when the file of the index is replaced at the end."""
GROWN_MUCH = 4_000_000
"""Bytes, with a quarter of the history, after which it is replaced at once, as what it lacks takes memory."""
LONGEST = 1_000_000
"""Bytes after which a journal starts again; its last row, which holds all rounds, joins the history first."""


class Records:
    """All saved rows, for one thread at a time."""

    def __init__(self, folders: Folders) -> None:
        self._folder = folders.data
        self._history = folders.history
        self._index = folders.index
        self.running = Running(folders.data)
        self._unkept: list[str] = []
        """Lines for the history that no disk has taken yet."""
        self.known: dict[str, int] = {}
        """The numbers of the last changes of the matches that this process plays."""
        self._number = 0
        self._retry = False
        self.kept = False
        """True if the rows are in files, so that games outlive this process."""
        self.told = Told()
        self._damage = index.Damage()
        self._db = index.memory()
        self._indexed = 0
        """The bytes of the history that the file of the index has read."""
        self._open()

    def close(self) -> None:
        """Close the files."""
        if self._grown > self._indexed * GROWN:
            self._renew()
        self._db.close()

    def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """The answer of a query; raises Unavailable."""
        return self._tried(lambda: self._read(query))

    def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        self._take_in()
        with index.laid_over(self._db, self._laid_over()):
            return query(self._db)

    def _take_in(self) -> None:
        """Let the index take up what the history has got."""
        if self.kept:
            index.read_on(self._db, self._history)

    def _laid_over(self) -> list[str]:
        """The last lines of all running matches, and what no disk has taken."""
        return [*self._unkept, *self.running.texts()]

    def line_of(self, match_id: str) -> MatchLine:
        """The line of a match: of its journal while it is played, else of the history. Raises NoSuchGame."""
        return self.read(lambda db: self.line_in(db, match_id))

    def line_in(self, db: sqlite3.Connection, match_id: str) -> MatchLine:
        """The line of a match, in the course of a query."""
        at, size = matches.place_in(db, match_id)
        if at < 0:
            lines = map(index.match_in, self._laid_over())
            return max(line for line in lines if line is not None and line.id == match_id)
        with files.raw_file(self._history) as file:
            text = line_at(file, at, size)
        line = None if text is None else index.match_in(text)
        if line is None or line.id != match_id:
            raise index.Outdated(f"the line of {match_id} is not as it was")
        return line

    def look_over(self) -> str | None:
        """Read the whole history and index; returns sentences about damage that was not told before, or None."""
        before = self.told.damage
        if self.kept:
            self._tried(self._look)
            self._describe()
        return None if self.told.damage == before else self.told.damage

    def _look(self) -> None:
        self._take_in()
        known = set(index.damage(self._db).places)
        with files.raw_file(self._history) as file:
            if any(line.text is None and line.at not in known for line in lines_in(file)):
                raise index.Outdated("a line is damaged that was whole")
        index.verify(self._db)

    def _tried(self, work: Callable[[], T]) -> T:
        """Do this work; after a fault of the index, make it anew and retry, three times in all."""
        for _ in range(3):
            try:
                return work()
            except index.FAULTS as error:
                if not isinstance(error, index.Outdated):
                    self._use(index.memory())
                self._open(anew=True)
            except OSError as error:
                raise self.told.failed(error, self._history) from error
        cause = f"{shown(self._index)} cannot be read."
        self.told.trouble = f"{cause} {AGAIN}"
        raise Unavailable(cause)

    # -- writing

    def write(self, change: Change[T], patience: float | None = None) -> T:
        """Add lines to the history, with an answer; when it returns, they are on disk. Raises Unavailable."""
        self.try_again()
        self._tried(self._take_in)  # an index that is made anew needs the lock
        if not self.kept:
            texts, answer = self.read(lambda db: change(db, self._next()))
            self._unkept += texts
            return answer
        try:
            with closing(Journal.open(self._history, new=True, patience=patience or BUSY_SECONDS)) as history:
                texts, answer = self.read(lambda db: change(db, self._next()))
                if texts:
                    self._add(history, texts)
        except OSError as error:
            raise self.told.failed(error, self._history) from error
        self.told.trouble = None
        with suppress(Unavailable):
            self._tried(self._take_in)  # the index takes it up
        if self._grown > GROWN_MUCH + self._indexed // 4:
            self._renew()
            self._open()
        self._describe()
        return answer

    def _add(self, history: Journal, texts: Sequence[str]) -> None:
        """Add lines; what another process left behind the last whole one stays, and is damage."""
        if index.noted(self._db).size < history.size:
            index.read_on(self._db, self._history, locked=True)
        history.add(texts if history.size else [HEADER, *texts])

    def _next(self) -> int:
        """The number of the next change."""
        running = max(map(matches.number_of, self._laid_over()), default=0)
        self._number = 1 + max(self._number, running, index.noted(self._db).number)
        return self._number

    def try_again(self) -> None:
        """Open the files again if they could not be opened, for a reason that may have passed."""
        if self._retry and not self.kept:
            self._open()

    # -- running matches

    def hold(self, match_id: str) -> bool:
        """Lock the journal of a match; True if it was not locked before.

        Raises BlockingIOError if another terminal plays the match, or Unavailable.
        """
        journal = self.running.held.get(match_id)
        if not self.kept or (journal is not None and journal.is_there):
            return False
        try:
            files.make_private_folder(self._folder)
            self._take_up(match_id, new=True)
        except BlockingIOError:
            raise
        except OSError as error:
            raise self.told.failed(error, self.running.path(match_id)) from error
        return True

    def _take_up(self, match_id: str, *, new: bool) -> None:
        """Lock the journal of a match, and go on from its last line; a damaged one is set aside.

        Raises BlockingIOError, OSError, or Unavailable.
        """
        whole = self.running.hold(match_id, new=new)
        self._check_lock(self.running.held[match_id])
        if whole:
            return
        path = self.running.path(match_id)
        became = "Nothing in it could be read."
        if match_id in self.running.last:
            became = "What its last whole line has is kept."
            self._move_to_history(match_id)
        self._set_aside(path, f"was damaged. {became}")
        self.running.let_go(match_id)
        if new:
            self._take_up(match_id, new=True)

    def save(self, match_id: str, kept: Kept) -> None:
        """Add a match as it is now to its journal; when it returns, that is on disk.

        Raises BlockingIOError where the match is played in another terminal, or Unavailable.
        """
        self.hold(match_id)
        number = self._tried(self._next)
        text = matches.line_of(kept, number)
        if self.kept:
            journal = self.running.held[match_id]
            try:
                journal.add([text])
            except OSError as error:
                raise self.told.failed(error, journal.path) from error
            self.told.trouble = None
        self.running.last[match_id] = text
        self.known[match_id] = number
        if self.kept and self.running.held[match_id].size > LONGEST:
            with suppress(Unavailable, OSError):
                self._move_to_history(match_id)
                self.running.held[match_id].clear()

    def put_away(self, match_id: str) -> None:
        """Move the last line of a match to the history, and then remove its journal."""
        journal = self.running.held.get(match_id)
        if journal is None:
            return
        with suppress(Unavailable):
            self._move_to_history(match_id)
            if self.kept:
                journal.wipe()
        self.running.let_go(match_id)  # a file that is still there is put away at the next start

    def _move_to_history(self, match_id: str) -> None:
        """Add the last line of a match to the history, which knows it if it is not newer; raises Unavailable."""
        text = self.running.last.get(match_id)
        if text is not None:
            self.write(lambda db, number: ([text], None))
            if self.kept:
                self.running.last.pop(match_id, None)

    def put_all_away(self) -> None:
        """Move the last lines of all matches played here to the history, and remove their journals."""
        for match_id in tuple(self.running.held):
            self.put_away(match_id)

    def is_changed(self, match_id: str) -> bool:
        """True if another process has changed a match since this one wrote it, or began to go on with it."""
        try:
            return self.line_of(match_id).number != self.known.get(match_id)
        except matches.NoSuchGame:
            return False

    def _take_all_up(self) -> None:
        """Put away the matches of processes that have ended."""
        for match_id, path in self.running.not_held().items():
            try:
                self._take_up(match_id, new=False)
                self.put_away(match_id)
            except (BlockingIOError, FileNotFoundError):
                pass  # another terminal plays it, or has left it just now
            except OSError as error:
                self.told.tell(f"{shown(path)} cannot be read: {reason(error)}.")

    # -- opening

    def _open(self, *, anew: bool = False) -> None:
        """Open the files, and put away the matches of processes that have ended; use memory where that fails."""
        self.kept = False
        self._retry = False
        try:
            files.make_private_folder(self._folder)
            if not os.access(self._folder, os.W_OK):
                raise PermissionError(errno.EACCES, "it cannot be written")
            if anew or not self._connect() or takeover.is_due(self._folder):
                self._begin()
            self.kept = True
            self.told.trouble = None
            unkept = tuple(self._unkept)
            if unkept:
                self.write(lambda db, number: (unkept, None))
                del self._unkept[: len(unkept)]
            self._take_all_up()
        except _Newer as newer:
            named, version = shown(self._history), printable(f"{newer}"[12:-1])
            self.told.trouble = f"{named} was written by a newer duelbox (version {version}). {UNTIL_QUIT}"
            self._use_memory()
        except (OSError, Unavailable, *index.FAULTS) as error:
            self._retry = getattr(error, "errno", 0) in PASSING
            outlook = AGAIN if self._retry else UNTIL_QUIT
            self.told.trouble = f"Saved games cannot be kept in {shown(self._folder)}: {reason(error)}. {outlook}"
            self._use_memory()
        self._describe()

    def _connect(self) -> bool:
        """Open the index if there is one that goes on to the end of the history."""
        try:
            self._use(index.connect(self._index))
            self._indexed = index.noted(self._db).size
            index.read_on(self._db, self._history)
            if index.noted(self._db).size < self._history.stat().st_size:  # another process may add a line just now
                with closing(Journal.open(self._history, patience=BUSY_SECONDS)):
                    index.read_on(self._db, self._history, locked=True)
            return self._indexed > 0
        except index.Outdated:
            return False  # it will be compared with the new one
        except (OSError, *index.FAULTS):
            self._use(index.memory())
            return False

    def _use(self, db: sqlite3.Connection) -> None:
        self._db.close()
        self._db = db

    @property
    def _grown(self) -> int:
        """The bytes of the history that the file of the index has not read."""
        with suppress(*index.FAULTS):
            return index.noted(self._db).size - self._indexed
        return 0

    def _renew(self) -> None:
        """Replace the file of the index by one that has read all."""
        self._use(index.memory())  # else Windows does not let it go
        with suppress(OSError, *index.FAULTS):
            index.renew(self._index, self._history)

    def _begin(self) -> None:
        """Make the index anew, and the history if there is none; take over what older versions left."""
        with closing(self._checked_history()) as history:
            old, faults = takeover.read(self._folder)
            if not history.size:
                history.add([HEADER])
            if old:
                known = set(look(self._history).lines)
                history.add(text for text in old if text not in known)
            self._make_index()
        for fault in faults:
            self.told.tell(fault)
        takeover.put_away(self._folder)

    def _checked_history(self) -> Journal:
        """Lock the history, and set aside a file that is none. Raises OSError, or _Newer."""
        history = Journal.open(self._history, new=True, patience=BUSY_SECONDS)
        try:
            self._check_lock(history)
            if self._is_history():
                return history
            self._set_aside(self._history, "was damaged. Nothing in it could be read.")
        except BaseException:
            history.close()
            raise
        history.close()
        return self._checked_history()

    def _is_history(self) -> bool:
        """True if the file is empty, or has a whole line; raises OSError, or _Newer."""
        with files.raw_file(self._history) as file:
            texts = [line.text for line in islice(lines_in(file), 1)]
            if texts and (texts[0] or "").startswith('["archive"') and texts[0] != HEADER:
                raise _Newer(texts[0])
            return not texts or any(line.text is not None for line in lines_in(file))

    def _make_index(self) -> None:
        """Make the index anew, and tell what the one before had more; in memory where no file can be made."""
        try:
            for path in index.strangers(self._index):
                self._set_aside(path, "is no index of duelbox.")
            index.make(self._index, self._history)
            made = index.connect(self._index)
        except (OSError, *index.FAULTS):
            made = index.memory()
        index.read_on(made, self._history, locked=True)
        lacking = index.lacking(made, self._db)
        self._use(made)
        self._indexed = index.noted(self._db).size
        if lacking:
            self.told.tell(f"{shown(self._history)} is not as it was. It lacks {lacking}.")

    def _use_memory(self) -> None:
        """Read what can be read into an index in memory."""
        self._use(index.memory())
        with suppress(OSError, *index.FAULTS):
            index.read_on(self._db, self._history)
        old, _ = takeover.read(self._folder)
        self._unkept += [text for text in old if text not in self._unkept]

    def _set_aside(self, path: Path, why: str) -> None:
        """Rename a file, and tell why; raises OSError."""
        aside = files.free_path(path, f"damaged-{now():%Y-%m-%d}")
        files.rename(path, aside)
        self.told.tell(f"{shown(path)} {why} It is kept as {aside.name}.")

    def _check_lock(self, journal: Journal) -> None:
        """Tell once if files cannot be locked in this folder."""
        if not journal.locked:
            self.told.tell(NO_LOCKS.format(shown(self._folder)))

    def _describe(self) -> None:
        """Tell of damaged lines."""
        with suppress(*index.FAULTS):
            damage = index.damage(self._db)
            if damage != self._damage:
                self._damage = damage
                there = "SELECT count(*) FROM progress WHERE kind = ? AND key = ?"
                (marks,) = self._db.execute(there, (TOLD, self._damage_key)).fetchone()
                self.told.count(self._history, len(damage.places), damage.days, before=marks > 0)

    @property
    def _damage_key(self) -> str:
        return checksum(repr(self._damage.places))

    def keep_told(self) -> None:
        """Note that a player has read of the damaged lines there are, for later processes."""
        if self.told.before or not self._damage.places:
            return
        at = milliseconds(now())
        with suppress(Unavailable):
            self.write(lambda db, number: ([index.line("progress", number, TOLD, self._damage_key, at, "1")], None))


class _Newer(Exception):
    """The history was written by a newer duelbox; the argument is its first line."""
