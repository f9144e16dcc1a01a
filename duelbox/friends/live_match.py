"""One side of a match, connected to its room: all that a table needs of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from duelbox.core.errors import DuelboxError
from duelbox.friends.connection import Connection
from duelbox.friends.embedded_relay import be_relay
from duelbox.friends.journal import Journal, Way
from duelbox.friends.journal_notes import Note
from duelbox.friends.player_side import PlayerSide
from duelbox.friends.side import NAMES, WatcherSide
from duelbox.relay.address import PORT, own_address
from duelbox.relay.wire import RoomLost, Ticket
from duelbox.store.store import Store

if TYPE_CHECKING:
    from duelbox.friends.client import RelayRoom

_FAREWELL = 3.0
"""Seconds for the last words to reach the relay."""
WHY = {
    "version": "The two of you have versions of duelbox that do not speak with each other: update the older one.",
    "game": "Your friend proposes a game that is not installed here, or that this duelbox cannot read.",
    "rules": "The rules of this game differ between the two of you: update the older duelbox.",
}


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """The side of a player, started; the connection carries from when somebody listens to it."""

    side: PlayerSide
    connection: Connection
    journal: Journal
    resources: AsyncExitStack
    """To be let go of at the end; among them may be a relay."""
    watch: str
    """The key that others watch with; empty where nobody may."""

    @property
    def agreed(self) -> bool:
        """The friend knows, too, that the match is over."""
        return self.side.rival in self.side.ledger.saw_end

    @property
    def _unsaid(self) -> bool:
        """Something is still to be said, or to be read here by a friend who is here: this may be the relay."""
        waits = self.journal.way.listen and self.side.ledger.stage == "over" and not self.agreed
        return bool(self.side.outgoing()) or bool(waits and self.connection.here.get(NAMES[self.side.rival]))

    async def leave(self, *, saved: bool, gone: bool = False) -> None:
        """Leave the match: it waits on disk if it is not over; nothing stays there if it is, and `saved`.

        `gone` says that the relay knows no such room any more.
        """
        side, journal = self.side, self.journal
        side.leave()
        with suppress(Exception):  # what could not be kept is not said
            await self.connection.post()
            async with asyncio.timeout(_FAREWELL):
                while self.connection.connected and self._unsaid:
                    await asyncio.sleep(0.02)
        over = side.ledger.stage == "over" and saved
        done = side.ledger.stage == "refused" or (over and (self.agreed or gone or not journal.way.listen))
        faulty = side.stopped is not None or (gone and journal.way.proven and not over)
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
    """The side of somebody who watches."""

    side: WatcherSide
    connection: Connection


async def live_match(side: PlayerSide, journal: Journal, store: Store, resources: AsyncExitStack) -> LiveMatch:
    """The side of a player, once the game is named; raises DuelboxError."""
    side.start()
    way, ledger = journal.way, side.ledger

    async def keep(notes: Sequence[Note]) -> None:
        await asyncio.to_thread(journal.add, notes)

    def answered() -> bool:
        """The game is named, and a refusal of it is in the room, so that the friend learns it."""
        named = ledger.hello is not None and (ledger.propose() is None or not side.outgoing())
        return named or side.stopped is not None

    connect = connecting(way.ticket, (lambda: be_relay(store, resources, way.listen)) if way.listen else None)
    connection = Connection(side, connect, keep)
    try:
        if side.hello is None and ledger.hello is None and side.stopped is None:
            await connection.reach(answered)
        if side.hello is None and ledger.hello is None:
            raise DuelboxError(side.stopped or "Your friend proposes nothing.")
        if ledger.stage in ("asked", "refused") and (why := ledger.propose() if side.me else None):
            raise DuelboxError(WHY[why])
    except BaseException:
        await connection.stop()
        raise
    return LiveMatch(side, connection, journal, resources, f"{side.watch}@{address(way)}" if side.watch else "")


def connecting(
    ticket: Ticket, serve: Callable[[], Awaitable[object]] | None = None
) -> Callable[[], Awaitable[RelayRoom]]:
    """A function that connects to a room; `serve` makes this process its relay, where no other is any more."""

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


def address(way: Way) -> str:
    """The address behind the @ in a code for the room at the end of this way."""
    port = way.listen.rpartition(":")[2]
    return f"{own_address()}:{port}".removesuffix(f":{PORT}") if port else way.ticket.relay
