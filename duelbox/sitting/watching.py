"""A match of two others, looked on at with a key for watchers: the table from nobody's seat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import cast

from duelbox.core.errors import DuelboxError, NotYourTurn
from duelbox.core.match import Player
from duelbox.core.model import SEATS, Seat, player
from duelbox.core.offer import Kind, Offer
from duelbox.net import news
from duelbox.net.channel import Keys
from duelbox.net.peer import NAMES, Peer
from duelbox.net.room import Entry, Presence, Room, Ticket
from duelbox.net.watcher import Watcher
from duelbox.net.words import read_watch_key
from duelbox.sitting.elsewhere import Elsewhere
from duelbox.sitting.invite import WHY, check_installed, connecting, relay_of
from duelbox.sitting.telling import to_watcher
from duelbox.store.elsewhere import Journal

ONLY = "You only watch this match."


class Watching(Elsewhere):
    """One match that two others play; all that happens in it comes as news."""

    watching = True

    def __init__(self, watcher: Watcher, connect: Callable[[], Awaitable[Room]]) -> None:
        # A watcher has all of a player's side that a match is shown by; what else there is of one, no method here asks.
        super().__init__(cast(Peer, watcher), cast(Journal, None), None, connect)

    async def leave(self) -> None:
        """Watch no more."""
        assert self._running is not None
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)

    def _hear(self, one: news.News) -> None:
        super()._hear(one)
        if self.shown_end and isinstance(one, news.Moved | news.Striking) and self.peer.ledger.stage == "play":
            self.next_round()  # the players have gone on

    @property
    def people(self) -> tuple[Seat, ...]:
        """Nobody sits here."""
        return ()

    @property
    def my_turn(self) -> bool:
        """Never."""
        return False

    @property
    def asked(self) -> str:
        """Nothing is asked of who watches."""
        return ""

    @property
    def offered(self) -> Offer | None:
        """Nothing is offered to who watches."""
        return None

    @property
    def lesson(self) -> bool:
        """Nobody who watches is told what the players are not."""
        return False

    @property
    def watched(self) -> str:
        """How many watch, this one too."""
        others = sum(here for who, here in self._courier.here.items() if who not in NAMES)
        return f"{others + 1} watching"

    @property
    def left(self) -> bool:
        """Whether neither player is here."""
        return self._courier.connected and not any(self._courier.here.get(name) for name in NAMES)

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
        return to_watcher(one, self._named)

    def why_no_undo(self) -> str | None:
        """Why nothing can be undone from here."""
        return ONLY

    def play(self, move: str) -> None:
        """Nobody plays from here."""
        raise NotYourTurn(ONLY)

    def why_not(self, kind: Kind) -> str | None:
        """Why nothing can be offered from here."""
        return ONLY

    def why_no_claim(self) -> str | None:
        """Why nothing can be claimed from here."""
        return ONLY

    def offer(self, kind: Kind) -> None:
        """Nobody offers anything from here."""
        raise DuelboxError(ONLY)

    def say(self, phrase: int) -> None:
        """Nobody talks from here."""
        raise DuelboxError(ONLY)


class _Begun:
    """A room that was read up to some entry, to be read on: whoever watches comes once, not twice."""

    def __init__(self, room: Room, events: AsyncIterator[Entry | Presence], met: list[Presence]) -> None:
        self.ticket, self.append, self.close = room.ticket, room.append, room.close
        self._events, self._met = events, met

    async def events(self, since: int) -> AsyncIterator[Entry | Presence]:
        """Who is here, and all entries that were not read."""
        for event in self._met:
            yield event
        async for later in self._events:
            yield later


async def watch(text: str, relay: str = "", *, near: bool = False) -> Watching:
    """The match that a key for watchers leads to, once its host has named the game; raises DuelboxError."""
    check_installed()
    key = read_watch_key(text.partition("@")[0])
    relay = await relay_of(text, key.room, relay, near=near)
    entrance = Keys.of_watchers(key.secret).entrance
    connect = connecting(Ticket(relay=relay, room=key.room, who="watcher", key=entrance))
    watcher = Watcher(key)
    ledger = watcher.ledger
    room = await connect()
    events, met = room.events(0), list[Presence]()
    try:
        async for event in events:
            if isinstance(event, Entry):
                watcher.receive(event)
            else:
                met.append(event)
            if ledger.hello or watcher.stopped:
                break
    except BaseException:
        await room.close()
        raise
    begun: list[Room] = [_Begun(room, events, met)]
    if why := watcher.stopped or ledger.propose():
        await room.close()
        raise DuelboxError(WHY.get(why, why))

    async def connected() -> Room:
        return begun.pop() if begun else await connect()

    sitting = Watching(watcher, connected)
    await sitting.start()
    return sitting
