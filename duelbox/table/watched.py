"""The table of a match that two others play elsewhere; a watcher can do nothing in it."""

from __future__ import annotations

from duelbox.core import news
from duelbox.core.errors import DuelboxError
from duelbox.core.match import Player
from duelbox.core.model import SEATS, Seat, player
from duelbox.core.offer import Kind
from duelbox.friends.side import NAMES
from duelbox.table.elsewhere import MatchElsewhere

ONLY = "You only watch this match."


class WatchedTable(MatchElsewhere):
    """A match of two others, seen from nobody's seat."""

    def _hear(self, one: news.News) -> None:
        super()._hear(one)
        if self.shown_end and isinstance(one, news.Moved) and self.side.ledger.stage == "play":
            self.next_round()  # the players have begun the next round

    @property
    def people(self) -> tuple[Seat, ...]:
        """No seat is here."""
        return ()

    @property
    def lesson(self) -> bool:
        """Watchers get no hints and verdicts."""
        return False

    @property
    def watched(self) -> str:
        """The number of watchers, including this one."""
        return f"{self.watchers + 1} watching"

    @property
    def presence(self) -> str:
        """A sentence about the players, who are here, away or thinking."""
        if (trouble := self.trouble) is not None:
            return trouble
        if not self.ready:
            return "The two have not sat down yet."
        if self.left:
            return "Both are away."
        turn = None if self.shown_end else self.session.turn
        away = [seat for seat in SEATS if not self.side.here.get(NAMES[self.match.player_in(seat)])]
        sentences = [f"{player(seat)} is away." for seat in away]
        if turn is not None and turn not in away:
            sentences.append(f"{player(turn)} is thinking.")
        return " ".join(sentences) or "Both are here."

    def _named(self, by: Player) -> str:
        return player(0 if self.match.player_in(0) == by else 1)

    def sentence_of(self, one: news.News) -> str:
        """The sentence for a piece of news that neither board nor result shows; empty for others."""
        match one:
            case news.Moved(_, ply) if self.session.outcome is None:
                return " ".join(event.sentence for event in ply.events)
            case news.Offered(offer):
                return offer.asks(self._named(offer.by))
            case news.Answered(offer, yes):
                done = "The last move is undone." if offer.kind == "undo" else "Both agreed."
                return done if yes else "The answer was no."
            case news.Said(by, text):
                return f"{self._named(by)}: {text}"
            case news.Declined():
                return "The guest did not sit down."
            case news.Stopped(sentence):
                return sentence
        return ""

    def why_not(self, verb: str) -> str | None:
        """The sentence that refuses a verb now; empty where no words are needed, None if it is allowed."""
        match verb:
            case "play" | "resign" | "undo" | "draw" | "claim" | "later":
                return ONLY
            case "redo":
                return "Nothing has been undone."
            case "rematch":
                return "" if self.score.over else None
            case "new" | "more" | "review" | "speak":
                return ""
        return None

    def offer(self, kind: Kind) -> None:
        """Refuse: a watcher makes no offers."""
        raise DuelboxError(ONLY)
