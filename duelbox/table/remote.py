"""A match with a friend on another machine: a move counts when it is in the room, and comes back as news."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from duelbox import __version__
from duelbox.core import news
from duelbox.core.errors import DuelboxError, MoveError, NotYourTurn
from duelbox.core.match import Player
from duelbox.core.model import Seat, other, player
from duelbox.core.offer import Kind, Offer
from duelbox.friends.live_match import LiveMatch, WatchedMatch
from duelbox.friends.messages import GUEST, Hello
from duelbox.friends.player_side import PlayerSide
from duelbox.friends.proposal import shown_name
from duelbox.friends.side import NAMES
from duelbox.store.store import Store
from duelbox.table.elsewhere import MatchElsewhere
from duelbox.table.watched import WatchedTable

_DAY = 86_400
_HOUR = 60
_DECLINED = {
    "declined": "Your friend does not sit down.",
    "version": "Your friend's duelbox does not speak with this one: update the older one.",
    "game": "Your friend's duelbox does not have this game.",
    "rules": "The rules of this game differ between the two of you: update the older duelbox.",
}


class RemoteTable(MatchElsewhere):
    """A match with a friend on another machine, at a link to the room; the result of every action comes as news."""

    far = True
    side: PlayerSide
    asks_first = True

    def __init__(self, live: LiveMatch, store: Store) -> None:
        side = live.side
        self._live, self._journal = live, live.journal
        self.watch = live.watch
        self._saved_as: str | None = None
        self.me: Player = side.me
        """The player who sits here."""
        self.since: float = side.ledger.heard[side.rival] or time.time()
        """The time since when the friend is here, or away: by this clock if it was seen, else by the relay's."""
        self._posts: set[asyncio.Task[None]] = set()
        self._shown = 0
        """The number of messages that are shown; later ones are not saved yet."""
        super().__init__(side, live.connection, store)
        if side.ledger.stage == "over":
            self.over = self.shown_end = True
            self._archive()

    async def leave(self) -> None:
        """Leave the table: an unfinished match stays in its journal, the secrets of a finished one are erased."""
        await asyncio.gather(*self._posts, return_exceptions=True)
        await self._live.leave(saved=self._saved_as is not None, gone=self._gone)
        await super().leave()

    def _send(self, act: Callable[..., object], *args: Any, **options: Any) -> None:
        """Do something on this side of the match, then save and send its message in the background."""
        act(*args, **options)
        task = asyncio.ensure_future(self._connection.post())
        self._posts.add(task)
        task.add_done_callback(self._posted)

    def _posted(self, task: asyncio.Task[None]) -> None:
        self._posts.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._halt(error)

    # -- news

    def _changed(self) -> None:
        here = self.side.here.get(NAMES[self.side.rival], False)
        if here != self.here:
            self.here, self.since = here, time.time()
        super()._changed()

    def _hear(self, one: news.News) -> None:
        super()._hear(one)
        if isinstance(one, news.RoundOver) and self.over:
            self._archive()

    def _sync(self) -> None:
        self._shown = self.side.ledger.count
        super()._sync()

    def _archive(self) -> None:
        self._saved_as = None
        assert self.store is not None
        try:
            self._saved_as = self.store.import_text(self.side.ledger.record().to_json())
        except DuelboxError as error:
            self.notice = error.sentence

    # -- players

    @property
    def seat(self) -> Seat:
        """My seat in the round shown."""
        return 0 if self.match.player_in(0) == self.me else 1

    @property
    def people(self) -> tuple[Seat, ...]:
        """My seat."""
        return (self.seat,)

    @property
    def _friend(self) -> str:
        """The friend in sentences for `Session.named`; before a round is dealt, the friend's name."""
        if self.ready:
            return player(other(self.seat))
        known = self.side.ledger.players[self.side.rival]
        return known or (shown_name(self.invitation.name) if self.invitation else "Your friend")

    @property
    def my_turn(self) -> bool:
        """I am to move at the position shown, and no message of mine is on its way."""
        ledger = self.side.ledger
        shown = not self.shown_end and self.session.turn is not None and not ledger.moved_since(self._shown)
        return shown and ledger.my_turn and not self.side.moving

    @property
    def watched(self) -> str:
        """The number of watchers; empty if nobody may watch."""
        return f"{self.watchers} watching" if self.watch else ""

    @property
    def presence(self) -> str:
        """A sentence about the friend, who is here, thinking, or away since a time."""
        name = self._friend
        if (trouble := self.trouble) is not None:
            return trouble
        if (claim := self.side.ledger.claim) is not None and claim.by == self.me:
            return f"Claimed. The game is yours in a minute, unless {name} answers."
        if not self.here:
            clock = "%H:%M" if time.time() - self.since < _DAY else "%d %b, %H:%M"
            return f"{name} has been away since {time.strftime(clock, time.localtime(self.since))}."
        if self.side.moving or self.side.ledger.stage in ("commit", "reveal", "slots", "open", "bye"):
            return "One moment."
        thinking = not self.shown_end and self.session.turn is not None and not self.side.ledger.my_turn
        return f"{name} is {'thinking' if thinking else 'here'}."

    def away(self, seat: Seat) -> str:
        """The time that the friend has been away: "away 2 min"."""
        if seat == self.seat or self.here or not self.ready or self.trouble is not None:
            return ""
        minutes = int(time.time() - self.since) // 60
        return "away" + (f" {minutes} min" if minutes < _HOUR else f" {minutes // _HOUR} h") * (minutes > 0)

    # -- actions

    @property
    def invitation(self) -> Hello | None:
        """The host's proposal, until it is answered."""
        ledger = self.side.ledger
        return ledger.hello if ledger.stage == "asked" and self.me == GUEST else None

    def accept(self, name: str, *, lesson: bool = False) -> None:
        """Accept the host's proposal under this name."""
        self._send(self.side.answer_invitation, name, __version__, lesson=lesson)

    def decline(self) -> None:
        """Decline the host's proposal."""
        self._send(self.side.answer_invitation, "", __version__, yes=False)

    def play(self, move: str) -> None:
        """Make a move; it is shown when it is in the room. Raises MoveError."""
        try:
            if not self.my_turn and self.side.ledger.my_turn and not self.side.moving:
                raise NotYourTurn("One moment: your opponent's turn is not shown yet.")
            self._send(self.side.play, move)
        except MoveError:
            raise
        except DuelboxError as error:
            raise MoveError(error.sentence) from None

    def resign(self) -> None:
        """Resign this round; raises DuelboxError if none is played."""
        self._send(self.side.resign)

    def claim(self) -> None:
        """Claim the game from a friend who has been away for too long; raises DuelboxError if it is too early."""
        self._send(self.side.claim)

    def why_not(self, verb: str) -> str | None:
        """The sentence that refuses a verb now; empty where no words are needed, None if it is allowed."""
        match verb:
            case "undo" | "draw":
                return self.side.ledger.why_no_offer(verb)
            case "later":
                return self.side.ledger.why_no_offer("pause")
            case "claim":
                return "Your claim is on its way." if self.side.moving else self.side.why_no_claim()
            case "redo":
                return "Nothing has been undone."
            case "new" | "more":
                return ""
            case "review":
                return None if self._saved_as is not None else ""
        return None

    def offer(self, kind: Kind) -> None:
        """Make an offer to the friend; raises DuelboxError if it is refused."""
        self._send(self.side.offer, kind)

    @property
    def offered(self) -> Offer | None:
        """The friend's offer, while it stands."""
        return next((one for one in self.side.ledger.offers.values() if one.by != self.me), None)

    @property
    def asked(self) -> str:
        """The friend's offer in a sentence; empty if there is none."""
        return self.offered.asks(self._friend) if self.offered else ""

    def answer(self, offer: int, *, yes: bool) -> None:
        """Answer the offer of this id; raises DuelboxError if it no longer stands."""
        self._send(self.side.answer, offer, yes=yes)

    @property
    def saved_as(self) -> str | None:
        """The id of the match among the saved games, once it is over."""
        return self._saved_as

    @property
    def lesson(self) -> bool:
        """Both agreed to a lesson."""
        return self.side.ledger.lesson

    def sentence_of(self, one: news.News) -> str:
        """The sentence for a piece of news that neither board nor result shows; empty for others."""
        match one:
            case news.Declined(why):
                return _DECLINED[why]
            case news.Moved(by, ply) if by != self.me and self.session.outcome is None:
                return " ".join(event.sentence for event in ply.events)
            case news.Answered(offer, yes):
                return offer.answered(self._friend if offer.by == self.me else "You", yes=yes)
            case news.Lapsed(offer):
                return offer.lapsed("Your" if offer.by == self.me else "Their")
            case news.NotCounted(by) if by == self.me:
                return (
                    "Your claim does not count: your friend was here again, or it was too early by the relay's clock."
                )
            case news.Claimed(by) if by != self.me:
                return f"{self._friend} claimed the game, as you were away. You are here, so that does not count."
            case news.CalledOff(by):
                return f"{'You' if by == self.me else self._friend} called the match off: nothing had been dealt."
            case news.Said(by, text) if by != self.me:
                return f"{self._friend}: {text}"
            case news.Stopped(sentence):
                return sentence
        return ""

    def rings(self, one: news.News) -> bool:
        """The bell rings for a move or an offer of the friend."""
        return (isinstance(one, news.Moved) and one.by != self.me) or (
            isinstance(one, news.Offered) and one.offer.by != self.me
        )

    @property
    def verified(self) -> str:
        """The four words made from the key, in a sentence."""
        return f"Your friend sees these words too, if nobody sits between you: {self.side.verifier}"

    def mute(self) -> str:
        """Hide the friend's phrases, or show them again; returns a sentence about it."""
        self.side.muted ^= {self.side.rival}
        return "Phrases of your friend are " + ("not shown." if self.side.muted else "shown again.")

    def say(self, phrase: int) -> None:
        """Say one of PHRASES, counted from 0."""
        self._send(self.side.say, phrase)

    def use_help(self) -> None:
        """Tell the friend that help is used; raises DuelboxError unless both agreed to a lesson."""
        self._send(self.side.use_help)
        self.assisted = True


def table_at(live: LiveMatch | WatchedMatch, store: Store) -> RemoteTable | WatchedTable:
    """The table of a match that is connected."""
    return RemoteTable(live, store) if isinstance(live, LiveMatch) else WatchedTable(live.side, live.connection)
