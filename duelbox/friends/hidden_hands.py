"""Hidden hands without a referee: each side knows its own hand, and holds commitments to the other's cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from duelbox.core.dealing import AnyDealing, Order
from duelbox.core.errors import DuelboxError
from duelbox.core.model import SEATS, Seat, other, with_seat
from duelbox.core.rng import Rng
from duelbox.friends.channel import derive, digest
from duelbox.friends.messages import Card


class Cheat(DuelboxError):
    """The other side broke the rules of the game or of fair dealing."""


class RoundSecrets(NamedTuple):
    """The secrets of a player in one round; their whole hand follows from them."""

    nonce: str
    """The share of the draw."""
    hand_secret: str
    """Shuffles the hand and salts its cards; shown at the end, so that the other side can check the hand."""


def lock_of(secret: str) -> str:
    """The fingerprint of a hand's secret, sent before the draw."""
    return digest("lock", secret).hex()


def sealed(nonce: str, lock: str) -> str:
    """The commitment to a share of the draw and to the secret of a hand."""
    return digest("commit", nonce, lock).hex()


def salt_of(secret: str, slot: int) -> str:
    """The salt of the card at this slot."""
    return derive(bytes.fromhex(secret), "salt", slot).hex()


def commitment(place: str, seat: Seat, card: Card) -> str:
    """The commitment to a card that lies face down; it fits this slot of this hand in this round only."""
    return digest("card", place, seat, card.slot, card.value, card.salt).hex()


def shuffled(cards: Sequence[int], secret: str, nonce: str) -> Order:
    """The order of a hand, which follows from its owner's secret and the other player's share of the draw."""
    return Rng(int.from_bytes(derive(bytes.fromhex(secret), "order", nonce)[:8], "big")).shuffled(cards)


def card_at(order: Order, secret: str, slot: int) -> Card:
    """The card at a slot of one's own hand, as it is turned up."""
    return Card(slot=slot, value=order[slot], salt=salt_of(secret, slot))


def committed(place: str, seat: Seat, order: Order, secret: str) -> tuple[str, ...]:
    """The commitments to a whole hand."""
    return tuple(commitment(place, seat, card_at(order, secret, slot)) for slot in range(len(order)))


@dataclass(frozen=True)
class HiddenHands:
    """Both hands of a round, as everybody in the room knows them; `known_to` adds a hand that one side knows."""

    place: str
    """The name of the match and round, so that no commitment can be used in another."""
    dealing: AnyDealing
    cards: Order
    slots: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The commitments to each hand."""
    up: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    """The cards of each hand that were turned up, in their order."""
    whole: tuple[Order | None, Order | None] = (None, None)
    """The hands known in full."""
    forgotten: bool = False
    """A hand was not shown at the end, so its cards that lie face down count as 0."""

    @property
    def known(self) -> bool:
        """Nothing is assumed, or nothing more will become known."""
        return self.forgotten or all(self.whole[seat] or not self.slots[seat] for seat in SEATS)

    def values_up(self, seat: Seat) -> dict[int, int]:
        """The cards of a hand that lie open, by slot."""
        return {card.slot: card.value for card in self.up[seat]}

    def laid(self, seat: Seat, slots: tuple[str, ...]) -> HiddenHands:
        """The hands with one laid face down; raises Cheat."""
        if len(slots) != len(self.cards):
            raise Cheat(f"A hand of {len(slots)} cards was laid, where {len(self.cards)} belong.")
        others = self.slots[other(seat)]
        if len({*slots, *others}) < len(slots) + len(others):
            raise Cheat("Two cards were laid with one seal.")
        return replace(self, slots=with_seat(self.slots, seat, slots))

    def turned_up(self, seat: Seat, card: Card) -> HiddenHands:
        """The hands with this card turned up; raises Cheat unless it is the one that was laid there."""
        if card.slot >= len(self.slots[seat]):
            raise Cheat(f"A card was turned up at place {card.slot + 1}, which the hand does not have.")
        if commitment(self.place, seat, card) != self.slots[seat][card.slot]:
            raise Cheat(f"The card at place {card.slot + 1} is not the one that was laid there.")
        values = self.values_up(seat)
        if card.slot in values:
            raise Cheat(f"The card at place {card.slot + 1} was turned up a second time.")
        if card.value not in self.cards:
            raise Cheat(f"A {card.value} was turned up, which no hand has.")
        if card.value in values.values():
            raise Cheat(f"A second {card.value} was turned up in one hand.")
        return replace(self, up=with_seat(self.up, seat, (*self.up[seat], card)))

    def known_to(self, seat: Seat, order: Order) -> HiddenHands:
        """The hands as a side knows them that knows the order of this one."""
        return replace(self, whole=with_seat(self.whole, seat, order))

    def audited(self, seat: Seat, order: Order, secret: str) -> HiddenHands:
        """The hands with one shown at the end, if it fits the commitments and the open cards; raises Cheat."""
        if tuple(sorted(order)) != self.cards:
            raise Cheat("At the end the hand did not have the cards that belong to it.")
        if committed(self.place, seat, order, secret) != self.slots[seat]:
            raise Cheat("At the end the hand was not the one that was laid.")
        if any(order[slot] != value for slot, value in self.values_up(seat).items()):
            raise Cheat("At the end a card was not the one that had been turned up.")
        return self.known_to(seat, order)

    def without(self, seat: Seat) -> HiddenHands:
        """The hands when this one was never shown: both sides know only its open cards."""
        return replace(self, whole=with_seat(self.whole, seat, None), forgotten=True)

    def assumed(self) -> tuple[Order, Order]:
        """Two hands that fit everything known; cards that lie face down are only a guess."""
        return self._assumed(0), self._assumed(1)

    def _assumed(self, seat: Seat) -> Order:
        whole = self.whole[seat]
        if whole is not None:
            return whole
        up = self.values_up(seat)
        if self.forgotten:
            return tuple(up.get(slot, 0) for slot in range(len(self.cards)))
        rest = iter(sorted({*self.cards} - {*up.values()}))
        return tuple(up[slot] if slot in up else next(rest) for slot in range(len(self.cards)))
