"""The answers of a program in a file, until its exam is done: one that was killed in the middle goes on from there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from shlex import split
from typing import IO, Any

from duelbox.store.files import lock, make_private_folder, raw_file, remove

LONGEST = 256 * 1024 * 1024
"""The most bytes that are read again."""


class Kept:
    """Lines of JSON in a file of their own; without a usable file nothing is kept."""

    def __init__(self, folder: Path, *facts: str) -> None:
        """`facts` decide the name of the file: other ones mean another exam."""
        digest = sha256("\0".join(facts).encode("utf-8", "replace")).hexdigest()
        self._path = folder / f"exam.{digest[:24]}.jsonl"
        self._file: IO[bytes] | None = None
        self.lines: tuple[dict[str, Any], ...] = ()
        """The lines that an earlier process left."""
        with suppress(OSError):
            make_private_folder(folder)
            file = raw_file(self._path, write=True, new=True)
            try:
                lock(file)
            except OSError:  # another process is at the same exam, and keeps it
                file.close()
                return
            self._file = file
            content = file.read(LONGEST)
            whole = content[: content.rfind(b"\n") + 1]
            self.lines = tuple(_rows(whole))
            file.truncate(len(whole))
            file.seek(len(whole))

    def add(self, line: dict[str, Any]) -> None:
        """Keep a line."""
        if self._file is None:
            return
        try:
            self._file.write(json.dumps(line).encode("ascii") + b"\n")
        except OSError:
            self.close()

    def close(self) -> None:
        """Leave the file to a later process."""
        if self._file is not None:
            self._file.close()
        self._file = None

    def done(self) -> None:
        """Remove the file: the exam is over."""
        if self._file is not None:
            with suppress(OSError):
                remove(self._path)
        self.close()


def _rows(content: bytes) -> Iterator[dict[str, Any]]:
    """The objects up to the first line that is none."""
    for line in content.splitlines():
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(row, dict):
            return
        yield row


def as_it_is(command: str) -> str:
    """The files that a command names, as they are now: a program that was changed begins anew."""
    facts = [str(Path.cwd())]
    words: list[str] = []
    with suppress(ValueError):
        words = split(command)
    for word in words:
        with suppress(OSError, ValueError):
            found = Path(word).stat()
            facts.append(f"{word} {found.st_size} {found.st_mtime_ns}")
    return "\n".join(facts)
