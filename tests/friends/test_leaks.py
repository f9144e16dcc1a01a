"""The leak law over the wire: messages tell a seat no more than its view does."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import permutations

import pytest

from duelbox.core.dealing import Order
from duelbox.friends import messages as m
from duelbox.friends.player_side import PlayerSide
from duelbox.relay.wire import Entry
from tests.effort import sampled
from tests.friends.rooms import LikedHand, Pair, play_some_move


def sent(pair: Pair, by: PlayerSide) -> list[tuple[str, int, str]]:
    """Everything one side has sent: sender, length, and the text without salts and random numbers."""
    messages = []
    texts = [note.text for machine in pair.machines if machine.side is by for note in machine.disk if note.t == "put"]
    texts_of = iter(texts)
    for entry in pair.log.entries:
        text = next(texts_of) if (entry.who == "host") == (by.me == 0) else ""
        messages.append((entry.who, len(entry.body) if text else 0, re.sub("[0-9a-f]{32,}", "*", text)))
    return messages


def dealt(seed: object, me: int, order: Order) -> Pair:
    """A match in which one side has this order of its hand; all else depends only on the seed."""
    pair = Pair("number-duel:hand=4", seed, answer=False)
    side = pair.machines[me].side
    side.hand = LikedHand(me, side.hand.secret, liked=order)
    pair.sit_down()
    return pair


def twins(seed: int, me: int) -> Iterator[tuple[Pair, Pair]]:
    """Pairs of matches that differ only in cards that still lie face down."""
    rng = random.Random(repr((seed, me)))
    order = tuple(rng.sample(range(1, 5), 4))
    pair, moves = dealt(seed, me, order), list[str]()
    for _ in range(rng.randrange(4)):
        if (side := pair.mover()) is not None:
            moves.append(play_some_move(side, rng))
            pair.settle()
    if pair.mover() is None:
        return
    owner = (pair.host, pair.guest)[me]
    up = owner.ledger.hands.values_up(owner.seat)
    for other in permutations(range(1, 5)):
        if other != order and all(other[slot] == value for slot, value in up.items()):
            twin = dealt(seed, me, other)
            for text in moves:
                twin.mover().play(text)
                twin.settle()
            yield pair, twin


@pytest.mark.parametrize("me", [0, 1])
def test_two_worlds_that_look_alike_send_the_same(me: int) -> None:
    compared = 0
    for seed in range(sampled(3, 300)):
        for pair, twin in twins(seed, me):
            assert sent(twin, (twin.host, twin.guest)[me]) == sent(pair, (pair.host, pair.guest)[me])
            compared += 1
    assert compared > 8


def test_a_chosen_order_is_sent_like_any_other() -> None:
    def arranged(order: str) -> list[tuple[str, int, str]]:
        pair = Pair("number-duel:arrange=chosen,hand=5", 1)
        first = pair.mover()
        first.play(order)
        pair.settle()
        return sent(pair, first)

    assert arranged("12345") == arranged("52413") == arranged("54321")


def test_only_what_was_struck_is_turned_up_before_the_end() -> None:
    for seed in range(sampled(4, 100)):
        pair = Pair("number-duel", seed)
        rng = random.Random(seed)
        for _ in range(3):
            play_some_move(pair.mover(), rng)
            pair.settle()
        for machine in pair.machines:
            values = [
                message.card.value
                for note in machine.disk
                if note.t == "put"
                for message in [m.decode(note.text.encode())]
                if isinstance(message, m.Open | m.Move) and message.card is not None
            ]
            cards = machine.side.ledger.hands
            assert sorted(values) == sorted(cards.values_up(machine.side.seat).values())


def test_a_stranger_reads_nothing_from_the_room() -> None:
    pair = Pair("number-duel", 1)
    pair.play_out(random.Random(1))
    texts = [note.text.encode() for machine in pair.machines for note in machine.disk if note.t == "put"]
    for entry in pair.log.entries:
        assert isinstance(entry, Entry)
        assert not any(piece in entry.body for text in texts for piece in (text[:24], b"number-duel", b"Ann", b"Bob"))
