"""Hidden hands for two machines that do not trust each other: neither may deal the hands of both players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from duelbox.core.game import M, O, S
from duelbox.core.model import Seat

Order = tuple[int, ...]  # the cards of a hand; a card keeps its slot, counted from 0, when others leave the hand


@dataclass(frozen=True)
class Dealing(Generic[O, S, M]):
    """The contract of a game's `dealing` module: pure functions about two hands of the same cards."""

    cards: Callable[[O], Order]
    """The cards of each hand, ascending."""
    chosen: Callable[[O], bool]
    """True if each player's first move puts their hand in order; False if both hands are shuffled."""
    dealt: Callable[[O, tuple[Order, Order]], O]
    """The options of a game in which these two shuffled orders were dealt."""
    arranged: Callable[[M], Order | None]
    """The order into which a move puts a hand; None for any other move."""
    arrange: Callable[[Order], M]
    """The move that puts a hand into this order."""
    redealt: Callable[[S, tuple[Order, Order]], S]
    """The same state, had these two orders been dealt; they must fit all cards that lie open."""
    touched: Callable[[S, tuple[Order, Order], Seat, M], tuple[tuple[Seat, int], ...]]
    """The slots that a move turns up, the mover's first, in a state that came from these two orders."""


AnyDealing = Dealing[Any, Any, Any]
