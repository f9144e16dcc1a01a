"""A match of two others, looked on at with a key for watchers: the table from nobody's seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbox.core.errors import DuelboxError, NotYourTurn
from duelbox.core.match import Player
from duelbox.core.model import SEATS, Seat, player
from duelbox.core.offer import Kind
from duelbox.net import news
from duelbox.net.channel import Keys
from duelbox.net.courier import Courier
from duelbox.net.peer import NAMES, Watcher
from duelbox.net.room import RoomLost, Ticket
from duelbox.net.words import read_watch_key
from duelbox.sitting.elsewhere import Remote
from duelbox.sitting.invite import WHY, check_installed, connecting, relay_of
from duelbox.sitting.telling import to_watcher

if TYPE_CHECKING:
    from duelbox.net.client import RelayRoom

ONLY = "You only watch this match."


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
        return to_watcher(one, self._named)

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


async def watch(text: str, relay: str = "", *, near: bool = False) -> Watching:
    """The match that a key for watchers leads to, once its host has named the game; raises DuelboxError."""
    check_installed()
    key = read_watch_key(text.partition("@")[0])
    entrance = Keys.of_watchers(key.secret).entrance
    relay = await relay_of(text, key.room, relay, near=near)
    connect = connecting(Ticket(relay=relay, room=key.room, who="watcher", key=entrance))
    watcher = Watcher(key)

    async def connected() -> RelayRoom:
        try:
            return await connect()
        except RoomLost as lost:
            if watcher.ledger.hello is None:  # it was never there
                raise DuelboxError(lost.sentence) from None
            raise

    courier = Courier(watcher, connected)
    try:
        await courier.reach(lambda: watcher.ledger.hello is not None or watcher.stopped is not None)
        if why := watcher.stopped or watcher.ledger.propose():
            raise DuelboxError(WHY.get(why, why))
    except BaseException:
        await courier.stop()
        raise
    return Watching(watcher, courier)
