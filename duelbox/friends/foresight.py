"""The match as one side sees it before the room does: with its own messages that wait, and a claim made without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duelbox.core.news import News, RoundOver
from duelbox.friends import messages as m
from duelbox.friends.effects import applied, claimed_alone
from duelbox.friends.ledger import Ledger
from duelbox.friends.own_hand import OwnHand

_MOST_OWED = 5
"""More messages than a program ever owes in a row without the other side's."""


@dataclass(frozen=True)
class Foresight:
    """The match as it will be if the room takes what this side says next; what both agree on stays as it is."""

    ledger: Ledger
    news: tuple[News, ...]
    """The news that the messages will make."""

    @property
    def ends_round(self) -> bool:
        """A round is over, or the match is called off, as far as this side can tell."""
        return self.ledger.stage == "refused" or any(isinstance(item, RoundOver) for item in self.news)


def foresee(ledger: Ledger, hand: OwnHand, kept: Sequence[tuple[m.Body, int]], claimed: int | None = None) -> Foresight:
    """The match after this side's messages that wait, each with its time, and after its claim at this time.

    Raises Cheat where a message does not fit any more.
    """
    news: list[News] = []
    now = ledger.clock.now
    for message, time in kept:
        now = max(now, time)
        ledger, fresh = applied(ledger, hand.me, message, now)
        news += fresh
    if claimed is not None and ledger.begun:
        now = max(now, claimed)
        ledger, fresh = claimed_alone(ledger, hand.me, now)
        news += fresh
    for _ in range(_MOST_OWED):
        owed = hand.owed_message(ledger)
        if owed is None or isinstance(owed, m.Have):
            break
        signed = owed.changed(at=ledger.count, chain=ledger.transcript.chains[-1].hex())
        ledger, fresh = applied(ledger, hand.me, signed, now)
        news += fresh
    return Foresight(ledger, tuple(news))
