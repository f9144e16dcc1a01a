"""The winner of Snort on a line, as a sum of runs: a search that bounds by heat keep small.

Claims cut the line into runs of unclaimed numbers, and a run is described by its length and the owners of its two ends.
So a position is a few small integers and a surplus of private numbers. One player is called Left, for whom more is
better, and the other Right, as in books on such games (there the game is Snort on a path).

Heat. If every claim costs a fixed amount, a run has walls: its value when Left begins, and when Right does. With
growing cost the walls meet at its mean; on a line that happens at a cost of two or less, and walls and means repeat
every six lengths (`_heat`; the tests prove these formulas for all runs up to 60 numbers, by induction). Means and walls
of a sum are bounded by those of its runs, which settles most sums: Left, to move, wins if ahead on average, and loses
if more than two behind; the same holds if the right walls at a cost of one, with the widest run begun, are above zero,
or the left ones below minus one.

Cost. The other sums are searched, the moves with most heat first, and remembered. Opposite runs cancel, and some runs
equal simpler ones, or a whole number if there are two of them. A sum is looked up by the sum of the keys of its runs
(`_keys`), and assembled only when it is searched itself; its numbers are in its mean. The rest are ties about the last
small move, which no bound on single runs can see. Bounds on parts of up to three runs (`ceiling_table`) settle most of
them: of 1,800,000 sums in 160 hard verdicts with 60 numbers they leave 97,000. The hardest verdict looks at 23,000, and
at 1.2 times as many with every further number; a line with a single claimed number needs none (`_after_one_claim`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from duelbox.games.sequence_duel.solve import ceiling_table

HALF, HOME, FRONT, OPEN = range(4)
"""Kinds of runs: from the end of the line to an owner's number, between two numbers of one owner, between one number of
each player, and the whole unclaimed line."""

LONGEST = 60  # the longest line

MOST_KNOWN = 200_000  # the memory is cleared at this many sums: about 35 MB

_ONE = 1 << 20
_TWO = 2 * _ONE
_UNKNOWN = (-99 * _ONE, 99 * _ONE)
_RANK = (1, 2, 0)

Run = int
"""4 * length + kind, negative if the owner is Right. The numbers of a HALF run count from the end of the line."""

Sum = tuple[Run, ...]
Move = tuple[int, int, Run, int, int, Sum]
"""A claim: its loss of mean and of private numbers (less is better), minus the run it cuts, its change of the sum's
keys for the other player and for this one, and the new runs for the other player."""

WalledMove = tuple[int, int, int, int, Move]
"""A move with its loss of mean, its change of the left wall, the excess of the widest new run over that, and its change
of the right wall."""

OpenMove = tuple[int, int, Move]
"""A move, with the mean and the key of the sum it leaves, for the other player."""


def run(kind: int, length: int, owner: int = 1) -> Run:
    """The code of a run. The owner is 1 for Left, -1 for Right; it is ignored between the two players."""
    return owner * (4 * length + kind) if kind < FRONT else 4 * length + kind


def flipped(one: Run) -> Run:
    """The same run with the players exchanged; it cancels the run."""
    return one if one > 0 and one & 3 >= FRONT else -one


def cells(one: Run) -> Sequence[int]:
    """The cells of a run that Left may claim, counted from 1."""
    length, kind = abs(one) >> 2, abs(one) & 3
    if kind == FRONT:
        return range(1, length)
    if one > 0:
        return range(1, length + 1)
    return range(1, length) if kind == HALF else range(2, length)


def claims(one: Run) -> Sequence[int]:
    """The cells of a run that are worth a claim of Left's.

    The third number from one's own is at least as good as the two before it, and the second from the end of the line is
    at least as good as the first: skipped numbers become private, and the rival gains nothing.
    """
    choices, length, kind = cells(one), abs(one) >> 2, abs(one) & 3
    skip_first = 1 if kind in (HALF, OPEN) else 2 if one > 0 else 0
    skip_last = 1 if kind == OPEN else 2 if one > 0 and kind != FRONT else 0
    first = min(1 + skip_first, choices[-1]) if choices else 1
    useful = [cell for cell in choices if first <= cell <= length - skip_last]
    return useful or choices[len(choices) // 2 :][:1]


def halves(one: Run, cell: int) -> tuple[Run, Run]:
    """The runs on both sides of Left's claim."""
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
    (HOME, 1): "c c c c c c c c cg ce ch cg c ch cj c chk chj ch cfhjk",
    (FRONT, 1): "c c cd ce ch cg chj cfhk cj cfhkm cfhkn cfhmo cfhkmnp cefghjknoq cfhmopr cfghijkmnpqs cefghijknoqrt "
    "cfhikmoprsu cfghijkmnpqstv cefghijkmnoqrtuw",
    (HALF, 1): "c bd bce bf bcg bcdefh bdfi bcefgj bcdefghik bdefgil bcefghijm bcdefgijkln bcdefgijlmo bcdefghijklmp",
    (HALF, -1): "bc bce bdef befg bef",
}
"""By kind and owner, for runs of 5 numbers and more, the cells to try, as letters: every other cell leaves no more than
one of these. The tests prove it."""
_WORTHWHILE = {
    run(kind, length, owner): [ord(letter) - 96 for letter in letters]
    for (kind, owner), best in _BEST.items()
    for length, letters in enumerate(best.split(), 5)
}


