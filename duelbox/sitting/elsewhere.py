"""A match with a friend elsewhere, as a sitting: screens and the line mode drive it as they drive any other."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress

from duelbox import __version__
from duelbox.bots import Level
from duelbox.core.errors import CannotUndo, DuelboxError, MoveError, NotYourTurn
from duelbox.core.match import Player
from duelbox.core.model import Seat, other, player
from duelbox.core.names import printable
from duelbox.core.offer import Kind, Offer
from duelbox.core.record import Who
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.net import news
from duelbox.net.courier import Courier
from duelbox.net.invitation import Proposal
from duelbox.net.messages import PHRASES
from duelbox.net.notes import Note
from duelbox.net.peer import NAMES, Peer
from duelbox.net.room import Room, RoomGone
from duelbox.sitting.sitting import Sitting
from duelbox.sitting.telling import away_since, invited, to_player
from duelbox.store.elsewhere import Journal
from duelbox.store.store import Store

__all__ = ["PHRASES", "Elsewhere"]

_FAREWELL = 3.0
"""Seconds for what was said last to reach the other side."""


class Elsewhere(Sitting):
    """One match with a friend on another machine; the game is known by now, and `peer` has been started.

    `play`, `resign`, `undo` and `rematch` are those of any sitting; what comes of them, and all that the friend does,
    comes as news. `session` is the round that is shown: after its end it stays until `next_round` is called.
    """

    elsewhere = True
    watch = ""
    """What others type to watch; empty where nobody may."""

    def __init__(
        self, peer: Peer, journal: Journal, store: Store | None, connect: Callable[[], Awaitable[Room]]
    ) -> None:
        self.peer, self._journal = peer, journal
        proposal = peer.ledger.proposal or _proposed(peer)
        session = peer.ledger.session or Session(proposal.game, proposal.options)
        nobody = Who(name=DEFAULT_NAMES[0]), Who(name=DEFAULT_NAMES[1])
        super().__init__(session, nobody, peer.ledger.match, session.options, store)
        self.news: asyncio.Queue[news.News | None] = asyncio.Queue()
        """What happened, in its order; None where only presence or the connection changed."""
        self.ready = False
        """Whether a round lies on the table."""
        self.over = False
        """Whether the match is over; a rematch begins another."""
        self.invitation: news.Invited | None = None
        """What the host proposes, until it is answered."""
        self._saved_as: str | None = None
        self.since: float = peer.ledger.heard[peer.rival] or time.time()
        """Since when the friend is here, or away: by this machine's clock where it was seen, else by the relay's."""
        self._next: list[news.News] = []
        self._courier = Courier(peer, connect, self._keep, self._changed)
        self._running: asyncio.Task[None] | None = None
        self._posts: set[asyncio.Task[None]] = set()
        self._resources = AsyncExitStack()
        self._was_here = False
        self._gone = False
        """Whether the relay knows no such room."""
        self._halted = ""
        """Why nothing goes on in this program, in a sentence."""
        self._shown = 0
        """How many messages what is shown takes in: what came since then is not on disk yet."""
        self._catch_up()

    # -- running

    async def start(self, resources: AsyncExitStack | None = None) -> None:
        """Begin to talk with the other side, in the background; what is given is let go of at the end."""
        if resources is not None:
            self._resources = resources
        self._running = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            await self._courier.run()
        except DuelboxError as error:
            self._gone = isinstance(error, RoomGone)
            self._halt(error.sentence)
        except Exception as error:  # else the match would stand still, and nobody know why
            self._halt(f"A fault in duelbox halts this match: {printable(repr(error))}. It waits, as it was.")

    def _halt(self, sentence: str) -> None:
        """Nothing goes on in this program; say why."""
        self._halted = sentence
        self.news.put_nowait(news.Stopped(sentence))

    async def leave(self) -> None:
        """Leave the table: a match that is not over waits on disk, of one that is over nothing secret is kept."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL):
                while self._courier.connected and (self.peer.outgoing() or (self.over and not self._agreed)):
                    await asyncio.sleep(0.02)
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, *self._posts, return_exceptions=True)
        if self.peer.stopped is not None or (self._gone and self._journal.way.proven and not self.over):
            await asyncio.to_thread(self._journal.set_aside)
        elif self.peer.ledger.stage == "refused" or self._done:
            await asyncio.to_thread(self._journal.wipe)
        else:
            self._journal.close()
        await self._resources.aclose()

    @property
    def _agreed(self) -> bool:
        """Whether the friend knows, too, that the match is over."""
        return self.peer.rival in self.peer.ledger.saw_end

    @property
    def _done(self) -> bool:
        """Whether nothing is left to do for this side of a match that is over, nor for its relay."""
        left_to_relay = not self._journal.way.listen and not self.peer.outgoing()
        return self.over and self._archived and (self._agreed or left_to_relay or self._gone)

    @property
    def _archived(self) -> bool:
        """Whether the match that is over is among the saved games."""
        return self.store is None or self._saved_as is not None

    async def _keep(self, notes: Sequence[Note]) -> None:
        await asyncio.to_thread(self._journal.add, notes)

    def _post(self) -> None:
        """Let what was just said be written down and sent."""
        task = asyncio.ensure_future(self._courier.post())
        self._posts.add(task)
        task.add_done_callback(self._posted)

    def _posted(self, task: asyncio.Task[None]) -> None:
        self._posts.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, DuelboxError):
            self._halt(error.sentence)

    # -- what happened

    def _changed(self) -> None:
        here = self._courier.here.get(NAMES[self.peer.rival], False)
        if here != self._was_here:
            self._was_here, self.since = here, time.time()
        told = self.peer.take_news()
        for one in told:
            self._hear(one)
            self.news.put_nowait(one)
        self._sync()
        if not told:
            self.news.put_nowait(None)

    def _hear(self, one: news.News) -> None:
        if isinstance(one, news.Invited):
            self.invitation = one
        elif isinstance(one, news.Declined):
            self.invitation = None
        elif isinstance(one, news.RoundOver):
            self._show_end(one)
        elif isinstance(one, news.MatchOver):
            self._archive()
        elif isinstance(one, news.Answered) and one.offer.kind == "rematch" and one.yes:
            self.over, self.finished, self.shown_end, self._next = False, (), False, []

    shown_end = False
    """Whether the round on the table is over, and the next one waits for `next_round`."""

    def _show_end(self, one: news.RoundOver) -> None:
        if not self.shown_end:
            self.session, self.match, self.shown_end = one.session, one.match, True
        else:  # the round before has not been put away yet
            self._next.append(one)

    def _sync(self) -> None:
        """Show what lies on the table."""
        ledger = self.peer.ledger
        self._shown = ledger.count
        if ledger.players[0]:
            self.players = Who(name=ledger.players[0]), Who(name=ledger.players[1])
            self.invitation = None
        if not self.shown_end and ledger.session is not None:
            self.session, self.match, self.ready = ledger.session, ledger.match, True
            self.options = self.session.options

    def _catch_up(self) -> None:
        """Stand where the notes end."""
        hello = self.peer.ledger.hello
        if self.peer.ledger.stage == "asked" and self.peer.me == 1 and hello is not None:
            self.invitation = news.Invited(hello.name, hello.game, hello.rounds, hello.lesson)
        self._sync()
        if self.peer.ledger.stage == "over":
            self.shown_end = True
            self._archive()

    def _archive(self) -> None:
        """Add the match to the saved games."""
        self.over, self._saved_as = True, None
        if self.store is not None:
            try:
                self._saved_as = self.store.import_text(self.peer.ledger.record().to_json())
            except DuelboxError as error:
                self.notice = error.sentence

    # -- who is who

    @property
    def seat(self) -> Seat:
        """Where I sit in the round that is shown."""
        return 0 if self.match.player_in(0) == self.peer.me else 1

    @property
    def me(self) -> Player:
        """Which of the two players I am."""
        return self.peer.me

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seat whose player is here."""
        return (self.seat,)

    @property
    def rival(self) -> str:
        """What the friend is called; empty before they sat down."""
        if self.peer.ledger.players[0]:
            return self.peer.ledger.players[self.peer.rival]
        return self.invitation.name if self.invitation else ""

    @property
    def _friend(self) -> str:
        """The friend in sentences, which `Session.named` gives the names; before they sat down, by name."""
        return player(other(self.seat)) if self.ready else self.rival or "Your friend"

    @property
    def against_computer(self) -> bool:
        """No computer plays here."""
        return False

    @property
    def computer_to_move(self) -> bool:
        """No computer plays here."""
        return False

    @property
    def goes_on(self) -> bool:
        """Somebody always watches."""
        return False

    @property
    def my_turn(self) -> bool:
        """Whether I am to move, and nothing of mine is on its way."""
        ledger = self.peer.ledger
        return not self.shown_end and self._shown == ledger.count and ledger.my_turn and not self.peer.moving

    @property
    def here(self) -> bool:
        """Whether the friend is here."""
        return self._was_here

    @property
    def watched(self) -> str:
        """How many watch, as both players are told; empty where nobody may."""
        count = sum(here for who, here in self._courier.here.items() if who not in NAMES)
        return f"{count} watching" if self.watch else ""

    @property
    def trouble(self) -> str | None:
        """Why nothing can come from the other side, in a sentence, if so."""
        if stopped := self.peer.stopped or self._halted:
            return stopped
        trying = "Not connected; it is tried again." if self._courier.trouble else "Connecting."
        return None if self._courier.connected else trying

    @property
    def presence(self) -> str:
        """Whether the friend is here, thinking, or away since when, in a sentence."""
        name = self._friend
        if (trouble := self.trouble) is not None:
            return trouble
        if self.peer.ledger.claimed:
            return f"Claimed. It ends when {name} is back."
        if not self.here:
            return away_since(name, self.since)
        if self.peer.moving or self.peer.ledger.stage in ("commit", "reveal", "slots", "open", "bye"):
            return "One moment."
        thinking = not self.shown_end and self.session.turn is not None and not self.peer.ledger.my_turn
        return f"{name} is {'thinking' if thinking else 'here'}."

    # -- what a player does

    def accept(self, name: str, *, lesson: bool = False) -> None:
        """Sit down at what the host proposes, as this name."""
        self.peer.answer_invitation(name, __version__, lesson=lesson)
        self._post()

    def decline(self) -> None:
        """Do not sit down."""
        self.peer.answer_invitation("", __version__, yes=False)
        self._post()

    def play(self, move: str) -> None:
        """Make a move; raises MoveError. It shows when it is in the room."""
        try:
            if not self.my_turn and self.peer.ledger.my_turn and not self.peer.moving:
                raise NotYourTurn("One moment: your opponent's turn is not shown yet.")
            self.peer.play(move)
        except MoveError:
            raise
        except DuelboxError as error:
            raise MoveError(error.sentence) from None
        self._post()

    def resign(self) -> None:
        """Give up this round; raises DuelboxError where none is played."""
        self.peer.resign()
        self._post()

    def claim(self) -> None:
        """Take the game from a friend who has been away for too long; raises DuelboxError where that is not so."""
        self.peer.claim()
        self._post()

    def why_no_claim(self) -> str | None:
        """Why the game cannot be claimed now, if so."""
        return "Your claim is on its way." if self.peer.moving else self.peer.why_no_claim()

    def why_not(self, kind: Kind) -> str | None:
        """Why this cannot be proposed now, if so."""
        return self.peer.ledger.why_not(kind)

    def offer(self, kind: Kind) -> None:
        """Propose something to the friend; raises DuelboxError where it cannot be."""
        self.peer.offer(kind)
        self._post()

    @property
    def offered(self) -> Offer | None:
        """What the friend proposes, as long as it stands."""
        return next((one for one in self.peer.ledger.offers.values() if one.by != self.me), None)

    @property
    def saved_as(self) -> str | None:
        """What the match is called among the saved games, once it is over."""
        return self._saved_as

    @property
    def asked(self) -> str:
        """What the friend proposes, in a sentence."""
        return self.offered.asks(self._friend) if self.offered else ""

    @property
    def invited(self) -> str:
        """What the host proposes, in a sentence; empty where it is answered."""
        return invited(self.invitation, watched=bool(self.watch)) if self.invitation else ""

    @property
    def lesson(self) -> bool:
        """Whether both agreed to a lesson."""
        return self.peer.ledger.lesson

    def told(self, one: news.News) -> str:
        """What to say of this news, in a sentence; nothing of what the board or the result tells."""
        return to_player(one, self.me, self._friend)

    def answer(self, offer: int, *, yes: bool) -> None:
        """Answer the offer of this id; raises DuelboxError where it no longer stands."""
        self.peer.answer(offer, yes=yes)
        self._post()

    def say(self, phrase: int) -> None:
        """Say one of PHRASES, counted from 0."""
        self.peer.say(phrase)
        self._post()

    def use_help(self) -> None:
        """Ask before a hint, a verdict or a review of the running game; raises DuelboxError unless it is a lesson."""
        self.peer.use_help()
        self.assisted = True
        self._post()

    # -- what differs from a match at one table

    def save(self) -> None:
        """All is on disk before it is sent; the saved games get the match when it is over."""

    def why_no_undo(self) -> str | None:
        """Why I can ask for nothing to be undone, if so."""
        return self.peer.ledger.why_not("undo")

    @property
    def may_go_back(self) -> bool:
        """A match that lay here before stays where it is."""
        return False

    def undo(self) -> Sitting:
        """Ask the friend to let my last move be undone; raises CannotUndo."""
        if why := self.why_no_undo():
            raise CannotUndo(why)
        self.offer("undo")
        return self

    @property
    def can_redo(self) -> bool:
        """Nothing is redone here."""
        return False

    def redo(self) -> Sitting:
        """Nothing is redone here."""
        raise CannotUndo("There is nothing to redo in a match with a friend elsewhere.")

    def next_round(self) -> None:
        """Put the round that is over away, and show the next."""
        if not self.shown_end or (self.over and not self._next):
            return
        self.finished, self.assisted = self.rounds, False
        self.shown_end = False
        if self._next:
            one = self._next.pop(0)
            assert isinstance(one, news.RoundOver)
            self._show_end(one)
        self._sync()

    def rematch(self, level: Level | None = None) -> Sitting:
        """Ask the friend for another match; raises DuelboxError."""
        self.offer("rematch")
        return self


def _proposed(peer: Peer) -> Proposal:
    """The game that is going to be played, before anybody has sat down."""
    hello = peer.ledger.hello or peer.hello
    assert hello is not None
    return Proposal.read(hello.game)
