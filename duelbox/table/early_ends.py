"""Ends of rounds that a table shows although the room does not have them yet."""

from __future__ import annotations

from collections.abc import Sequence

from duelbox.core import news
from duelbox.core.match import Player


class EarlyEnds:
    """The news that were shown early, until the room confirms them or has something else."""

    def __init__(self) -> None:
        self.news: list[news.News] = []

    def __bool__(self) -> bool:
        return bool(self.news)

    def show(self, foreseen: Sequence[news.News]) -> list[news.News]:
        """Take what is foreseen; returns what to show of it."""
        shown = news.Moved, news.RoundOver, news.CalledOff
        self.news = [change for change in foreseen if isinstance(change, shown)]
        return list(self.news)

    def merged(
        self, fresh: Sequence[news.News], ends: list[news.RoundOver]
    ) -> tuple[list[news.News], list[news.RoundOver]]:
        """The news without those that were shown early, and the ends with those of the room in place of early ones."""
        new: list[news.News] = []
        for change in fresh:
            early = self._confirmed_by(change)
            if early is not None:
                assert isinstance(change, news.RoundOver)
                ends = [change if end is early else end for end in ends]
                self.news = self.news[self.news.index(early) + 1 :]
                new.append(news.Confirmed())
            elif not self._knows(change):
                new.append(change)
        return new, ends

    def withdrawn_from(self, ends: list[news.RoundOver]) -> list[news.RoundOver]:
        """The ends without those that were shown early."""
        early, self.news = self.news, []
        return [end for end in ends if end not in early]

    def _knows(self, change: news.News) -> bool:
        """This move was shown already."""
        moves = [early for early in self.news if isinstance(early, news.Moved)]
        return isinstance(change, news.Moved) and any(
            (early.by, early.ply.move) == (change.by, change.ply.move) for early in moves
        )

    def _confirmed_by(self, change: news.News) -> news.RoundOver | None:
        """The end that is shown in place of this one, which has the same winner; None if there is none."""
        ends = [early for early in self.news if isinstance(early, news.RoundOver)]
        if not isinstance(change, news.RoundOver) or not ends:
            return None
        early = ends[0]
        if early.match.winners != change.match.winners or _winner(early) != _winner(change):
            return None
        return early


def _winner(over: news.RoundOver) -> Player | None:
    """The player who won a round."""
    outcome = over.session.outcome
    if outcome is None or outcome.winner is None:
        return None
    return over.match.player_in(outcome.winner)
