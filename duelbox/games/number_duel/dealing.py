"""The dealing of Number Duel: an attack turns up one card of each hand."""

from __future__ import annotations

from duelbox.core.dealing import Dealing, Order
from duelbox.core.model import SEATS, Seat, other
from duelbox.games.number_duel.rules import Arrange, Move, Options, State, Strike


def _touched(state: State, orders: tuple[Order, Order], seat: Seat, move: Move) -> tuple[tuple[Seat, int], ...]:
    """The slots of the attacker and of the number it meets."""
    assert isinstance(move, Strike)
    rival = other(seat)
    met = state.hands[rival][move.position - 1]
    return (seat, orders[seat].index(move.number)), (rival, orders[rival].index(met))


def _redealt(state: State, orders: tuple[Order, Order]) -> State:
    """The state with these hands: a hand that has not been put in order yet stays empty, numbers that are gone go."""
    dealt, hands = list(state.dealt), list(state.hands)
    for seat in SEATS:
        if state.dealt[seat]:
            gone = {number.number for number in state.gone[seat]}
            dealt[seat] = orders[seat]
            hands[seat] = tuple(number for number in orders[seat] if number not in gone)
    options = state.options
    if options.deal:
        options = options.changed(deal=orders)
    return state.changed(options=options, dealt=(dealt[0], dealt[1]), hands=(hands[0], hands[1]))


DEALING: Dealing[Options, State, Move] = Dealing(
    cards=lambda options: tuple(range(1, options.hand + 1)),
    chosen=lambda options: options.arrange == "chosen",
    dealt=lambda options, orders: options.changed(arrange="shuffled", deal=orders, seed=0),
    arranged=lambda move: move.order if isinstance(move, Arrange) else None,
    arrange=lambda order: Arrange(order=order),
    redealt=_redealt,
    touched=_touched,
)
