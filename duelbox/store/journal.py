"""Append-only files of lines with checksums; a line is acknowledged only when it is on disk.

A line is a checksum, a blank and JSON. Each running match, here or elsewhere, has such a file; the archive is another.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

from duelbox.store.files import check_regular, make_private, replace

PATIENCE = 0.1
"""Seconds to wait for a locked file: another program may have locked it only to test the lock (`is_held`)."""


def checksum(text: str) -> str:
    """A short SHA-256; a damaged text does not match its own."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a file, read as lines."""

    lines: tuple[str, ...]
    """The JSON of the undamaged lines."""
    damaged: int
    """The number of damaged lines before the last undamaged one."""
    tail: bytes
    """The bytes after the last undamaged line: a line that was not written completely, or a damaged one."""


def content_of(raw: bytes) -> Content:
    """Read these bytes as lines."""
    lines, place, end, at = list[str](), 0, 0, 0
    for number, line in enumerate(raw.split(b"\n"), 1):
        at += len(line) + 1
        if (text := _whole(line)) is not None:
            lines.append(text)
            place, end = number, min(at, len(raw))
    return Content(tuple(lines), place - len(lines), raw[end:])


def _lines(texts: Iterable[str]) -> bytes:
    return b"".join(f"{checksum(text)} {text}\n".encode() for text in texts)


def _whole(line: bytes) -> str | None:
    text = line[17:].decode("utf-8", "replace")
    return text if line[:17].decode("ascii", "replace") == f"{checksum(text)} " else None


def look(path: Path) -> Content:
    """Read a file without locking it; raises OSError."""
    check_regular(path)
    return content_of(path.read_bytes())


class Journal:
    """A file of lines, locked for one program at a time."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self._file = file
        self.size = file.seek(0, os.SEEK_END)
        """The byte at which the next line is written."""

    @classmethod
    def open(cls, path: Path, *, new: bool = False, patience: float = PATIENCE) -> Self:
        """Open and lock a file. Raises BlockingIOError if it stays locked for `patience` seconds, or OSError."""
        until = time.monotonic() + patience
        while True:
            check_regular(path)
            if new:
                make_private(path)
            file = raw_file(path)
            try:
                _hold(file)
                journal = cls(path, file)
                if journal.is_there:  # else it was replaced or removed while we waited for the lock
                    return journal
                file.close()
            except BaseException as error:
                file.close()
                if not isinstance(error, BlockingIOError) or time.monotonic() > until:
                    raise
                time.sleep(0.01)

    @property
    def is_there(self) -> bool:
        """True if the path still leads to the file that is open."""
        with suppress(OSError):
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        return False

    def read(self, start: int = 0) -> Content:
        """Read the lines from this byte on; the next `add` writes after the last undamaged one."""
        self._file.seek(start)
        content = content_of(raw := self._file.read())
        self.size = start + len(raw) - len(content.tail)
        return content

    def crc(self, size: int) -> int:
        """Return the CRC-32 of the first `size` bytes."""
        self._file.seek(0)
        crc = 0
        while part := self._file.read(min(size, 1 << 16)):
            crc, size = zlib.crc32(part, crc), size - len(part)
        return crc

    def first(self) -> str:
        """Return the first line, or an empty text if it is damaged."""
        self._file.seek(0)
        return _whole(self._file.read(4096).partition(b"\n")[0]) or ""

    def add(self, texts: Iterable[str]) -> bytes:
        """Append lines, wait until they are on disk, and return them. Raises OSError, and then appends none."""
        lines = _lines(texts)
        if self.size and self._byte_before() != b"\n":
            lines = b"\n" + lines
        try:
            self._file.seek(self.size)
            self._file.truncate()
            left = lines
            while left:  # a disk that is nearly full writes only a part
                left = left[self._file.write(left) :]
            sync(self._file)
        except OSError:
            with suppress(OSError):
                self._file.truncate(self.size)
            raise
        if not self.size:
            sync_folder(self.path.parent)
        self.size += len(lines)
        return lines

    def _byte_before(self) -> bytes:
        self._file.seek(self.size - 1)
        return self._file.read(1)

    def close(self) -> None:
        """Close and unlock the file."""
        self._file.close()

    def clear(self) -> None:
        """Remove all lines; raises OSError."""
        self._file.truncate(0)
        sync(self._file)
        self.size = 0

    def wipe(self) -> None:
        """Empty and delete the file."""
        with suppress(OSError, ValueError):
            if self.is_there:
                self.clear()
                if sys.platform == "win32":  # Windows cannot remove an open file
                    self._file.close()
                self.path.unlink(missing_ok=True)
        self._file.close()


def rewrite(path: Path, texts: Iterable[str]) -> bytes:
    """Replace a file atomically by one with these lines, and return it. Raises OSError."""
    make_private(path)
    replace(path, content := _lines(texts))
    sync_folder(path.parent)
    return content


def is_held(path: Path) -> bool:
    """True if the file is locked, by this program or another."""
    try:
        Journal.open(path, patience=0).close()
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


def raw_file(path: Path) -> IO[bytes]:
    """Open a file for reading and writing without a buffer."""
    return path.open("r+b", buffering=0)


def _hold(file: IO[bytes]) -> None:
    """Lock a file until it is closed; raises BlockingIOError."""
    with suppress(ImportError):  # a system without fcntl
        if sys.platform == "win32":
            import msvcrt

            file.seek(1 << 30)  # a byte that nobody reads: on Windows, locked bytes cannot be read
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            except OSError as error:
                raise BlockingIOError(*error.args) from None
        else:
            from fcntl import LOCK_EX, LOCK_NB, flock

            flock(file.fileno(), LOCK_EX | LOCK_NB)


def sync(file: IO[bytes]) -> None:
    """Wait until a file's content is on the disk itself, not only in its cache."""
    if sys.platform == "darwin":  # fsync alone stops at the drive's cache
        from fcntl import F_FULLFSYNC, fcntl

        with suppress(OSError):
            fcntl(file.fileno(), F_FULLFSYNC)
            return
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk itself: only then is a new file safe."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
