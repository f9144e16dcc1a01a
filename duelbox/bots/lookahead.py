"""A few turns ahead in a chain of picks, where each pick says what may follow it and who cannot pick loses.

The search is as wide as the game and as deep as it is asked to be: what it says of a pick is what a player who looks
at every line of so many turns knows of it. Numbers are the bits of an integer. Cost: a player's own lines end at the
first good one, so that two turns more multiply it by about the number of picks there are to choose from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from duelbox.bots.perfect_play import Foresight
from duelbox.solve.api import Stop

_OFTEN = 1024


def bits(numbers: Iterable[int]) -> int:
    """These numbers as the bits of an integer."""
    return sum(1 << number for number in numbers)


def foresight_from(
    follow: Callable[[Any], Sequence[int]],
    free: Callable[[Any], Iterable[int]],
    theirs: Callable[[Any], int] | None = None,
) -> Foresight:
    """Foresight by search, from what may follow each number in a view, and the numbers that are left there; where each
    player follows their own last number, from that of the one who waits, too (0: none yet, which anything follows)."""

    def foresee(view: Any, turns: int, stop: Stop) -> dict[str, int]:
        ahead = Lookahead(follow(view), theirs is not None, stop)
        seen = ahead.seen(bits(free(view)), view.choices, theirs(view) if theirs else 0, turns)
        return {str(pick): end for pick, end in seen.items()}

    return foresee


class Lookahead:
    """Looks ahead where these numbers may follow each number, the last one or one's own, and none is picked twice.

    `last` is what the one to move has to follow, and `other` what the other one picked last.
    """

    def __init__(self, follow: Sequence[int], own: bool, stop: Stop) -> None:
        self._follow, self._own, self._stop, self._nodes = follow, own, stop, 0
        self._won: dict[tuple[int, int, int, int], bool] = {}

    def seen(self, free: int, picks: Sequence[int], other: int, turns: int) -> dict[int, int]:
        """The picks whose end is that near: the turns to a win, or, negative, to a loss; the pick is one of them."""
        found: dict[int, int] = {}
        for turn in range(1, turns + 1):
            for pick in picks:
                after = (free ^ 1 << pick, other if self._own else pick, pick, turn - 1)
                if pick in found:
                    continue
                if turn % 2 and self._loses(*after):
                    found[pick] = turn
                elif not turn % 2 and self._wins(*after):
                    found[pick] = -turn
        return found

    def _wins(self, free: int, last: int, other: int, turns: int) -> bool:
        """Whether the player to move can win within so many turns."""
        key = free, self._follow[last], self._own and other, turns
        if key not in self._won:
            self._nodes += 1
            if not self._nodes % _OFTEN:
                self._stop.check()
            at_once = self._forces(free, last, other, 1)
            self._won[key] = at_once or (turns > 2 and self._forces(free, last, other, turns))
        return self._won[key]

    def _forces(self, free: int, last: int, other: int, turns: int) -> bool:
        left = free & self._follow[last]
        while left:
            bit = left & -left
            left ^= bit
            pick = bit.bit_length() - 1
            if self._loses(free ^ bit, other if self._own else pick, pick, turns - 1):
                return True
        return False

    def _loses(self, free: int, last: int, other: int, turns: int) -> bool:
        """Whether the player to move has lost within so many turns, whatever they pick."""
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
