"""Computers for Number Circle Duel."""

from __future__ import annotations

from functools import cache

from duelbox.bots.ahead import bits, searched
from duelbox.bots.api import Choice
from duelbox.bots.sight import Computers, Sight, cast
from duelbox.bots.traps import Exact
from duelbox.games.circle_duel import GAME
from duelbox.games.circle_duel.rules import Move, View
from duelbox.solve.api import Stop

LEVELS = cast(
    "Leaps as far as it can, and looks afterwards.",
    "Looks one answer ahead, and trusts in two charms: an odd number left within reach, and few ways on.",
    "Looks one answer ahead, and counts the ways on: the more, the better.",
    "Looks four turns ahead, and counts the ways on from every way on.",
    "Pairs off the whole ring. Where that is no use, it sets traps.",
)


@cache
def _ring(size: int, reach: int) -> tuple[int, ...]:
    """For each number the bits of those next to it; nothing stands at 0."""
    steps = [step for step in range(-reach, reach + 1) if step]
    return 0, *(sum({1 << (number - 1 + step) % size + 1 for step in steps}) for number in range(1, size + 1))


def _numbers(bits: int) -> list[int]:
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def _near(view: View) -> tuple[int, ...]:
    return _ring(view.options.size, view.options.reach)


def _left(view: View, move: Move) -> int:
    """The bits of the numbers that are left after a pick."""
    return bits(view.free) ^ 1 << move.number


def _leap(view: View, move: Move) -> int:
    """How far a pick leaps, either way."""
    if view.last is None:
        return 0
    ahead = (move.number - view.last) % view.options.size
    return min(ahead, view.options.size - ahead)


def _ways_on(view: View, move: Move) -> int:
    return (_near(view)[move.number] & _left(view, move)).bit_count()


def _odd(view: View, move: Move) -> tuple[bool, int]:
    """Whether an odd number of numbers can still be reached by and by; then how few the ways on are."""
    near, left = _near(view), _left(view, move)
    reached, todo = 0, [move.number]
    while todo:
        fresh = near[todo.pop()] & left & ~reached
        reached |= fresh
        todo += _numbers(fresh)
    return reached.bit_count() % 2 == 1, -_ways_on(view, move)


def _two_on(view: View, move: Move) -> int:
    """How many ways on there are from all the ways on."""
    near, left = _near(view), _left(view, move)
    return sum((near[number] & left).bit_count() for number in _numbers(near[move.number] & left))


_COMPUTERS = Computers(
    GAME,
    (
        Sight(LEVELS[0], 0, _leap, "it is the longest leap"),
        Sight(LEVELS[1], 2, _odd, "it leaves an odd number within reach if I can, and few ways on"),
        Sight(LEVELS[2], 2, _ways_on, "it leaves the most ways on"),
        Sight(LEVELS[3], 4, _two_on, "it leaves the most ways on from all the ways on"),
    ),
    searched(_near, lambda view: view.free),
    Exact(GAME),
)


def choose(view: View, level: str, seed: int, stop: Stop) -> Choice:
    """The move of this level."""
    return _COMPUTERS.choose(view, level, seed, stop)
