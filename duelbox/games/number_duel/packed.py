"""Number Duel in plain numbers: the seat to move, and both hands, the mover's first, three bits a number.

It knows both hands, as a state does: a playout of what a player sees begins with a world that fits.
"""

from __future__ import annotations

from functools import cache, lru_cache

from duelbox.core.packed import DRAWN, OVER, Packed, Packer, Packing, ended
from duelbox.games.number_duel.rules import State

BITS = 3
"""The bits of a number of a hand; the first position has the lowest ones."""

REMEMBERED = 1 << 16
"""The most pairs of hands whose moves are kept."""


def _packed_hand(hand: tuple[int, ...]) -> int:
    return sum(number << BITS * at for at, number in enumerate(hand))


@cache
def _numbers(hand: int) -> tuple[int, ...]:
    """The numbers of a hand by their positions."""
    return tuple(hand >> at & 7 for at in range(0, hand.bit_length(), BITS))


@cache
def _without(hand: int, number: int) -> int:
    """The hand without this number."""
    return _packed_hand(tuple(one for one in _numbers(hand) if one != number))


@lru_cache(REMEMBERED)
def _strikes(mine: int, theirs: int, size: int) -> tuple[int, ...]:
    """Every own number at every position, by their places in `every_move`."""
    positions = range(len(_numbers(theirs)))
    return tuple((number - 1) * size + at for number in sorted(_numbers(mine)) for at in positions)


def _pack(state: State) -> Packed | None:
    size, stay = state.options.hand, state.options.victors_stay
    if state.options.arrange == "chosen" or any(0 in hand for hand in state.hands):
        return None

    def moves(position: Packing) -> tuple[int, ...]:
        return _strikes(position[1], position[2], size)

    def after(position: Packing, move: int) -> Packing:
        seat, mine, theirs = position
        number = move // size + 1
        defender = theirs >> BITS * (move % size) & 7
        if not (stay and number > defender):
            mine = _without(mine, number)
        if number >= defender:
            theirs = _without(theirs, defender)
        if mine and theirs:
            return 1 - seat, theirs, mine
        if theirs:
            return OVER + 1 - seat, 0, 0
        if mine or number > defender:
            return OVER + seat, 0, 0
        return DRAWN, 0, 0

    one, two = (_packed_hand(hand) for hand in state.hands)
    if state.outcome is not None:
        return Packed((ended(state.outcome.winner), 0, 0), moves, after)
    if state.turn:
        return Packed((1, two, one), moves, after)
    return Packed((0, one, two), moves, after)


PACKED = Packer(_pack)
