"""Snort on a line, as a sum of runs: who wins, by a search that heat keeps small.

Claims cut the line into runs of unclaimed numbers, and all that matters of a run is its length and what stands at its
two ends. So a position is a few small integers and a surplus of private numbers. One player is called Left, for whom
more is better, the other Right, as in the books on such games (there the game is Snort on a path).

Heat. Where every claim costs so many numbers, a run has walls: what it comes to when Left begins, and when Right does.
With growing cost they meet in its mean; on a line that happens at two numbers or before, and walls and means repeat
every six lengths (`_heat`; the tests prove these formulas for all runs up to 60 numbers, by induction). Means and walls
of a sum are bounded by those of its runs, which settles most sums: Left, to move, wins when ahead on average, and
loses when more than two behind; likewise when the right walls at a cost of one, with the widest run begun, are above
zero, or the left ones below minus one.

Cost. The other sums are searched, the moves with most heat first, and remembered; opposite runs cancel, and some runs
are the same as simpler ones. What is left are ties about the last small move, which no bound on single runs can see:
for all first moves on a line of 20 some 200 sums, of 40 some 7,000, of 60 some 150,000, or 1.2 times as many with every
number. A verdict alone needs a small part of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

HALF, HOME, FRONT, OPEN = range(4)
"""Kinds of runs: from the end of the line to an owner's number, between two numbers of one owner, between one of
each player's, and the whole line with nothing claimed."""

LONGEST = 60
"""The longest line."""

MOST_KNOWN = 400_000
"""Sums remembered before the memory starts afresh: about 70 MB."""

_ONE = 1 << 20
_TWO = 2 * _ONE
_NEVER = 99
_RANK = (1, 2, 0)

Run = int
"""4 * length + kind; negative where the owner is Right. The numbers of a HALF run count from the end of the line."""

Sum = tuple[Run, ...]
Likely = tuple[int, int, int, tuple[tuple[Run, Run], ...]]
"""How promising a move is, which run it cuts, and (for the other player) the surplus and the new runs."""

Move = tuple[int, int, int, int, int, tuple[tuple[Run, Run], ...]]
"""What a claim adds to mean and walls, the widest new run, and (for the other player) the surplus and the new runs."""


def run(kind: int, length: int, owner: int = 1) -> Run:
    """The code of a run; owner is 1 for Left, -1 for Right, and of no account between the two players."""
    return owner * (4 * length + kind) if kind < FRONT else 4 * length + kind


def flipped(one: Run) -> Run:
    """The same run with the players changed over, which is also the run that cancels it."""
    return one if one > 0 and one & 3 >= FRONT else -one


def cells(one: Run) -> Sequence[int]:
    """Where Left may claim in a run, counted from 1."""
    length, kind = abs(one) >> 2, abs(one) & 3
    if kind == FRONT:
        return range(1, length)
    if one > 0:
        return range(1, length + 1)
    return range(1, length) if kind == HALF else range(2, length)


