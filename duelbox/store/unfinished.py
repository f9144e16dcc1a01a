"""Which match to go on with."""

from __future__ import annotations

from duelbox.core.errors import DuelboxError
from duelbox.store.store import Store
from duelbox.store.summary import Summary


def find_unfinished(store: Store, match_id: str) -> Summary:
    """The match of this id, or the latest unfinished one for an empty id; raises DuelboxError."""
    if match_id:
        summary = store.find(match_id)
        if summary.over:
            raise DuelboxError(f"The game {summary.id} has been played to its end.")
        return summary
    unfinished = store.unfinished(1)
    if not unfinished and store.count(result="unfinished"):
        raise DuelboxError("What is unfinished is of duels that are not installed here.")
    if not unfinished:
        raise DuelboxError("Nothing is unfinished: every game that was begun has been played to its end.")
    return unfinished[0]
