"""Who wins a digit chain: directed edge geography on the digits, on packed integers.

A pool is an integer: bit n stands for the number n, an arrow from its first digit to its last. `digit` is where the
player to move stands; ANY stands for a free pick. After a number ending in 0 nothing can be picked, or anything (wild).

Pairs cancel: taking ab together with ba, or d together with dd, out of a pool never changes who wins. Proof: who wins
without the pair plays as without it, and answers one of the pair with the other. That brings the rival back to the
digit a the pair began with, without the pair. If the rival had to begin with a before, nothing is changed. If the rival
could pick anything, every pick was lost for the rival, and those that begin with a still are. So only the `odd`
numbers are searched: those without their partner. In an odd pool, bit 11d is the one of d and dd that is left.

A search finds a proof for each position it settles: what must be there for the winner's picks, and what must not be
there for the loser to escape. The proof settles every other pool that agrees on those bits alone, however the rest
of it looks. Wild games have one more trick: a number ending in 0 hands the rival a free pick and hardly ever wins, so
what the tame game without such numbers says is tried first: in 98 of 100 won positions its pick wins, and where the
tame proof leaves no room for a 0 it is the proof.

Cost: exponential in the odd numbers, as for every edge geography known; five more make the hard positions some five
times as hard. But there are at most 36 of them between nine digits, 9 doubled and 9 tens, after random play about 20,
and proofs leave out most of the rest. In 6,000 random positions, all moves took 24 steps without tens and 97 in a wild
game in the middle case, 2,000 and 16,000 in the hundredth. Gaps named so that hardly a number has its partner can take
a million, some seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

ANY = 10
ALL = (1 << 100) - 1
TENS = sum(1 << number for number in range(10, 100, 10))
LAST = tuple(number % 10 for number in range(100))
_NO_TENS = ALL ^ TENS
_TO = {1 << number: LAST[number] for number in range(100)}
_PATTERNS = 10
"""Proofs tried on new positions, for each digit: more would settle more, and take longer than what they save."""
_OFTEN = 32
"""A search asks for so many steps at once."""
_KNOWN = 12_000
"""Positions remembered for each digit; all of them together stay below 100 MB."""

Place = tuple[int, int, int]
"""A pool, its odd numbers, and the digit where the player to move stands."""
Proof = tuple[bool, int, int, int]
"""Whether the player to move wins; the bits that matter; which of them must be set; the winning pick's bit, or 0."""


def _partner(number: int) -> int:
    first, last = divmod(number, 10)
    if not first:
        return 11 * last
    return first if first == last else 10 * last + first if last else 0


PARTNER = tuple(_partner(number) for number in range(100))
"""What answers each number: its reverse, dd for d and d for dd. Tens have 0, which is in no pool."""
_SLOT = tuple(number if number > 9 else 11 * number for number in range(100))
"""The bit of each number in an odd pool."""


def packed(numbers: Iterable[int], digit: int | None) -> Place:
    """These numbers with this digit to begin with (or any)."""
    pool = sum(1 << number for number in numbers)
    left = sum(1 << _SLOT[number] for number in bits(pool) if not pool >> PARTNER[number] & 1)
    return pool, left, ANY if digit is None else digit


def bits(pool: int) -> list[int]:
    """The numbers of a pool, ascending."""
    return [number for number in range(1, 100) if pool >> number & 1]


def reached(place: Place, number: int) -> Place:
    """Where a pick leads."""
    pool, left, _ = place
    mate = PARTNER[number]
    left ^= 1 << _SLOT[mate if pool >> mate & 1 else number]
    return pool ^ 1 << number, left, LAST[number]


def rows(wild: bool) -> tuple[int, ...]:
    """What may follow each last digit, in any pool."""
    return (ALL if wild else 0, *((1023 << 10 * digit) | 1 << digit for digit in range(1, 10)), ALL)


class Spent(Exception):
    """The steps a search may take are taken."""


class Steps:
    """What searches ask for leave to go on: a check that may stop them at any time, and steps where they are limited.

    Steps are counted, not timed: the same position is always told the same.
    """

    def __init__(self, check: Callable[[], None]) -> None:
        self.left: int | None = None
        self._check = check

    def take(self, steps: int) -> None:
        """Take so many steps; raises `Spent` where there are not as many left, or what the check raises."""
        self._check()
        if self.left is not None:
            self.left -= steps
            if self.left < 0:
                raise Spent


class Chains:
    """A search of odd pools that remembers proofs."""

    def __init__(self, wild: bool, steps: Steps) -> None:
        self._rows, self._steps, self._nodes = rows(wild), steps, 0
        self._known: list[dict[int, Proof]] = [{} for _ in self._rows]
        self._patterns: list[list[Proof]] = [[] for _ in self._rows]
        self._tame = Chains(False, steps) if wild else None
        self._lost = [0.0 for _ in self._rows]

    def wins(self, left: int, digit: int) -> bool:
        """Whether the player to move wins."""
        return self.proof(left, digit)[0]

    def proof(self, left: int, digit: int) -> Proof:
        """Who wins, and what that depends on."""
        return self._recall(left, digit) or self._prove(left, digit)

    def _recall(self, left: int, digit: int) -> Proof | None:
        if known := self._known[digit].get(left):
            return known
        patterns = self._patterns[digit]
        for at, proof in enumerate(patterns):
            if left & proof[1] == proof[2]:
                if at:
                    patterns.insert(at // 2, patterns.pop(at))
                return proof
        return None

    def _prove(self, left: int, digit: int) -> Proof:
        self._nodes += 1
        if not self._nodes % _OFTEN:
            self._steps.take(_OFTEN)
        proof = self._tame.proof(left & _NO_TENS, digit or ANY) if self._tame else None
        if proof is None or left & proof[1] != proof[2]:
            proof = self._searched(left, digit, proof[3] if proof else 0)
        known, patterns = self._known[digit], self._patterns[digit]
        if len(known) >= _KNOWN:
            known.clear()
        known[left] = proof
        patterns.insert(len(patterns) // 2, proof)
        del patterns[_PATTERNS:]
        self._lost[digit] += ((0 if proof[0] else 2) - self._lost[digit]) / 8
        return proof

    def _searched(self, left: int, digit: int, best: int) -> Proof:
        """A proof from the picks: this one, then those known, then those that leave the rival the least.

        Fewer replies are less, and so is a digit where lately the player to move often lost.
        """
        if best:
            proof = self.proof(left ^ best, _TO[best])
            if not proof[0]:
                return True, proof[1] | best, proof[2] | best, best
        rows, todo = self._rows, []
        choices = left & rows[digit]
        matter, need = rows[digit] ^ choices, 0
        while choices:
            pick = choices & -choices
            choices ^= pick
            to, rest = _TO[pick], left ^ pick
            replies = rest & rows[to]
            if not replies:
                return True, rows[to] | pick, pick, pick
            known = self._recall(rest, to)
            if known is None:
                todo.append((replies.bit_count() - self._lost[to], pick, to, rest))
            elif known[0]:
                matter |= known[1] & ~pick
                need |= known[2]
            else:
                return True, known[1] | pick, known[2] | pick, pick
        for _, pick, to, rest in sorted(todo):
            proof = self.proof(rest, to)
            if not proof[0]:
                return True, proof[1] | pick, proof[2] | pick, pick
            matter |= proof[1] & ~pick
            need |= proof[2]
        return False, matter, need, 0
