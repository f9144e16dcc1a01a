"""Hands dealt anew: the state as it were with other cards face down, compared with the same moves played on them."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from duelbox.core.dealing import Order
from duelbox.core.session import Session
from duelbox.games.number_duel.dealing import DEALING
from duelbox.games.number_duel.rules import GAME, Arrange, Options
from tests.effort import sampled


def begun(options: Options, orders: tuple[Order, Order]) -> Session:
    """A game in which these hands were dealt or chosen."""
    if not DEALING.chosen(options):
        return Session(GAME, DEALING.dealt(options, orders))
    session = Session(GAME, options)
    for order in orders:
        session.play(Arrange(order=order))
    return session


def turned_up(session: Session, orders: tuple[Order, Order]) -> list[dict[int, int]]:
    """Play a random move; returns the cards of each seat that it turned up, by slot."""
    up: list[dict[int, int]] = [{}, {}]
    rng = random.Random(repr((session.code(), len(session.plies))))
    seat, move = session.turn, rng.choice(session.legal_moves())
    for owner, slot in DEALING.touched(session.state, orders, seat, move):
        up[owner][slot] = orders[owner][slot]
    session.play(move)
    return up


@pytest.mark.parametrize(
    "options",
    [
        Options(hand=3),
        Options(hand=4, victors_stay=True),
        Options(hand=3, arrange="chosen"),
        Options(hand=4, arrange="chosen", victors_stay=True),
    ],
)
def test_a_state_dealt_anew_is_the_state_of_the_same_moves_on_those_hands(options: Options) -> None:
    rng, compared = random.Random(1), 0
    hands = list(permutations(range(1, options.hand + 1)))
    for _ in range(sampled(15, 300)):
        orders = rng.choice(hands), rng.choice(hands)
        session, up = begun(options, orders), [{}, {}]
        while session.turn is not None:
            for seat, fresh in enumerate(turned_up(session, orders)):
                up[seat].update(fresh)
            fitting = [
                [order for order in hands if all(order[slot] == value for slot, value in up[seat].items())]
                for seat in (0, 1)
            ]
            others = rng.choice(fitting[0]), rng.choice(fitting[1])
            again = begun(options, others)
            for move in session.moves[len(again.moves) :]:
                again.play(move)
            assert [ply.events for ply in again.plies] == [ply.events for ply in session.plies]
            assert DEALING.redealt(session.state, others) == again.state
            assert DEALING.redealt(session.start, others) == again.start
            compared += orders != others
    assert compared > 5
