"""Number Duel where nobody may deal both hands: an attack turns up one card of each."""

from __future__ import annotations

from duelbox.core import hands
from duelbox.core.hands import Order
from duelbox.core.model import Seat, other
from duelbox.games.number_duel.rules import Arrange, Move, Options, State, Strike


def cards(options: Options) -> Order:
    """The numbers of each hand."""
    return tuple(range(1, options.hand + 1))


def chosen(options: Options) -> bool:
    """Whether the players order their hands."""
    return options.arrange == "chosen"


def dealt(options: Options, orders: tuple[Order, Order]) -> Options:
    """The options with these orders."""
    return options.changed(deal=orders, seed=0)


def arranged(move: Move) -> Order | None:
    """The order of a hand, or None for an attack."""
    return move.order if isinstance(move, Arrange) else None


def arrange(order: Order) -> Move:
    """Put a hand in this order."""
    return Arrange(order=order)


def touched(state: State, orders: tuple[Order, Order], seat: Seat, move: Move) -> tuple[tuple[Seat, int], ...]:
    """The attacker's slot and that of the number it meets."""
    assert isinstance(move, Strike)
    rival = other(seat)
    met = state.hands[rival][move.position - 1]
    return (seat, orders[seat].index(move.number)), (rival, orders[rival].index(met))


HANDS = hands.Hands(cards, chosen, dealt, arranged, arrange, touched)
