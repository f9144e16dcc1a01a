"""Digit Chain Duel, as a pupil counts it, and the rules of its lessons."""

from __future__ import annotations

from typing import Any

from tests.pupils.pupil import Moves, Rule, least

NONE_LEFT = 99
"""A row that is worse than any: the pupil has no answer."""


def pool(view: Any) -> frozenset[int]:
    """The numbers that may still be picked some time."""
    return frozenset(view.pool) - frozenset(view.picks)


BEGINNING = {digit: frozenset(one for one in range(1, 100) if str(one)[0] == str(digit)) for digit in range(1, 10)}


def row(view: Any, number: int, left: frozenset[int]) -> list[int]:
    """The numbers that may follow a number, of those left."""
    if number % 10 == 0:
        return [one for one in left if one != number] if view.options.zero == "wild" else []
    return [one for one in left & BEGINNING[number % 10] if one != number]


def reverse(number: int) -> int:
    """The number with its digits the other way round; 7 and 77 answer each other."""
    if number < 10:
        return number * 11
    if number % 11 == 0:
        return number // 11
    return number % 10 * 10 + number // 10


def broken(view: Any, number: int) -> list[int]:
    """The numbers of a row that have lost their reverse."""
    left = pool(view) - {number}
    return [one for one in row(view, number, left) if reverse(one) not in left]


# -- the rules


def dead_end(view: Any, moves: Moves) -> Moves:
    """Pick a number that no number can follow."""
    left = pool(view)
    return [move for move in moves if not row(view, move.number, left)]


def reversed_row(view: Any, moves: Moves) -> Moves:
    """Leave a row in which every number has its reverse."""
    return [move for move in moves if not broken(view, move.number)]


def broken_pair(view: Any, moves: Moves) -> Moves:
    """Leave the fewest numbers that have lost their reverse, with another answer to each."""
    left = pool(view)

    def cost(move: Any) -> tuple[int, int]:
        lost = broken(view, move.number)
        open_ones = [one for one in lost if not row(view, one, left - {move.number})]
        return len(open_ones), len(lost)

    return least(moves, cost)


def one_door(view: Any, moves: Moves) -> Moves:
    """Leave one number only, and have an answer to it."""
    left = pool(view)
    doors = [(move, row(view, move.number, left)) for move in moves]
    return [move for move, door in doors if len(door) == 1 and row(view, door[0], left - {move.number})]


def few(view: Any, moves: Moves) -> Moves:
    """Leave a row of few numbers, and be able to leave few after each answer."""
    everything = pool(view)

    def cost(move: Any) -> tuple[int, int]:
        left = everything - {move.number}
        answers = row(view, move.number, left)
        worst = 0
        for answer in answers:
            after = left - {answer}
            worst = max(
                worst, min((len(row(view, back, after)) for back in row(view, answer, after)), default=NONE_LEFT)
            )
        return worst, len(answers)

    return least(moves, cost)


DEAD: tuple[Rule, ...] = (dead_end,)
DOOR: tuple[Rule, ...] = (*DEAD, one_door)
FEW: tuple[Rule, ...] = (*DEAD, few)
REVERSE: tuple[Rule, ...] = (*DEAD, reversed_row)
BROKEN: tuple[Rule, ...] = (*REVERSE, broken_pair)
