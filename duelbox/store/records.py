"""The files of the store: the archive, its index, and a journal for each match being played; damage is repaired.

Everything is written to a journal first: the archive, or that of a running match. The index follows at once. What one
of the two lacks comes back from the other; where the folder can't be used, memory takes their place.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TypeVar

from duelbox.core.errors import DuelboxError
from duelbox.core.names import printable
from duelbox.store import files, index, takeover
from duelbox.store.files import Folders, check_regular, make_private, make_private_folder, reason, shown
from duelbox.store.journal import Journal, checksum, is_held, look, rewrite
from duelbox.store.times import now

T = TypeVar("T")
HEADER = index.line("archive", 1)
"""The first line of the archive: the version of its format."""
BEGINNING, ENDING = "match.", ".jsonl"
BUSY_SECONDS = 3.0
LONGEST = 1_000_000
"""Bytes after which a journal starts again; its last row, which holds all rounds, joins the archive first."""
LOOKED_OVER = 16_000_000
"""The size of an archive, about 14,000 matches, up to which every start reads all of archive and index: 15 ms."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""No room; EFBIG for a visitor of a server whose disk limit is reached."""
_PASSING = {*_FULL, errno.EAGAIN, errno.EIO}
_UNTIL_QUIT = "What you play now is kept only until you quit."
_AGAIN = "What you play is kept in memory. Every move tries to save it again."


class Unavailable(DuelboxError):
    """The saved games can't be read or written just now."""


