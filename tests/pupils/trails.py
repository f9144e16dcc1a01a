"""Two trails on a ring, as a pupil counts them, and the rules of their lessons."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from duelbox.core.model import other
from tests.pupils.pupil import Moves, Rule, most

FEW = 8
"""With so many free numbers, each pick is tried to the end."""


class Trails(NamedTuple):
    """The free numbers as bits, and the last numbers of both."""

    size: int
    reach: int
    free: int
    mine: int | None
    theirs: int | None


def after(view: Any, move: Any) -> Trails:
    """The trails after a pick of the player to move."""
    lasts = {at % 2: number for at, number in enumerate(view.picks)}
    free = sum(1 << number for number in view.free if number != move.number)
    return Trails(view.options.size, view.options.reach, free, move.number, lasts.get(other(view.turn)))


@cache
def near(size: int, reach: int, number: int) -> int:
    """The places next to a number, as bits."""
    return sum(1 << (number - 1 + step) % size + 1 for step in range(-reach, reach + 1) if step)


def numbers(bits: int) -> Iterator[int]:
    """The numbers of some bits."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


@cache
def longest(size: int, reach: int, last: int, free: int) -> int:
    """The most picks in a row from a number."""
    ways = numbers(near(size, reach, last) & free)
    return max((1 + longest(size, reach, one, free & ~(1 << one)) for one in ways), default=0)


def counts(size: int, reach: int, last: int, free: int) -> dict[int, int]:
    """The picks until each number can be reached."""
    found: dict[int, int] = {}
    front = near(size, reach, last) & free
    while front:
        beyond = 0
        step = 1 + max(found.values(), default=0)
        for one in numbers(front):
            found[one] = step
        for one in numbers(front):
            beyond |= near(size, reach, one)
        front = beyond & free & ~sum(1 << one for one in found)
    return found


def rooms(at: Trails) -> tuple[int, int]:
    """The longest ways of both through the numbers that each gets to first, when the other player moves next."""
    assert at.mine is not None
    assert at.theirs is not None
    here = counts(at.size, at.reach, at.mine, at.free)
    there = counts(at.size, at.reach, at.theirs, at.free)
    mine = sum(1 << one for one in here if one not in there or here[one] < there[one])
    theirs = sum(1 << one for one in there) & ~mine
    return longest(at.size, at.reach, at.mine, mine), longest(at.size, at.reach, at.theirs, theirs)


@cache
def wins(size: int, reach: int, free: int, mine: int, theirs: int) -> bool:
    """The player to move wins; `mine` is that player's last number."""
    ways = numbers(near(size, reach, mine) & free)
    return any(not wins(size, reach, free & ~(1 << one), theirs, one) for one in ways)


# -- the rules


def far_from_gaps(view: Any, moves: Moves) -> Moves:
    """Begin far from the gaps."""
    if len(view.picks) > 1:
        return moves
    size = view.options.size

    def distances(move: Any) -> list[int]:
        return [min((move.number - gap) % size, (gap - move.number) % size) for gap in view.gaps]

    return most(moves, lambda move: (min(distances(move)), sum(distances(move))))


def furthest_ahead(view: Any, moves: Moves) -> Moves:
    """Count picks where each gets first, and be furthest ahead."""
    if not view.picks:
        return moves

    def lead(move: Any) -> int:
        mine, theirs = rooms(after(view, move))
        return mine - theirs

    return most(moves, lead)


def needed_by_both(view: Any, moves: Moves) -> Moves:
    """Take a number that the opponent can pick next, too."""
    if not view.picks:
        return moves
    theirs = near(view.options.size, view.options.reach, view.picks[-1])
    return [move for move in moves if theirs >> move.number & 1]


def shut_in(view: Any, moves: Moves) -> Moves:
    """Leave the opponent no pick."""
    if not view.picks:
        return moves
    theirs = near(view.options.size, view.options.reach, view.picks[-1])
    return [move for move in moves if not theirs & after(view, move).free]


def to_the_end(view: Any, moves: Moves) -> Moves:
    """With few free numbers, try each pick to the end."""
    if len(view.free) > FEW or len(view.picks) < 2:
        return moves
    spots = [(move, after(view, move)) for move in moves]
    return [move for move, at in spots if not wins(at.size, at.reach, at.free, at.theirs or 0, at.mine or 0)]


ROOM: tuple[Rule, ...] = (far_from_gaps, furthest_ahead)
BOTH_NEED: tuple[Rule, ...] = (*ROOM, needed_by_both)
SHUT_IN: tuple[Rule, ...] = (shut_in, to_the_end, *BOTH_NEED)
