"""What there is to say about keeping games, each thing once."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from duelbox.store.autosave import Saved
from duelbox.store.store import Store

AGAIN = "What you play is saved again."


class Notices:
    """Sentences of the store and of the matches it keeps; they can come up whenever something was written."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._told: dict[str, str | None] = {}
        self._of_matches: WeakKeyDictionary[Saved, str | None] = WeakKeyDictionary()  # which may be many in a night

    def take(self, saved: Saved | None = None) -> list[str]:
        """What was not told yet, of the store and of the match being played."""
        now = {"trouble": self._store.trouble, "repair": self._store.repaired}
        news = [notice for source, notice in now.items() if notice and notice != self._told.get(source)]
        if saved is not None and (notice := saved.notice) != self._of_matches.get(saved):
            self._of_matches[saved] = notice
            news += [notice] if notice else []
        if self._told.get("trouble") and not now["trouble"]:
            news.append(AGAIN)
        self._told |= now
        return news
