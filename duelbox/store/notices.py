"""What there is to say about keeping games, each thing once."""

from __future__ import annotations

from duelbox.store.autosave import Saved
from duelbox.store.store import Store

AGAIN = "What you play is saved again."


class Notices:
    """Sentences of the store and of the matches it keeps; they can come up whenever something was written."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._told: dict[str | Saved, str | None] = {}

    def take(self, saved: Saved | None = None) -> list[str]:
        """What was not told yet, of the store and of the match being played."""
        now: dict[str | Saved, str | None] = {"trouble": self._store.trouble, "repair": self._store.repaired}
        if saved is not None:
            now[saved] = saved.notice
        news = [notice for source, notice in now.items() if notice and notice != self._told.get(source)]
        if self._told.get("trouble") and not now["trouble"]:
            news.append(AGAIN)
        self._told |= now
        return news
