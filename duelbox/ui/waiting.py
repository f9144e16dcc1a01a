"""All that may wait for a player at home: mistakes due again, a match with a friend elsewhere, a first lesson."""

from __future__ import annotations

from datetime import date
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.store.store import Store


def waiting(store: Store) -> tuple[int, str]:
    """The number of mistakes that are due, and a sentence on what waits; empty where nothing does."""
    due, is_first, away = len(due_mistakes(store)), is_first_start(store), match_elsewhere(store)
    if away:
        return due, f"{away}: press o"
    if due:
        return due, f"{due} mistake{'' if due == 1 else 's'} due again: press m"
    return due, "New here? t: a short lesson in the chosen game" if is_first else ""


def due_mistakes(store: Store) -> list[dict[str, Any]]:
    """The kept mistakes that are to come back by now; none where the disk refuses."""
    try:
        kept = store.progress.newest("mistake").values()
    except DuelboxError:
        return []
    if not kept:
        return []  # as on most first screens, which need not wait for what looks into games
    from duelbox.learn.mistakes import is_due

    return [mark.value for mark in kept if isinstance(mark.value, dict) and is_due(mark.value, date.today())]


def is_first_start(store: Store) -> bool:
    """Whether nothing was ever played or learned here; said once, so that nobody is offered a lesson twice."""
    try:
        if store.count() or store.progress.newest("lesson") or store.progress.newest("start"):
            return False
        store.progress.add("start", "home", True)
    except DuelboxError:
        return False
    return True


def match_elsewhere(store: Store) -> str:
    """The match with a friend elsewhere that was played last, in a sentence; empty where none waits."""
    if not any(store.folders.data.glob("elsewhere.*")):
        return ""  # and nothing is loaded that reads them
    from duelbox.friends.unfinished import away

    return next((one.news for one in away(store)), "")
