"""A match of two others on other machines, which is only watched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from duelbox.core import news
from duelbox.core.model import SEATS, Seat, player
from duelbox.core.offer import Offer
from duelbox.friends.live_match import LiveMatch, WatchedMatch
from duelbox.friends.messages import HOST
from duelbox.friends.side import PLAYERS
from duelbox.store.store import Store
from duelbox.table.program_elsewhere import ProgramElsewhere
from duelbox.table.remote import RemoteTable
from duelbox.table.verb import Verb
from duelbox.table.verbs_elsewhere import VERBS_OF_WATCHERS


class WatchedTable(RemoteTable):
    """A match of two others; nobody here moves, is asked anything, or saves it."""

    verbs: ClassVar[Mapping[str, Verb]] = VERBS_OF_WATCHERS

    def __init__(self, live: WatchedMatch) -> None:
        super().__init__(live)

    # -- news

    @property
    def _friend_is_here(self) -> bool:
        return False

    def _hear(self, change: news.News) -> None:
        super()._hear(change)
        if isinstance(change, news.Moved) and self.shown_end and self.side.ledger.stage == "play":
            self.next_round()  # the players have begun the next round

    def _sync(self) -> None:
        super()._sync()
        self.lesson = False
        self.watched = f"{self._watchers() + 1} watching"

    def _look_ahead(self) -> None:
        """Show nothing early: watchers see what is in the room."""

    def _archive(self) -> None:
        """Save nothing: the two who play have the match."""

    # -- players

    @property
    def left(self) -> bool:
        """Neither player is here."""
        return self._connection.connected and not any(self.side.here.get(name) for name in PLAYERS)

    @property
    def presence(self) -> str:
        """A sentence about the two players, who are here, thinking, or away."""
        trouble = self.trouble
        if trouble is not None:
            return self.kept or trouble
        if not self.ready:
            return "The two have not sat down yet."
        if self.left:
            return "Both are away."
        turn = self.session.turn
        away = [seat for seat in SEATS if not self.side.here.get(PLAYERS[self.match.player_in(seat)])]
        sentences = [f"{player(seat)} is away." for seat in away]
        if turn is not None and turn not in away:
            sentences.append(f"{player(turn)} is thinking.")
        return " ".join(sentences) or "Both are here."

    def away(self, seat: Seat) -> str:
        """Empty: the time that players have been away is not known here."""
        return ""

    # -- actions

    def why_not(self, verb: str) -> str | None:
        """The sentence that refuses a verb now; empty where no words are needed, None if it is allowed."""
        if verb == "speak" or (verb == "rematch" and self.score.over):
            return ""
        return super().why_not(verb)

    @property
    def offered(self) -> Offer | None:
        """None: nobody here is asked anything."""
        return None

    def sentence_of(self, change: news.News) -> str:
        """The sentence for a piece of news that neither board nor result shows; empty for others."""
        match change:
            case news.Declined():
                return "The guest did not sit down."
            case news.Offered(offer):
                return offer.asks(self._named(offer.by))
            case news.Lapsed() | news.Claimed():
                return ""
        return super().sentence_of(change)


def table_of(live: LiveMatch | WatchedMatch, store: Store | None = None) -> RemoteTable:
    """The table of a match elsewhere, for the player or the watcher on this machine."""
    if not isinstance(live, LiveMatch):
        return WatchedTable(live)
    hello = live.side.ledger.terms.hello or live.side.hello
    if hello is not None and hello.program and live.side.me == HOST:
        return ProgramElsewhere(live, store)
    return RemoteTable(live, store)
