"""The search of the Sequence Duel solver: against a slow judge on strings, and the theory behind it."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

import pytest

from duelbox.games.sequence_duel.solve import snort, turn_count
from duelbox.games.sequence_duel.solve.snort import (
    FRONT,
    HALF,
    HEAT,
    HOME,
    LONGEST,
    OPEN,
    SAME,
    Run,
    Search,
    cells,
    flipped,
    halves,
    run,
)
from duelbox.solve.api import Stop, Stopped
from tests.effort import sampled, tries

KINDS = (HALF, HOME, FRONT)


def legal(board: str, mover: str) -> list[int]:
    """By the rules: unclaimed places (.) not next to the rival's; # is the end of a line."""
    rival = "R" if mover == "L" else "L"
    return [at for at, place in enumerate(board) if place == "." and rival not in board[max(0, at - 1) : at + 2]]


@cache
def slow(board: str, mover: str) -> tuple[bool, int]:
    """True if the player to move wins, and the number of turns, by trying everything."""
    rival = "R" if mover == "L" else "L"
    tried = [slow(board[:at] + mover + board[at + 1 :], rival) for at in legal(board, mover)]
    quick = [plies + 1 for rival_wins, plies in tried if not rival_wins]
    return (True, min(quick)) if quick else (False, max((plies + 1 for _, plies in tried), default=0))


def picture(one: Run) -> str:
    """A run as a string for the slow judge."""
    length, kind = abs(one) >> 2, abs(one) & 3
    mine = "L" if one >= 0 else "R"
    ends = {HALF: ("#", mine), HOME: (mine, mine), FRONT: ("L", "R"), OPEN: ("#", "#")}[kind]
    return ends[0] + "." * length + ends[1]


def board_of(runs: list[Run], surplus: int = 0) -> str:
    private = picture(run(HOME, 1, 1 if surplus > 0 else -1)) * abs(surplus)
    return "".join(map(picture, sorted(runs))) + private


def search() -> Search:
    return Search(Stop().check)


def random_runs(rng: Random, most: int) -> list[Run]:
    runs: list[Run] = []
    left = rng.randint(1, most)
    while left > 0:
        length = rng.randint(1, left)
        runs.append(run(rng.choice(KINDS), length, rng.choice((1, -1))))
        left -= length
    return runs


def test_claims_cut_a_run_as_the_rules_say() -> None:
    for kind, length, owner in product((*KINDS, OPEN), range(1, 8), (1, -1)):
        one = run(kind, length, owner)
        board = picture(one)
        assert list(cells(one)) == legal(board, "L")
        for cell in cells(one):
            first, last = (picture(part) for part in halves(one, cell))
            assert first in (board[:cell] + "L", "L" + board[:cell][::-1])
            assert last in ("L" + board[cell + 1 :], board[cell + 1 :][::-1] + "L")


def test_sums_of_runs_are_won_and_last_as_the_slow_judge_says() -> None:
    rng = Random(1)
    fresh, wins = search(), 0
    for _ in range(tries(2_500)):
        runs, surplus = random_runs(rng, 10), rng.randint(-2, 2)
        won, plies = slow(board_of(runs, surplus), "L")
        assert fresh.wins(surplus, runs) == won
        private = [run(HOME, 1, 1 if surplus > 0 else -1)] * abs(surplus)
        assert turn_count.TurnCount(fresh).plies(*turn_count.sorted_out([*runs, *private])) == plies
        wins += won
    assert tries(700) < wins < tries(1_900)


def test_runs_said_to_be_the_same_cancel() -> None:
    """Two games are equal if the player who begins their difference always loses it."""
    for one, (surplus, simpler) in SAME.items():
        board = board_of([one, *map(flipped, simpler)], -surplus)
        assert not slow(board, "L")[0]
        assert not slow(board, "R")[0]


