"""The entries of a player that the room does not have yet, and the match as they will make it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from duelbox.friends import messages as m
from duelbox.friends.claims import Moment
from duelbox.friends.foresight import Foresight, foresee
from duelbox.friends.hidden_hands import Cheat
from duelbox.friends.journal_notes import Put
from duelbox.friends.ledger import Ledger
from duelbox.friends.own_hand import OwnHand

_CHANGING = (m.Move, m.Slots, m.Resign, m.Reply)
"""Messages of a player that may change the position."""
_NOTHING: tuple[Put | None, m.Body | None] = (None, None)


class Outbox:
    """The entries that wait for the room, by their numbers, each with its message."""

    def __init__(self) -> None:
        self.entries: dict[int, tuple[Put, m.Body | None]] = {}
        """The last step of pairing has no message."""
        self.changed = Moment()
        """The time of the newest message that may change the position."""
        self._claim_waits = False
        """A claim made without the room is in the room now, and the friend has not been heard of since."""
        self._claimed = 0
        """The time of the last claim made without the room."""
        self._source: object = None
        self._foreseen: Foresight | None = None

    def add(self, put: Put, message: m.Body | None, now: Moment) -> None:
        """Add an entry at this time."""
        self.entries[put.n] = put, message
        if isinstance(message, _CHANGING):
            self.changed = now
        if put.alone:
            self._claimed = put.time

    def take(self, n: int) -> m.Body | None:
        """Take out an entry that is in the room now; returns its message."""
        put, message = self.entries.pop(n, _NOTHING)
        if put is not None and put.alone:
            self._claim_waits = True
        return message

    def hear_of_friend(self) -> None:
        """Note that the friend has answered whatever the room had before."""
        self._claim_waits = False

    def puts(self) -> Iterator[Put]:
        """The notes of the entries, in order."""
        for put, _ in self.entries.values():
            yield put

    def count(self, *kinds: type[m.Body]) -> int:
        """The number of messages of these kinds."""
        return sum(isinstance(message, kinds) for _, message in self.entries.values())

    @property
    def claims_alone(self) -> bool:
        """A claim made without the room waits for it, or for the friend's answer."""
        return self._claim_waits or any(put.alone for put in self.puts())

    def foreseen(self, ledger: Ledger, hand: OwnHand) -> Foresight | None:
        """The match as it will be if the room takes all of this; None if nothing here may change it."""
        claimed = None
        if self.claims_alone:
            claimed = self._claimed
        if ledger.stage in ("over", "refused") or (claimed is None and not self.count(*_CHANGING)):
            return None
        source = ledger, tuple(self.entries), claimed
        if source != self._source:
            self._source = source
            self._foreseen = None
            with suppress(Cheat):
                self._foreseen = foresee(ledger, hand, self._kept(), claimed)
        return self._foreseen

    def _kept(self) -> list[tuple[m.Body, int]]:
        """The messages with the times at which they were made, without claims and signs of life."""
        return [
            (message, put.time)
            for put, message in self.entries.values()
            if message is not None and not isinstance(message, m.Claim | m.Have)
        ]
