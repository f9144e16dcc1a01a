"""Files that only grow. Every line has a checksum, is on disk before anybody hears of it, or does not count.

A line is a checksum, a blank and JSON. Running matches, here and elsewhere, have such a file each; the archive is one.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

from duelbox.store.files import check_regular, make_private

PATIENCE = 0.1
"""Seconds to wait for a file that another program holds: it may only have looked whether somebody does."""


def checksum(text: str) -> str:
    """A short SHA-256; a damaged text does not match its own."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Content:
    """The lines of a file."""

    lines: tuple[str, ...]
    """The JSON of those that are as they were written."""
    damaged: int
    """The number of those that are not, before the last whole one."""
    tail: bytes
    """The bytes behind the last whole line: a line whose writing was cut off, or one that was damaged."""


def content_of(raw: bytes) -> Content:
    """The lines in these bytes."""
    lines, place, end, at = list[str](), 0, 0, 0
    for number, one in enumerate(raw.split(b"\n"), 1):
        at += len(one) + 1
        if (text := _whole(one)) is not None:
            lines.append(text)
            place, end = number, min(at, len(raw))
    return Content(tuple(lines), place - len(lines), raw[end:])


def _whole(line: bytes) -> str | None:
    text = line[17:].decode("utf-8", "replace")
    return text if line[:17].decode("ascii", "replace") == f"{checksum(text)} " else None


def look(path: Path) -> Content:
    """The content of a file, without holding it; raises OSError."""
    check_regular(path)
    return content_of(path.read_bytes())


class Journal:
    """A file of lines, held by one program at a time."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self._file = file
        self.size = file.seek(0, os.SEEK_END)
        """The byte at which the next line is written."""

    @classmethod
    def open(cls, path: Path, *, new: bool = False, patience: float = PATIENCE) -> Self:
        """Hold a file; raises BlockingIOError where another program does for so many seconds, or another OSError."""
        until = time.monotonic() + patience
        while True:
            check_regular(path)
            if new:
                make_private(path)
            file = raw_file(path)
            try:
                _hold(file)
                journal = cls(path, file)
                if journal.is_there:  # else it was replaced or removed while this waited for it
                    return journal
                file.close()
            except BaseException as error:
                file.close()
                if not isinstance(error, BlockingIOError) or time.monotonic() > until:
                    raise
                time.sleep(0.01)

    @property
    def is_there(self) -> bool:
        """The file of this name is still the one that is held."""
        with suppress(OSError):
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        return False

    def read(self) -> Content:
        """The content; what is added comes behind its last whole line."""
        self._file.seek(0)
        content = content_of(raw := self._file.read())
        self.size = len(raw) - len(content.tail)
        return content

    def first(self) -> str:
        """The first line; empty where it is damaged."""
        self._file.seek(0)
        return _whole(self._file.read(4096).partition(b"\n")[0]) or ""

    def add(self, texts: Iterable[str]) -> None:
        """Add lines; when it returns, they are on disk. Raises OSError, and then none is added."""
        lines = b"".join(f"{checksum(text)} {text}\n".encode() for text in texts)
        if self.size and self._byte_before() != b"\n":
            lines = b"\n" + lines
        try:
            self._file.seek(self.size)
            self._file.truncate()
            left = lines
            while left:  # a disk that is nearly full takes a part
                left = left[self._file.write(left) :]
            sync(self._file)
        except OSError:
            with suppress(OSError):
                self._file.truncate(self.size)
            raise
        if not self.size:
            sync_folder(self.path.parent)
        self.size += len(lines)

    def _byte_before(self) -> bytes:
        self._file.seek(self.size - 1)
        return self._file.read(1)

    def close(self) -> None:
        """Let go of the file, so that another program may hold it."""
        self._file.close()

    def clear(self) -> None:
        """Take all lines out of the file; raises OSError."""
        self._file.truncate(0)
        sync(self._file)
        self.size = 0

    def wipe(self) -> None:
        """Take the file, and all that is in it, off the disk."""
        with suppress(OSError, ValueError):
            if self.is_there:
                self.clear()
                if sys.platform == "win32":  # Windows cannot remove an open file
                    self._file.close()
                self.path.unlink(missing_ok=True)
        self._file.close()


def rewritten(path: Path, texts: Iterable[str]) -> Journal:
    """Put a new file with these lines in the place of another, at once; it is held. Raises OSError."""
    fresh = path.with_suffix(".rewritten")
    fresh.unlink(missing_ok=True)
    journal = Journal.open(fresh, new=True)
    try:
        journal.add(texts)
        fresh.replace(path)
    except BaseException:
        journal.close()
        raise
    journal.path = path
    sync_folder(path.parent)
    return journal


def is_held(path: Path) -> bool:
    """Another journal, here or in another program, holds the file."""
    try:
        Journal.open(path, patience=0).close()
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


def raw_file(path: Path) -> IO[bytes]:
    """A file to be read and written without a buffer."""
    return path.open("r+b", buffering=0)


def _hold(file: IO[bytes]) -> None:
    """Keep other programs from a file until it is closed; raises BlockingIOError."""
    with suppress(ImportError):  # not on this system
        if sys.platform == "win32":
            import msvcrt

            file.seek(1 << 30)  # a byte that nobody reads: there, what is locked cannot be read
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            except OSError as error:
                raise BlockingIOError(*error.args) from None
        else:
            from fcntl import LOCK_EX, LOCK_NB, flock

            flock(file.fileno(), LOCK_EX | LOCK_NB)


def sync(file: IO[bytes]) -> None:
    """Wait until a file is on the disk itself."""
    if sys.platform == "darwin":  # fsync alone stops at the drive's cache
        from fcntl import F_FULLFSYNC, fcntl

        with suppress(OSError):
            fcntl(file.fileno(), F_FULLFSYNC)
            return
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk itself: a new file is safe when its folder is."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
