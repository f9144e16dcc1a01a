"""Digit Chain Duel in plain numbers: the seat to move, the numbers of the pool, and those that may follow."""

from __future__ import annotations

from functools import cache

from duelbox.core.packed import OVER, Packed, Packer, Packing, ended, places
from duelbox.games.digit_chain.rules import NUMBERS, Options, State, first_digit


@cache
def _followers(options: Options) -> tuple[int, ...]:
    """By each number's place, the numbers that may follow it, as bits."""
    by_digit = [sum(1 << n - 1 for n in NUMBERS if first_digit(n) == digit) for digit in range(10)]
    if options.zero == "wild":
        by_digit[0] = -1
    return tuple(by_digit[number % 10] for number in NUMBERS)


def _moves(position: Packing) -> tuple[int, ...]:
    return places(position[2])


def _pack(state: State) -> Packed:
    followers = _followers(state.options.rules_only())

    def after(position: Packing, move: int) -> Packing:
        seat, pool, _ = position
        pool &= ~(1 << move)
        follow = pool & followers[move]
        if follow:
            return 1 - seat, pool, follow
        return OVER + seat, 0, 0

    if state.outcome is not None:
        return Packed((ended(state.outcome.winner), 0, 0), _moves, after)
    pool, choices = (sum(1 << number - 1 for number in numbers) for numbers in (state.pool, state.choices))
    return Packed((state.mover, pool, choices), _moves, after)


PACKED = Packer(_pack)
