"""One who looks on at a match: the entries of its room come in, nothing ever goes out.

It folds the same messages as the players, with neither's hand: so it sees of hidden cards what lies open, and no more.
"""

from __future__ import annotations

from duelbox.net import messages as m
from duelbox.net.channel import SEALED, Keys, Opener, Tampered
from duelbox.net.hands import Cheat
from duelbox.net.ledger import Ledger
from duelbox.net.meeting import USED_UP
from duelbox.net.peer import NAMES, Side
from duelbox.net.room import Entry
from duelbox.net.standing import GUEST, HOST
from duelbox.net.words import Code

_PAIRING = 2
"""Entries of each player before the first that is sealed."""


class Watcher(Side):
    """Looks on with a key for watchers; the host's name stands first."""

    def __init__(self, key: Code) -> None:
        keys = Keys.of_watchers(key.secret)
        super().__init__(Ledger(HOST, b"", keys.place))
        self._openers = [Opener(keys, key.room, player) for player in (HOST, GUEST)]
        self._heard = [0, 0]

    def _take(self, entry: Entry) -> None:
        self.since = entry.seq
        who = HOST if entry.who == NAMES[HOST] else GUEST
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
