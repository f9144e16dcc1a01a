"""The base of tables of matches elsewhere: those with a friend, and those that are watched."""

from __future__ import annotations

import asyncio

from duelbox.bots import Level
from duelbox.core import news
from duelbox.core.errors import CannotUndo, DuelboxError
from duelbox.core.names import printable
from duelbox.core.record import PlayerInfo
from duelbox.core.session import DEFAULT_NAMES, Session
from duelbox.core.talk import full_title
from duelbox.friends.connection import Connection
from duelbox.friends.messages import Hello
from duelbox.friends.proposal import Proposal, shown_name
from duelbox.friends.side import NAMES, Side
from duelbox.relay.wire import RoomGone
from duelbox.store.store import Store
from duelbox.table.base import BaseTable


class MatchElsewhere(BaseTable):
    """A match of which at least half is played on other machines; every change comes as news.

    `session` is the round that is shown; after its end it stays until `next_round` is called.
    """

    watch = ""
    """The key for watchers; empty if nobody may watch."""
    here = False
    """The friend is here."""

    def __init__(self, side: Side, connection: Connection, store: Store | None = None) -> None:
        self.side, self._connection = side, connection
        hello = side.ledger.hello or side.hello
        assert hello is not None
        proposal = side.ledger.proposal or Proposal.read(hello.game)
        session = side.ledger.session or Session(proposal.game, proposal.options)
        nobody = PlayerInfo(name=DEFAULT_NAMES[0]), PlayerInfo(name=DEFAULT_NAMES[1])
        super().__init__(session, nobody, side.ledger.match, session.options)
        self.store = store
        self.news: asyncio.Queue[news.News | None] = asyncio.Queue()
        """The news in their order; None if only presence or the connection changed."""
        self.ready = False
        """A round has been dealt."""
        self.over = False
        """The match is over; a rematch begins another."""
        self.shown_end = False
        """The end of a round is shown; the next round waits for `next_round`."""
        self._next: list[news.RoundOver] = []
        """Rounds that ended while the end of an earlier one was shown."""
        self._gone = False
        """The relay does not know the room."""
        self._halted = ""
        """The sentence about a fault that stops the match in this program."""
        self._sync()
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
        self.news.put_nowait(news.Stopped(self._halted))

    async def leave(self) -> None:
        """Leave the table."""
        self._running.cancel()
        await self._connection.stop()
        await asyncio.gather(self._running, return_exceptions=True)

    def _changed(self) -> None:
        fresh = self.side.take_news()
        for one in fresh:
            self._hear(one)
            if not (isinstance(one, news.Began) and self.shown_end):  # `next_round` reports it later
                self.news.put_nowait(one)
        self._sync()
        if not fresh:
            self.news.put_nowait(None)

    def _hear(self, one: news.News) -> None:
        if isinstance(one, news.RoundOver):
            self._show_end(one)
            self.over = len(one.match.winners) + 1 == one.match.rounds
        elif isinstance(one, news.Answered) and one.offer.kind == "rematch" and one.yes:
            self.over, self.finished, self.shown_end, self._next, self.assisted = False, (), False, [], False
        elif isinstance(one, news.CalledOff):
            self.over = self.shown_end = self.side.ledger.stage == "over"

    def _show_end(self, one: news.RoundOver) -> None:
        if not self.shown_end:
            self.session, self.match, self.shown_end = one.session, one.match, True
        else:
            self._next.append(one)

    def _sync(self) -> None:
        ledger = self.side.ledger
        if ledger.players[0]:
            self.players = PlayerInfo(name=ledger.players[0]), PlayerInfo(name=ledger.players[1])
        if not self.shown_end and ledger.session is not None:
            self.session, self.match, self.ready = ledger.session, ledger.match, True
            self.options = self.session.options

    def next_round(self) -> None:
        """Show the next round in place of the finished one."""
        if not self.shown_end or (self.over and not self._next):
            return
        self.finished, self.assisted = self.rounds, False
        self.shown_end = False
        if self._next:
            self._show_end(self._next.pop(0))
        self._sync()
        self.news.put_nowait(news.Began())

    @property
    def watchers(self) -> int:
        """The number of watchers, as far as it is known."""
        return sum(here for who, here in self.side.here.items() if who not in NAMES)

    @property
    def left(self) -> bool:
        """Neither player is here."""
        return self._connection.connected and not any(self.side.here.get(name) for name in NAMES)

    @property
    def trouble(self) -> str | None:
        """The sentence that says why nothing can come from the other side; None if all is well."""
        if stopped := self.side.stopped or self._halted:
            return stopped
        trying = "Not connected. Trying again." if self._connection.trouble else "Connecting."
        return None if self._connection.connected else trying

    @property
    def invitation(self) -> Hello | None:
        """The host's proposal, until it is answered."""
        return None

    @property
    def invited(self) -> str:
        """The host's proposal in a sentence, until it is answered; then empty."""
        if (hello := self.invitation) is None:
            return ""
        proposal = Proposal.read(hello.game)
        title = full_title(proposal.game, proposal.options)
        rounds = f", {hello.rounds} rounds" if hello.rounds > 1 else ""
        lesson = " as a lesson, with hints and verdicts for both" if hello.lesson else ""
        others = " Others may watch." if self.watch else ""
        return f"{shown_name(hello.name)} invites you to {title}{rounds}{lesson}.{others}"

    def undo(self) -> BaseTable:
        """Ask the friend to undo my last move; raises CannotUndo."""
        if why := self.why_not("undo"):
            raise CannotUndo(why)
        self.offer("undo")
        return self

    def rematch(self, level: Level | None = None) -> BaseTable:
        """Ask the friend for another match; raises DuelboxError."""
        self.offer("rematch")
        return self
