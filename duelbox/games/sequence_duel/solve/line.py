"""The stretches of unclaimed numbers in a Sequence Duel, and which of them can answer each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

from duelbox.games.sequence_duel.solve.snort import FRONT, HALF, HOME, OPEN, Run, cells, flipped, halves, run
from duelbox.games.sequence_duel.solve.turn_count import sorted_out

Numbers = tuple[int, ...]
MatchedNumbers = tuple[Numbers, Numbers]  # numbers, and the numbers that answer them, in the same order

_ENDS = {HALF: (0, 1), HOME: (1, 1), FRONT: (1, -1), OPEN: (0, 0)}


@dataclass(frozen=True)
class Stretch:
    """A run with its numbers, in the order of its cells."""

    run: Run
    numbers: Numbers

    @property
    def ends(self) -> tuple[int, int]:
        """The owners of the numbers at both ends: 1 for Left, -1 for Right, 0 for nobody."""
        first, last = _ENDS[abs(self.run) & 3]
        return (first, last) if self.run > 0 else (-first, -last)

    def turned(self) -> Stretch:
        """The same stretch with the players exchanged."""
        return Stretch(flipped(self.run), self.numbers[::-1] if self.ends == (1, -1) else self.numbers)

    def cut(self, cell: int) -> tuple[Stretch, Stretch]:
        """The stretches on both sides of Left's claim."""
        first, last = halves(self.run, cell)
        before, after = self.numbers[: cell - 1], self.numbers[cell:]
        # The cells of a run between both players count from Left's end, those of a run at an end of the line from that
        # end.
        if first & 3 == FRONT:
            before = before[::-1]
        if last & 3 == HALF:
            after = after[::-1]
        return Stretch(first, before), Stretch(last, after)


@dataclass(frozen=True)
class Stretches:
    """All unclaimed numbers as Left sees them; Left is to move unless stated otherwise."""

    stretches: tuple[Stretch, ...]
    ring: bool
    size: int = 0
    """The number of all numbers, claimed ones included."""

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The runs of the stretches."""
        return tuple(stretch.run for stretch in self.stretches)

    @cached_property
    def choices(self) -> Numbers:
        """The numbers that Left may claim, ascending."""
        return tuple(sorted(one.numbers[cell - 1] for one in self.stretches for cell in cells(one.run)))

    @cached_property
    def private(self) -> Numbers:
        """The numbers that only Left can ever claim, ascending."""
        return tuple(sorted(n for one in self.stretches if sorted_out((one.run,))[0] for n in one.numbers))

    @cached_property
    def contested(self) -> Numbers:
        """The numbers in stretches where both can claim, ascending."""
        return tuple(sorted(n for one in self.stretches if sorted_out((one.run,))[2] for n in one.numbers))

    @property
    def untouched(self) -> bool:
        """True if nothing is claimed yet."""
        return self.runs[0] > 0 and self.runs[0] & 3 == OPEN

    def turned(self) -> Stretches:
        """The same line with the players exchanged."""
        return Stretches(tuple(stretch.turned() for stretch in self.stretches), self.ring, self.size)

    def after(self, number: int) -> Stretches:
        """The line after Left's claim of a number."""
        at = next(at for at, stretch in enumerate(self.stretches) if number in stretch.numbers)
        stretch = self.stretches[at]
        cell = stretch.numbers.index(number) + 1
        if self.ring and self.untouched:
            rest = stretch.numbers[cell:] + stretch.numbers[: cell - 1]
            return Stretches((Stretch(run(HOME, len(rest)), rest),), self.ring, self.size)
        return Stretches((*self.stretches[:at], *stretch.cut(cell), *self.stretches[at + 1 :]), self.ring, self.size)

    def copied(self) -> list[MatchedNumbers] | None:
        """The matches by which Right, with at least as many private numbers, can answer every claim of Left's; None if
        there are none."""
        half = len(self.choices) // 2
        if self.untouched and self.ring and len(self.choices) == 2 * half:
            return [(self.choices[:half], self.choices[half:])]
        turned = self.turned()
        return turned._matches() if len(turned.private) >= len(self.private) else None

    def _matches(self) -> list[MatchedNumbers] | None:
        """The contested stretches in pairs, by which Left can answer every claim of Right's; None if they do not
        match."""
        return _matched([stretch for stretch in self.stretches if sorted_out((stretch.run,))[2]])


def line_of(size: int, ring: bool, owner: Mapping[int, int]) -> Stretches:
    """The line with these numbers claimed: 1 stands for Left, -1 for Right."""
    return Stretches(tuple(_stretches(size, ring, owner)), ring, size)


def _stretches(size: int, ring: bool, owner: Mapping[int, int]) -> Iterator[Stretch]:
    if not owner:
        yield Stretch(run(OPEN, size), tuple(range(1, size + 1)))
        return
    claimed = sorted(owner)
    first, last = claimed[0], claimed[-1]
    before, after = tuple(range(1, first)), tuple(range(last + 1, size + 1))
    if ring:
        yield _stretch(after + before, owner[last], owner[first])
    else:
        yield _stretch(before, 0, owner[first])
        yield _stretch(after, owner[last], 0)
    for low, high in pairwise(claimed):
        yield _stretch(tuple(range(low + 1, high)), owner[low], owner[high])


def _stretch(numbers: Numbers, before: int, after: int) -> Stretch:
    if before and after:
        if before == after:
            return Stretch(run(HOME, len(numbers), before), numbers)
        return Stretch(run(FRONT, len(numbers)), numbers if before == 1 else numbers[::-1])
    return Stretch(run(HALF, len(numbers), before or after), numbers[::-1] if before else numbers)


def _matched(stretches: Sequence[Stretch]) -> list[MatchedNumbers] | None:
    if not stretches:
        return []
    first, *others = stretches
    for at, other in enumerate(others):
        match = _match(first, other)
        if match is not None:
            rest = _matched(others[:at] + others[at + 1 :])
            if rest is not None:
                return [match, *rest]
    return None


def _match(one: Stretch, other: Stretch) -> MatchedNumbers | None:
    """The match by which Left can answer Right's claims in either of two stretches in the other one, if there is one.

    Matched numbers always belong to different players, so the answer is next to none of Right's. At the ends of the
    stretches, a number of Right's must face one of Left's, and a free end must not face one of Right's.
    """
    if abs(len(one.numbers) - len(other.numbers)) > 2:
        return None
    for (a, a_ends), (b, b_ends) in product(_ways_to_see(one), _ways_to_see(other)):
        if len(a) == len(b) and a_ends[0] + b_ends[0] >= 0 and a_ends[1] + b_ends[1] >= 0:
            return a, b
    return None


def _ways_to_see(stretch: Stretch) -> Iterator[tuple[Numbers, tuple[int, int]]]:
    """A stretch in both directions, with and without the ends that only Left can claim, as those may stay unclaimed."""
    numbers, (first, last) = stretch.numbers, stretch.ends
    for skip_first, skip_last in product((0, 1), repeat=2):
        if (skip_first and first != 1) or (skip_last and last != 1):
            continue
        cut = numbers[skip_first : len(numbers) - skip_last]
        ends = (0 if skip_first else first, 0 if skip_last else last)
        yield cut, ends
        yield cut[::-1], (ends[1], ends[0])
