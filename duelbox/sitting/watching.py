"""A match that is played on other machines, as a sitting: what all who see it share, and how it is watched."""

from __future__ import annotations

import asyncio

from duelbox.bots import Level
from duelbox.core.errors import CannotUndo, DuelboxError, NotYourTurn
from duelbox.core.match import Player
from duelbox.core.model import SEATS, Seat, player
from duelbox.core.names import printable
from duelbox.core.offer import Kind
from duelbox.core.record import Who
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.core.talk import full_title
from duelbox.friends import news
from duelbox.friends.courier import Courier
from duelbox.friends.invitation import Proposal, name_of
from duelbox.friends.messages import Hello
from duelbox.friends.peer import NAMES, Side
from duelbox.relay.wire import RoomGone
from duelbox.sitting.sitting import Sitting
from duelbox.store.store import Store

ONLY = "You only watch this match."


class Remote(Sitting):
    """One match of which at least half is played on other machines; the game is known by now.

    All that happens comes as news. `session` is the round that is shown: after its end it stays until `next_round` is
    called.
    """

    elsewhere = True
    watch = ""
    """The key that others watch with; empty where nobody may."""
    here = False
    """Whether the friend is here."""

    def __init__(self, side: Side, courier: Courier, store: Store | None = None) -> None:
        self.peer, self._courier = side, courier
        hello = side.ledger.hello or side.hello
        assert hello is not None
        proposal = side.ledger.proposal or Proposal.read(hello.game)
        session = side.ledger.session or Session(proposal.game, proposal.options)
        nobody = Who(name=DEFAULT_NAMES[0]), Who(name=DEFAULT_NAMES[1])
        super().__init__(session, nobody, side.ledger.match, session.options, store)
        self.news: asyncio.Queue[news.News | None] = asyncio.Queue()
        """The news in their order; None where only presence or the connection changed."""
        self.ready = False
        """Whether a round lies on the table."""
        self.over = False
        """Whether the match is over; a rematch begins another."""
        self.shown_end = False
        """Whether the round on the table is over, and the next one waits for `next_round`."""
        self._next: list[news.RoundOver] = []
        """Rounds that ended behind it."""
        self._gone = False
        """Whether the relay knows no such room."""
        self._halted = ""
        """Why nothing goes on in this program, in a sentence."""
        self._sync()
        self._running = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            await self._courier.listen(self._changed)
        except Exception as error:  # else the match would stand still, and nobody know why
            self._gone = isinstance(error, RoomGone)
            self._halt(error)

    def _halt(self, error: Exception) -> None:
        fault = f"A fault in duelbox halts this match: {printable(repr(error))}. It waits, as it was."
        self._halted = error.sentence if isinstance(error, DuelboxError) else fault
        self.news.put_nowait(news.Stopped(self._halted))

    async def leave(self) -> None:
        """Leave the table."""
        self._running.cancel()
        await self._courier.stop()
        await asyncio.gather(self._running, return_exceptions=True)

    def _changed(self) -> None:
        told = self.peer.take_news()
        for one in told:
            self._hear(one)
            self.news.put_nowait(one)
        self._sync()
        if not told:
            self.news.put_nowait(None)

    def _hear(self, one: news.News) -> None:
        if isinstance(one, news.RoundOver):
            self._show_end(one)
            self.over = len(one.match.winners) + 1 == one.match.rounds
        elif isinstance(one, news.Answered) and one.offer.kind == "rematch" and one.yes:
            self.over, self.finished, self.shown_end, self._next = False, (), False, []
        elif isinstance(one, news.CalledOff):
            self.over = self.shown_end = self.peer.ledger.stage == "over"

    def _show_end(self, one: news.RoundOver) -> None:
        if not self.shown_end:
            self.session, self.match, self.shown_end = one.session, one.match, True
        else:
            self._next.append(one)

    def _sync(self) -> None:
        ledger = self.peer.ledger
        if ledger.players[0]:
            self.players = Who(name=ledger.players[0]), Who(name=ledger.players[1])
        if not self.shown_end and ledger.session is not None:
            self.session, self.match, self.ready = ledger.session, ledger.match, True
            self.options = self.session.options

    def next_round(self) -> None:
        """Put the round that is over away, and show the next."""
        if not self.shown_end or (self.over and not self._next):
            return
        self.finished, self.assisted = self.rounds, False
        self.shown_end = False
        if self._next:
            self._show_end(self._next.pop(0))
        self._sync()

    @property
    def watchers(self) -> int:
        """How many watch, as far as it was told here."""
        return sum(here for who, here in self._courier.here.items() if who not in NAMES)

    @property
    def left(self) -> bool:
        """Whether neither player is here."""
        return self._courier.connected and not any(self._courier.here.get(name) for name in NAMES)

    @property
    def trouble(self) -> str | None:
        """Why nothing can come from the other side, in a sentence, if so."""
        if stopped := self.peer.stopped or self._halted:
            return stopped
        trying = "Not connected. Trying again." if self._courier.trouble else "Connecting."
        return None if self._courier.connected else trying

    @property
    def invitation(self) -> Hello | None:
        """The host's proposal, until it is answered."""
        return None

    @property
    def invited(self) -> str:
        """The host's proposal, in a sentence; empty where it is answered."""
        if (hello := self.invitation) is None:
            return ""
        proposal = Proposal.read(hello.game)
        title = full_title(proposal.game, proposal.options, secret=proposal.game.INFO.hidden)
        rounds = f", {hello.rounds} rounds" if hello.rounds > 1 else ""
        lesson = " as a lesson, with hints and verdicts for both" if hello.lesson else ""
        others = " Others may watch." if self.watch else ""
        return f"{name_of(hello.name)} invites you to {title}{rounds}{lesson}.{others}"

    def told(self, one: news.News) -> str:
        """What to say of this news, in a sentence; nothing of what the board or the result tells."""
        raise NotImplementedError

    def save(self) -> None:
        """All is on disk before it is sent; the saved games get the match when it is over."""

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

    def rematch(self, level: Level | None = None) -> Sitting:
        """Ask the friend for another match; raises DuelboxError."""
        self.offer("rematch")
        return self