def test_sums_have_the_same_key_if_all_but_numbers_cancels_in_their_difference() -> None:
    rng, same = Random(3), 0
    for _ in range(20_000):
        runs = [run(rng.choice(KINDS), rng.choice((2, 3, 4, 6, 7, 9)), rng.choice((1, -1))) for _ in range(5)]
        one, other = runs[: rng.randrange(5)], runs
        if rng.random() < 0.5:
            other = [*one, *runs[:2] * 2]
        keys = [snort.key_of(snort.reduced(each)[1]) for each in (one, other)]
        cancels = not snort.reduced([*one, *map(flipped, other)])[1]
        assert (keys[0] == keys[1]) == cancels
        same += cancels
    assert same > 500


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", range(2, 2 + sampled(3, 5)))
def test_the_claims_left_out_are_no_better_than_those_kept(kind: int, length: int) -> None:
    """In any company: here with every pair of other short runs."""
    others = [run(other, size, owner) for other in KINDS for size in (1, 2, 3) for owner in (1, -1)]
    for owner, a, b in product((1, -1), others, others):
        one = run(kind, length, owner)
        if one not in (flipped(a), flipped(b)) and a <= b:
            board = picture(one) + picture(a) + picture(b)
            all_tries = [slow(board[:at] + "L" + board[at + 1 :], "R") for at in cells(one)]
            kept = [slow(board[:at] + "L" + board[at + 1 :], "R") for at in snort.claims(one)]
            assert _best(kept) == _best(all_tries)


def _best(tried: list[tuple[bool, int]]) -> tuple[bool, int]:
    quick = [plies for rival_wins, plies in tried if not rival_wins]
    return (True, min(quick)) if quick else (False, max((plies for _, plies in tried), default=0))


class Values:
    """The values of runs as games in simplest form, each a number; its options are the rows of `left` and `right`."""

    def __init__(self) -> None:
        self.left: list[frozenset[int]] = []
        self.right: list[frozenset[int]] = []
        self.numbers: dict[tuple[frozenset[int], frozenset[int]], int] = {}
        self.zero = self.simplest(set(), set())
        self.no_worse = cache(self._no_worse)
        self.plus = cache(self._plus)
        self.of = cache(self._of)

    def _no_worse(self, a: int, b: int) -> bool:
        """True if Left likes a at least as much as b, in any company."""
        return not any(self.no_worse(b, to) for to in self.right[a]) and not any(
            self.no_worse(to, a) for to in self.left[b]
        )

    def simplest(self, lefts: set[int], rights: set[int]) -> int:
        """The game with these options, without those that are no better than another or that the rival can undo."""

        def at_most(game: int) -> bool:
            return not any(self.no_worse(to, game) for to in lefts) and not any(map(at_least, self.right[game]))

        def at_least(game: int) -> bool:
            return not any(self.no_worse(game, to) for to in rights) and not any(map(at_most, self.left[game]))

        undone = True
        while undone:
            lefts = {a for a in lefts if not any(a != b and self.no_worse(b, a) for b in lefts)}
            rights = {a for a in rights if not any(a != b and self.no_worse(a, b) for b in rights)}
            undone = False
            for move in lefts:
                for back in filter(at_least, self.right[move]):
                    lefts, undone = lefts - {move} | self.left[back], True
                    break
                if undone:
                    break
            for move in () if undone else rights:
                for back in filter(at_most, self.left[move]):
                    rights, undone = rights - {move} | self.right[back], True
                    break
                if undone:
                    break
        key = frozenset(lefts), frozenset(rights)
        if key not in self.numbers:
            self.numbers[key] = len(self.left)
            self.left.append(key[0])
            self.right.append(key[1])
        return self.numbers[key]

    def _plus(self, a: int, b: int) -> int:
        return self.simplest(
            {self.plus(to, b) for to in self.left[a]} | {self.plus(a, to) for to in self.left[b]},
            {self.plus(to, b) for to in self.right[a]} | {self.plus(a, to) for to in self.right[b]},
        )

    def _of(self, one: Run) -> int:
        return self.simplest(set(self.cut(one).values()), {self._cut(one, cell) for cell in cells(flipped(one))})

    def cut(self, one: Run) -> dict[int, int]:
        """The value after each claim of Left's."""
        return {cell: self.plus(*map(self.of, halves(one, cell))) for cell in cells(one)}

    def _cut(self, one: Run, cell: int) -> int:
        return self.plus(*(self.of(flipped(part)) for part in halves(flipped(one), cell)))


