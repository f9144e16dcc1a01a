"""Sequence Duel in plain numbers: the seat to move, and the numbers that each player may claim, the mover's first."""

from __future__ import annotations

from functools import cache

from duelbox.core.model import SEATS
from duelbox.core.packed import OVER, Packed, Packer, Packing, ended, places
from duelbox.games.sequence_duel.rules import Options, State


@cache
def _shut(options: Options) -> tuple[int, ...]:
    """By each number's place, the numbers that a claim keeps for the opponent, as bits."""
    line = State(turn=0, options=options)
    shut = [{number, *line.neighbours(number)} for number in line.numbers]
    return tuple(~sum(1 << number - 1 for number in closed) for closed in shut)


def _moves(position: Packing) -> tuple[int, ...]:
    return places(position[1])


def _pack(state: State) -> Packed:
    keeps = _shut(state.options)

    def after(position: Packing, move: int) -> Packing:
        seat, mine, theirs = position
        theirs &= keeps[move]
        if theirs:
            return 1 - seat, theirs, mine & ~(1 << move)
        return OVER + seat, 0, 0

    if state.outcome is not None:
        return Packed((ended(state.outcome.winner), 0, 0), _moves, after)
    bits = [sum(1 << number - 1 for number in state.open_to(seat)) for seat in SEATS]
    return Packed((state.mover, bits[state.mover], bits[state.rival]), _moves, after)


PACKED = Packer(_pack)
