"""The solver of Number Circle Duel with own trails, against a slow search written straight from the rules."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from duelbox.games.circle_duel import rules
from duelbox.solve import analyse
from duelbox.solve.api import Analysis
from tests.effort import sampled, tries
from tests.games.circle_duel import claims
from tests.games.circle_duel.test_solve import Places, next_to, random_view
from tests.games.reasons import recommended
from tests.positions import at


@cache
def slow(size: int, reach: int, free: Places, mine: int | None, theirs: int | None) -> tuple[bool, int]:
    """True if the player to move wins, and the number of turns, by trying everything."""
    tried = [
        slow(size, reach, free - {number}, theirs, number)
        for number in free
        if mine is None or next_to(size, reach, number, mine)
    ]
    quick = [plies + 1 for rival_wins, plies in tried if not rival_wins]
    return (True, min(quick)) if quick else (False, max((plies + 1 for _, plies in tried), default=0))


Facts = tuple[int, int, Places, int | None, int | None]


def facts(view: rules.View) -> Facts:
    mine = view.picks[-2] if len(view.picks) > 1 else None
    theirs = view.picks[-1] if view.picks else None
    return view.options.size, view.options.reach, frozenset(view.free), mine, theirs


def after(position: Facts, number: int) -> Facts:
    size, reach, free, _, theirs = position
    return size, reach, free - {number}, theirs, number


def test_every_verdict_and_count_of_turns_is_the_slow_search_s() -> None:
    rng = Random(1)
    for _ in range(tries(3_000)):
        view = random_view(rng, range(4, 11), "own")
        analysis, position = analyse(rules.GAME, view), facts(view)
        win, plies = slow(*position)
        assert (analysis.verdict, analysis.plies) == ("win" if win else "loss", plies)
        assert {int(move.move) for move in analysis.moves} == set(view.choices)
        for move in analysis.moves:
            rival_wins, left = slow(*after(position, int(move.move)))
            assert (move.verdict, move.plies) == ("loss" if rival_wins else "win", left + 1)
    slow.cache_clear()


@pytest.mark.parametrize(("size", "reach"), [(13, 2), (12, 3), (15, 2)])
def test_the_second_player_wins_these_empty_rings(size: int, reach: int) -> None:
    assert analyse(rules.GAME, at(f"circle-duel:size={size},reach={reach},trails=own")).verdict == "loss"


def test_the_reason_of_a_lost_ring_is_true() -> None:
    rng = Random(5)
    views = (random_view(rng, range(5, 11), "own") for _ in range(sampled(250, 1_500)))
    lost = [(view, found) for view in views if (found := analyse(rules.GAME, view)).verdict == "loss"]
    assert {check_lost(view, found) for view, found in lost} == {"first there", "room", "answers", "any first pick"}
    slow.cache_clear()


def check_lost(view: rules.View, analysis: Analysis) -> str:
    """Check the sentence against the rules; the kind of the sentence."""
    position, text, me = facts(view), analysis.reason, view.mover
    assert recommended(analysis) is None
    size, _, free, _, _ = position
    if far := re.search(r"answers any first pick with the number ([0-9]+) places? further on", text):
        for first in free:
            assert not slow(*after(after(position, first), (first - 1 + int(far[1])) % size + 1))[0]
        return "any first pick"
    where = "( on numbers you reach first)?"
    counts = rf"make ([0-9]+) picks?{where}, Player [12] can make ([0-9]+)\. Your turn: you run out first"
    if told := re.search(counts, text):
        kind, count = "room", claims.room
        if told[2]:
            kind, count = "first there", claims.first_room
        assert (int(told[1]), int(told[3])) == (count(view, me), count(view, 1 - me))
        assert int(told[1]) <= int(told[3])
        return kind
    check_answers(position, analysis, text)
    return "answers"


def check_answers(loser: Facts, analysis: Analysis, text: str) -> None:
    """Check that every pick of the loser has the drawn answer, and that the sentence counts them right."""
    size, reach, free, mine, _ = loser
    free_to = {one for one in free if mine is None or next_to(size, reach, mine, one)}
    shown = analysis.mark("pairs")
    told = {int(one): int(two) for one, two in shown.pairs} if shown else {}
    assert told.keys() == free_to, text
    for one, two in told.items():
        assert two in free - {one}
        assert not slow(*after(after(loser, one), two))[0], (text, one, two)
    if only := re.search(r"answers ([0-9]+) with ([0-9]+)\.", text):
        assert told == {int(only[1]): int(only[2])}
    else:
        many = re.search(r"answers (every one|[0-9]+) of your (?:([0-9]+) )?picks with ([0-9]+)", text)
        assert many
        count = list(told.values()).count(int(many[3]))
        assert (many[1], many[2]) in {("every one", None), (str(count), str(len(told)))}
        assert ("every one" in text) == (count == len(told))


@pytest.mark.parametrize(
    "code",
    [
        "size=24,reach=2/16",
        "size=16,reach=3",
        "size=25,reach=2,gaps=1,seed=1",
        "size=17,reach=3,gaps=1,seed=1",
        "size=24,reach=2",
    ][: sampled(2, 5)],
)
def test_the_largest_rings_are_rated_whole(code: str) -> None:
    view = at(f"circle-duel:trails=own,{code}")
    found = analyse(rules.GAME, view)
    assert found.complete
    assert len(found.moves) == len(view.choices)


@pytest.mark.parametrize(
    "code",
    [
        "circle-duel:size=21,reach=2,trails=own,gaps=2,seed=862512/11",
        "circle-duel:size=21,reach=2,trails=own,gaps=2,seed=466362/20.5.18.7.16.8.17.10.15.9",
        "circle-duel:size=17,reach=3,trails=own,gaps=2,seed=950451/11.14",
    ],
)
def test_where_a_losing_pick_looks_as_good_its_answer_is_named(code: str) -> None:
    found = analyse(rules.GAME, at(code))
    assert found.instead is not None
    assert found.reason.endswith(found.instead.sentence)
