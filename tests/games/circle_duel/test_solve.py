"""The solver of Number Circle Duel against slow searches written straight from the rules."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from duelbox.games.circle_duel import rules
from duelbox.games.circle_duel.solve import shared_trail
from duelbox.solve import analyse
from duelbox.solve.api import Analysis
from tests.effort import tries
from tests.games.reasons import recommended

Places = frozenset[int]


def next_to(size: int, reach: int, a: int, b: int) -> bool:
    return a != b and min((a - b) % size, (b - a) % size) <= reach


@cache
def slow(size: int, reach: int, free: Places, last: int | None) -> tuple[bool, int]:
    """True if the player to move wins, and the number of turns, by trying everything."""
    tried = [
        slow(size, reach, free - {number}, number)
        for number in free
        if last is None or next_to(size, reach, number, last)
    ]
    quick = [plies + 1 for rival_wins, plies in tried if not rival_wins]
    return (True, min(quick)) if quick else (False, max((plies + 1 for _, plies in tried), default=0))


@cache
def most_pairs(size: int, reach: int, free: Places) -> int:
    if not free:
        return 0
    first, *others = sorted(free)
    rest = free - {first}
    mates = [other for other in others if next_to(size, reach, first, other)]
    return max([most_pairs(size, reach, rest), *(1 + most_pairs(size, reach, rest - {mate}) for mate in mates)])


def random_view(rng: Random, sizes: range, trails: str = "shared") -> rules.View:
    while True:
        size = rng.choice(sizes)
        gaps = rng.choice((0, rng.randint(0, size // 2)))
        drawn = {"size": size, "reach": rng.randint(1, 3), "gaps": gaps, "seed": rng.randrange(10**6)}
        view = rules.start(rules.Options(**drawn, trails=trails))
        for _ in range(rng.randint(0, size - gaps)):
            if view.turn is not None:
                view, _ = rules.apply(view, view.turn, rng.choice(rules.legal_moves(view)))
        if view.turn is not None:
            return view


def test_every_verdict_and_count_of_turns_is_the_slow_search_s() -> None:
    rng = Random(1)
    uncounted = 0
    for _ in range(tries(2_000)):
        view = random_view(rng, range(4, 12))
        size, reach, free = view.options.size, view.options.reach, frozenset(view.free)
        analysis = analyse(rules.GAME, view)
        win, plies = slow(size, reach, free, view.last)
        assert analysis.verdict == ("win" if win else "loss")
        assert analysis.plies in (plies, None)
        uncounted += analysis.plies is None
        assert {int(move.move) for move in analysis.moves} == set(view.choices)
        for move in analysis.moves:
            rival_wins, left = slow(size, reach, free - {int(move.move)}, int(move.move))
            assert move.verdict == ("loss" if rival_wins else "win")
            assert move.plies in (left + 1, None)
    assert uncounted < 20
    slow.cache_clear()


def test_the_most_pairs_are_those_of_trying_everything() -> None:
    rng = Random(2)
    for _ in range(tries(1_500)):
        size, reach = rng.randint(4, 13), rng.randint(1, 3)
        free = frozenset(number for number in range(1, size + 1) if rng.random() < rng.choice((0.5, 0.8, 1)))
        assert shared_trail.most_pairs(free, size, reach) == most_pairs(size, reach, free)
    most_pairs.cache_clear()


def test_turns_counted_in_large_rings_agree_with_the_pairing() -> None:
    """The two parts of the solver share nothing."""
    rng = Random(3)
    counted = 0
    for _ in range(tries(300)):
        analysis = analyse(rules.GAME, random_view(rng, range(20, 31)))
        for move in analysis.moves:
            if move.plies is not None:
                counted += 1
                assert (move.plies % 2 == 1) == (move.verdict == "win")
    assert counted > tries(560)


@pytest.mark.parametrize("size", range(4, 31))
def test_a_plain_ring_is_won_by_the_second_player_when_even(size: int) -> None:
    analysis = analyse(rules.GAME, rules.start(rules.Options(size=size)))
    assert (analysis.verdict, analysis.plies) == (("loss", size) if size % 2 == 0 else ("win", size))


def test_a_ring_of_thousands_is_settled_by_its_parity() -> None:
    for size in (2_000, 2_001):
        for reach in (1, 2, 3):
            numbers = set(range(1, size + 1))
            assert shared_trail.wins(numbers, size, reach, None) == (size % 2 == 1)
            assert shared_trail.wins(numbers - {7}, size, reach, 7) == (size % 2 == 0)


def test_the_reason_names_partners_that_decide_the_game() -> None:
    rng = Random(5)
    kinds: set[str] = set()
    for _ in range(tries(1_500)):
        view = random_view(rng, range(4, 13))
        analysis = analyse(rules.GAME, view)
        kinds.add(check_reason(view, analysis))
    assert kinds == {"nothing left", "after a pick", "any answer", "only answer", "all in pairs"}


def check_reason(view: rules.View, analysis: Analysis) -> str:
    """Check the sentence against the rules; the kind of the sentence."""
    size, reach, free = view.options.size, view.options.reach, set(view.free)
    text = analysis.reason
    shown = analysis.mark("pairs")
    named = [(int(a), int(b)) for a, b in re.findall(r"([0-9]+)-([0-9]+)", text)]
    named += [
        (int(a), int(b)) for a, b in re.findall(r"(?:answer|only pick) ([0-9]+).*? with its partner ([0-9]+)", text)
    ]
    pairs = [(int(one), int(two)) for one, two in shown.pairs] if shown else []
    assert pairs[: len(named)] == named
    assert "any pick" not in text or ("and so on" in text) == (len(pairs) > len(named))
    assert len(text.split()) <= 25
    exposed = set(view.choices)
    if pick := recommended(analysis):
        number = int(pick)
        assert not slow(size, reach, frozenset(free - {number}), number)[0]
        free.discard(number)
        exposed = {other for other in free if next_to(size, reach, number, other)}
    else:
        assert analysis.verdict == "loss"
    paired = [number for pair in pairs for number in pair]
    assert len(paired) == len(set(paired))
    assert exposed <= set(paired) <= free
    assert all(next_to(size, reach, a, b) for a, b in pairs)
    if "any pick" in text:  # every number that may be picked later has its partner, too
        later = {near for _, mate in pairs for near in free if next_to(size, reach, mate, near)}
        assert later <= set(paired)
    assert most_pairs(size, reach, frozenset(free)) == len(pairs) + most_pairs(
        size, reach, frozenset(free - set(paired))
    )
    if pick:
        return "after a pick" if exposed else "nothing left"
    if "all go in pairs" in text:
        assert view.last is None
        assert set(paired) == free
        return "all in pairs"
    return "only answer" if "only pick" in text else "any answer"
