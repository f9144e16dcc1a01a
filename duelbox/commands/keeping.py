"""Keeps what is played in lines of text."""

from __future__ import annotations

from duelbox.core.match import Match
from duelbox.core.session import Session
from duelbox.plain.match import Players
from duelbox.store.news import News
from duelbox.store.saved import Saved
from duelbox.store.store import Store


class Keeper:
    """Saves every change of a session before it is told; a match is one saved game, whatever its rounds."""

    def __init__(self, store: Store, saved: Saved | None = None, session: Session | None = None) -> None:
        self._store = store
        self._news = News(store)
        self._saved = saved
        self._session = session

    def __call__(self, match: Match, session: Session, players: Players, assisted: bool) -> None:
        """Put the change on disk; where that can't be, the game goes on, and `news` says so."""
        if self._saved is None and not session.plies:
            return  # help was asked for before anything was played, perhaps before the players had names
        number = len(match.winners)
        if self._saved is None or (number == 0 and session is not self._session):
            self._saved = self._store.begin(session.game.INFO.id, players, match.rounds, match.first)
        self._session = session
        self._saved.sync(session, number, assisted=assisted).result()

    def news(self) -> list[str]:
        """What there is to say about it now, each sentence once."""
        return self._news.take(self._saved)

    def close(self) -> tuple[str, ...]:
        """Try once more to save what is not saved; a sentence for every match that can't be."""
        self._store.close()
        return self._store.lost