def worthwhile(one: Run) -> Sequence[int]:
    """The cells of `claims` that can be needed to win, as far as they are known."""
    return _WORTHWHILE.get(one) or claims(one)


def _same() -> dict[Run, tuple[int, Sum]]:
    """Runs that equal a surplus and other runs."""
    home4 = run(HOME, 4)
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
    return same


SAME = _same()
_STAR = run(FRONT, 2)
_HALVES = (run(HALF, 2), run(HALF, 3))
"""Two of the same of these runs equal one number."""
_FOURS = {run(HALF, 4): 2, run(HOME, 4): 3, run(HALF, 4, -1): -2, run(HOME, 4, -1): -3}
"""Two of the same of these runs equal this many numbers and a `_STAR`."""


def _heat(kind: int, length: int) -> tuple[int, int, int]:
    """Mean and walls of Left's run (if a claim costs one), in units of `_ONE`."""
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
_WALLS = {one: (left - mean, right - mean, left - right) for one, (mean, left, right) in HEAT.items()}
"""The distances of a run's walls from its mean, and from each other."""
_FLIPPED = {one: one if one in _HALVES else flipped(one) for one in HEAT}
_SLOTS = {
    one: ceiling_table.slot(abs(one) >> 2, _RANK[one & 3] if one > 0 else -_RANK[-one & 3], HEAT[one][0])
    for one in HEAT
}


