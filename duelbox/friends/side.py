"""The sides of a match, and members of a room in general: they take its entries and give entries to put."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from duelbox.core import news
from duelbox.core.match import Player
from duelbox.core.model import other
from duelbox.core.offer import Deed
from duelbox.core.session import Session, follow
from duelbox.friends import messages as m
from duelbox.friends.channel import SEALED, USED_UP, Keys, Opener, Tampered, digest
from duelbox.friends.effects import applied
from duelbox.friends.hidden_hands import Cheat
from duelbox.friends.join_code import JoinCode
from duelbox.friends.journal_notes import Note
from duelbox.friends.ledger import Ledger
from duelbox.friends.messages import Malformed
from duelbox.friends.own_hand import OwnHand
from duelbox.friends.remote_round import RemoteRound
from duelbox.relay.wire import Entry

PLAYERS: tuple[str, str] = ("host", "guest")
"""The members that are players."""
STOPPED: dict[m.Fault, str] = {
    "false": "The other side stopped the match: it found a fault in what came from here.",
    "changed": "The other side stopped the match: a message was changed on its way, or at the relay.",
    "time": "The other side stopped the match: by its clock, the game was claimed too early.",
}
ONLY = "You only watch this match."
PAIRING = 2
"""Unsealed entries of each player, before the sealed ones."""


class WrongTime(Cheat):
    """The relay's clock differs from this machine's clocks."""


class Gap(Exception):
    """Entries of the room are missing: read it again from `since`."""


class RoomMember:
    """A member of a room, without the connection. The methods here describe one that only reads."""

    since = 0
    """The number of entries read."""
    known = 0
    """The number of the last message read: the relay that has this room can show it. 0 before the first."""
    in_room = True
    """The room can be reached; its connection says when it cannot, after the first try."""
    here: Mapping[str, bool] = {}
    """The members known to be connected (True) or not (False)."""
    turns_away = False
    """Asks the connection to send the guest away."""

    def see(self, who: str, here: bool) -> None:
        """Note that a member has come or left."""

    def tick(self) -> bool:
        """Act on the time that has passed; True if there is something to put. Called every few seconds."""
        return False

    def outgoing(self) -> list[tuple[int, bytes]]:
        """The entries to put, in order; putting one again does no harm."""
        return []

    def take_notes(self) -> list[Note]:
        """Notes that must be on disk before anything more is put."""
        return []

    def recognises(self, entry: Entry) -> bool:
        """This entry is the message at `known`, as it was read before: no other relay has it."""
        return False

    def receive(self, entry: Entry) -> None:
        """Take an entry of the room; raises Gap."""
        raise NotImplementedError


class Side(RoomMember):
    """One side of a match: a player's or a watcher's."""

    hello: m.Hello | None = None
    """The proposal of this side, if it is the host."""

    def __init__(self, hand: OwnHand, keys: Keys, room: str) -> None:
        self.ledger = Ledger(keys.place)
        """The match, as everybody in the room knows it."""
        self.hand = hand
        """The part of it that this side alone knows."""
        self._keys, self._room = keys, room
        self.me: Player = hand.me
        self.rival: Player = other(hand.me)
        self._round: RemoteRound | None = None
        self._dealt: RemoteRound | None = None
        """The round of the ledger that `_round` was made from."""
        self._session: Session | None = None
        self._session_of = (0, 0)
        """The match and the round, both counted from 0, that `_session` shows."""
        self.news: list[news.News] = []
        """Everything that happened since it was last read."""
        self.stopped: str | None = None
        """The sentence that says why the match cannot go on; None while it can."""

        self._doubted: Entry | None = None
        """The entry that could not be opened; a second reading of the room decides."""
        self.muted: set[Player] = set()
        """Players whose phrases are not shown."""

    @property
    def moving(self) -> bool:
        """A move of this side is on its way into the room."""
        return False

    def take_news(self) -> list[news.News]:
        """The news since the last call."""
        fresh, self.news = self.news, []
        return [item for item in fresh if not (isinstance(item, news.Said) and item.by in self.muted)]

    @property
    def my_turn(self) -> bool:
        """It is this side's turn to move."""
        return self.hand.my_turn(self.ledger)

    @property
    def round(self) -> RemoteRound | None:
        """The current round as this side knows it."""
        if self._dealt is not self.ledger.dealt:
            self._round = self.hand.round(self.ledger)
            self._dealt = self.ledger.dealt
        return self._round

    @property
    def session(self) -> Session | None:
        """The current round as it can be shown; None before it is dealt."""
        if self.round is None or not self.round.laid:
            return None
        return self._followed(self.round.shown, len(self.ledger.match.winners))

    def _followed(self, newer: Session, number: int) -> Session:
        """The session of a round, brought up to this one: a screen sees the same one move on."""
        shown = (self.ledger.matches, number)
        if self._session is None or self._session_of != shown:
            self._session = newer
            self._session_of = shown
        else:
            follow(self._session, newer)
        return self._session

    def apply(self, who: Player, message: m.Body, time: int) -> None:
        """Apply the next message and the relay's time of it; raises Cheat, and then nothing has changed."""
        self.ledger, fresh = applied(self.ledger, who, message, time)
        self.news += map(self._seen, fresh)

    def _seen(self, item: news.News) -> news.News:
        """A piece of news with what this side knows of hidden hands, and the session that it shows."""
        if isinstance(item, news.RoundOver):
            return replace(item, session=self._followed(item.session, len(item.match.winners)))
        if isinstance(item, news.Moved):
            dealt = self.ledger.dealt
            if dealt is not None and self.round is not None and dealt.plies[-1:] == (item.ply,):
                return replace(item, ply=self.round.plies[-1])
        return item

    def receive(self, entry: Entry) -> None:
        """Take an entry of the room; raises Gap."""
        if entry.seq <= self.since or self.stopped is not None:
            return
        if entry.seq > self.since + 1:
            raise Gap
        try:
            self._take(entry)
        except Tampered as error:
            if entry != self._doubted:  # the line may have changed it: only the relay's second answer proves a fault
                self._doubted = entry
                raise Gap from None
            self._stop(error.sentence, "changed")
        except WrongTime as error:
            self._stop(error.sentence, "time")
        except (Malformed, Cheat) as error:
            self._stop(error.sentence)

    def recognises(self, entry: Entry) -> bool:
        """This entry is the message at `known`, as it was read before: no other relay has it."""
        who = m.HOST if entry.who == PLAYERS[m.HOST] else m.GUEST
        try:
            text = Opener(self._keys, self._room, who).open(entry.n, entry.body)
        except Tampered:
            return False
        before, last = self.ledger.transcript.chains[-2:]
        chain = digest("chain", before.hex(), who, entry.time, text.decode())[: len(last)]
        return entry.seq == self.known and chain == last

    def _take(self, entry: Entry) -> None:
        """Take the next entry; raises Tampered, Malformed or Cheat."""
        raise NotImplementedError

    def _stop(self, sentence: str, why: m.Fault = "false") -> None:
        self.stopped = sentence
        self.news.append(news.Halted(sentence))


class WatcherSide(Side):
    """The side of a watcher, who sees the host's name first.

    It applies the same messages as the players and knows neither hand, so of hidden cards it sees the open ones.
    """

    def __init__(self, key: JoinCode) -> None:
        keys = Keys.of_watchers(key.secret)
        super().__init__(OwnHand(m.HOST, b""), keys, key.room)
        self._openers = [Opener(keys, key.room, player) for player in (m.HOST, m.GUEST)]
        self._heard = [0, 0]

    def why_not(self, deed: Deed) -> str | None:
        """The sentence that refuses everything."""
        return ONLY

    def _take(self, entry: Entry) -> None:
        who = m.HOST if entry.who == PLAYERS[m.HOST] else m.GUEST
        unproposed = self.ledger.terms.hello is None
        pairs = entry.n <= PAIRING and unproposed  # guests who did not know the code may come first
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
        self.apply(who, message, entry.time)
        self.known = entry.seq
