"""Leases: which matches are being played at this moment, and by which process."""

from __future__ import annotations

import os
import sqlite3
import sys
import time

LEASE = 600.0 if sys.platform == "win32" else 86_400.0
"""Seconds without a move after which a match is no longer taken for open in another terminal; where it can be asked
whether that process still lives, this is only for another process that came to its number."""


def take(db: sqlite3.Connection, match_id: str, instance: str) -> None:
    """Say that a match is being played here; said again only when a good part of the time has passed."""
    now = time.monotonic()
    found = db.execute("SELECT instance, beat FROM lease WHERE id = ?", (match_id,)).fetchone()
    if found and found[0] == instance and 0 <= now - found[1] < LEASE / 4:
        return
    others = {row[0] for row in db.execute("SELECT id FROM lease WHERE instance <> ?", (instance,))}
    gone = others - elsewhere(db, instance)
    db.executemany("DELETE FROM lease WHERE id = ?", [(one,) for one in gone])
    db.execute(
        "REPLACE INTO lease (id, instance, process, beat) VALUES (?, ?, ?, ?)", (match_id, instance, os.getpid(), now)
    )


def release(db: sqlite3.Connection, instance: str, match_id: str | None = None) -> None:
    """Say that a match, or anything, is no longer played here."""
    db.execute("DELETE FROM lease WHERE instance = ? AND id = ifnull(?, id)", (instance, match_id))


def elsewhere(db: sqlite3.Connection, instance: str) -> set[str]:
    """Matches that another living process plays. The clock counts from the machine's start and is never set back; a
    lease from before the last start is from the future or long past."""
    now = time.monotonic()
    leases = db.execute("SELECT id, process, beat FROM lease WHERE instance <> ?", (instance,))
    return {row[0] for row in leases if 0 <= now - row[2] < LEASE and _alive(row[1])}


def _alive(process: int) -> bool:
    if sys.platform == "win32":
        return True  # there, os.kill would end it; the lease's age has to do
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True