def claims(one: Run) -> Sequence[int]:
    """The cells that are worth Left's while.

    The third number from one's own is at least as good as the two before it, and the second from the end of the line
    as the first: what is skipped becomes private, and the rival may do no more than before.
    """
    choices, length, kind = cells(one), abs(one) >> 2, abs(one) & 3
    skip_first = 1 if kind in (HALF, OPEN) else 2 if one > 0 else 0
    skip_last = 1 if kind == OPEN else 2 if one > 0 and kind != FRONT else 0
    first = min(1 + skip_first, choices[-1]) if choices else 1
    kept = [cell for cell in choices if first <= cell <= length - skip_last]
    return kept or choices[len(choices) // 2 :][:1]


def halves(one: Run, cell: int) -> tuple[Run, Run]:
    """What is left of a run on both sides of Left's claim."""
    length, kind = abs(one) >> 2, abs(one) & 3
    before, after = cell - 1, length - cell
    if kind == OPEN:
        return run(HALF, before), run(HALF, after)
    if kind == FRONT:
        return run(HOME, before), run(FRONT, after)
    if one > 0:
        return run(kind, before), run(HOME, after)
    return run(HALF, before) if kind == HALF else run(FRONT, before), run(FRONT, after)


def _same() -> dict[Run, tuple[int, Sum]]:
    """Runs that are worth no more and no less than a surplus and simpler runs."""
    front2, front3, front4, home4 = run(FRONT, 2), run(FRONT, 3), run(FRONT, 4), run(HOME, 4)
    same: dict[Run, tuple[int, Sum]] = {
        run(HALF, 0): (0, ()),
        run(HALF, 1): (1, ()),
        run(HOME, 0): (0, ()),
        run(HOME, 1): (1, ()),
        run(HOME, 2): (2, ()),
        run(HOME, 3): (1, (front3,)),
        run(HOME, 6): (0, (front3, home4)),
    }
    same.update({-one: (-plus, tuple(map(flipped, runs))) for one, (plus, runs) in same.items()})
    same.update({run(FRONT, 0): (0, ()), run(FRONT, 1): (0, ())})
    same.update({run(FRONT, 5): (0, (front2, front4)), run(FRONT, 6): (0, (front3, front4))})
    return same


SAME = _same()


def _heat(kind: int, length: int) -> tuple[int, int, int]:
    """Mean and walls (where a claim costs one) of Left's run, in units of `_ONE`."""
    third, half = length // 3, _ONE // 2
    if kind == FRONT:
        wall = _ONE if length % 6 in (0, 4, 5) else 0
        return 0, wall, -wall
    if kind == HOME:
        if length == 3:
            return _ONE, _ONE, _ONE
        short = (_TWO >> third, _ONE >> third, 0)[length % 3]
        left, right = ((2, 1), (2, 1), (2, 2), (2, 1), (2, 1), (3, 1))[length % 6]
        return _TWO - short, left * _ONE, right * _ONE
    if length in (2, 3):
        return (half, half, half) if length == 2 else (half, _ONE, 0)
    mean = _ONE - (_ONE >> third + 1) if length % 3 == 2 else _ONE
    left, right = ((2, 1), (2, 2), (2, 1), (3, 0), (4, 0), (3, 0))[length % 6]
    return mean, left * half, right * half


def _heats() -> dict[Run, tuple[int, int, int]]:
    table = {run(kind, n): _heat(kind, n) for kind in (HALF, HOME, FRONT) for n in range(2, LONGEST + 1)}
    table.update({-one: (-mean, -right, -left) for one, (mean, left, right) in table.items() if one & 3 != FRONT})
    return table


HEAT = _heats()

_won: dict[Sum, int] = {}
_lost: dict[Sum, int] = {}
_moves: dict[Run, list[Move]] = {}


def forget() -> None:
    """Drop all that has been worked out so far."""
    for known in (_won, _lost, _moves):
        known.clear()


def reduced(runs: Iterable[Run]) -> tuple[int, list[Run]]:
    """A sum in simplest form: the surplus in it, and the runs that do not cancel."""
    surplus = 0
    left: list[Run] = []
    for one in runs:
        plus, simpler = SAME.get(one) or (0, (one,))
        surplus += plus
        for each in simpler:
            anti = flipped(each)
            if anti in left:
                left.remove(anti)
            else:
                left.append(each)
    return surplus, left


def mean(runs: Iterable[Run]) -> int:
    """What a sum is worth to Left in the long run, in units of its own."""
    surplus, left = reduced(runs)
    return surplus * _ONE + sum(HEAT[one][0] for one in left)


def _moves_of(one: Run) -> list[Move]:
    """Left's moves in a run, the greatest gain first."""
    if one not in _moves:
        found = {_move(one, cell): None for cell in claims(one)}
        _moves[one] = sorted(found, key=lambda move: -move[0])
    return _moves[one]


def _move(one: Run, cell: int) -> Move:
    surplus, runs = reduced(halves(one, cell))
    mean, left, right = (surplus * _ONE - heat for heat in HEAT[one])
    widest = 0
    for part in runs:
        more, to_left, to_right = HEAT[part]
        mean, left, right = mean + more, left + to_left, right + to_right
        widest = max(widest, to_left - to_right)
    against, turned = reduced(map(flipped, sorted(runs)))
    return mean, left, right, widest, against - surplus, tuple((part, flipped(part)) for part in turned)


class Search:
    """Answers who wins; what it finds out is remembered for later searches."""

    def __init__(self, check: Callable[[], None]) -> None:
        self.check = check
        """Looks whether to go on."""
        self.nodes = 0

    def wins(self, surplus: int, runs: Iterable[Run]) -> bool:
        """Whether Left, moving first, wins with so many private numbers more than Right, and these runs."""
        plus, left = reduced(runs)
        return self._wins(surplus + plus, tuple(sorted(left)))

    def _wins(self, surplus: int, runs: Sum) -> bool:
        if not runs:
            return surplus > 0
        mean = left = right = surplus * _ONE
        widest = 0
        for one in runs:
            more, to_left, to_right = HEAT[one]
            mean, left, right = mean + more, left + to_left, right + to_right
            if to_left - to_right > widest:
                widest = to_left - to_right
        if mean > 0 or right + widest > 0:
            return True
        if mean < -_TWO or left < -_ONE:
            return False
        if surplus >= _won.get(runs, _NEVER):
            return True
        if surplus <= _lost.get(runs, -_NEVER):
            return False
        won = self._tried(surplus, runs, mean, left, right)
        (_won if won else _lost)[runs] = surplus
        return won

    def _tried(self, surplus: int, runs: Sum, mean: int, left: int, right: int) -> bool:
        """Whether some move wins; those that heat or memory decide are looked at before the others."""
        self.spend()
        likely = _likely(runs, mean, left, right)
        if likely is None:
            return True
        turned = [flipped(one) for one in runs]
        open_sums: list[tuple[int, Sum]] = []
        for _, at, against, new in likely:
            rest = turned.copy()
            del rest[at]
            for one, anti in new:
                if anti in rest:
                    rest.remove(anti)
                else:
                    rest.append(one)
            rest.sort()
            after, plus = tuple(rest), against - surplus
            if not rest:
                if plus <= 0:
                    return True
            elif plus <= _lost.get(after, -_NEVER):
                return True
            elif plus < _won.get(after, _NEVER):
                if plus <= 0 and _answered(after):
                    return True
                open_sums.append((plus, after))
        return any(not self._wins(plus, after) for plus, after in open_sums)

    def spend(self) -> None:
        """Count a step, and now and then look whether to go on, and whether the memory is full."""
        self.nodes += 1
        if self.nodes & 255 == 0:
            self.check()
            if len(_won) + len(_lost) > MOST_KNOWN:
                _won.clear()
                _lost.clear()


def _answered(runs: Sum) -> bool:
    """Whether Right can answer each claim of Left's with the same claim in another run of the same length.

    A run is worth the more to Left the more of its ends are next to Left's numbers and the fewer next to Right's, and
    with that turned round it is cancelled; so two runs of one length suit Right if Right has as many such ends as Left.
    """
    if len(runs) & 1:
        return False
    ranked = sorted([(abs(one) >> 2, _RANK[one & 3] if one > 0 else -_RANK[-one & 3]) for one in runs])
    return all(a == b and x + y <= 0 for (a, x), (b, y) in zip(ranked[::2], ranked[1::2], strict=True))


def _likely(runs: Sum, mean: int, left: int, right: int) -> list[Likely] | None:
    """Left's moves that heat does not show to lose, the best first; None if it shows one to win."""
    widths = [HEAT[one][1] - HEAT[one][2] for one in runs]
    found: list[Likely] = []
    previous = 0
    for at, one in enumerate(runs):
        if one == previous:
            continue
        previous = one
        others = max(widths[:at] + widths[at + 1 :], default=0)
        for gain, to_left, to_right, widest, against, new in _moves.get(one) or _moves_of(one):
            after = mean + gain
            if after < 0:
                break
            after_left, after_right = left + to_left, right + to_right
            if after_left < (widest if widest > others else others):
                continue
            if after > _TWO or after_right > _ONE:
                return None
            found.append((after + after_right + after_left, at, against, new))
    found.sort(key=lambda move: -move[0])
    return found
