"""The side of somebody who looks on with a key for watchers."""

from __future__ import annotations

from duelbox.friends import messages as m
from duelbox.friends.channel import SEALED, USED_UP, Keys, Opener, Tampered
from duelbox.friends.hidden_hands import Cheat
from duelbox.friends.join_code import JoinCode
from duelbox.friends.ledger import GUEST, HOST, Ledger
from duelbox.friends.peer import NAMES, PAIRING, Side
from duelbox.relay.wire import Entry


class Watcher(Side):
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
