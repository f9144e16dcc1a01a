"""A match elsewhere that is connected: a side, its connection and its journal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from duelbox.core.errors import DuelboxError
from duelbox.friends.connection import Connection
from duelbox.friends.embedded_relay import be_relay
from duelbox.friends.journal import MatchJournal, WayBack
from duelbox.friends.journal_notes import Note
from duelbox.friends.messages import GUEST
from duelbox.friends.player_side import PlayerSide
from duelbox.friends.side import PLAYERS, WatcherSide
from duelbox.relay.address import PORT, own_address
from duelbox.relay.wire import RoomLost, Ticket
from duelbox.store.store import Store

if TYPE_CHECKING:
    from duelbox.friends.client import RelayRoom

_FAREWELL = 3.0
"""Seconds in which the last messages must reach the relay."""
REFUSALS = {
    "version": "Your versions of duelbox do not speak with each other: update the older one.",
    "game": "Your friend proposes a game that this duelbox does not have or cannot read.",
    "rules": "The rules of this game differ between the two of you: update the older duelbox.",
}


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """A player's side with its connection, which starts when somebody listens to it."""

    side: PlayerSide
    connection: Connection
    journal: MatchJournal
    resources: AsyncExitStack
    """Closed at the end of the match; they may include a relay."""
    watch: str
    """The key that others watch with; empty if nobody may."""
    command: str = ""
    """The command of the program that plays for this side, if one does; it is sent nowhere."""

    @property
    def agreed(self) -> bool:
        """The friend has seen that the match is over, too."""
        return self.side.rival in self.side.ledger.transcript.saw_end

    @property
    def _unsaid(self) -> bool:
        """Something is unsent, or a friend who is connected to this relay has not yet read the end."""
        waits = self.journal.way.listen and self.side.ledger.stage == "over" and not self.agreed
        return bool(self.side.outgoing()) or bool(waits and self.side.here.get(PLAYERS[self.side.rival]))

    async def leave(self, *, saved: bool, gone: bool = False) -> None:
        """Leave the match. An unfinished one stays on disk; of a finished one that is `saved`, nothing stays.

        `gone` means that the relay does not have the room any more.
        """
        side, journal = self.side, self.journal
        side.leave()
        with suppress(Exception):  # a note that could not be written is not sent
            await self.connection.post()
            async with asyncio.timeout(_FAREWELL):
                while self.connection.connected and self._unsaid:
                    await asyncio.sleep(0.02)
        over = side.ledger.stage == "over" and saved
        done = side.ledger.stage == "refused" or (over and (self.agreed or gone or not journal.way.listen))
        faulty = side.stopped is not None
        await self.connection.stop(for_good=done or faulty)
        if faulty:
            await asyncio.to_thread(journal.set_aside)
        elif done:
            await asyncio.to_thread(journal.wipe)
        else:
            journal.close()
        await self.resources.aclose()


@dataclass(frozen=True, slots=True)
class WatchedMatch:
    """A watcher's side with its connection."""

    side: WatcherSide
    connection: Connection
    watch = ""

    async def leave(self, *, saved: bool, gone: bool = False) -> None:
        """Leave the match; a watcher has nothing to save."""
        await self.connection.stop()


async def live_match(side: PlayerSide, journal: MatchJournal, store: Store, resources: AsyncExitStack) -> LiveMatch:
    """Connect a player's side, and wait until the game is known; raises DuelboxError."""
    side.start()
    way = journal.way

    async def keep(notes: Sequence[Note]) -> None:
        await asyncio.to_thread(journal.add, notes)

    def answered() -> bool:
        """The game is known, and if it is refused, the refusal is in the room for the friend to read."""
        if side.stopped is not None:
            return True
        if side.ledger.terms.hello is None:
            return False
        return side.ledger.why_unplayable() is None or not side.outgoing()

    serve = None
    if way.listen:
        serve = partial(be_relay, store, resources, way.listen)
    connection = Connection(side, connecting(way.ticket, serve), keep)
    try:
        if side.hello is None and side.ledger.terms.hello is None and side.stopped is None:
            await connection.reach(answered)
        if side.hello is None and side.ledger.terms.hello is None:
            raise DuelboxError(side.stopped or "Your friend proposes nothing.")
        if side.me == GUEST and side.ledger.stage in ("asked", "refused"):
            why = side.ledger.why_unplayable()
            if why is not None:
                raise DuelboxError(REFUSALS[why])
    except BaseException:
        await connection.stop()
        raise
    watch = ""
    if side.watch:
        watch = f"{side.watch}@{address(way)}"
    return LiveMatch(side, connection, journal, resources, watch)


def connecting(
    ticket: Ticket, serve: Callable[[], Awaitable[object]] | None = None
) -> Callable[[], Awaitable[RelayRoom]]:
    """A function that connects to a room; if that fails, `serve` first makes this process the relay."""

    async def connect_again() -> RelayRoom:
        from duelbox.friends.client import connect

        try:
            return await connect(ticket)
        except RoomLost:
            if serve is None:
                raise
        try:
            await serve()
        except DuelboxError as error:
            raise RoomLost(error.sentence) from None
        return await connect(ticket)

    return connect_again


def address(way: WayBack) -> str:
    """The address that stands behind the @ in codes for this room."""
    port = way.listen.rpartition(":")[2]
    return f"{own_address()}:{port}".removesuffix(f":{PORT}") if port else way.ticket.relay
