"""What a chain comes to: the digit to begin with, and the numbers that can still come up."""

from __future__ import annotations

from collections.abc import Hashable

from duelbox.games.digit_chain.rules import View, first_digit


def essence(view: View) -> Hashable:
    """The digit, and what can be reached from it; one-digit numbers and double ones lead alike, so either may stand."""
    wild = view.options.zero == "wild"
    if view.digit is None:
        return wild, None, _levelled(view.pool)
    rows, todo = set[int](), [view.digit]
    while todo:
        digit = todo.pop()
        if wild and digit == 0:
            return wild, view.digit, _levelled(view.pool)
        if digit not in rows:
            rows.add(digit)
            todo += [number % 10 for number in view.pool if first_digit(number) == digit]
    return wild, view.digit, _levelled([number for number in view.pool if first_digit(number) in rows])


def _levelled(pool: tuple[int, ...] | list[int]) -> tuple[tuple[int, int], ...]:
    """The numbers as steps from digit to digit, so that 4 and 44 are alike."""
    return tuple(sorted((first_digit(number), number % 10) for number in pool))
