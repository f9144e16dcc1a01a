"""Sentences about a disk that refuses to save."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path

from duelbox.core.errors import DuelboxError
from duelbox.store.files import reason, shown

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""No room; EFBIG for a visitor of a server whose disk limit is reached."""
PASSING = {*FULL, errno.EAGAIN, errno.EIO}
"""Errors that may have passed at the next move."""
UNTIL_QUIT = "What you play now is kept only until you quit."
AGAIN = "What you play is kept in memory. Every move tries to save it again."
NO_LOCKS = "{} cannot be locked. Play in one terminal only."


class Unavailable(DuelboxError):
    """The saved games can't be read or written just now."""


class Told:
    """The sentences about the disk for players; any thread may read them."""

    def __init__(self) -> None:
        self.trouble: str | None = None
        """The reason why games are not saved at the moment."""
        self._events: tuple[str, ...] = ()
        self._lines = ""
        self.before = False
        """True if a process before this one told of the damaged lines."""

    @property
    def damage(self) -> str | None:
        """All that is damaged and left out."""
        return " ".join([*self._events, self._lines]).strip() or None

    @property
    def news(self) -> str | None:
        """The part of the damage that no process before this one has told."""
        return " ".join(self._events) or None if self.before else self.damage

    def tell(self, sentence: str) -> None:
        """Add a sentence about damage, once."""
        if sentence not in self._events:
            self._events += (sentence,)

    def count(self, history: Path, count: int, days: Sequence[str], *, before: bool) -> None:
        """Set the sentence about damaged lines, of about these days."""
        lines = "1 line" if count == 1 else f"{count} lines"
        when = " to ".join(sorted({*days[:1], *days[-1:]}))
        about = f", of about {when}" if when else ""
        self._lines = f"{lines} of {shown(history)} cannot be read{about}." if count else ""
        self.before = before

    def failed(self, error: OSError, path: Path) -> Unavailable:
        """The exception for an error of the disk at a file, which is told as trouble."""
        if isinstance(error, BlockingIOError):
            cause = f"{shown(path)} is locked by another program."
        elif error.errno in FULL:
            cause = f"The disk is full, so nothing can be saved in {shown(path.parent)}."  # the same for all files
        else:
            cause = f"{shown(path)} cannot be written ({reason(error)})."
        self.trouble = f"{cause} {AGAIN}"
        return Unavailable(cause)
