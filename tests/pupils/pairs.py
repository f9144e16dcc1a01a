"""One trail on a ring, as a pupil pairs its numbers, and the rules of its lessons."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.pupils.pupil import Moves, Rule
from tests.pupils.trails import near, numbers


@cache
def pairs(size: int, reach: int, free: int) -> int:
    """The most pairs of neighbours among the free numbers, given as bits."""
    if not free:
        return 0
    low = next(numbers(free))
    rest = free & ~(1 << low)
    best = pairs(size, reach, rest)
    for partner in numbers(near(size, reach, low) & rest):
        best = max(best, 1 + pairs(size, reach, rest & ~(1 << partner)))
    return best


def reached(size: int, reach: int, last: int, free: int) -> int:
    """The free numbers that picks from a number can come to."""
    found = 0
    front = near(size, reach, last) & free
    while front:
        found |= front
        beyond = 0
        for one in numbers(front):
            beyond |= near(size, reach, one)
        front = beyond & free & ~found
    return found


def left(view: Any, move: Any) -> int:
    """The numbers that both can still come to after a pick, as bits."""
    free = sum(1 << number for number in view.free if number != move.number)
    return reached(view.options.size, view.options.reach, move.number, free)


# -- the rules


def in_pairs(view: Any, moves: Moves) -> Moves:
    """Leave numbers that all go in pairs; the partner of a pick leaves such numbers again."""
    size, reach = view.options.size, view.options.reach
    bits = [(move, left(view, move)) for move in moves]
    return [move for move, free in bits if 2 * pairs(size, reach, free) == free.bit_count()]


def odd_one_out(view: Any, moves: Moves) -> Moves:
    """Pick a number that the most pairs can do without."""
    size, reach = view.options.size, view.options.reach
    single = []
    for move in moves:
        free = left(view, move)
        if pairs(size, reach, free) == pairs(size, reach, free | 1 << move.number):
            single.append(move)
    return single


PARTNERS: tuple[Rule, ...] = (in_pairs,)
ODD_ONE_OUT: tuple[Rule, ...] = (odd_one_out,)
