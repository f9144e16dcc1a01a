"""Append-only files of lines with checksums; a line is acknowledged only when it is on disk.

A line is a checksum, a blank and JSON. Each running match, here or elsewhere, has such a file; the history is another.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, NamedTuple, Self

from duelbox.store import files

PATIENCE = 0.1
"""Seconds to wait for a locked file: another program may have locked it only to test the lock (`is_held`)."""
LONGEST_LINE = 16_000_000
"""Bytes of a line; a record has 4,000,000 characters at most. A longer line is damage, and is read in parts."""
_START = re.compile(rb'[0-9a-f]{16} \["')
"""The beginning of a line; inside of one, quotation marks have a backslash."""


def checksum(text: str) -> str:
    """A short SHA-256; a damaged text does not match its own."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


class Line(NamedTuple):
    """A line of a file."""

    at: int
    """The byte at which it begins."""
    size: int
    """Its bytes, with the line break."""
    text: str | None
    """Its JSON; None for a damaged line."""
    ended: bool
    """True if a line break ends it."""


def lines_in(file: IO[bytes], start: int = 0) -> Iterator[Line]:
    """Read the lines of an open file from this byte on; empty ones are left out."""
    file.seek(start)
    at = start
    while part := file.readline(LONGEST_LINE):
        if part != b"\n":
            yield from _read_line(at, part)
        at += len(part)


def _read_line(at: int, line: bytes) -> Iterator[Line]:
    """The line of these bytes; more than one if the break between two lines was damaged."""
    ended = line.endswith(b"\n")
    if len(line) == LONGEST_LINE:
        yield Line(at, len(line), None, ended)
        return
    starts = [0]
    text = _whole(line)
    if text is None:
        starts += [found.start() for found in _START.finditer(line, 1)]
    if len(starts) == 1:
        yield Line(at, len(line), text, ended)
        return
    for start, end in pairwise([*starts, len(line)]):
        last = end == len(line)
        # In place of the break there may be another byte.
        part = line[start:end] if last else line[start : end - 1]
        yield Line(at + start, end - start, _whole(part), ended or not last)


def line_at(file: IO[bytes], at: int, size: int) -> str | None:
    """Read the JSON of the line of this size at this byte; None if it is damaged."""
    file.seek(at)
    content = b""
    while len(content) < size and (part := file.read(size - len(content))):
        content += part
    return _whole(content) or _whole(content[:-1])


def _whole(line: bytes) -> str | None:
    """The JSON of a line, with its break or without; None if it is damaged."""
    line = line.removesuffix(b"\n")
    digest = hashlib.sha256(line[17:]).hexdigest()[:16]
    if line[:17] != digest.encode() + b" ":
        return None
    try:
        return line[17:].decode()
    except UnicodeDecodeError:
        return None


@dataclass(frozen=True, slots=True)
class Content:
    """The whole lines of a journal."""

    lines: tuple[str, ...]
    """The JSON of the undamaged lines."""
    end: int
    """The byte after the last undamaged line."""
    whole: bool
    """True if no line is damaged, or has been written in part."""


def content_of(lines: Iterable[Line]) -> Content:
    """Sort these lines into whole and damaged ones."""
    texts: list[str] = []
    end = 0
    whole = True
    for line in lines:
        if line.text is None:
            whole = False
        else:
            texts.append(line.text)
            end = line.at + line.size
    return Content(tuple(texts), end, whole)


def _line(text: str) -> bytes:
    content = text.encode("utf-8", "replace")
    return hashlib.sha256(content).hexdigest()[:16].encode() + b" " + content + b"\n"


def look(path: Path) -> Content:
    """Read a journal without locking it; raises OSError."""
    with files.raw_file(path) as file:
        return content_of(lines_in(file))


class Journal:
    """A file of lines, locked for one program at a time."""

    def __init__(self, path: Path, file: IO[bytes], *, locked: bool) -> None:
        self.path = path
        self.locked = locked
        """False on a file system that cannot lock."""
        self._file = file
        self.size = file.seek(0, os.SEEK_END)
        """The byte at which the next line is written."""

    @classmethod
    def open(cls, path: Path, *, new: bool = False, patience: float = PATIENCE) -> Self:
        """Open and lock a file. Raises BlockingIOError if it stays locked for `patience` seconds, or OSError."""
        until = time.monotonic() + patience
        while True:
            file = files.raw_file(path, write=True, new=new)
            try:
                journal = cls(path, file, locked=files.lock(file))
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
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.lstat())
        return False

    def read(self) -> Content:
        """Read all lines; the next `add` writes after the last undamaged one."""
        content = look(self.path)
        if content.lines:  # a file without any is not shortened
            self.size = content.end
        return content

    def add(self, texts: Iterable[str]) -> None:
        """Append lines and wait until they are on disk. Raises OSError, and then appends none."""
        lines = b"".join(map(_line, texts))
        if self.size and self._byte_before() != b"\n":
            lines = b"\n" + lines
        changed = os.fstat(self._file.fileno()).st_mtime_ns
        try:
            self._file.seek(self.size)
            self._file.truncate()
            files.write(self._file, lines)
            files.sync(self._file)
        except OSError:
            with suppress(OSError):
                self._file.truncate(self.size)
                os.utime(self.path, ns=(changed, changed))  # the content is as before, so its index can stay
            raise
        if not self.size:
            files.sync_folder(self.path.parent)
        self.size += len(lines)

    def _byte_before(self) -> bytes:
        self._file.seek(self.size - 1)
        return self._file.read(1)

    def close(self) -> None:
        """Close and unlock the file."""
        self._file.close()

    def clear(self) -> None:
        """Remove all lines; raises OSError."""
        self._file.truncate(0)
        files.sync(self._file)
        self.size = 0

    def wipe(self) -> None:
        """Empty and delete the file."""
        with suppress(OSError, ValueError):
            if self.is_there:
                self.clear()
                if sys.platform == "win32":  # Windows cannot remove an open file
                    self._file.close()
                files.remove(self.path)
        self._file.close()


def rewrite(path: Path, texts: Iterable[str]) -> None:
    """Replace a file atomically by one with these lines. Raises OSError."""
    files.make_private(path)
    files.replace(path, b"".join(map(_line, texts)))
    files.sync_folder(path.parent)


def is_held(path: Path) -> bool:
    """True if the file is locked, by this program or another."""
    try:
        Journal.open(path, patience=0).close()
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False
