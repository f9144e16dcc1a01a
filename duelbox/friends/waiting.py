"""The matches elsewhere that wait, without loading anything where none does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbox.store.store import Store

if TYPE_CHECKING:
    from duelbox.friends.unfinished import Away


def waiting_elsewhere(store: Store) -> tuple[Away, ...]:
    """The matches with friends elsewhere, the one played last first."""
    if not any(store.folders.data.glob("elsewhere.*")):
        return ()
    from duelbox.friends.unfinished import away

    return away(store)
