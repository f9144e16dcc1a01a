"""What a game with hidden hands brings, in its module `hands`, to be played where nobody may deal both of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from duelbox.core.game import M, O, S
from duelbox.core.model import Seat

Order = tuple[int, ...]  # the cards of a hand by their slots, which are counted from 0 and stay the same when cards go


@dataclass(frozen=True)
class Dealing(Generic[O, S, M]):
    """Two hands of the same cards, each of which only its owner sees; pure functions."""

    cards: Callable[[O], Order]
    """The cards of each hand, ascending."""
    chosen: Callable[[O], bool]
    """Whether the first move of each player puts their hand in order; else both are shuffled."""
    dealt: Callable[[O, tuple[Order, Order]], O]
    """The options with these two orders, where they are shuffled."""
    arranged: Callable[[M], Order | None]
    """The order that a move puts a hand in, if it does."""
    arrange: Callable[[Order], M]
    """The move that does."""
    touched: Callable[[S, tuple[Order, Order], Seat, M], tuple[tuple[Seat, int], ...]]
    """Which slots a move turns up, in a state that came from these two orders: the mover's first."""


AnyDealing = Dealing[Any, Any, Any]
