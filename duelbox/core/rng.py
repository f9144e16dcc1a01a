"""A random generator of duelbox's own, so that a seed gives the same deal on every version of Python.

splitmix64 (Steele, Lea, Flood 2014): one 64-bit counter and a mixer; its first outputs for seed 0 are in the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1


class Rng:
    """Deterministic random numbers from an integer seed."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def next64(self) -> int:
        """The next 64 random bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        word = self._state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        return word ^ (word >> 31)

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1, all equally likely."""
        fair = _MASK + 1 - (_MASK + 1) % limit
        while (word := self.next64()) >= fair:
            pass
        return word % limit

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in random order (Fisher-Yates, from the end)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            swap = self.below(last + 1)
            order[last], order[swap] = order[swap], order[last]
        return tuple(order)

    def sample(self, items: Sequence[T], count: int) -> tuple[T, ...]:
        """A random selection of this many items, in their original order."""
        chosen = sorted(self.shuffled(range(len(items)))[:count])
        return tuple(items[index] for index in chosen)
