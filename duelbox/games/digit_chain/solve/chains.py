"""The winner of a digit chain: directed edge geography on digits, with pools as packed integers.

A pool is an integer: bit n stands for the number n, an arrow from its first digit to its last. `digit` is the digit
that the next number must begin with; ANY stands for a free pick. After a number ending in 0 nothing can be picked, or
anything (wild).

Pairs cancel: removing ab together with ba, or d together with dd, from a pool never changes the winner. Proof: the
player who wins without the pair plays as without it, and answers one of the pair with the other. That brings the rival
back to the digit a with which the pair began, without the pair. If the rival had to begin with a before, nothing has
changed. If the rival could pick anything, all picks were lost, and those that begin with a still are. So only the odd
numbers, those without their partner, are searched. An odd pool has a layout of its own, see `_slot`.

In a tame game, in which a 0 ends the game or does not occur, much of an odd pool can be left out (`Chains`). In a wild
game, the tame game suggests the first pick to try, or decides (`Wild`). A position with a single answer is passed
without being stored.

Cost: exponential in the odd numbers, as for all known solutions of edge geography. There are at most 36 of them between
nine digits, 9 doubled ones and 9 tens, and about 20 after random play. In 4,000 random positions, rating all moves took
6 steps without tens and 55 in a wild game in the median, 1,200 and 9,100 at the 99th percentile, 54,000 and 111,000 at
most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from duelbox.solve.bits import numbers_in

ANY = 10
ALL = (1 << 100) - 1
LAST = tuple(number % 10 for number in range(100))
_OFTEN = 32
"""The search takes leave for this many steps at a time."""
_KNOWN = 12_000
"""The most positions remembered for each digit: below 100 MB in all."""

Place = tuple[int, int, int]
"""A position: the pool, its odd numbers, and the digit that the next number begins with."""


def _partner(number: int) -> int:
    first, last = divmod(number, 10)
    if not first:
        return 11 * last
    return first if first == last else 10 * last + first if last else 0


def _slot(number: int) -> int:
    """The bit of a number in an odd pool: 11 bits for each first digit, of which the last is spare; loops like 22 come
    first."""
    first, last = divmod(number, 10)
    return 11 * first + last if first and first != last else last


PARTNER = tuple(_partner(number) for number in range(100))
"""The number that cancels each number: its reverse, or dd for d and d for dd. Tens have 0, which is in no pool."""
_BIT = tuple(1 << _slot(number) for number in range(100))


def packed(numbers: Iterable[int], digit: int | None) -> Place:
    """The position of these numbers and this digit; None stands for any digit."""
    pool = sum(1 << number for number in numbers)
    left = sum(_BIT[number] for number in numbers_in(pool) if not pool >> PARTNER[number] & 1)
    return pool, left, ANY if digit is None else digit


def reached(place: Place, number: int) -> Place:
    """The position after a pick."""
    pool, left, _ = place
    mate = PARTNER[number]
    return pool ^ 1 << number, left ^ _BIT[mate if pool >> mate & 1 else number], LAST[number]


def rows(wild: bool) -> tuple[int, ...]:
    """The bits of the numbers that may follow each last digit, picked or not."""
    return (ALL if wild else 0, *((1023 << 10 * digit) | 1 << digit for digit in range(1, 10)), ALL)


class Spent(Exception):
    """A search has used up its steps."""


class Steps:
    """Limits searches: `check` may stop them at any time, and `left` is the number of steps they may still take.

    Steps are counted, not timed, so that a position always gets the same answer.
    """

    def __init__(self, check: Callable[[], None]) -> None:
        self.left: int | None = None
        self._check = check

    def take(self, steps: int) -> None:
        """Use up steps. Raises `Spent` if too few are left, or whatever the check raises."""
        self._check()
        if self.left is not None:
            self.left -= steps
            if self.left < 0:
                raise Spent


# -- odd pools

_EVERY = sum(_BIT[10:])
_TENS, _LOOPS = sum(_BIT[10:100:10]), sum(_BIT[11:100:11])
_NO_TENS = _EVERY ^ _TENS
_ON = (0, *(1023 << 11 * digit for digit in range(1, 10)), _EVERY)
"""The numbers that begin with each digit and end in another."""
_FROM = (0, *(_ON[digit] | 1 << digit for digit in range(1, 10)), _EVERY)
"""The numbers that may follow each digit; a wild 0 counts as ANY."""
_INTO = (0, *(sum(_BIT[10 + digit : 100 : 10]) for digit in range(1, 10)), 0)
"""The numbers that end in each digit, its loop included."""
_TO = {_BIT[number]: LAST[number] or ANY for number in range(10, 100)}
_BEGINS = {_BIT[number]: number // 10 for number in range(10, 100)}
_FILL = sum(1023 << 11 * digit for digit in range(1, 10))
_FLAGS = sum(1 << 11 * digit + 10 for digit in range(1, 10))
"""Adding _FILL to a pool sets the spare bit (flag) of exactly those digits that a number leads away from."""


def _by_flags(of: Sequence[int]) -> dict[int, int]:
    """For every set of flags, the union of the entries of its digits."""
    unions = {0: 0}
    for digit in range(1, 10):
        unions |= {flags | 1 << 11 * digit + 10: all_of | of[digit] for flags, all_of in unions.items()}
    return unions


_INTO_ENDS = {_FLAGS ^ flags: numbers for flags, numbers in _by_flags(_INTO).items()}
"""The numbers, loops included, that end in a digit without a flag."""
_TOUCHED = _by_flags([_INTO[digit] | _FROM[digit] for digit in range(10)])
"""The numbers that begin with or end in a digit with a flag."""


def alone(place: Place, wild: bool) -> bool:
    """True if a number can be picked whose partner is gone."""
    _, left, digit = place
    return left & _FROM[digit or (ANY if wild else 0)] > 0


class Chains:
    """A search of the tame game on odd pools; it remembers what it found.

    Some digits stay won or lost until the end of the game, and numbers at them can be left out. A digit with no way on
    is lost for good. A digit is won for good if a number leads from it to a lost digit, or if its loop is its only way
    on: the player who must begin with it ends the game with that number, so the number stays until the end. A number
    that leads to a won digit only loses; leaving it out may make more digits lost.
    """

    def __init__(self, steps: Steps) -> None:
        self._steps, self._nodes = steps, 0
        self._known: list[dict[int, int]] = [{} for _ in range(ANY + 1)]

    def wins(self, left: int, digit: int) -> bool:
        """True if the player to move wins."""
        return bool(self.best(left, digit))

    def pick(self, left: int, digit: int) -> int:
        """A winning pick; call it only where there is one."""
        first, last = divmod(self.best(left, digit).bit_length() - 1, 11)
        return 10 * first + last if first else 11 * last

    def best(self, left: int, digit: int) -> int:
        """The bit of a winning pick; 0 if the position is lost."""
        left, best = _cleared(left, _FROM[digit])
        if best or not left & _FROM[digit]:
            return best
        known = self._known[digit].get(left)
        return self._searched(left, digit) if known is None else known

    def _searched(self, left: int, digit: int, first: int = 0) -> int:
        """The same by search; `first` is tried first, then the picks that leave the least."""
        self._count()
        known, choices = self._known, left & _FROM[digit]
        todo: list[tuple[int, int, int, int, bool]] = []
        best = 0
        while choices:
            pick = first or choices & -choices
            choices ^= pick
            rest, to, mine, won = left ^ pick, _TO[pick], False, None
            at = _BEGINS[pick]
            stuck = not rest & _ON[at]  # only then may a digit be newly won or lost
            while True:  # follow the picks as long as there is only one
                if stuck and rest & _INTO[at]:
                    rest, won = self._known_for_good(rest, to)
                    if won is not None:
                        break
                replies = rest & _FROM[to]
                if replies & replies - 1 or not replies:
                    won = known[to].get(rest) if replies else 0
                    break
                rest, to, at, mine, stuck = rest ^ replies, _TO[replies], to, not mine, True
            if won is None and first:
                # After a pick that wins the tame game, no tame pick wins.
                won = self._searched(rest, to) if not mine and to != ANY else self._sought(rest, to)
            first = 0
            if won is None:
                todo.append((rest.bit_count() + (1 if mine else replies.bit_count()), pick, rest, to, mine))
            elif bool(won) is mine:
                best = pick
                break
        else:
            for _, pick, rest, to, mine in sorted(todo):
                if bool(self._sought(rest, to)) is mine:
                    best = pick
                    break
        return self._keep(left, digit, best)

    def _sought(self, left: int, digit: int) -> int:
        """The same for a position that is not in memory."""
        return self._searched(left, digit)

    def _known_for_good(self, left: int, digit: int) -> tuple[int, int | None]:
        """The pool without digits that are settled for good, and a winning pick if these settle the game; else None."""
        left, won = _cleared(left, _FROM[digit])
        return left, won or None

    def _count(self) -> None:
        self._nodes += 1
        if not self._nodes % _OFTEN:
            self._steps.take(_OFTEN)

    def _keep(self, left: int, digit: int, best: int) -> int:
        known = self._known[digit]
        if len(known) >= _KNOWN:
            known.clear()
        known[left] = best
        return best


def _cleared(left: int, ways: int) -> tuple[int, int]:
    """A tame pool without numbers at digits that are won or lost for good, and one of `ways` that wins at once, or
    0."""
    while ends := left & (_INTO_ENDS[left + _FILL & _FLAGS] | _TENS):
        if loops := ends & _LOOPS:  # a number that leads to a digit with nothing but a loop does not end the game
            ends = loops
        if won := ends & ways:
            return left, won & -won
        if loops:
            digit = loops.bit_length() - 1
            left &= ~(_INTO[digit] | _FROM[digit])
        else:
            left &= ~_TOUCHED[ends + _FILL & _FLAGS]
    return left, 0


class Wild(Chains):
    """A search of the wild game, in which a number that ends in 0 gives the rival a free pick and hardly ever wins.

    The pick of the tame game is tried first; it wins in 98 of 100 won positions. A free pick wins for good once a
    number leads to a digit with no way on but perhaps its loop, since that number is picked only to win. From then on a
    number that ends in 0 loses, and the game is the tame one.
    """

    def __init__(self, steps: Steps) -> None:
        super().__init__(steps)
        self._tame = Chains(steps)

    def best(self, left: int, digit: int) -> int:
        """The bit of a winning pick; 0 if the position is lost."""
        digit = digit or ANY
        if (best := self._known[digit].get(left)) is not None:
            return best
        tame = self._tame.best(left & _NO_TENS, digit)
        if left & _INTO_ENDS[left + _FILL & _FLAGS] or not left & _FROM[digit]:
            return tame
        return self._searched(left, digit, tame)

    def _sought(self, left: int, digit: int) -> int:
        return self._searched(left, digit, self._tame.best(left & _NO_TENS, digit))

    def _known_for_good(self, left: int, digit: int) -> tuple[int, int | None]:
        return left, self._tame.best(left & _NO_TENS, digit)
