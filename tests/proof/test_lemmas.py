"""The lemmas that prove wins, judged by brute force on all small positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any

from duelbox.games.circle_duel import rules as circle
from duelbox.games.circle_duel.proof import PROOF as CIRCLE
from duelbox.games.digit_chain import rules as chain
from duelbox.games.digit_chain.proof import PROOF as CHAIN
from duelbox.games.sequence_duel import rules as sequence
from duelbox.games.sequence_duel.proof import PROOF as SEQUENCE
from duelbox.proof.api import Lemma, Map
from duelbox.registry import find_game
from tests.effort import SHARE, sampled
from tests.proof.slow import Judge, positions, start_of

GAME_IDS = {circle.State: "circle-duel", sequence.State: "sequence-duel", chain.State: "digit-chain"}

PARTNERS = CIRCLE.lemmas[0]
COPY, COUNT = SEQUENCE.lemmas
REVERSE = CHAIN.lemmas[0]


def matchings(numbers: Sequence[int]) -> Iterator[dict[int, int]]:
    """All ways to pair some of the numbers."""
    if not numbers:
        yield {}
        return
    first, *rest = numbers
    yield from matchings(rest)
    for partner in rest:
        others = [number for number in rest if number != partner]
        for pairs in matchings(others):
            yield {**pairs, first: partner, partner: first}


def involutions(size: int) -> list[dict[int, int]]:
    """All maps of 1 to size onto themselves that are their own inverse."""
    maps = []
    for images in permutations(range(1, size + 1)):
        if all(images[images[place] - 1] == place + 1 for place in range(size)):
            maps.append(dict(enumerate(images, 1)))
    return maps


def judged(lemma: Lemma, starts: Sequence[Any], maps_of: Callable[[Any], Iterable[Map]]) -> tuple[int, int]:
    """The times that a lemma holds in positions from these on, and the times that it lies."""
    holds = lies = 0
    for start in starts:
        game = find_game(GAME_IDS[type(start)])
        judge = Judge(game)
        for view in positions(game, start):
            for images in maps_of(view):
                if lemma.fails(view, images) is None:
                    holds += 1
                    lies += judge.wins(view)
    return holds, lies


def no_map(view: Any) -> list[Map]:
    return [{}]


def small_chain(numbers: Sequence[int]) -> chain.State:
    """A chain with these free numbers alone."""
    options = chain.Options(zero="no-tens")
    gone = tuple(number for number in options.full_pool if number not in numbers)
    return chain.State(turn=0, options=options, gaps=gone)


def line(size: int, *, ring: bool = False) -> sequence.State:
    """An empty line or ring."""
    return sequence.start(sequence.Options(size=size, ring=ring))


def test_whoever_answers_wins_wherever_partners_hold() -> None:
    sizes = range(4, sampled(7, 9))
    codes = [f"circle-duel:size={size},reach={reach}" for size in sizes for reach in (1, 2)]
    codes += ["circle-duel:size=8,reach=2,without=3-4", "circle-duel:size=8,without=2-7"]
    holds, lies = judged(PARTNERS, [start_of(code) for code in codes], lambda view: matchings(view.free))
    assert holds > 300
    assert lies == 0


def test_partners_prove_nothing_on_own_trails() -> None:
    start = start_of("circle-duel:size=4,trails=own")
    for view in positions(find_game("circle-duel"), start):
        assert all(PARTNERS.fails(view, pairs) for pairs in matchings(view.free))


def test_whoever_answers_wins_wherever_reversing_holds() -> None:
    free = [(1, 11, 12, 21), (1, 11, 22, 2, 12, 21), (12, 21, 13, 31, 23, 32), (1, 12, 22, 23, 32, 2)]
    if SHARE == 1:
        free += [(1, 11, 12, 21, 2, 22, 13, 31, 3), (12, 21, 34, 43, 13, 31, 33)]
    holds, lies = judged(REVERSE, [small_chain(numbers) for numbers in free], no_map)
    assert holds > 30
    assert lies == 0


def test_whoever_answers_wins_wherever_copying_holds() -> None:
    sizes = range(5, sampled(8, 9))
    holds = 0
    for size in sizes:
        maps = involutions(size)
        some, lies = judged(COPY, [line(size), line(size, ring=True)], lambda view, maps=maps: maps)
        holds += some
        assert lies == 0
    assert holds > 30


def test_whoever_answers_wins_wherever_counting_holds() -> None:
    sizes = range(5, sampled(10, 12))
    starts = [line(size, ring=ring) for size in sizes for ring in (False, True)]
    holds, lies = judged(COUNT, starts, no_map)
    assert holds > 100
    assert lies == 0
