"""Sentences about a disk that refuses to save."""

from __future__ import annotations

import errno
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


def cause_of(error: OSError, path: Path) -> str:
    """The sentence about an error of the disk at a file."""
    if isinstance(error, BlockingIOError):
        return f"{shown(path)} is locked by another program."
    if error.errno in FULL:
        return f"The disk is full, so nothing can be saved in {shown(path.parent)}."  # the same for all files
    return f"{shown(path)} cannot be written ({reason(error)})."
