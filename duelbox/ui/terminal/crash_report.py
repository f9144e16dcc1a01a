"""Crash reports: one sentence for the terminal, and a file without the value of any variable."""

from __future__ import annotations

import errno
import os
import platform
import stat
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

# Messages of these errors name code, types and files. Other messages may quote a value, and so a secret.
_TELLING = (AttributeError, NameError, ImportError, OSError, NotImplementedError)


@dataclass(frozen=True)
class CrashReports:
    """Writes the crash reports of a program into a folder."""

    program: str = "This program"
    version: str = ""
    folder: Path | None = None

    def file(self, error: BaseException) -> str:
        """Write a report, and return a sentence with its path."""
        sentence = f"{self.program} has run into a fault of its own and had to stop."
        if isinstance(error, MemoryError):
            sentence = f"{self.program} needed more memory than there is for it, and had to stop."
        if self.folder is None:
            return sentence
        path, python = self.folder / "crash.log", platform.python_version()
        head = f"{self.program} {self.version}, Python {python} on {sys.platform}, {datetime.now():%Y-%m-%d %H:%M}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _write(path, f"{head}\n\n{describe(error)}\n")
        except OSError as refusal:
            return f"{sentence} The report could not be written to {path}: {refusal.strerror}."
        return f"{sentence} What happened is in {path}; it holds no hidden numbers."


def _write(path: Path, text: str) -> None:
    """Write a private file; raises OSError for a pipe, a device or a link in its place, and never waits."""
    if os.path.lexists(path) and not stat.S_ISREG(path.lstat().st_mode):
        raise OSError(errno.EINVAL, "it is not a file")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def describe(error: BaseException) -> str:
    """The tracebacks of an error and its causes: places and kinds, but no values of variables."""
    return "\n".join(_chain(error, set()))


def _chain(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and id(before) not in seen:
        yield from _chain(before, seen)
        yield "\nwhich led to\n" if error.__cause__ is None else "\nwhich was reported as\n"
    yield "".join(traceback.extract_tb(error.__traceback__).format()).rstrip()
    kind = f"{type(error).__module__}.{type(error).__qualname__}"
    yield f"{kind}: {error}" if isinstance(error, _TELLING) else kind
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield "\nof which one part is\n"
            yield from _chain(part, seen)