def test_any_claim_left_out_of_a_search_leaves_no_more_than_one_that_is_not() -> None:
    values, left_out = Values(), 0
    for length, kind in product(range(2, 19), (HOME, FRONT)):
        left = values.cut(run(kind, length))
        kept = set(snort.worthwhile(run(kind, length)))
        assert kept <= set(left)
        for cell in left:
            assert any(values.no_worse(left[one], left[cell]) for one in kept)
        left_out += len(set(left) - kept)
    assert left_out > 200


def test_the_same_of_longer_runs_and_of_those_at_the_end_of_the_line() -> None:
    """By the search, which itself cuts no run that long."""
    alone = Search(Stop().check, use_table=False)
    for one in sorted(snort._WORTHWHILE, key=abs):
        kept = snort.worthwhile(one)
        for cell in set(snort.claims(one)) - set(kept):
            left = halves(one, cell)
            better = (map(flipped, halves(one, best)) for best in kept)
            assert not all(alone.searched(0, [*left, *runs]) for runs in better)


# --- heat -----------------------------------------------------------------------------------------------------------

ONE = 1 << 24
COSTS = [ONE * step // 4 for step in range(8)] + [2 * ONE - (ONE >> step) for step in range(3, 24)] + [2 * ONE]
Walls = tuple[list[int], list[int], list[int], list[int]]
"""At each cost: the bounds of the left wall, then those of the right wall."""


def level(height: int) -> Walls:
    steady = [height * ONE] * len(COSTS)
    return steady, steady, steady, steady


def turned(walls: Walls) -> Walls:
    low, high, right_low, right_high = ([-value for value in wall] for wall in walls)
    return right_high, right_low, high, low


def after_cut(a: Walls, b: Walls) -> Walls:
    """The walls of a sum: between both right walls together, and one player begun in either."""
    left_low = [max(x + d, c + y) for x, y, c, d in zip(a[0], b[0], a[2], b[2], strict=True)]
    right_high = [min(x + d, c + y) for x, y, c, d in zip(a[3], b[3], a[1], b[1], strict=True)]
    left_high = [x + y for x, y in zip(a[1], b[1], strict=True)]
    right_low = [x + y for x, y in zip(a[2], b[2], strict=True)]
    return left_low, left_high, right_low, right_high


def walls_of(lefts: list[Walls], rights: list[Walls]) -> Walls:
    """The walls of a run from those after its claims: they lean in by the cost until they meet, then stay."""
    count = range(len(COSTS))
    left_low = [max(walls[2][at] for walls in lefts) - COSTS[at] for at in count]
    left_high = [max(walls[3][at] for walls in lefts) - COSTS[at] for at in count]
    right_low = [min(walls[0][at] for walls in rights) + COSTS[at] for at in count]
    right_high = [min(walls[1][at] for walls in rights) + COSTS[at] for at in count]
    assert left_high[0] >= right_low[0]
    met = next(at for at in count if left_high[at] <= right_low[at])
    apart = [at for at in count if left_low[at] >= right_high[at]]
    low = max([*left_low[met:], *(right_low[at] for at in apart)])
    high = min([*right_high[met:], *(left_high[at] for at in apart)])
    stand = len(COSTS) - met
    return (
        [max(value, low) for value in left_low[:met]] + [low] * stand,
        [max(value, high) for value in left_high[:met]] + [high] * stand,
        [min(value, low) for value in right_low[:met]] + [low] * stand,
        [min(value, high) for value in right_high[:met]] + [high] * stand,
    )


def test_means_and_walls_of_all_runs_follow_from_those_of_shorter_ones() -> None:
    walls: dict[Run, Walls] = {run(HALF, 1): level(1), run(HOME, 1): level(1), run(HOME, 2): level(2)}
    walls |= {run(kind, 0): level(0) for kind in KINDS} | {run(FRONT, 1): level(0)}

    def of(one: Run) -> Walls:
        return walls[one] if one in walls else turned(walls[-one])

    def cut(one: Run) -> list[Walls]:
        return [after_cut(*map(of, halves(one, cell))) for cell in cells(one)]

    for length, kind in product(range(2, LONGEST + 1), KINDS):
        one = run(kind, length)
        if one not in walls:
            walls[one] = walls_of(cut(one), [turned(each) for each in cut(flipped(one))])
        at_one, at_two = ([wall[at] >> 4 for wall in walls[one]] for at in (COSTS.index(ONE), -1))
        mean, left, right = HEAT[one]
        assert at_one == [left, left, right, right]
        assert at_two == [mean] * 4
        if kind != FRONT:
            assert HEAT[-one] == (-mean, -right, -left)


# --- what is known of whole lines and rings ----------------------------------------------------------------------


@pytest.mark.parametrize("size", range(1, 41))
def test_the_search_alone_finds_that_the_middle_wins_a_line(size: int) -> None:
    middle = (size + 1) // 2
    assert not search().searched(0, map(flipped, halves(run(OPEN, size), middle)))


@pytest.mark.parametrize("size", range(5, 62)[: sampled(41, 57) : sampled(4, 1)])
def test_a_first_claim_wins_but_for_those_at_an_end_and_next_to_a_single_middle(size: int) -> None:
    for cell in range(3, size // 2 + 2):
        runs = [*map(flipped, halves(run(OPEN, size), cell))]
        won = search().wins(0, runs)
        assert won == search().searched(0, runs)
        assert size < 18 or won == (size % 2 == 1 and cell in (size // 2, size // 2 + 2))


@pytest.mark.parametrize("size", range(4, 61))
def test_even_rings_are_won_by_the_second_player_and_odd_ones_by_the_first(size: int) -> None:
    assert search().wins(0, [run(HOME, size - 1, -1)]) == (size % 2 == 0)


@pytest.mark.parametrize("size", range(2, 61, 2))
def test_an_end_of_an_even_line_is_a_losing_claim(size: int) -> None:
    assert search().wins(0, map(flipped, halves(run(OPEN, size), 1))) == (size > 2)


# --- memory and stopping -----------------------------------------------------------------------------------------


def test_a_memory_that_keeps_starting_afresh_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def answers() -> list[tuple[bool, int]]:
        snort.forget()
        turn_count.forget()
        fresh = search()
        sums = [list(map(flipped, halves(run(OPEN, 18), cell))) for cell in range(1, 10)]
        count = turn_count.TurnCount(fresh)
        return [(fresh.wins(0, runs), count.plies(*turn_count.sorted_out(runs))) for runs in sums]

    usual = answers()
    monkeypatch.setattr(snort, "MOST_KNOWN", 20)
    monkeypatch.setattr(turn_count, "MOST_KNOWN", 20)
    assert answers() == usual


def test_a_search_that_is_told_to_stop_stops_and_leaves_no_wrong_answers() -> None:
    snort.forget()
    stop = Stop()
    stop.stop()
    runs = [run(HALF, 4), run(HALF, 20, -1), run(FRONT, 26), run(HOME, 6, -1)]
    with pytest.raises(Stopped):
        Search(stop.check).wins(0, runs)
    interrupted = [search().wins(0, map(flipped, halves(run(OPEN, 31), cell))) for cell in range(1, 16)]
    snort.forget()
    assert interrupted == [search().wins(0, map(flipped, halves(run(OPEN, 31), cell))) for cell in range(1, 16)]
