"""One who looks on at a match: the entries of its room come in, nothing ever goes out.

It folds the same messages as the players, with neither's hand: so it sees of hidden cards what lies open, and no more.
"""

from __future__ import annotations

from duelbox.core.hands import Order
from duelbox.core.match import Player
from duelbox.net import messages as m
from duelbox.net import news
from duelbox.net.channel import SEALED, Keys, Opener, Tampered
from duelbox.net.hands import Cheat
from duelbox.net.ledger import Ledger
from duelbox.net.meeting import USED_UP
from duelbox.net.messages import Malformed
from duelbox.net.notes import Note
from duelbox.net.peer import NAMES, Gap
from duelbox.net.room import Entry
from duelbox.net.standing import GUEST, HOST
from duelbox.net.words import Code

_PAIRING = 2
"""Entries of each player before the first that is sealed."""


class OpenLedger(Ledger):
    """The match as everybody may see it."""

    def _known(self, who: Player) -> Order | None:
        return None

    @property
    def my_turn(self) -> bool:
        """Nobody sits here."""
        return False


class Watcher:
    """Looks on with a key for watchers; a `Party` that has nothing to say."""

    me: Player = HOST
    """As whom the match is looked at: the host's name stands first."""
    rival: Player = GUEST
    hello: m.Hello | None = None
    moving = False

    def __init__(self, key: Code) -> None:
        keys = Keys.of_watchers(key.secret)
        self.since = 0
        """How much of the room was read."""
        self.stopped: str | None = None
        """Why the match cannot be looked at any more, in a sentence."""
        self.ledger = OpenLedger(HOST, b"", keys.place)
        self._openers = [Opener(keys, key.room, player) for player in (HOST, GUEST)]
        self._heard = [0, 0]
        self._news: list[news.News] = []

    def outgoing(self) -> list[tuple[int, bytes]]:
        """Nothing."""
        return []

    def take_notes(self) -> list[Note]:
        """Nothing: the room tells it all again."""
        return []

    def take_news(self) -> list[news.News]:
        """What there is to tell since it was last asked."""
        told, self._news = self._news, []
        return told

    def receive(self, entry: Entry) -> None:
        """Take an entry of the room; raises Gap."""
        if entry.seq <= self.since or self.stopped is not None:
            return
        if entry.seq > self.since + 1:
            raise Gap
        self.since = entry.seq
        try:
            self._take(HOST if entry.who == NAMES[HOST] else GUEST, entry)
        except (Tampered, Malformed, Cheat) as error:
            self.stopped = error.sentence
            self._news.append(news.Stopped(error.sentence))
        self._news += self.ledger.take_news()

    def _take(self, who: Player, entry: Entry) -> None:
        self._heard[who] += 1
        if entry.n != self._heard[who]:
            raise Tampered("A message of a player is missing.")
        if entry.n <= _PAIRING and entry.body[:1] != bytes([SEALED]):
            if entry.body == USED_UP:
                raise Tampered("Somebody typed a wrong code, so it is used up: nobody sat down here.")
            return
        message = m.decode(self._openers[who].open(entry.n, entry.body))
        if isinstance(message, m.Halt):
            raise Cheat("The match was stopped: one side found a fault in what came from the other.")
        self.ledger.fold(who, message, entry.time)
