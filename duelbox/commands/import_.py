"""`duelbox import`: adds a JSON record, a position code, or exported progress."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from duelbox.commands.history import tell
from duelbox.core.errors import DuelboxError
from duelbox.core.reader import MAX_TEXT
from duelbox.store.files import reason
from duelbox.store.progress import is_progress
from duelbox.store.store import Store


def run(args: Namespace) -> int:
    """Add it, and say under which id."""
    raw = content(args.file)
    with Store.open() as store:
        if is_progress(raw):
            said = f"{store.progress.import_text(raw)} entries of progress were added."
        else:
            said = f"Saved as {store.import_text(raw)}."
        kept = store.kept
        tell(store)
    sys.stdout.write(f"{said}\n" if kept else "It can be read, but could not be kept.\n")
    return 0 if kept else 1


def content(name: str) -> bytes:
    """The file, or the standard input for `-`; no more of it than a record can have."""
    if name == "-":
        return sys.stdin.buffer.read(MAX_TEXT + 1) if sys.stdin else b""
    try:
        with Path(name).open("rb") as file:
            return file.read(MAX_TEXT + 1)
    except (OSError, ValueError) as error:
        raise DuelboxError(f"{name[:200]} cannot be read: {reason(error)}.") from None
