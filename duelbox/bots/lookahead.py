"""Looking some turns ahead in games of picks, where each pick says what may follow it and who cannot pick loses.

The search tries every line of so many turns. A line of the player's own moves ends at the first good one, so two turns
more take as many times longer as there are picks to choose from. Sets of numbers are bits of an integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from duelbox.bots.perfect_play import Foresight
from duelbox.solve.api import Stop

_OFTEN = 1024
"""The number of positions between two looks at the stop flag."""


def bits(numbers: Iterable[int]) -> int:
    """These numbers as the bits of an integer."""
    return sum(1 << number for number in numbers)


def foresight_from(
    follow: Callable[[Any], Sequence[int]],
    free: Callable[[Any], Iterable[int]],
    theirs: Callable[[Any], int] | None = None,
) -> Foresight:
    """Foresight by search.

    `follow` gives the numbers that may follow each number, and `free` those that are left. Where both players follow
    their own last number, `theirs` gives that of the player who waits (0 if there is none).
    """

    def foresee(view: Any, turns: int, stop: Stop) -> dict[str, int]:
        ahead = Lookahead(follow(view), theirs is not None, stop)
        ends = ahead.ends(bits(free(view)), view.choices, theirs(view) if theirs else 0, turns)
        return {str(pick): end for pick, end in ends.items()}

    return foresee


class Lookahead:
    """A search in a game of picks; `own` says that both players follow their own last number.

    In its methods, `last` is the number that the player to move has to follow, and `other` the opponent's last number.
    """

    def __init__(self, follow: Sequence[int], own: bool, stop: Stop) -> None:
        self._follow, self._own, self._stop, self._nodes = follow, own, stop, 0
        self._won: dict[tuple[int, int, int, int], bool] = {}

    def ends(self, free: int, picks: Sequence[int], other: int, turns: int) -> dict[int, int]:
        """The picks whose end is near: the turns to a win, or, negative, to a loss, this pick included."""
        near: dict[int, int] = {}
        for turn in range(1, turns + 1):
            for pick in picks:
                after = (free ^ 1 << pick, other if self._own else pick, pick, turn - 1)
                if pick in near:
                    continue
                if turn % 2 and self._loses(*after):
                    near[pick] = turn
                elif not turn % 2 and self._wins(*after):
                    near[pick] = -turn
        return near

    def _wins(self, free: int, last: int, other: int, turns: int) -> bool:
        """The player to move can win within so many turns."""
        key = free, self._follow[last], self._own and other, turns
        if key not in self._won:
            self._nodes += 1
            if not self._nodes % _OFTEN:
                self._stop.check()
            at_once = self._forces(free, last, other, 1)
            self._won[key] = at_once or (turns > 2 and self._forces(free, last, other, turns))
        return self._won[key]

    def _forces(self, free: int, last: int, other: int, turns: int) -> bool:
        """The player to move has a pick after which the opponent loses within so many turns, the pick included."""
        left = free & self._follow[last]
        while left:
            bit = left & -left
            left ^= bit
            pick = bit.bit_length() - 1
            if self._loses(free ^ bit, other if self._own else pick, pick, turns - 1):
                return True
        return False

    def _loses(self, free: int, last: int, other: int, turns: int) -> bool:
        """The player to move loses within so many turns, whatever they pick."""
        left = free & self._follow[last]
        if turns < 2:
            return not left
        while left:
            bit = left & -left
            left ^= bit
            pick = bit.bit_length() - 1
            if not self._wins(free ^ bit, other if self._own else pick, pick, turns - 1):
                return False
        return True
