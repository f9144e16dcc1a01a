"""Number Circle Duel in plain numbers: the seat to move, what is free, what may be picked, the number followed next."""

from __future__ import annotations

from functools import cache

from duelbox.core.packed import OVER, Packed, Packer, Packing, ended, places
from duelbox.games.circle_duel.rules import Options, State


@cache
def _near(options: Options) -> tuple[int, ...]:
    """By each number's place, the places next to it, as bits; the last one is for no number: every place."""
    ring = State(turn=0, options=options)
    near = [sum(1 << place - 1 for place in ring.neighbours(number)) for number in ring.numbers]
    return (*near, -1)


def _moves(position: Packing) -> tuple[int, ...]:
    return places(position[2])


def _pack(state: State) -> Packed:
    near = _near(state.options.rules_only())
    own = state.own

    def after(position: Packing, move: int) -> Packing:
        seat, free, _, followed = position
        free &= ~(1 << move)
        last = move
        if own:
            last = followed
        choices = free & near[last]
        if choices:
            return 1 - seat, free, choices, move
        return OVER + seat, 0, 0, 0

    if state.outcome is not None:
        return Packed((ended(state.outcome.winner), 0, 0, 0), _moves, after)
    free, choices = (sum(1 << number - 1 for number in numbers) for numbers in (state.free, state.choices))
    followed = -1
    if state.picks:
        followed = state.picks[-1] - 1
    return Packed((state.mover, free, choices, followed), _moves, after)


PACKED = Packer(_pack)
