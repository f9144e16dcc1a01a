"""Games in plain numbers, for playing out many of them: a position is a few ints, a move the place in `every_move`.

The first int of a position is the seat to move, or `OVER` plus the seat that won, or `DRAWN`. A law checks that a
packed game and its models agree at every turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from duelbox.core.model import Seat

OVER = 2
"""The first int of a finished game is this plus the winner's seat."""
DRAWN = 4
"""The first int of a game that ended in a draw."""
CHUNK = 8
"""Bits that are looked up at once."""

Packing = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Packed:
    """A game from one position on, in plain numbers."""

    start: Packing
    moves: Callable[[Packing], Sequence[int]]
    """The legal moves of a position that is not over, in the order of the models."""
    after: Callable[[Packing, int], Packing]
    """The position after a legal move."""


@dataclass(frozen=True, slots=True)
class Packer:
    """The optional part of a game that packs its states."""

    pack: Callable[[Any], Packed | None]
    """None for a state that it does not pack."""


def winner(position: Packing) -> Seat | None:
    """The winner of a position; None for a draw, and while the game goes on."""
    if position[0] == OVER:
        return 0
    if position[0] == OVER + 1:
        return 1
    return None


def ended(won: Seat | None) -> int:
    """The first int of a position that this seat has won; None for a draw."""
    if won is None:
        return DRAWN
    return OVER + won


def play_out(packed: Packed, seed: int, most: int) -> Packing:
    """Play at random to the end, or for `most` moves; returns the last position."""
    draw = Random(seed).random
    moves, after = packed.moves, packed.after
    position = packed.start
    left = most
    while position[0] < OVER and left:
        legal = moves(position)
        position = after(position, legal[int(draw() * len(legal))])
        left -= 1
    return position


def places(bits: int) -> tuple[int, ...]:
    """The places of the bits that are set, ascending."""
    found: tuple[int, ...] = ()
    at = 0
    while bits:
        found += _places_at(at)[bits & 255]
        bits >>= CHUNK
        at += CHUNK
    return found


@cache
def _places_at(first: int) -> tuple[tuple[int, ...], ...]:
    """The places of the bits of every byte, counted from `first`."""
    return tuple(tuple(first + bit for bit in range(CHUNK) if byte >> bit & 1) for byte in range(1 << CHUNK))
