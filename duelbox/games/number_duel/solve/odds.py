"""The exact chances of a Number Duel, from the facts that both players know.

A hand is dealt at random, or put in order in secret, so each hidden number is equally likely at any hidden position. A
player's own order is of no use to them as long as the other attacks hidden positions at random. So the public facts and
the turn make a game of chance without secrets: the numbers that each player has left, and which of them are hidden.

Only comparisons between the two hands matter, so positions are brought to a normal form first. Numbers of one hand with
none of the other between them are alike; a hidden number counts as known if only one number, or only numbers that are
alike, can be there. For a full hand of 7 that leaves some 50,000 of 4.8 million positions, with 2,000 different values.
So the whole game is stored in a file for each rule; `python -m tests.games.number_duel.make_odds` computes it backwards
and writes it, and the tests compare.

Chances are whole numbers of `CERTAIN`ths. Both players maximise their chance of a win plus half that of a draw, and
between equal chances both prefer fewer draws. A value holds both: wins less losses, then draws.

Cost: some 2 ms to read a file, then 2 µs for each position.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import factorial
from pathlib import Path
from zlib import decompress

from duelbox.solve.bits import each

CERTAIN = factorial(7) ** 2
"""A multiple of every denominator: up to seven hidden numbers on each side are revealed one by one."""
_LOW = 1 << 25
WIN, DRAW, LOSS = CERTAIN * _LOW, -CERTAIN, -CERTAIN * _LOW
"""A value is (wins - losses) * 2^25 - draws, in `CERTAIN`ths, so the better of two values is the greater one."""

Hand = tuple[int, int]  # the hidden numbers of a hand, and all of them: bit 0 stands for the number 1


def chances(value: int) -> tuple[Fraction, Fraction]:
    """The chances of a win and of a draw."""
    draws = -value % _LOW
    surplus = (value + draws) // _LOW
    return Fraction(CERTAIN - draws + surplus, 2 * CERTAIN), Fraction(draws, CERTAIN)


def turned(value: int) -> int:
    """The value for the other player."""
    return -value - 2 * (-value % _LOW)


class _Runs(dict[int, int]):
    """The normal form of a hand's hidden numbers, with the hand cut into runs of numbers that are alike.

    The keys are sets of hidden numbers. Their normal form lies at the low end of each run; it is 0 if all are in one
    run.
    """

    __slots__ = ("_runs", "_shift")

    def __init__(self, runs: list[tuple[int, int]], shift: int) -> None:
        super().__init__()
        self._runs, self._shift = runs, shift

    def __missing__(self, hidden: int) -> int:
        form = parts = 0
        for run, start in self._runs:
            if part := run & hidden:
                form |= ((1 << part.bit_count()) - 1) << start
                parts += 1
        self[hidden] = form << self._shift if parts > 1 else 0
        return self[hidden]

    def parts(self, numbers: int) -> list[int]:
        """These numbers split by run, lowest first."""
        return [part for run, _ in self._runs if (part := run & numbers)]


Form = tuple[int, _Runs, _Runs]  # the normal form of two hands, and the forms of the hidden numbers of each

_NOTHING = _Runs([], 0)
_WON, _DRAWN, _LOST = ((form, _NOTHING, _NOTHING) for form in (-1, -2, -3))
"""Forms of a finished game: hidden numbers no longer matter."""
OVER = {_WON[0]: WIN, _DRAWN[0]: DRAW, _LOST[0]: LOSS}


class Forms(dict[int, Form]):
    """The form of every pair of hands seen so far: each number becomes its rank among those of both hands."""

    def __missing__(self, hands: int) -> Form:
        mine, theirs = hands >> 7, hands & 127
        my_runs: list[tuple[int, int]] = []
        their_runs: list[tuple[int, int]] = []
        before: list[tuple[int, int]] | None = None
        form = 0
        for rank, bit in enumerate(each(mine | theirs)):
            if bit & mine & theirs:
                form |= 129 << rank
                my_runs.append((bit, rank))
                their_runs.append((bit, rank))
                before = None
                continue
            runs, place = (my_runs, 128) if bit & mine else (their_runs, 1)
            form |= place << rank
            if runs is before:
                runs[-1] = runs[-1][0] | bit, runs[-1][1]
            else:
                runs.append((bit, rank))
            before = runs
        self[hands] = form, _Runs(my_runs, 14), _Runs(their_runs, 21)
        return self[hands]


class Odds:
    """The values of all positions under one rule for attackers, by normal form, for the player not to move."""

    def __init__(self, victors_stay: bool, known: Callable[[int], int]) -> None:
        self.stay, self.known, self.hands = victors_stay, known, Forms()

    def value(self, mine: Hand, theirs: Hand) -> int:
        """The value for the player to move."""
        form, my_forms, their_forms = self.hands[mine[1] << 7 | theirs[1]]
        return turned(self.known(form | my_forms[mine[0]] | their_forms[theirs[0]]))

    def strike(self, mine: Hand, theirs: Hand, number: int, targets: list[int]) -> int:
        """The value of an attack with this number on one of these, all equally likely."""
        value = 0
        for target in targets:
            form, their_forms, my_forms = self.after(number, target, mine[1], theirs[1])
            value += self.known(form | their_forms[theirs[0] & ~target] | my_forms[mine[0] & ~number])
        return value // len(targets)

    def after(self, number: int, target: int, mine: int, theirs: int) -> Form:
        """The form after an attack on a number that turns out to be `target`, with the players exchanged."""
        left = theirs & ~target if number >= target else theirs
        remaining = mine if self.stay and number > target else mine & ~number
        if not left:
            return _WON if remaining or number > target else _DRAWN
        if not remaining:
            return _LOST
        return self.hands[left << 7 | remaining]


class OddsFile:
    """The contents of a file: positions in ascending order, the index of each one's value, and the values.

    Numbers are stored as all their lowest bytes, then those above, and so on, which makes the file half as large.
    """

    def __init__(self, data: bytes) -> None:
        data = decompress(data)
        many = int.from_bytes(data[:4], "little")
        ends = 4, 4 + 4 * many, 4 + 6 * many, len(data)
        self.positions, self._places, self._values = (
            _numbers(code, data[start:end]) for code, start, end in zip("IHq", ends, ends[1:], strict=False)
        )

    def value(self, position: int) -> int:
        """The value of a position, in the file or over."""
        if position < 0:
            return OVER[position]
        at = bisect_left(self.positions, position)
        if self.positions[at : at + 1] != array("I", [position]):
            raise KeyError(position)
        return self._values[self._places[at]]


def _numbers(code: str, data: bytes) -> array[int]:
    numbers = array(code)
    width, count = numbers.itemsize, len(data) // numbers.itemsize
    mixed = bytearray(len(data))
    for byte in range(width):
        mixed[byte::width] = data[byte * count : (byte + 1) * count]
    numbers.frombytes(mixed)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def odds_path(victors_stay: bool) -> Path:
    """The file with the odds under this rule."""
    return Path(__file__).with_name("stay.odds" if victors_stay else "go.odds")


@cache
def odds(victors_stay: bool) -> Odds:
    """All odds under this rule; less than 1 MB."""
    return Odds(victors_stay, OddsFile(odds_path(victors_stay).read_bytes()).value)