class Records:
    """All saved rows, for one thread at a time; `repaired` and `trouble` are sentences to show, or None."""

    def __init__(self, folders: Folders) -> None:
        self._folder, self._history, self._index = folders.data, folders.history, folders.index
        self._seal = folders.index.with_suffix(".seal")
        self._held: dict[str, Journal] = {}
        self._last: dict[str, str] = {}  # the last lines that were added to these
        self._file: tuple[int, int] | None = None
        self._sealing = self._retry = False
        self.kept = False
        """True if the rows are in files, so that games outlive this process."""
        self.repaired: str | None = None
        self.trouble: str | None = None
        self._db = index.memory()
        self._open()

    def close(self) -> None:
        """Close the files."""
        if self._sealing and self._db.total_changes:
            self._put_seal(self._db)
        self._db.close()

    # -- use

    def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """The answer of a query, which sees no change made meanwhile; raises Unavailable."""
        return self._tried(lambda: self._in_index(query, "DEFERRED"))

    def write(self, change: Callable[[sqlite3.Connection], tuple[Sequence[str], T]]) -> T:
        """Add lines to the archive, with an answer; when it returns, they are on disk. Raises Unavailable."""
        self.try_again()
        return self._tried(lambda: self._add(change))

    def try_again(self) -> None:
        """Open the files again if they could not be opened, for a reason that may have passed."""
        if self._retry and not self.kept:
            self._open()

    def _add(self, change: Callable[[sqlite3.Connection], tuple[Sequence[str], T]]) -> T:
        def add(db: sqlite3.Connection) -> T:
            size, crc = index.archive_read(db)
            if history and history.size != size:
                raise _Changed
            texts, answer = change(db)
            if history and texts:
                crc = zlib.crc32(history.add(texts), crc)
                index.note_archive(db, history.size, crc)
            for text in texts:
                index.put(db, text)
            return answer

        with ExitStack() as held:
            history = None
            try:
                if self.kept:
                    history = held.enter_context(closing(Journal.open(self._history, new=True, patience=BUSY_SECONDS)))
                answer = self._in_index(add, "IMMEDIATE")
            except OSError as error:
                raise self.failed(error, self._history) from error
        if self.kept:
            self.trouble = None
        return answer

    def failed(self, error: OSError, path: Path) -> Unavailable:
        """The exception for an error of the disk; sets `trouble` as well."""
        named = shown(path)
        if isinstance(error, BlockingIOError):
            cause = f"{named} is locked by another program."
        elif error.errno in _FULL:
            cause = f"The disk is full, so nothing can be saved in {shown(self._folder)}."  # the same for all files
        else:
            cause = f"{named} cannot be written ({reason(error)})."
        self.trouble = f"{cause} {_AGAIN}"
        return Unavailable(cause)

    def _in_index(self, work: Callable[[sqlite3.Connection], T], kind: str) -> T:
        with index.transaction(self._db, kind):
            if self._file not in (None, _identity(self._index)):
                raise _Changed  # repaired by another process, or deleted
            return work(self._db)

    def _tried(self, work: Callable[[], T]) -> T:
        """Do this work; after a fault, open the files again and retry, three times in all."""
        for _ in range(3):
            try:
                return work()
            except _Changed:
                self._open()
            except index.FAULTS as error:
                self._open(suspicious=index.is_damage(error), in_file=index.is_damage(error))
        cause = f"{shown(self._index)} cannot be read."
        self.trouble = f"{cause} {_AGAIN}"
        raise Unavailable(cause)

    # -- running matches

    def hold(self, match_id: str) -> None:
        """Lock the journal of a match; raises BlockingIOError if another terminal plays it, or Unavailable."""
        journal, path = self._held.get(match_id), self._path(match_id)
        if not self.kept or (journal is not None and journal.is_there):
            return
        if journal is not None:
            journal.close()  # its file was taken away
        try:
            if path.exists():
                self._tried(lambda: self._take_up(match_id, path))  # the turns of a process that was killed
            if self.kept:
                make_private_folder(self._folder)
                self._held[match_id] = Journal.open(path, new=True)
        except BlockingIOError:
            raise
        except OSError as error:
            raise self.failed(error, path) from error

    def save(self, match_id: str, text: str) -> None:
        """Add a row to the journal of its match, and then to the index; when it returns, that is on disk.

        Raises BlockingIOError where the match is played in another terminal, or Unavailable.
        """
        self.hold(match_id)
        if self.kept:
            try:
                self._held[match_id].add([text])
            except OSError as error:
                raise self.failed(error, self._path(match_id)) from error
            self._last[match_id] = text
            self.trouble = None
            if self._held[match_id].size > LONGEST:
                with suppress(Unavailable, OSError):
                    self.write(lambda _: ([text], None))
                    self._held[match_id].clear()
        with suppress(Unavailable):
            self._tried(lambda: self._in_index(lambda db: index.put(db, text), "IMMEDIATE"))

    def put_away(self, match_id: str) -> None:
        """Move the last row of a match to the archive, if it is new, and remove its journal."""
        journal, text = self._held.get(match_id), self._last.get(match_id)
        if journal is None:
            return
        with suppress(Unavailable):
            if text is not None:
                self.write(lambda _: ([text], None))
            if self.kept:
                journal.wipe()
        journal.close()  # a file that is still there is put away at the next start
        del self._held[match_id]
        self._last.pop(match_id, None)

    def put_all_away(self) -> None:
        """Move the last rows of all matches played here to the archive, and remove their journals."""
        for match_id in tuple(self._held):
            self.put_away(match_id)

    def elsewhere(self) -> set[str]:
        """The matches open in other terminals."""
        return {match_id for match_id, path in self._journals() if match_id not in self._held and is_held(path)}

    def _path(self, match_id: str) -> Path:
        return self._folder / f"{BEGINNING}{match_id}{ENDING}"

    def _journals(self) -> list[tuple[str, Path]]:
        found = self._folder.glob(f"{BEGINNING}*{ENDING}")
        named = [(path.name.removeprefix(BEGINNING).removesuffix(ENDING), path) for path in found]
        return [(match_id, path) for match_id, path in named if match_id.isalnum()]  # not those set aside

    # -- opening and mending

    def look_over(self) -> str | None:
        """Read all files and mend what is damaged; returns a sentence about it, or None."""
        before, self.repaired = self.repaired, None
        self._open(suspicious=True)
        found, self.repaired = self.repaired, self.repaired or before
        return found

    def _open(self, *, suspicious: bool = False, in_file: bool = True) -> None:
        """Open and repair the files, and put away the matches of killed processes; use memory if that fails."""
        self._db.close()
        self.kept, self._file, self._sealing, self._retry = False, None, False, False
        try:
            make_private_folder(self._folder)
            if not os.access(self._folder, os.W_OK):
                raise PermissionError(errno.EACCES, "it cannot be written")
            with closing(Journal.open(self._history, new=True, patience=BUSY_SECONDS)) as history:
                if (first := history.first()) != HEADER and first.startswith('["archive"'):
                    raise _Newer(first)
                parts, missing = self._open_index(history, suspicious, in_file)
            self.kept, self.trouble = True, None
            self.repaired = " ".join(parts) or self.repaired
            for match_id, path in self._journals():
                if match_id not in self._held:
                    self._take_up(match_id, path, missing=missing)
            return
        except _Newer as newer:
            named, version = shown(self._history), printable(f"{newer}"[12:-1])
            self.trouble = f"{named} was written by a newer duelbox (version {version}). {_UNTIL_QUIT}"
        except (OSError, *index.FAULTS) as error:
            if index.is_damage(error) and not suspicious:
                self._open(suspicious=True)
                return
            self.kept, self._retry = False, getattr(error, "errno", 0) in _PASSING
            outlook = _AGAIN if self._retry else _UNTIL_QUIT
            self.trouble = f"Saved games cannot be kept in {shown(self._folder)}: {reason(error)}. {outlook}"
        self._db, self._file = index.memory(), None
        with index.transaction(self._db):
            for path in (self._history, *(path for _, path in self._journals())):
                index.put_all(self._db, _lines(path))
            index.put_all(self._db, takeover.read(self._folder)[0])

    def _open_index(self, history: Journal, suspicious: bool, in_file: bool) -> tuple[list[str], bool]:
        """Open the index and compare it with the archive; returns sentences about damage, and if it was missing."""
        looked_over = suspicious or history.size < LOOKED_OVER
        missing, aside, parts = in_file and not self._index.exists(), None, list[str]()
        try:
            self._db = self._connected(looked_over, suspicious) if in_file else index.memory()
        except (OSError, *index.FAULTS) as error:
            if index.is_damage(error):
                aside = self._folder / _set_aside(self._index)
                self._index.unlink()
                self._index.with_name(f"{self._index.name}-journal").unlink(missing_ok=True)
                self._db = self._connected(False, False)
            else:
                in_file, self._db = False, index.memory()
        try:
            self._file = _identity(self._index) if in_file else None
            self._sealing = in_file and looked_over
            with index.transaction(self._db):
                if aside:
                    with closing(index.connect_read_only(aside, "immutable=1")) as damaged:
                        index.put_all(self._db, (text for _, _, text in index.rows(damaged)))
                    parts.append(f"{shown(self._index)} was damaged. The damaged file is kept as {aside.name}.")
                index.put_all(self._db, self._last.values())
                old, faults = takeover.read(self._folder)
                size, crc = index.archive_read(self._db)
                doubtful = suspicious or old or faults or not 0 < size <= history.size
                grown = not doubtful and (not looked_over or history.crc(size) == crc)
                if not (grown and self._read_on(self._db, history, size)):
                    parts += faults + self._compare(self._db, history, old, missing=missing)
            takeover.put_away(self._folder)
        except BaseException:
            self._db.close()
            raise
        return parts, missing

    def _connected(self, looked_over: bool, suspicious: bool) -> sqlite3.Connection:
        for file in (self._index, self._index.with_name(f"{self._index.name}-journal")):
            check_regular(file)
        make_private(self._index)
        db = index.connect(self._index, BUSY_SECONDS)
        if suspicious or (looked_over and not self._sealed(db)):
            if found := index.faults(db):
                db.close()
                raise index.Damaged(found[0])
            self._put_seal(db)
        return db

    def _sealed(self, db: sqlite3.Connection) -> bool:
        """True if the index is as it was when it was looked over or closed."""
        with suppress(OSError):
            return files.read_regular(self._seal, 100) == index.seal(db).encode() != b""
        return False

    def _put_seal(self, db: sqlite3.Connection) -> None:
        """Keep the checksum of the index; it spares the next start a closer look."""
        with suppress(OSError, *index.FAULTS):
            make_private(self._seal)
            self._seal.write_text(index.seal(db))

    def _read_on(self, db: sqlite3.Connection, history: Journal, start: int) -> bool:
        """Put what the archive has from this byte on into the index; False if something in it is damaged."""
        size, content = history.size, history.read(start)
        if content.damaged or index.put_all(db, content.lines):
            return False
        if history.size != size:
            history.add(())  # a torn line goes
        if history.size != start:
            index.note_archive(db, history.size, history.crc(history.size))
        return True

    def _compare(self, db: sqlite3.Connection, history: Journal, old: Sequence[str], *, missing: bool) -> list[str]:
        """Bring archive and index to the same rows, add those of journals and old files, and return the faults."""
        size, content, known = history.size, history.read(), index.sums(db)
        whole = content.lines[:1] == (HEADER,)
        archived = {checksum(text): text for text in content.lines[whole:]}
        # A torn last line was nothing yet, unless the index that would tell so is gone.
        bad = content.damaged + (not whole and size > 0) + (missing and content.tail != b"")
        bad += index.put_all(db, (text for check, text in archived.items() if check not in known))
        journals = dict(self._journals())
        for lines in (old, *map(_lines, journals.values())):
            index.put_all(db, lines)
        running = {*journals, *self._held}
        lacking = [text for _, match_id, text in index.rows(db, archived.keys()) if match_id not in running]
        back = _games(sorted(set(lacking) - set(old)))
        if bad:
            texts = [text for *_, text in index.rows(db)]
            still, aside = _games([text for text in texts if checksum(text) in archived]), _set_aside(self._history)
            fresh = rewrite(self._history, [HEADER, *texts])
            index.note_archive(db, len(fresh), zlib.crc32(fresh))
            saved = [f"{still} could still be read"] if still else []
            saved += [f"{back} came back from {self._index.name}"] if back else []
            became = " and ".join(saved) or "nothing in it could be read"
            return [f"{shown(self._history)} was damaged: {became}. The damaged file is kept as {aside}."]
        if lacking or size != history.size or not size:  # a torn line goes, too
            history.add(([] if size else [HEADER]) + lacking)
        index.note_archive(db, history.size, history.crc(history.size))
        if back:
            return [f"{shown(self._history)} lacked {back}, now back from {self._index.name}."]
        return [f"{shown(self._index)} was missing, and has been made anew."] if missing and size else []

    def _take_up(self, match_id: str, path: Path, *, missing: bool = False) -> None:
        """Put away a match, unless another terminal plays it now."""
        try:
            journal = Journal.open(path, patience=0)
            empty, content = not journal.size, journal.read()
        except OSError:
            return
        try:
            with index.transaction(self._db):
                index.put_all(self._db, content.lines)
                newest = None if empty else index.line_of(self._db, match_id)
        except BaseException:
            journal.close()
            raise
        self._held[match_id] = journal
        if newest:
            self._last[match_id] = newest
        if content.damaged or (missing and content.tail):
            fault = f"{shown(path)} was damaged. The damaged file is kept as {_set_aside(path)}."
            self.repaired = f"{self.repaired} {fault}" if self.repaired else fault
            path.unlink()
        self.put_away(match_id)


class _Changed(Exception):
    """The files were replaced since they were opened."""


class _Newer(Exception):
    """The archive was written by a newer duelbox; the argument is its first line."""


def _lines(path: Path) -> Sequence[str]:
    with suppress(OSError):  # it may be gone by now
        return look(path).lines
    return ()


def _set_aside(path: Path) -> str:
    """Give a damaged file a second name and return it; the first name stays, so that a file is there at any moment."""
    aside = files.free_path(path, f"damaged-{now():%Y-%m-%d}")
    try:
        aside.hardlink_to(path.resolve())
    except OSError:
        shutil.copyfile(path, aside)
        make_private(aside)
    return aside.name


def _identity(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


def _games(texts: Sequence[str]) -> str:
    """The number of matches in these lines, in words; empty for no lines."""
    count = sum(text.startswith('["match"') for text in texts)
    return f"{count} game{'' if count == 1 else 's'}" if count else "progress" if texts else ""
