"""The sides of a match, and what every member of a room does: entries of the room come in, entries to put go out."""

from __future__ import annotations

from collections.abc import Mapping

from duelbox.core import news
from duelbox.core.match import Player
from duelbox.core.model import other
from duelbox.friends import messages as m
from duelbox.friends.channel import SEALED, USED_UP, Keys, Opener, Tampered
from duelbox.friends.hidden_hands import Cheat
from duelbox.friends.join_code import JoinCode
from duelbox.friends.journal_notes import Note
from duelbox.friends.ledger import GUEST, HOST, Ledger
from duelbox.friends.messages import Malformed
from duelbox.relay.wire import Entry

NAMES: tuple[str, str] = ("host", "guest")
"""The players as members of the room."""
PAIRING = 2
"""Entries of each player before the first that is sealed."""


class WrongTime(Cheat):
    """The relay's clock differs from the clocks of this machine."""


class Gap(Exception):
    """Entries of the room are missing: read it again from `since`."""


class RoomMember:
    """Whoever reads a room, and says nothing in it unless more is known of them."""

    since = 0
    """How much of the room was read."""
    here: Mapping[str, bool] = {}
    """The members of the room that are here, or not, as far as it was told."""

    turns_away = False
    """The guest of the room is to be sent off."""

    def see(self, who: str, here: bool) -> None:
        """Take note that a member has come, or has left."""

    def tick(self) -> bool:
        """Say what is due because time has passed, and tell if anything is; called every few seconds."""
        return False

    def outgoing(self) -> list[tuple[int, bytes]]:
        """The entries to put, in their order; those that are in the room already do no harm there."""
        return []

    def take_notes(self) -> list[Note]:
        """The notes that must be on disk before anything else is put."""
        return []

    def receive(self, entry: Entry) -> None:
        """Take an entry of the room; raises Gap."""
        raise NotImplementedError


class Side(RoomMember):
    """Whoever has a match before them, as a player or as one who only watches."""

    hello: m.Hello | None = None
    """The proposal of this side, if it is the host."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.me: Player = ledger.me
        self.rival: Player = other(ledger.me)
        self.stopped: str | None = None
        """Why the match cannot go on, in a sentence."""

        self._doubted: Entry | None = None
        """The entry that could not be opened when it was read before."""
        self.muted: set[Player] = set()
        """The players whose phrases are not told."""

    @property
    def moving(self) -> bool:
        """Whether a move of mine is on its way into the room."""
        return False

    def take_news(self) -> list[news.News]:
        """The news since it was last asked for."""
        told, self.ledger.news = self.ledger.news, []
        return [one for one in told if not (isinstance(one, news.Said) and one.by in self.muted)]

    def receive(self, entry: Entry) -> None:
        """Take an entry of the room; raises Gap."""
        if entry.seq <= self.since or self.stopped is not None:
            return
        if entry.seq > self.since + 1:
            raise Gap
        try:
            self._take(entry)
        except Tampered as error:
            if entry != self._doubted:  # a line may have changed it: only what is so in the log is a fault
                self._doubted = entry
                raise Gap from None
            self._stop(error.sentence, "changed")
        except WrongTime as error:
            self._stop(error.sentence, "time")
        except (Malformed, Cheat) as error:
            self._stop(error.sentence)

    def _take(self, entry: Entry) -> None:
        """Take the next entry; raises Tampered, Malformed or Cheat."""
        raise NotImplementedError

    def _stop(self, sentence: str, why: m.Fault = "false") -> None:
        self.stopped = sentence
        self.ledger.news.append(news.Stopped(sentence))


class WatcherSide(Side):
    """The side of one who looks on with a key for watchers; the host's name stands first.

    It applies the same messages as the players and knows neither hand, so of hidden cards it sees the open ones.
    """

    def __init__(self, key: JoinCode) -> None:
        keys = Keys.of_watchers(key.secret)
        super().__init__(Ledger(HOST, b"", keys.place))
        self._openers = [Opener(keys, key.room, player) for player in (HOST, GUEST)]
        self._heard = [0, 0]

    def _take(self, entry: Entry) -> None:
        who = HOST if entry.who == NAMES[HOST] else GUEST
        pairs = entry.n <= PAIRING and self.ledger.hello is None  # a guest who did not know the code may come first
        if entry.n != self._heard[who] + 1 and not pairs:
            raise Tampered("A message of a player is missing.")
        if entry.n <= PAIRING and entry.body[:1] != bytes([SEALED]):
            if entry.body == USED_UP:
                raise Cheat("Somebody typed a wrong code, so it is used up: nobody sat down here.")
            self.since, self._heard[who] = entry.seq, entry.n
            return
        message = m.decode(self._openers[who].open(entry.n, entry.body))
        self.since, self._heard[who] = entry.seq, entry.n
        if isinstance(message, m.Halt):
            raise Cheat("The match was stopped: one side found a fault in what came from the other.")
        self.ledger.apply(who, message, entry.time)
