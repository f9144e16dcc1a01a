"""A player's side whose journal is damaged: it reads again from the room what the journal lacks.

Until it has read everything it says nothing: what it would send could have the number of a message that is in the room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duelbox.core.dealing import Order
from duelbox.core.errors import DuelboxError
from duelbox.core.match import Player
from duelbox.friends import messages as m
from duelbox.friends.channel import SEALED, Opener
from duelbox.friends.journal_notes import Epoch, Note, Put
from duelbox.friends.player_side import PlayerSide
from duelbox.friends.side import PLAYERS
from duelbox.relay.wire import Entry

WAIT = "The match is read again from the room. One moment."


class RereadingSide(PlayerSide):
    """A player's side, restored from the notes before the damage, and of those behind it from what it sent itself."""

    def __init__(self, notes: Sequence[Note], later: Sequence[Note], *args: Any, **options: Any) -> None:
        epochs = [note for note in later if isinstance(note, Epoch)]
        puts = {note.n: note for note in later if isinstance(note, Put)}
        super().__init__([*notes, *epochs, *(puts[n] for n in sorted(puts))], *args, **options)
        for n in [n for n in self._outbox.entries if n <= self._echoed]:
            self._outbox.take(n)
        self._own = Opener(self._keys, self._room, self.me)
        self._read_until = -1
        self.rereads = True
        """The room has not been read to its end yet."""

    def start(self) -> None:
        """Begin a process, as soon as the room has been read."""
        if not self.rereads:
            super().start()

    def outgoing(self) -> list[tuple[int, bytes]]:
        """The entries to put; none before the room has been read."""
        return [] if self.rereads else super().outgoing()

    def tick(self) -> bool:
        """Begin to speak once nothing new has come from the room between two calls."""
        if not self.rereads:
            return super().tick()
        if not self.in_room:
            return False
        if self._read_until != self.since:
            self._read_until = self.since
            return False
        self.rereads = False
        self._drop_what_is_not_whole()
        self.start()
        return True

    def _drop_what_is_not_whole(self) -> None:
        """Forget unsent messages behind one that is lost: the room takes none without it."""
        n = self._echoed
        while n + 1 in self._outbox.entries:
            n += 1
        for behind in [number for number in self._outbox.entries if number > n]:
            self._outbox.take(behind)
        self._sent = n

    def _take(self, entry: Entry) -> None:
        if self.rereads and entry.who == PLAYERS[self.me] and entry.n == self._echoed + 1:
            self._read_own(entry)
        super()._take(entry)

    def _read_own(self, entry: Entry) -> None:
        """Take up the number of its process, and the message itself if its note is lost; raises Tampered."""
        is_sealed = entry.body[:1] == bytes([SEALED])
        text = entry.body.hex()
        message: m.Body | None = None
        if is_sealed:
            opened = self._own.open(entry.n, entry.body)
            text = opened.decode()
            message = m.decode(opened)
            self._epoch = max(self._epoch, self._own.epoch)
        if entry.n in self._outbox.entries:
            return
        order: Order = ()
        if isinstance(message, m.Slots):
            order = self.hand.order_in(self.ledger, message.cards)
        now = self._times.now()
        sent = self._sent
        put = Put(n=entry.n, text=text, raw=not is_sealed, order=order, time=now.wall)
        self._new.append(put)
        self._send(put, message, now)
        self._sent = max(sent, entry.n)

    def _put(self, message: m.Body, order: tuple[int, ...] = (), *, alone: bool = False) -> None:
        if not self.rereads:
            super()._put(message, order, alone=alone)

    def _check_claim(self, who: Player) -> None:
        if not self.rereads:  # else the clock of that time is not known any more
            super()._check_claim(who)

    def _check(self, refusal: str | None = None) -> None:
        if self.rereads and self.stopped is None:
            raise DuelboxError(WAIT)
        super()._check(refusal)
