"""The exact chances of a Number Duel, from what both players know.

A hand is dealt at random, or put in order in secret, so whatever is still hidden is equally likely to stand at any
hidden position. A player's own order is of no use to them, as long as the other attacks hidden positions at random. So
the public facts and the turn make a game of chance with nothing secret: which numbers each player has left, and which
of them are hidden. It is solved from the end, and every position once met is kept.

Only comparisons between the two hands matter, so positions are brought to a normal form first: numbers of one hand with
none of the other between them are alike, and what is hidden is as good as known where only one number, or only numbers
that are alike, can be there. From a full hand of 7 that leaves some 50,000 positions of 4.8 million.

Chances are whole numbers of `CERTAIN`ths. Both players maximise their chance of a win plus half that of a draw, and
between equal chances both prefer the one with fewer draws. A value holds both: wins less losses, then draws.

Cost: every number more in the hand multiplies the positions, and the time, by seven to ten, since a hand has more
subsets and each may be hidden in more ways: from the start some 8 ms with 5, 60 ms with 6 and 0.6 s with 7, all moves
hardly more; and next to nothing for a position met before.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import factorial

CERTAIN = factorial(7) ** 2
"""A multiple of every denominator: seven hidden numbers on each side are revealed one by one."""
_LOW = 1 << 25
WIN, DRAW, LOSS = CERTAIN * _LOW, -CERTAIN, -CERTAIN * _LOW
"""A value is (wins - losses) * 2^25 - draws, in `CERTAIN`ths; so a greater one is better."""

Hand = tuple[int, int]
"""The hidden numbers of a hand, and all of them, as bits: 1 for the number 1, 2 for 2, 4 for 3."""


def chances(value: int) -> tuple[Fraction, Fraction]:
    """The chances of a win and of a draw."""
    draws = -value % _LOW
    surplus = (value + draws) // _LOW
    return Fraction(CERTAIN - draws + surplus, 2 * CERTAIN), Fraction(draws, CERTAIN)


def turned(value: int) -> int:
    """The same for the other player."""
    return -value - 2 * (-value % _LOW)


def bits(numbers: int) -> list[int]:
    """The numbers of a hand one by one, lowest first, each as its bit."""
    return [1 << place for place in range(numbers.bit_length()) if numbers >> place & 1]


Runs = list[tuple[int, int]]
"""Numbers of one hand that are alike, and how far up their normal form begins."""


class _Hidden(dict[int, int]):
    """The normal form of what is hidden, by what it is: at the low end of each run; nothing when all in one run."""

    __slots__ = ("_runs", "_shift")

    def __init__(self, runs: Runs, shift: int) -> None:
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


class _Shape:
    """How two hands interlock: their runs, their normal form, and those of what is hidden."""

    __slots__ = ("forms", "mine", "theirs")

    def __init__(self, mine: int, theirs: int) -> None:
        self.mine: Runs = []
        self.theirs: Runs = []
        form = start = 0
        for run in _runs(mine, theirs):
            count = run.bit_count()
            moved = ((1 << count) - 1) << start
            if run & mine:
                self.mine.append((run, start))
                form |= moved << 7
            if run & theirs:
                self.theirs.append((run, start))
                form |= moved
            start += count
        self.forms = form, _Hidden(self.mine, 14), _Hidden(self.theirs, 21)


def _runs(mine: int, theirs: int) -> list[int]:
    runs: list[int] = []
    before = (True, True)
    for bit in bits(mine | theirs):
        whose = bool(bit & mine), bool(bit & theirs)
        if whose == before and not all(whose):
            runs[-1] |= bit
        else:
            runs.append(bit)
        before = whose
    return runs


class _Shapes(dict[int, _Shape]):
    """The shapes of all pairs of hands met so far."""

    def __missing__(self, hands: int) -> _Shape:
        shape = self[hands] = _Shape(hands >> 7, hands & 127)
        return shape


class Odds(dict[int, int]):
    """The positions met so far under one rule for attackers: by normal form, the value to the player not to move."""

    def __init__(self, victors_stay: bool) -> None:
        super().__init__()
        self._stay = victors_stay
        self._shapes = _Shapes()
        self._check: Callable[[], None] = lambda: None

    def value(self, mine: Hand, theirs: Hand, check: Callable[[], None]) -> int:
        """The value to the player to move."""
        self._check = check
        form, my_forms, their_forms = self._shapes[mine[1] << 7 | theirs[1]].forms
        return turned(self[form | my_forms[mine[0]] | their_forms[theirs[0]]])

    def strike(self, mine: Hand, theirs: Hand, number: int, targets: list[int], check: Callable[[], None]) -> int:
        """The value of an attack with this number on one of these, each as likely as the others."""
        self._check = check
        return sum(self._after(number, target, *mine, *theirs) for target in targets) // len(targets)

    def __missing__(self, form: int) -> int:
        if len(self) & 255 == 0:
            self._check()
        self[form] = turned(self._best(form))
        return self[form]

    def _best(self, form: int) -> int:
        """The value of a position in normal form to the player to move."""
        my_hidden, mine, their_hidden, theirs = form >> 14 & 127, form >> 7 & 127, form >> 21, form & 127
        hands = my_hidden, mine, their_hidden, theirs
        shape = self._shapes[mine << 7 | theirs]
        attackers, known, unknown = [], [], []
        for run, _ in shape.mine:
            attackers += [part & -part for part in (run & my_hidden, run & ~my_hidden) if part]
        for run, _ in shape.theirs:
            known += [part & -part for part in (run & ~their_hidden,) if part]
            unknown += [(part & -part, part.bit_count()) for part in (run & their_hidden,) if part]
        best = LOSS - 1
        for one in reversed(attackers):
            for target in known:
                best = max(best, self._after(one, target, *hands))
                if target > one:
                    break  # On whichever of the higher ones a number is wasted, the outcome is the same.
            if best == WIN:
                return WIN
        unknown.reverse()
        count = their_hidden.bit_count()
        for one in reversed(attackers) if unknown else ():
            # With their strongest first, most bad attacks are seen to be worse before the last outcome.
            room = (WIN - best) * count
            for target, alike in unknown:
                room -= (WIN - self._after(one, target, *hands)) * alike
                if room <= 0:
                    break
            else:
                best += room // count
            if best == WIN:
                break
        return best

    def _after(self, number: int, target: int, my_hidden: int, mine: int, their_hidden: int, theirs: int) -> int:
        """The value of an attack on a number that turns out to be this one."""
        left = theirs & ~target if number >= target else theirs
        kept = mine if self._stay and number > target else mine & ~number
        if not left:
            return WIN if kept or number > target else DRAW
        if not kept:
            return LOSS
        form, their_forms, my_forms = self._shapes[left << 7 | kept].forms
        return self[form | their_forms[their_hidden & ~target] | my_forms[my_hidden & ~number]]


@cache
def odds(victors_stay: bool) -> Odds:
    """What has been found out so far; at most some 110,000 positions for both rules, about 30 MB."""
    return Odds(victors_stay)
