"""A match that is played on other machines, too: a move counts when it is in the room, and comes back as news."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from duelbox import __version__
from duelbox.core import news
from duelbox.core.errors import DuelboxError, NotYourTurn
from duelbox.core.match import Player
from duelbox.core.model import SEATS, Seat, other, player
from duelbox.core.names import printable
from duelbox.core.offer import Deed, Offer
from duelbox.core.record import PlayerInfo
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.core.talk import full_title
from duelbox.friends.live_match import REFUSALS, LiveMatch, WatchedMatch
from duelbox.friends.messages import GUEST, Hello
from duelbox.friends.player_side import PlayerSide
from duelbox.friends.proposal import Proposal, sent_name, shown_name
from duelbox.friends.side import NAMES, ONLY, WatcherSide
from duelbox.relay.wire import RoomGone
from duelbox.store.store import Store
from duelbox.table.base import BaseTable

_DAY = 86_400
_HOUR = 60
_DECLINED = REFUSALS | {
    "declined": "Your friend does not sit down.",
    "game": "Your friend's duelbox does not have this game.",
}


class RemoteTable(BaseTable):
    """A match with a friend on another machine, or one of two others that is only watched.

    `session` is the round that is shown; after its end it stays until `next_round` is called.
    """

    def __init__(self, live: LiveMatch | WatchedMatch, store: Store | None = None) -> None:
        side: PlayerSide | WatcherSide = live.side
        self.side, self._live, self._connection = side, live, live.connection
        self.watch = live.watch
        """The key for watchers; empty if nobody may watch."""
        self.me: Player | None = side.me if isinstance(side, PlayerSide) else None
        """The player who sits here; None for a watcher."""
        terms = side.ledger.terms
        hello = terms.hello or side.hello
        assert hello is not None
        proposal = terms.proposal or Proposal.read(hello.game)
        session = side.session or Session(proposal.game, proposal.options)
        nobody = PlayerInfo(name=DEFAULT_NAMES[0]), PlayerInfo(name=DEFAULT_NAMES[1])
        super().__init__(session, nobody, side.ledger.match, session.options)
        self.store, self.asks_first = store, self.me is not None
        self.sitters = () if self.me is None else (self.me,)
        self.news: asyncio.Queue[news.News | None] = asyncio.Queue()
        """The news in their order; None if only presence or the connection changed."""
        self.ready = False
        """A round has been dealt."""
        self.here = False
        """The friend is here."""
        self.since: float = side.ledger.clock.heard[side.rival] or time.time()
        """The time since when the friend is here, or away: by this clock if it was seen, else by the relay's."""
        self._ends: list[news.RoundOver] = []
        """The rounds that are over and not left by `next_round`; the end of the first is shown."""
        self._shown = 0
        """The number of messages that are shown; later ones are not saved yet."""
        self._saved_as: str | None = None
        self._gone = False
        """The relay does not know the room."""
        self._halted = ""
        """The sentence about a fault that stops the match in this program."""
        self._posts: set[asyncio.Task[None]] = set()
        self._sync()
        if side.ledger.stage == "over":
            self._hear(news.RoundOver(self.session, self.match))
        self._running = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            await self._connection.listen(self._changed)
        except Exception as error:  # the player must learn why the match stops
            self._gone = isinstance(error, RoomGone)
            self._halt(error)

    def _halt(self, error: Exception) -> None:
        fault = f"A fault in duelbox halts this match: {printable(repr(error))}. It waits, as it was."
        self._halted = error.sentence if isinstance(error, DuelboxError) else fault
        self.news.put_nowait(news.Halted(self._halted))

    async def leave(self) -> None:
        """Leave the table: an unfinished match stays in its journal, the secrets of a finished one are erased."""
        await asyncio.gather(*self._posts, return_exceptions=True)
        await self._live.leave(saved=self._saved_as is not None, gone=self._gone)
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)

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
        elif not self._connection.connected:
            self.news.put_nowait(None)  # nothing comes back from a room, so the table answers

    # -- news

    def _changed(self) -> None:
        here = self.me is not None and self.side.here.get(NAMES[self.side.rival], False)
        if here != self.here:
            self.here, self.since = here, time.time()
        fresh = self.side.take_news()
        for one in fresh:
            self._hear(one)
            if not (isinstance(one, news.Began) and self.shown_end):  # `next_round` reports it later
                self.news.put_nowait(one)
        self._sync()
        if not fresh:
            self.news.put_nowait(None)

    def _hear(self, one: news.News) -> None:
        match one:
            case news.RoundOver():
                self._ends.append(one)
                if self.over and self.me is not None:
                    self._archive()
            case news.Answered(offer, True) if offer.kind == "rematch":
                self.finished, self._ends, self.assisted = (), [], False
            case news.CalledOff() if self.side.ledger.stage == "over":
                self._ends = [news.RoundOver(self.session, self.match)]
            case news.Moved() if self.me is None and self.shown_end and self.side.ledger.stage == "play":
                self.next_round()  # the players have begun the next round

    def _sync(self) -> None:
        ledger = self.side.ledger
        self._shown = ledger.count
        self.lesson = self.me is not None and ledger.terms.lesson
        others = sum(here for who, here in self.side.here.items() if who not in NAMES)
        self.watched = f"{others + (self.me is None)} watching" if self.watch or self.me is None else ""
        names = ledger.terms.players
        if names[0]:
            self.players = PlayerInfo(name=names[0]), PlayerInfo(name=names[1])
        if self._ends:
            self.session, self.match = self._ends[0].session, self._ends[0].match
        elif self.side.session is not None:
            self.session, self.match, self.ready = self.side.session, ledger.match, True
            self.options = self.session.options

    @property
    def shown_end(self) -> bool:
        """The end of a round is shown; the next round waits for `next_round`."""
        return bool(self._ends)

    @property
    def over(self) -> bool:
        """The match is over; a rematch begins another."""
        return self.shown_end and len(self._ends[-1].match.winners) + 1 == self._ends[-1].match.rounds

    def next_round(self) -> None:
        """Show the next round in place of the finished one."""
        if not self.shown_end or (self.over and len(self._ends) == 1):
            return
        self.finished, self.assisted = self.rounds, False
        self._ends.pop(0)
        self._sync()
        self.news.put_nowait(news.Began())

    def _archive(self) -> None:
        self._saved_as = None
        assert self.store is not None
        try:
            self._saved_as = self.store.import_text(self.side.ledger.record().to_json())
        except DuelboxError as error:
            self.notice = error.sentence

    # -- players

    def _named(self, who: Player) -> str:
        """A player in sentences for `Session.named`; before a round is dealt, the friend's name."""
        if who == self.me:
            return "You"
        if self.ready:
            return self.called(who)
        known = self.side.ledger.terms.players[who]
        return known or (shown_name(self.invitation.name) if self.invitation else "Your friend")

    @property
    def my_turn(self) -> bool:
        """I am to move at the position shown, and no message of mine is on its way."""
        ledger = self.side.ledger
        shown = self.session.turn in self.people and not ledger.moved_since(self._shown)
        return shown and self.side.my_turn and not self.side.moving

    @property
    def trouble(self) -> str | None:
        """The sentence that says why nothing can come from the other side; None if all is well."""
        if stopped := self.side.stopped or self._halted:
            return stopped
        if self._connection.connected:
            return None
        if self._connection.no_room:
            return "Not connected: the room is not there. Trying again."
        return "Not connected. Trying again." if self._connection.trouble else "Connecting."

    @property
    def kept(self) -> str:
        """The sentence about a move that waits for the room; empty if none does."""
        waits = self.side.moving and self._connection.trouble and not self.side.stopped and not self._halted
        return f"Kept. It goes to {self._named(self.side.rival)} when they are back." if waits else ""

    @property
    def left(self) -> bool:
        """Neither player is here."""
        return self._connection.connected and not any(self.side.here.get(name) for name in NAMES)

    @property
    def presence(self) -> str:
        """A sentence about the players elsewhere, who are here, thinking, or away."""
        if (trouble := self.trouble) is not None:
            return self.kept or trouble
        if self.me is None:
            return self._presence_of_both()
        name, ledger = self._named(self.side.rival), self.side.ledger
        if ledger.claim is not None and ledger.claim.by == self.me:
            return f"Claimed. The game is yours in a minute, unless {name} answers."
        if not self.here:
            clock = "%H:%M" if time.time() - self.since < _DAY else "%d %b, %H:%M"
            return f"{name} has been away since {time.strftime(clock, time.localtime(self.since))}."
        if self.side.moving or ledger.stage in ("commit", "reveal", "slots", "open", "bye"):
            return "One moment."
        return f"{name} is {'here' if self.session.turn is None or self.side.my_turn else 'thinking'}."

    def _presence_of_both(self) -> str:
        if not self.ready:
            return "The two have not sat down yet."
        if self.left:
            return "Both are away."
        turn = self.session.turn
        away = [seat for seat in SEATS if not self.side.here.get(NAMES[self.match.player_in(seat)])]
        sentences = [f"{player(seat)} is away." for seat in away]
        if turn is not None and turn not in away:
            sentences.append(f"{player(turn)} is thinking.")
        return " ".join(sentences) or "Both are here."

    def away(self, seat: Seat) -> str:
        """The time that the friend has been away: "away 2 min"."""
        if seat in (self.people or SEATS) or self.here or not self.ready or self.trouble is not None:
            return ""
        minutes = int(time.time() - self.since) // 60
        return "away" + (f" {minutes} min" if minutes < _HOUR else f" {minutes // _HOUR} h") * (minutes > 0)

    @property
    def verified(self) -> str:
        """The four words made from the key, in a sentence."""
        return f"Your friend sees these words too, if nobody sits between you: {self._mine.verifier}"

    def mute(self) -> str:
        """Hide the friend's phrases, or show them again; returns a sentence about it."""
        self.side.muted ^= {self.side.rival}
        return "Phrases of your friend are " + ("not shown." if self.side.muted else "shown again.")

    # -- the invitation

    @property
    def invitation(self) -> Hello | None:
        """The host's proposal, until it is answered."""
        ledger = self.side.ledger
        return ledger.terms.hello if ledger.stage == "asked" and self.me == GUEST else None

    @property
    def invited(self) -> str:
        """The host's proposal in a sentence, until it is answered; then empty."""
        if (hello := self.invitation) is None:
            return ""
        title = full_title(self.game, self.options)
        rounds = f", {hello.rounds} rounds" if hello.rounds > 1 else ""
        lesson = " as a lesson, with hints and verdicts for both" if hello.lesson else ""
        others = " Others may watch." if self.watch else ""
        return f"{shown_name(hello.name)} invites you to {title}{rounds}{lesson}.{others}"

    def accept(self, name: str, *, lesson: bool = False) -> None:
        """Accept the host's proposal under this name."""
        self._send(self._mine.answer_invitation, sent_name(name), __version__, lesson=lesson)

    def decline(self) -> None:
        """Decline the host's proposal."""
        self._send(self._mine.answer_invitation, "", __version__, yes=False)

    # -- actions

    @property
    def _mine(self) -> PlayerSide:
        """My side of the match; raises DuelboxError for a watcher, who can do nothing."""
        if not isinstance(self.side, PlayerSide):
            raise DuelboxError(ONLY)
        return self.side

    def why_not(self, verb: str) -> str | None:
        """The sentence that refuses a verb now; empty where no words are needed, None if it is allowed."""
        match verb:
            case "new" | "more":
                return ""
            case "review":
                return None if self._saved_as is not None else ""
            case "rematch" | "speak" if self.me is None:
                return "" if verb == "speak" or self.score.over else None
            case "resign" if self.shown_end:
                return "This round is over."
            case "undo" | "redo" | "draw" | "claim" | "resign":
                return self.side.why_not(verb)
            case "later":
                return self.side.why_not("pause")
        return None

    def play(self, move: str) -> None:
        """Make a move; it is shown when it is in the room. Raises DuelboxError."""
        if not self.my_turn and self.side.my_turn and not self.side.moving:
            raise NotYourTurn("One moment: your opponent's turn is not shown yet.")
        self._send(self._mine.play, move)

    def propose(self, deed: Deed) -> BaseTable:
        """Tell the friend, or ask them; raises DuelboxError if that is refused."""
        if deed == "next":
            self.next_round()
        else:
            self._send(self._mine.propose, deed)
        return self

    @property
    def offered(self) -> Offer | None:
        """The friend's offer, while it stands."""
        theirs = (one for one in self.side.ledger.offers if one.by != self.me)
        return None if self.me is None else next(theirs, None)

    def answer(self, offer: int, *, yes: bool) -> None:
        """Answer the offer of this id; raises DuelboxError if it no longer stands."""
        self._send(self._mine.answer, offer, yes=yes)

    def say(self, phrase: int) -> None:
        """Say one of PHRASES, counted from 0."""
        self._send(self._mine.say, phrase)

    @property
    def saved_as(self) -> str | None:
        """The id of the match among the saved games, once it is over."""
        return self._saved_as

    def sentence_of(self, one: news.News) -> str:
        """The sentence for a piece of news that neither board nor result shows; empty for others."""
        plays = self.me is not None
        match one:
            case news.Said(by, text) if by != self.me:
                return f"{self._named(by)}: {text}"
            case news.Declined(why):
                return _DECLINED[why] if plays else "The guest did not sit down."
            case news.Halted(sentence):
                return sentence
            case news.CalledOff(by):
                return f"{self._named(by)} called the match off: nothing had been dealt."
            case news.Offered(offer) if not plays:
                return offer.asks(self._named(offer.by))
            case news.Answered(offer, yes):
                return offer.answered(self._named(other(offer.by)), yes=yes)
            case news.Lapsed(offer) if plays:
                return offer.lapsed("Your" if offer.by == self.me else "Their")
            case news.NotCounted(by) if by == self.me:
                return (
                    "Your claim does not count: your friend was here again, or it was too early by the relay's clock."
                )
            case news.Claimed(by) if plays and by != self.me:
                return f"{self._named(by)} claimed the game, as you were away. You are here, so that does not count."
        return ""
