"""The length of a digit chain: the turns to the end if the winner hurries and the loser delays.

Pairs do not change the winner, but they take turns: the whole pool is searched, one turn deeper each time, and of the
winner's picks only winning ones. Cost: exponential in the turns to the end, so the search gets a number of steps,
shared by all picks (the quick ones first), and leaves the rest uncounted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duelbox.games.digit_chain.solve.chains import Chains, Place, Spent, Steps, reached, rows


class TurnCount:
    """Counts turns until its steps are used up."""

    def __init__(self, chains: Chains, wild: bool, steps: Steps) -> None:
        self._chains, self._rows, self._steps = chains, rows(wild), steps
        self._longer: dict[tuple[int, int], int] = {}
        self._within: dict[tuple[int, int], int] = {}

    def count(self, place: Place, wins: Mapping[int, bool]) -> dict[int, int]:
        """The turns to the end with each of these picks, as far as they can be counted; `wins` tells which picks
        win."""
        counted: dict[int, int] = {}
        turns = 0
        try:
            while len(counted) < len(wins):
                turns += 1
                odd = turns % 2 == 1
                ends = self._lost if odd else self._won  # for the opponent, after the pick
                for number in wins:
                    if number not in counted and wins[number] == odd and ends(reached(place, number), turns - 1):
                        counted[number] = turns
        except Spent:
            pass
        return counted

    def _won(self, place: Place, turns: int) -> bool:
        key = place[0], place[2]
        if self._longer.get(key, 0) >= turns:
            return False
        if self._within.get(key, turns + 1) <= turns:
            return True
        self._steps.take(1)
        ways = list(self._ways(place))
        if any(self._stuck(way) for way in ways):
            self._within[key] = 1
            return True
        if turns > 1 and any(not self._chains.wins(*way[1:]) and self._lost(way, turns - 1) for way in ways):
            self._within[key] = turns
            return True
        self._longer[key] = turns
        return False

    def _lost(self, place: Place, turns: int) -> bool:
        if not turns:
            return self._stuck(place)
        return all(self._won(way, turns - 1) for way in self._ways(place))

    def _stuck(self, place: Place) -> bool:
        return not place[0] & self._rows[place[2]]

    def _ways(self, place: Place) -> Iterator[Place]:
        """The positions after each pick; only one of d and dd is tried, since they lead to the same digit."""
        pool, _, digit = place
        picks = pool & self._rows[digit]
        while picks:
            number = picks.bit_length() - 1
            picks ^= 1 << number
            if number > 9 or not pool >> 11 * number & 1:
                yield reached(place, number)
