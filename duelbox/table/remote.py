"""A match that is played on other machines, too: a move counts when it is in the room, and comes back as news."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from duelbox import __version__
from duelbox.core import news
from duelbox.core.errors import DuelboxError, NotYourTurn
from duelbox.core.match import Player
from duelbox.core.model import Seat, other
from duelbox.core.names import printable
from duelbox.core.news import News
from duelbox.core.offer import Deed, Offer
from duelbox.core.record import PlayerInfo
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.core.talk import full_title
from duelbox.friends.live_match import LiveMatch, WatchedMatch
from duelbox.friends.messages import GUEST, HOST, Hello
from duelbox.friends.player_side import PlayerSide
from duelbox.friends.proposal import Proposal, sent_name, shown_name
from duelbox.friends.side import ONLY, PLAYERS, WatcherSide
from duelbox.friends.unconfirmed import VOID, WITHDRAWN, settle
from duelbox.registry import guest_fault
from duelbox.relay.wire import RoomGone
from duelbox.store.store import Store
from duelbox.table.base import BaseTable
from duelbox.table.early_ends import EarlyEnds
from duelbox.table.friend_words import DECLINED, NOT_COUNTED, away_for, clock_of, invites
from duelbox.table.refusals import unless
from duelbox.table.verb import Verb
from duelbox.table.verbs_elsewhere import VERBS_ELSEWHERE


class RemoteTable(BaseTable):
    """A match with a friend on another machine.

    `session` is the round that is shown; after its end it stays until `next_round` is called.
    """

    verbs: ClassVar[Mapping[str, Verb]] = VERBS_ELSEWHERE
    asking: ClassVar[str] = "Your opponent is asked."
    again: ClassVar[str] = "ask for a rematch"
    ready = False
    """A round has been dealt."""
    here = False
    """The friend is here."""
    _shown = 0
    """The number of messages that are shown; later ones are not saved yet."""
    _saved_as: str | None = None
    _gone = False
    """The relay does not know the room."""
    _halted = ""
    """The sentence about a fault that stops the match in this program."""

    def __init__(self, live: LiveMatch | WatchedMatch, store: Store | None = None) -> None:
        side: PlayerSide | WatcherSide = live.side
        self.side = side
        self._live = live
        self._connection = live.connection
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
        self.store = store
        self.sitters = () if self.me is None else (self.me,)
        self.news: asyncio.Queue[news.News | None] = asyncio.Queue()
        """The news in their order; None if only presence or the connection changed."""
        self.since: float = side.ledger.clock.heard[side.rival] or time.time()
        """The time since when the friend is here, or away: by this clock if it was seen, else by the relay's."""
        self._ends: list[news.RoundOver] = []
        """The rounds that are over and not left by `next_round`; the end of the first is shown."""
        self._early = EarlyEnds()
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
        fault = guest_fault(error)
        if isinstance(error, DuelboxError):
            self._halted = error.sentence
        elif fault is not None:
            self._halted = f"{fault.sentence} The match waits, as it was."
        else:
            self._halted = f"A fault in duelbox halts this match: {printable(repr(error))}. It waits, as it was."
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
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, Exception):
            self._halt(error)
        elif not self._connection.connected:
            self._changed()  # nothing comes back from a room, so the table answers

    # -- news

    def _changed(self) -> None:
        here = self._friend_is_here
        if here != self.here:
            self.here = here
            self.since = time.time()
        fresh, self._ends = self._early.merged(self.side.take_news(), self._ends)
        for change in fresh:
            self._hear(change)
            if not (isinstance(change, news.Began) and self.shown_end):  # `next_round` reports it later
                self.news.put_nowait(change)
        self._look_ahead()
        self._sync()
        if not fresh:
            self.news.put_nowait(None)

    def _look_ahead(self) -> None:
        """Show an end that needs nobody, though the room does not have it yet; or withdraw it."""
        foreseen = self._mine.foreseen()
        ends = foreseen is not None and foreseen.ends_round
        if self._early and not ends:
            self._ends = self._early.withdrawn_from(self._ends)
            self._archive()
            self.news.put_nowait(news.Withdrawn())
        if foreseen is not None and ends and not self._early and not self._mine.reaches_room:
            for change in self._early.show(foreseen.news):
                self._hear(change)
                self.news.put_nowait(change)
            self._archive()

    @property
    def unconfirmed(self) -> str:
        """The sentence about an end that the friend has not confirmed yet; empty if there is none."""
        return f"Not confirmed by {self._named(self.side.rival)} yet." if self._early else ""

    @property
    def _friend_is_here(self) -> bool:
        return self.side.here.get(PLAYERS[self.side.rival], False)

    def _hear(self, change: news.News) -> None:
        match change:
            case news.RoundOver():
                self._ends.append(change)
                if self.over and not self._early:
                    self._archive()
            case news.Voided() | news.Confirmed():
                self._archive()
            case news.Answered(offer, True) if offer.kind == "rematch":
                self.finished = ()
                self.assisted = False
                self._ends = []
            case news.CalledOff() if self.side.ledger.stage == "over":
                self._ends = [news.RoundOver(self.session, self.match)]

    def _sync(self) -> None:
        ledger = self.side.ledger
        self._shown = ledger.count
        self.lesson = ledger.terms.lesson
        self.watched = f"{self._watchers()} watching" if self.watch else ""
        names = ledger.terms.players
        if names[0]:
            self.players = PlayerInfo(name=names[0]), PlayerInfo(name=names[1])
        if self._ends:
            self.session = self._ends[0].session
            self.match = self._ends[0].match
        elif self.side.session is not None:
            self.session = self.side.session
            self.match = ledger.match
            self.ready = True
            self.options = self.session.options

    def _watchers(self) -> int:
        """The number of those who watch and are here."""
        return sum(here for name, here in self.side.here.items() if name not in PLAYERS)

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
        if self._ends[0] in self._early.news:
            raise DuelboxError(f"The next round begins when {self._named(self.side.rival)} is back.")
        self.finished = self.rounds
        self.assisted = False
        self._ends.pop(0)
        self._sync()
        self.news.put_nowait(news.Began())

    def _archive(self) -> None:
        self._saved_as = None
        assert self.store is not None
        assert isinstance(self._live, LiveMatch)
        try:
            self._saved_as = settle(self.store, self._live.journal.path.name, self._mine)
        except DuelboxError as error:
            self.notice = error.sentence

    # -- players

    def is_program(self, seat: Seat) -> bool:
        """A program plays in this seat, as the host said."""
        hello = self.side.ledger.terms.hello or self.side.hello
        return hello is not None and hello.program and self.match.player_in(seat) == HOST

    def _named(self, who: Player) -> str:
        """A player in sentences for `Session.named`; before a round is dealt, the friend's name."""
        if who == self.me:
            return "You"
        if self.ready:
            return self.called(who)
        known = self.side.ledger.terms.players[who]
        if known:
            return known
        return shown_name(self.invitation.name) if self.invitation else "Your friend"

    @property
    def my_turn(self) -> bool:
        """I am to move at the position shown, and no message of mine is on its way."""
        ledger = self.side.ledger
        shown = self.session.turn in self.people and not ledger.moved_since(self._shown)
        return shown and self.side.my_turn and not self.side.moving

    @property
    def trouble(self) -> str | None:
        """The sentence that says why nothing can come from the other side; None if all is well."""
        stopped = self.side.stopped or self._halted
        if stopped:
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
        if not waits:
            return ""
        return f"Kept. It goes to {self._named(self.side.rival)} when they are back."

    @property
    def presence(self) -> str:
        """A sentence about the friend, who is here, thinking, or away."""
        trouble = self.trouble
        if trouble is not None:
            return self.kept or trouble
        name, ledger = self._named(self.side.rival), self.side.ledger
        if ledger.claim is not None and ledger.claim.by == self.me:
            return f"Claimed. The game is yours in a minute, unless {name} answers."
        if not self.here:
            return f"{name} has been away since {clock_of(self.since)}."
        if self.side.moving or ledger.stage in ("commit", "reveal", "slots", "open", "bye"):
            return "One moment."
        if self.session.turn is None or self.side.my_turn:
            return f"{name} is here."
        return f"{name} is thinking."

    def away(self, seat: Seat) -> str:
        """The time that the friend has been away: "away 2 min"."""
        if seat in self.people or self.here or not self.ready or self.trouble is not None:
            return ""
        return away_for(time.time() - self.since)

    @property
    def verified(self) -> str:
        """The four words made from the key, in a sentence."""
        return f"Your friend sees these words too, if nobody sits between you: {self._mine.verifier}"

    def mute(self) -> str:
        """Hide the friend's phrases, or show them again; returns a sentence about it."""
        self.side.muted ^= {self.side.rival}
        if self.side.muted:
            return "Phrases of your friend are not shown."
        return "Phrases of your friend are shown again."

    # -- the invitation

    @property
    def invitation(self) -> Hello | None:
        """The host's proposal, until it is answered."""
        ledger = self.side.ledger
        if ledger.stage != "asked" or self.me != GUEST:
            return None
        return ledger.terms.hello

    @property
    def invited(self) -> str:
        """The host's proposal in a sentence, until it is answered; then empty."""
        hello = self.invitation
        if hello is None:
            return ""
        return invites(hello, full_title(self.game, self.options), watched=bool(self.watch))

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
                return unless(self._saved_as is not None)
            case "resign" if self.shown_end:
                return "This round is over."
            case "rematch" if self._early:
                return self.unconfirmed
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

    def propose(self, deed: Deed) -> None:
        """Tell the friend, or ask them; raises DuelboxError if that is refused."""
        if deed == "next":
            self.next_round()
        else:
            self._send(self._mine.propose, deed)

    def take_help(self) -> None:
        """Tell the friend that help was asked for; raises DuelboxError unless both agreed to a lesson."""
        self.propose("help")
        super().take_help()

    @property
    def helped(self) -> str:
        """A lesson, to which both agreed; else empty."""
        return "a lesson" if self.lesson else super().helped

    def rings(self, change: News) -> bool:
        """The bell rings for each move and offer of the friend."""
        return self.comes_to_one(change)

    @property
    def offered(self) -> Offer | None:
        """The friend's offer, while it stands."""
        theirs = (offer for offer in self.side.ledger.offers if offer.by != self.me)
        return next(theirs, None)

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

    def sentence_of(self, change: News) -> str:
        """The sentence for a piece of news that neither board nor result shows; empty for others."""
        match change:
            case news.Said(by, text) if by != self.me:
                return f"{self._named(by)}: {text}"
            case news.Declined(why):
                return DECLINED[why]
            case news.Halted(sentence):
                return sentence
            case news.Confirmed():
                return "The end is confirmed now."
            case news.Withdrawn():
                return WITHDRAWN
            case news.Voided():
                return VOID
            case news.Conceded(by):
                return f"{self._named(by)} claimed the game while you were away. That counts."
            case news.CalledOff(by):
                return f"{self._named(by)} called the match off: nothing had been dealt."
            case news.Answered(offer, yes):
                return offer.answered(self._named(other(offer.by)), yes=yes)
            case news.Lapsed(offer):
                return offer.lapsed("Your" if offer.by == self.me else "Their")
            case news.NotCounted(by) if by == self.me:
                return NOT_COUNTED
            case news.Claimed(by) if by != self.me:
                return f"{self._named(by)} claimed the game, as you were away. You are here, so that does not count."
        return ""