class Watching(Remote):
    """One match that two others play."""

    watching = True

    def _hear(self, one: news.News) -> None:
        super()._hear(one)
        if self.shown_end and isinstance(one, news.Moved) and self.peer.ledger.stage == "play":
            self.next_round()  # the players have gone on

    @property
    def people(self) -> tuple[Seat, ...]:
        """Nobody sits here."""
        return ()

    @property
    def lesson(self) -> bool:
        """Nobody who watches is told what the players are not."""
        return False

    @property
    def watched(self) -> str:
        """How many watch, this one too."""
        return f"{self.watchers + 1} watching"

    @property
    def presence(self) -> str:
        """Who of the two is thinking, and who is away, in a sentence."""
        if (trouble := self.trouble) is not None:
            return trouble
        if not self.ready:
            return "The two have not sat down yet."
        if self.left:
            return "Both are away."
        turn = None if self.shown_end else self.session.turn
        away = [seat for seat in SEATS if not self._courier.here.get(NAMES[self.match.player_in(seat)])]
        told = [f"{player(seat)} is away." for seat in away]
        if turn is not None and turn not in away:
            told.append(f"{player(turn)} is thinking.")
        return " ".join(told) or "Both are here."

    def _named(self, by: Player) -> str:
        return player(0 if self.match.player_in(0) == by else 1)

    def told(self, one: news.News) -> str:
        """What to say of this news, in a sentence; nothing of what the board or the result tells."""
        match one:
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

    def why_no_undo(self) -> str | None:
        """Why nothing can be undone from here."""
        return ONLY

    def why_not(self, kind: Kind) -> str | None:
        """Why nothing can be offered from here."""
        return ONLY

    def why_no_claim(self) -> str | None:
        """Why nothing can be claimed from here."""
        return ONLY

    def play(self, move: str) -> None:
        """Nobody plays from here."""
        raise NotYourTurn(ONLY)

    def resign(self) -> None:
        """Nobody resigns from here."""
        raise DuelboxError(ONLY)