def _keys() -> tuple[dict[Run, int], int]:
    """The key of each run, and the bits that count in a sum of keys.

    Equal sums have equal keys, whatever their numbers: opposite runs have opposite keys. Two equal runs that come to a
    number have keys that add up to nothing, since the bit into which they carry is dropped.
    """
    star, four = 2, 1 << 3
    keys = {_STAR: star, run(HALF, 4): 1, -run(HALF, 4): 3, run(HOME, 4): four + 1, -run(HOME, 4): four + 3}
    at, counting = 5, star | 1 | four
    for one in (*_HALVES, *(run(FRONT, length) for length in range(3, LONGEST + 1))):
        if one not in SAME:
            keys[one] = 1 << at
            counting |= 1 << at
            at += 2
    counting |= -1 << at
    for one in (run(kind, length) for length in range(5, LONGEST + 1) for kind in (HALF, HOME)):
        if one not in SAME:
            keys[one], keys[-one] = 1 << at, -1 << at
            at += (2 * (LONGEST // (one >> 2)) + 1).bit_length()  # enough for all such runs on a line, of either player
    return keys, counting


_KEYS, _COUNTING = _keys()

# by key, the mean at which a sum is known to be lost, and that at which it is won
_known: dict[int, tuple[int, int]] = {}
_shared: dict[tuple[int, int], tuple[int, int]] = {}
_moves: dict[Run, list[WalledMove]] = {}


def forget() -> None:
    """Clear the memory."""
    _known.clear()
    _moves.clear()


def reduced(runs: Iterable[Run]) -> tuple[int, list[Run]]:
    """A sum in simplest form: its surplus, and the runs that do not cancel."""
    surplus = 0
    left: list[Run] = []
    todo = list(runs)
    for one in todo:
        if one in SAME:
            plus, simpler = SAME[one]
            surplus += plus
            todo += simpler
        elif _FLIPPED[one] in left:
            left.remove(_FLIPPED[one])
            surplus += one in _HALVES
        elif one in _FOURS and one in left:
            left.remove(one)
            surplus += _FOURS[one]
            todo.append(_STAR)
        else:
            left.append(one)
    return surplus, left


def mean(runs: Iterable[Run]) -> int:
    """The mean value of a sum to Left, in units of `_ONE`."""
    surplus, left = reduced(runs)
    return surplus * _ONE + sum(HEAT[one][0] for one in left)


def key_of(runs: Iterable[Run]) -> int:
    """A key equal exactly for sums that differ in numbers only."""
    key = 0
    for one in runs:
        key = key + _KEYS[one] & _COUNTING
    return key


def _moves_of(one: Run) -> list[WalledMove]:
    """Left's moves in a run, the greatest gain first."""
    if one not in _moves:
        _moves[one] = sorted({_walled(one, cell) for cell in worthwhile(one)}, key=lambda walled: walled[4])
    return _moves[one]


def _walled(one: Run, cell: int) -> WalledMove:
    surplus, runs = reduced(halves(one, cell))
    gain, left, right = (surplus * _ONE - heat for heat in HEAT[one])
    widest = 0
    for part in runs:
        more, to_left, to_right = HEAT[part]
        gain, left, right = gain + more, left + to_left, right + to_right
        widest = max(widest, to_left - to_right)
    private = surplus + sum(min(_FOURS.get(part, 0), 0) for part in runs) - min(_FOURS.get(one, 0), 0)
    turned = tuple(_FLIPPED[part] for part in runs)
    move = -gain, -private, -one, key_of((*turned, one)), key_of((*runs, _FLIPPED[one])), turned
    return -gain, left, widest - left, right, move


class Search:
    """Finds the winner; what it finds is remembered for later searches."""

    def __init__(self, check: Callable[[], None], use_table: bool = True) -> None:
        self.check = check
        """Raises if the search shall stop."""
        self.nodes = 0
        self._use_table = use_table
        """True to use the file of sums."""

    def wins(self, surplus: int, runs: Iterable[Run]) -> bool:
        """True if Left, moving first, wins these runs with this many more private numbers than Right."""
        both = tuple(runs)
        if not surplus and len(both) == 2 and _after_one_claim(*both):
            return abs(both[0] - both[1]) == 8
        return self.searched(surplus, both)

    def searched(self, surplus: int, runs: Iterable[Run]) -> bool:
        """The same by search alone, without known results about lines."""
        plus, left = reduced(runs)
        mean = (surplus + plus) * _ONE + sum(HEAT[one][0] for one in left)
        return self._wins(mean, key_of(left), key_of(_FLIPPED[one] for one in left), left)

    def _wins(self, mean: int, key: int, against: int, runs: Sequence[Run]) -> bool:
        """True if Left wins a sum with this mean; `key` and `against` are its keys for Left and for Right."""
        if not key:
            return mean > 0
        lost, won = _known.get(key, _UNKNOWN)
        if mean >= won:
            return True
        if mean <= lost:
            return False
        left = right = mean
        widest = second = 0
        for one in runs:
            to_left, to_right, width = _WALLS[one]
            left, right = left + to_left, right + to_right
            if width > widest:
                widest, second = width, widest
            elif width > second:
                second = width
        if mean > 0 or right + widest > 0:
            return True
        if mean < -_TWO or left < -_ONE:
            return False
        self.spend()
        wins = _by_parts(runs, mean) if self._use_table else None
        if wins is None:
            likely = _likely(runs, mean, left, right, widest, second)
            wins = likely is None or self._tried(runs, mean, key, against, likely)
        lost, won = _known.get(key, _UNKNOWN)
        bounds = (lost, mean) if wins else (mean, won)
        _known[key] = _shared.setdefault(bounds, bounds)
        return wins

    def _tried(self, runs: Sequence[Run], mean: int, key: int, against: int, likely: list[Move]) -> bool:
        """True if one of these moves wins; those in memory are looked up first."""
        known = _known.get
        open_sums: list[OpenMove] = []
        for move in likely:
            theirs, after = move[0] - mean, against + move[3] & _COUNTING
            lost, won = known(after, _UNKNOWN)
            if theirs <= lost or not after:  # no runs are left, and heat has shown that the numbers are not enough
                return True
            if theirs < won:
                open_sums.append((theirs, after, move))
        return any(
            not self._wins(theirs, after, key + move[4] & _COUNTING, _left_of(runs, move))
            for theirs, after, move in open_sums
        )

    def spend(self) -> None:
        """Count a step; every few steps, check for a stop and for a full memory."""
        self.nodes += 1
        if self.nodes & 15 == 0:
            self.check()
            if len(_known) > MOST_KNOWN:
                _known.clear()


def _after_one_claim(one: Run, other: Run) -> bool:
    """True if these are the ends of a line of 18 to 61 numbers on which Right has claimed one number, not at an end.

    Such a claim wins, as the tests show line by line, except next to the middle of a line with a single middle number.
    """
    owned = one < 0 and other < 0 and not one & 3 and not other & 3
    return owned and min(-one, -other) >= 8 and 17 * 4 <= -one - other <= LONGEST * 4


def shown(runs: Iterable[Run]) -> bool | None:
    """True if Left, moving first, wins these runs, False if not; None unless their means or parts show it."""
    surplus, left = reduced(runs)
    middle = surplus * _ONE + sum(HEAT[one][0] for one in left)
    return _by_parts(left, middle) if left and -_TWO <= middle <= 0 else middle > 0


def _by_parts(runs: Sequence[Run], mean: int) -> bool | None:
    """True if Left wins a sum with this mean, False if not; None unless the file of sums tells."""
    slots = sorted([_SLOTS[one] for one in runs])
    return ceiling_table.settled(slots, mean - sum([slot[4] for slot in slots]) >> 20)


def _left_of(runs: Sequence[Run], move: Move) -> list[Run]:
    """The runs after a move, for the other player."""
    rest = list(map(_FLIPPED.__getitem__, runs))
    rest.remove(_FLIPPED[-move[2]])
    for one in move[5]:
        anti = _FLIPPED[one]
        if anti in rest:
            rest.remove(anti)
        elif one in _FOURS and one in rest:
            rest.remove(one)
            rest.remove(_STAR) if _STAR in rest else rest.append(_STAR)
        else:
            rest.append(one)
    return rest


def _likely(runs: Sequence[Run], mean: int, left: int, right: int, widest: int, second: int) -> list[Move] | None:
    """The moves of Left that heat does not show to lose, the best first; None if it shows one to win."""
    likely: list[Move] = []
    enough, too_hot = mean - _TWO, _ONE - right
    for one in runs:
        others = (second if _WALLS[one][2] == widest else widest) - left
        for loss, to_left, above, to_right, move in _moves.get(one) or _moves_of(one):
            if loss > mean:
                break
            if to_left < others or above > left:
                continue
            if loss < enough or to_right > too_hot:
                return None
            likely.append(move)
    likely.sort()
    return likely
