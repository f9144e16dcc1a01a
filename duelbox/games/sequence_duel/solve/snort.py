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
are the same as simpler ones, or come to a whole number when there are two of them. What is left are ties about the last
small move, which no bound on single runs can see: for all moves after a first claim at the end of a line of 40 some
9,000 sums, of 48 50,000, of 60 340,000, or 1.2 times as many with every number. A verdict alone needs a small part of
them, and none where a single number of a line is claimed (`_after_one_claim`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

HALF, HOME, FRONT, OPEN = range(4)
"""Kinds of runs: from the end of the line to an owner's number, between two numbers of one owner, between one of
each player's, and the whole line with nothing claimed."""

LONGEST = 60  # the longest line

MOST_KNOWN = 400_000  # sums remembered before the memory starts afresh: about 70 MB

_ONE = 1 << 20
_TWO = 2 * _ONE
_UNKNOWN = (-99, 99)
_RANK = (1, 2, 0)
_ZEROS = (0,) * 99

Run = int
"""4 * length + kind; negative where the owner is Right. The numbers of a HALF run count from the end of the line."""

Sum = tuple[Run, ...]
Likely = tuple[int, int, int, Sum]
"""How promising a move is (less is better), which run it cuts, and (for the other player) what it adds: 16 times the
surplus, plus the stars (runs between both players of two numbers), and the new runs."""

Move = tuple[int, int, int, int, int, Sum]
"""What a claim adds to mean and walls, the widest new run, and the last two of `Likely`."""


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


_BEST = {
    HOME: "c c c c c c c c cg ce ch cg c ch",
    FRONT: "c c cd ce ch cg chj cfhk cj cfhkm cfhkn cfhmo cfhkmnp cefghjknoq",
}
"""For runs of 5 to 18 numbers the cells that matter, as letters: what any other leaves is worth no more than what one
of these leaves. The tests work out the values."""


def worthwhile(one: Run) -> Sequence[int]:
    """Of `claims` those that can be needed to win, as far as that is worked out."""
    length, kind = abs(one) >> 2, abs(one) & 3
    if one < 0 or kind not in _BEST or not 5 <= length <= 18:
        return claims(one)
    return [ord(letter) - 96 for letter in _BEST[kind].split()[length - 5]]


def _same() -> dict[Run, tuple[int, Sum]]:
    """Runs that are worth no more and no less than a surplus and other runs."""
    half4, home4 = run(HALF, 4), run(HOME, 4)
    front2, front3, front4 = run(FRONT, 2), run(FRONT, 3), run(FRONT, 4)
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
    same.update({run(HALF, n, -1): (-1, (run(HALF, n),)) for n in (2, 3)})
    same.update({-half4: (-2, (front2, half4)), -home4: (-3, (front2, home4))})
    return same


SAME = _same()
_STAR = run(FRONT, 2)
_TWICE = {run(HALF, 2): 16, run(HALF, 3): 16, run(HALF, 4): 33, run(HOME, 4): 49}
"""Runs that are worth a surplus, and maybe a `_STAR`, when there are two of them: 16 times the surplus, plus stars."""
_TURNED = {one: 2 * (twice & 1) - twice for one, twice in _TWICE.items()}
"""So much less they are worth themselves with the players changed over: the stars cancel each other."""


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
_WIDTH = {one: left - right for one, (_, left, right) in HEAT.items()}
_FLIPPED = {one: one if one in _TWICE else flipped(one) for one in HEAT}
_ENDS = {one: (abs(one) >> 2, _RANK[one & 3] if one > 0 else -_RANK[-one & 3]) for one in HEAT}
"""Length and ends, as `_answered` looks at them."""

_known: dict[Sum, tuple[int, int]] = {}  # with so much surplus a sum is known to be lost, and with so much to be won
_shared: dict[tuple[int, int], tuple[int, int]] = {}
_moves: dict[Run, list[Move]] = {}


def forget() -> None:
    """Drop all that has been worked out so far."""
    _known.clear()
    _moves.clear()


def reduced(runs: Iterable[Run]) -> tuple[int, list[Run]]:
    """A sum in simplest form: the surplus in it, and the runs that do not cancel."""
    surplus = 0
    left: list[Run] = []
    todo = list(runs)
    for one in todo:
        if one in SAME:
            plus, simpler = SAME[one]
            surplus += plus
            todo += simpler
            continue
        twice = _TWICE.get(one, 0)
        anti = one if twice else flipped(one)
        if anti in left:
            left.remove(anti)
            surplus += twice >> 4
            if twice & 1:
                todo.append(_STAR)
        else:
            left.append(one)
    return surplus, left


def mean(runs: Iterable[Run]) -> int:
    """What a sum is worth to Left in the long run, in units of its own."""
    surplus, left = reduced(runs)
    return surplus * _ONE + sum(HEAT[one][0] for one in left)


def _moves_of(one: Run) -> list[Move]:
    """Left's moves in a run, the greatest gain first."""
    if one not in _moves:
        found = {_move(one, cell): None for cell in worthwhile(one)}
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
    plus = (against - surplus << 4) - _TURNED.get(one, 0)
    return mean, left, right, widest, plus, tuple(turned)


class Search:
    """Answers who wins; what it finds out is remembered for later searches."""

    def __init__(self, check: Callable[[], None]) -> None:
        self.check = check
        """Looks whether to go on."""
        self.nodes = 0

    def wins(self, surplus: int, runs: Iterable[Run]) -> bool:
        """Whether Left, moving first, wins with so many private numbers more than Right, and these runs."""
        both = tuple(runs)
        if not surplus and len(both) == 2 and _after_one_claim(*both):
            return abs(both[0] - both[1]) == 8
        return self.searched(surplus, both)

    def searched(self, surplus: int, runs: Iterable[Run]) -> bool:
        """The same, with no use of what is known of lines."""
        plus, left = reduced(runs)
        return self._wins(surplus + plus, tuple(sorted(left)))

    def _wins(self, surplus: int, runs: Sum) -> bool:
        if not runs:
            return surplus > 0
        lost, won = _known.get(runs, _UNKNOWN)
        if surplus >= won:
            return True
        if surplus <= lost:
            return False
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
        wins = self._tried(surplus, runs, mean, left, right)
        lost, won = _known.get(runs, _UNKNOWN)
        bounds = (lost, surplus) if wins else (surplus, won)
        _known[runs] = _shared.setdefault(bounds, bounds)
        return wins

    def _tried(self, surplus: int, runs: Sum, mean: int, left: int, right: int) -> bool:
        """Whether some move wins; those that heat or memory decide are looked at before the others."""
        self.spend()
        likely = _likely(runs, mean, left, right)
        if likely is None:
            return True
        turned = list(map(_FLIPPED.__getitem__, runs))
        shift = sum(map(_TURNED.get, runs, _ZEROS)) - (surplus << 4)
        open_sums: list[tuple[int, Sum]] = []
        for _, at, plus, new in likely:
            rest = turned.copy()
            del rest[at]
            plus += shift
            for one in new:
                anti = _FLIPPED[one]
                if anti in rest:
                    rest.remove(anti)
                    if anti == one:
                        plus += _TWICE.get(one, 0)
                else:
                    rest.append(one)
            if plus & 1:
                rest.remove(_STAR) if _STAR in rest else rest.append(_STAR)
            rest.sort()
            after = tuple(rest)
            plus >>= 4
            if not rest:
                if plus <= 0:
                    return True
                continue
            lost, won = _known.get(after, _UNKNOWN)
            if plus <= lost:
                return True
            if plus < won:
                if plus <= 0 and len(rest) == 2 and _answered(*rest):
                    return True
                open_sums.append((plus, after))
        return any(not self._wins(plus, after) for plus, after in open_sums)

    def spend(self) -> None:
        """Count a step, and now and then look whether to go on, and whether the memory is full."""
        self.nodes += 1
        if self.nodes & 15 == 0:
            self.check()
            if len(_known) > MOST_KNOWN:
                _known.clear()


def _after_one_claim(one: Run, other: Run) -> bool:
    """Whether these are both ends of a line of 18 to 61 numbers where Right has claimed one, but not at an end.

    Such a claim wins, as the tests find line by line, but for one: next to the middle, where that is a single number.
    """
    owned = one < 0 and other < 0 and not one & 3 and not other & 3
    return owned and min(-one, -other) >= 8 and 17 * 4 <= -one - other <= LONGEST * 4


def _answered(one: Run, other: Run) -> bool:
    """Whether Right can answer each claim of Left's with the same claim in the other run.

    A run is worth the more to Left the more of its ends are next to Left's numbers and the fewer next to Right's, and
    with that turned round it is cancelled; so two runs of one length suit Right if Right has as many such ends as Left.
    """
    length, ends = _ENDS[one]
    same, others = _ENDS[other]
    return length == same and ends + others <= 0


def _likely(runs: Sum, mean: int, left: int, right: int) -> list[Likely] | None:
    """Left's moves that heat does not show to lose, the best first; None if it shows one to win."""
    widths = list(map(_WIDTH.__getitem__, runs))
    widest = max(widths)
    second = sorted(widths)[-2] if len(widths) > 1 else 0
    found: list[Likely] = []
    previous = 0
    for at, one in enumerate(runs):
        if one == previous:
            continue
        previous = one
        others = second if widths[at] == widest else widest
        for gain, to_left, to_right, wide, plus, new in _moves.get(one) or _moves_of(one):
            after = mean + gain
            if after < 0:
                break
            after_left = left + to_left
            if after_left < others or after_left < wide:
                continue
            after_right = right + to_right
            if after > _TWO or after_right > _ONE:
                return None
            found.append((-after, at, plus, new))
    found.sort()
    return found
