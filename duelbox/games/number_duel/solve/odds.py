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
subsets and each may be hidden in more ways: from the start some 7 ms with 5, 40 ms with 6 and 0.4 s with 7, all moves
hardly more; and next to nothing for a position met before. There is little to cut off: nine in ten normal forms are
games of their own, and a search that knew the best moves and every certain win beforehand would still have to look at
some 6,000 of them to be sure of the chances with 7, at 7 µs each 40 ms. Leaving out attacks that are never the best
(stronger numbers than it takes, waste where something is hidden) saves one position in twelve, and no time.

So the thousand positions with `MANY` numbers left are kept in a file, which leaves few others to look at from any
position. `python -m tests.games.number_duel.kept_odds` works them out and writes it; the tests compare.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from math import factorial
from pathlib import Path
from types import MappingProxyType

CERTAIN = factorial(7) ** 2
"""A multiple of every denominator: seven hidden numbers on each side are revealed one by one."""
_LOW = 1 << 25
WIN, DRAW, LOSS = CERTAIN * _LOW, -CERTAIN, -CERTAIN * _LOW
"""A value is (wins - losses) * 2^25 - draws, in `CERTAIN`ths; so a greater one is better."""

MANY = 12
"""Numbers left in both hands, of 14 at most."""
FILE = Path(__file__).with_name("odds.json")

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


class _Runs(dict[int, int]):
    """One hand as runs of numbers that are alike, each with how far up its normal form begins.

    By what is hidden, the normal form of that: at the low end of each run; nothing when all in one run.
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
        """These numbers run by run, lowest first."""
        return [part for run, _ in self._runs if (part := run & numbers)]


Forms = tuple[int, _Runs, _Runs]
"""The normal form of two hands, and those of what is hidden in either."""

_NOTHING = _Runs([], 0)
_WON, _DRAWN, _LOST = ((form, _NOTHING, _NOTHING) for form in (-1, -2, -3))
"""Stand for a game that is over: what is still hidden matters no more."""


class _Hands(dict[int, Forms]):
    """The forms of all pairs of hands met so far: every number becomes its rank among those of both."""

    def __missing__(self, hands: int) -> Forms:
        mine, theirs = hands >> 7, hands & 127
        my_runs: list[tuple[int, int]] = []
        their_runs: list[tuple[int, int]] = []
        before: list[tuple[int, int]] | None = None
        form = 0
        for rank, bit in enumerate(bits(mine | theirs)):
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


Attackers = list[tuple[int, dict[int, Forms], int]]
"""One of each that are alike, the strongest first: what is left, by the number it meets, and what stays hidden."""

Targets = tuple[list[int], list[tuple[int, int, int]]]
"""Those known, the weakest first; those hidden, the strongest first, with how many are alike and what stays hidden."""


class _Duel:
    """Who can attack what with two hands in normal form, by what is hidden; worked out when it is first asked for."""

    __slots__ = ("after", "attackers", "targets")

    def __init__(self) -> None:
        self.attackers: dict[int, Attackers] = {}
        self.targets: dict[int, Targets] = {}
        self.after: dict[int, dict[int, Forms]] = {}
        """What attacks leave, by both numbers."""


class Odds(dict[int, int]):
    """The positions met so far under one rule for attackers: by normal form, the value to the player not to move."""

    def __init__(self, victors_stay: bool, known: Mapping[int, int] = MappingProxyType({})) -> None:
        super().__init__({_WON[0]: WIN, _DRAWN[0]: DRAW, _LOST[0]: LOSS, **known})
        self._stay = victors_stay
        self._hands = _Hands()
        self._duels: dict[int, _Duel] = defaultdict(_Duel)
        self._check: Callable[[], None] = lambda: None
        self._looked = 0

    def value(self, mine: Hand, theirs: Hand, check: Callable[[], None]) -> int:
        """The value to the player to move."""
        self._check = check
        form, my_forms, their_forms = self._hands[mine[1] << 7 | theirs[1]]
        return turned(self[form | my_forms[mine[0]] | their_forms[theirs[0]]])

    def strike(self, mine: Hand, theirs: Hand, number: int, targets: list[int], check: Callable[[], None]) -> int:
        """The value of an attack with this number on one of these, each as likely as the others."""
        self._check = check
        value = 0
        for target in targets:
            form, their_forms, my_forms = self._after(number, target, mine[1], theirs[1])
            value += self[form | their_forms[theirs[0] & ~target] | my_forms[mine[0] & ~number]]
        return value // len(targets)

    def __missing__(self, position: int) -> int:
        self._looked += 1
        if self._looked & 255 == 0:
            self._check()
        self[position] = turned(self._best(position))
        return self[position]

    def _best(self, position: int) -> int:
        """The value of a position in normal form to the player to move."""
        my_hidden, hands, their_hidden = position >> 14 & 127, position & 16383, position >> 21
        duel = self._duels[hands]
        attackers = duel.attackers.get(my_hidden) or self._attackers(duel, hands, my_hidden)
        known, unknown = duel.targets.get(their_hidden) or self._targets(duel, hands, their_hidden)
        best = LOSS - 1
        for one, after, still_mine in attackers:
            for target in known:
                form, their_forms, my_forms = after[target]
                value = self[form | their_forms[their_hidden] | my_forms[still_mine]]
                if value > best:
                    best = value
                if target > one:
                    break  # On whichever of the higher ones a number is wasted, the outcome is the same.
            if best == WIN:
                return WIN
        count = their_hidden.bit_count()
        for _, after, still_mine in attackers if unknown else ():
            # With their strongest first, most bad attacks are seen to be worse before the last outcome.
            room = (WIN - best) * count
            for target, alike, still_theirs in unknown:
                form, their_forms, my_forms = after[target]
                room -= (WIN - self[form | their_forms[still_theirs] | my_forms[still_mine]]) * alike
                if room <= 0:
                    break
            else:
                best += room // count
            if best == WIN:
                break
        return best

    def _attackers(self, duel: _Duel, hands: int, hidden: int) -> Attackers:
        mine, theirs, runs = hands >> 7, hands & 127, self._hands[hands][1]
        found = sorted([part & -part for part in runs.parts(hidden) + runs.parts(mine & ~hidden)], reverse=True)
        for one in found:
            if one not in duel.after:
                duel.after[one] = {target: self._after(one, target, mine, theirs) for target in bits(theirs)}
        duel.attackers[hidden] = [(one, duel.after[one], hidden & ~one) for one in found]
        return duel.attackers[hidden]

    def _targets(self, duel: _Duel, hands: int, hidden: int) -> Targets:
        runs = self._hands[hands][2]
        known = [part & -part for part in runs.parts(hands & 127 & ~hidden)]
        unknown = [(part & -part, part.bit_count(), hidden & ~(part & -part)) for part in runs.parts(hidden)]
        duel.targets[hidden] = known, unknown[::-1]
        return duel.targets[hidden]

    def _after(self, number: int, target: int, mine: int, theirs: int) -> Forms:
        """The forms of what an attack on a number that turns out to be this one leaves, the players changed over."""
        left = theirs & ~target if number >= target else theirs
        kept = mine if self._stay and number > target else mine & ~number
        if not left:
            return _WON if kept or number > target else _DRAWN
        if not kept:
            return _LOST
        return self._hands[left << 7 | kept]


@cache
def odds(victors_stay: bool) -> Odds:
    """What has been found out so far; at most some 110,000 positions for both rules, about 60 MB."""
    kept = json.loads(FILE.read_text("ascii"))["stay" if victors_stay else "go"]
    return Odds(victors_stay, {int(position): value for position, value in kept.items()})
