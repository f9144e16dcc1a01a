"""Matches with a friend elsewhere, while they last: a private file each, that only grows, and goes when they are over.

A line is a note of one side in JSON; the first tells how to come back. It is on disk before anything is sent. The match
itself joins the saved games when it is over: before that, half of what is hidden in it is not known here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

from pydantic import ValidationError

from duelbox.core.errors import DuelboxError
from duelbox.core.model import Model
from duelbox.friends.journal_notes import Note, Paired, read_note
from duelbox.relay.wire import Ticket
from duelbox.store.files import Folders, check_regular, make_private, make_private_folder, reason
from duelbox.store.matches import new_id

BEGINNING, ENDING, FAULTY = "elsewhere.", ".jsonl", ".stopped.jsonl"
MOST = 64_000_000
"""A file has at most so many bytes; a room holds less."""


class Way(Model):
    """How to come back to the room of a match."""

    ticket: Ticket
    listen: str = ""
    """Where this program is the relay itself, if it is."""

    @property
    def proven(self) -> bool:
        """Whether the relay proves who it is: at a bare address another may have come to be."""
        return self.ticket.relay.startswith("wss:")


class Journal:
    """The file of one match, held by one program at a time."""

    def __init__(self, path: Path, file: IO[bytes], way: Way, notes: Sequence[Note]) -> None:
        self.path, self.way = path, way
        self.notes = tuple(notes)
        """The notes that were in it when it was opened."""
        self._file = file

    @property
    def id(self) -> str:
        """The name of the match here."""
        return self.path.name.removeprefix(BEGINNING).removesuffix(ENDING)

    @classmethod
    def begin(cls, folders: Folders, way: Way, notes: Sequence[Note]) -> Self:
        """A file for a new match; raises DuelboxError where there can be none."""
        path = folders.data / f"{BEGINNING}{new_id()}{ENDING}"
        try:
            make_private_folder(folders.data)
            make_private(path)
            journal = cls(path, path.open("r+b", buffering=0), way, ())
            _hold(journal._file)
            journal._write([way, *notes])
            _sync_folder(folders.data)
        except OSError as error:
            raise DuelboxError(f"The match cannot be kept in {folders.data}: {reason(error)}.") from None
        return journal

    @classmethod
    def open(cls, path: Path) -> Self:
        """The file of a match that was begun; raises DuelboxError."""
        try:
            check_regular(path)
            file = path.open("r+b", buffering=0)
        except OSError as error:
            raise DuelboxError(f"{path.name} cannot be opened: {reason(error)}.") from None
        try:
            _hold(file)
            way, notes, end = _read(path.name, file.read(MOST))
            file.truncate(end)
            file.seek(end)
        except BlockingIOError:
            file.close()
            raise DuelboxError("This match is open in another terminal.") from None
        except BaseException:
            file.close()
            raise
        return cls(path, file, way, notes)

    def add(self, notes: Sequence[Note]) -> None:
        """Write notes down; when it returns, they are on disk. Raises DuelboxError."""
        try:
            self._write(notes)
        except (OSError, ValueError) as error:
            raise DuelboxError(f"The match cannot be kept: {reason(error)}. Nothing more is sent.") from None

    def _write(self, lines: Sequence[Model]) -> None:
        left = b"".join(line.model_dump_json().encode() + b"\n" for line in lines)
        while left:  # a disk that is nearly full takes a part
            left = left[self._file.write(left) :]
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file, so that another program may go on with the match."""
        self._file.close()

    def wipe(self) -> None:
        """The match is over: take its keys, and all else, off the disk."""
        with suppress(OSError, ValueError):
            self._file.truncate(0)
            os.fsync(self._file.fileno())
        self._file.close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def set_aside(self) -> Path:
        """The match cannot go on: keep what was said, without the keys if the disk takes it so; where that is."""
        aside = self.path.with_name(f"{BEGINNING}{self.id}{FAULTY}")
        try:
            self._file.seek(0)
            _, notes, _ = _read(self.path.name, self._file.read(MOST))
            make_private(aside)
            lines = [note.changed(key="", secret="") if isinstance(note, Paired) else note for note in notes]
            aside.write_bytes(b"".join(line.model_dump_json().encode() + b"\n" for line in lines))
        except (OSError, DuelboxError):
            with suppress(OSError):
                aside.unlink(missing_ok=True)
            self.close()
            return self.path
        self.wipe()
        return aside


def journals(folders: Folders) -> list[Path]:
    """The files of the matches that are not over, the one played last first."""
    found = [path for path in folders.data.glob(f"{BEGINNING}*{ENDING}") if not path.name.endswith(FAULTY)]
    return sorted(found, key=_last_played, reverse=True)


def _last_played(path: Path) -> float:
    with suppress(OSError):  # another program may have ended the match just now
        return path.stat().st_mtime
    return 0.0


def look(path: Path) -> tuple[Way, list[Note]]:
    """The content of a file, without holding it; raises DuelboxError."""
    try:
        check_regular(path)
        with path.open("rb") as file:
            way, notes, _ = _read(path.name, file.read(MOST))
    except OSError as error:
        raise DuelboxError(f"{path.name} cannot be opened: {reason(error)}.") from None
    return way, notes


def _read(name: str, content: bytes) -> tuple[Way, list[Note], int]:
    """The content of a file, and where it ends: a line whose writing was cut off does not count."""
    end = content.rfind(b"\n") + 1
    first, *rest = content[:end].splitlines() or [b""]
    try:
        way, notes = Way.model_validate_json(first), [read_note(line) for line in rest]
        if not notes or not isinstance(notes[0], Paired):
            raise ValueError("it has no beginning")
    except (ValidationError, ValueError):
        raise DuelboxError(f"{name} is damaged, and its match cannot go on.") from None
    return way, notes, end


def _hold(file: IO[bytes]) -> None:
    """Keep other programs from the file; raises BlockingIOError."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # not on this system
        return
    flock(file.fileno(), LOCK_EX | LOCK_NB)


def _sync_folder(folder: Path) -> None:
    """A new file is safe when its folder is."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
