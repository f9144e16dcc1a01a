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


def test_the_reason_can_be_followed() -> None:
    rng = Random(5)
    kinds = {
        check_reason(view, analyse(rules.GAME, view))
        for view in (random_view(rng, range(5, 11), "own") for _ in range(sampled(150, 900)))
    }
    assert kinds == {
        "cannot move", "first there", "room", "apart", "answers", "lost first there", "lost room", "lost answers",
        "any first pick", "first pick", "answered",
    }  # fmt: skip
    slow.cache_clear()


def check_reason(view: rules.View, analysis: Analysis) -> str:
    """Check the sentence against the rules; the kind of the sentence."""
    position, text = facts(view), analysis.reason
    pick = recommended(analysis)
    assert (pick is not None) == (analysis.verdict == "win")
    loser = after(position, int(pick)) if pick else position
    assert not slow(*loser)[0]
    size, reach, free, mine, _ = loser
    if stuck := re.search(r"no free number is next to ([0-9]+), so they cannot move", text):
        assert int(stuck[1]) == mine
        assert not any(next_to(size, reach, int(stuck[1]), one) for one in free)
        return "cannot move"
    if far := re.search(r"answer any first pick with the number ([0-9]+) places? further on", text):
        for first in free:
            assert not slow(*after(after(loser, first), (first - 1 + int(far[1])) % size + 1))[0]
        return "any first pick"
    if "gets to first" in text:
        return check_first_there(position, loser, analysis, pick)
    if "room" in text:
        return check_room(loser, text, lost=pick is None)
    return check_answers(loser, analysis, text, lost=pick is None)


def check_room(loser: Facts, text: str, *, lost: bool) -> str:
    """Check the most picks in a row of both players by trying all."""
    size, reach, free, mine, theirs = loser
    assert mine is not None
    assert theirs is not None
    rooms = longest(size, reach, free, mine), longest(size, reach, free, theirs)
    told = re.search(r"room for ([0-9]+) picks? in a row, they for ([0-9]+)", text)
    assert told
    assert (int(told[1]), int(told[2])) == (rooms if lost else rooms[::-1])
    assert rooms[0] <= rooms[1]
    if apart := "Your ways are apart" in text:
        assert not reached(size, reach, free, mine) & reached(size, reach, free, theirs)
    return "lost room" if lost else "apart" if apart else "room"


def check_first_there(position: Facts, loser: Facts, analysis: Analysis, pick: str | None) -> str:
    """Check the most picks in a row of both through numbers reached first; no lost pick has as great a lead."""
    if ahead := re.search(
        "(?:Wherever they begin|Whatever they pick), .* you are ahead by ([0-9]+) picks? or more", analysis.reason
    ):
        worst = {int(one.move): wherever(after(position, int(one.move))) for one in analysis.moves}
        lost = [lead for move, lead in worst.items() if slow(*after(position, move))[0]]
        assert int(ahead[1]) == worst[int(pick or 0)] > max(lost, default=0)
        assert ("your best lead" in analysis.reason) == any(lead > 0 for lead in lost)
        return "first pick" if loser[3] is None else "answered"
    told = re.search(r"room for ([0-9]+) picks? in a row, they for ([0-9]+)", analysis.reason)
    assert told
    mover, waiting = rooms_first(*loser)
    assert (int(told[1]), int(told[2])) == ((waiting, mover) if pick else (mover, waiting))
    assert mover <= waiting
    if not pick:
        return "lost first there"
    leads = {int(one.move): rooms_first(*after(position, int(one.move))) for one in analysis.moves}
    lost = [two - one for move, (one, two) in leads.items() if slow(*after(position, move))[0]]
    assert all(lead < waiting - mover for lead in lost)
    assert ("your best lead" in analysis.reason) == any(lead >= 0 for lead in lost)
    assert ("must go on" in analysis.reason) == (mover == waiting)
    return "first there"


def wherever(position: Facts) -> int:
    """The lead of the player who has just picked, after any answer."""
    size, reach, free, mine, _ = position
    answers = [one for one in free if mine is None or next_to(size, reach, mine, one)]
    rooms = (rooms_first(*after(position, one)) for one in answers)
    return min((here - there for here, there in rooms), default=0)


LONG = 99


def rooms_first(size: int, reach: int, free: Places, mine: int | None, theirs: int | None) -> tuple[int, int]:
    """The same for the player to move and the other; equal distances count for the player to move."""
    steps = [steps_to(size, reach, free, here) for here in (mine, theirs)]
    first = {one for one in steps[0] if steps[0][one] <= steps[1].get(one, LONG)}
    second = {one for one in steps[1] if steps[1][one] < steps[0].get(one, LONG)}
    return longest(size, reach, frozenset(first), mine), longest(size, reach, frozenset(second), theirs)


def steps_to(size: int, reach: int, free: Places, here: int | None) -> dict[int, int]:
    """The number of picks needed to get to each number."""
    found: dict[int, int] = {}
    front = {one for one in free if here is None or next_to(size, reach, here, one)}
    while front:
        found |= dict.fromkeys(front, len(set(found.values())) + 1)
        front = {one for one in free - found.keys() if any(next_to(size, reach, near, one) for near in front)}
    return found


def check_answers(loser: Facts, analysis: Analysis, text: str, *, lost: bool) -> str:
    """Check that every pick of the loser has the drawn answer, and that the sentence counts them right."""
    size, reach, free, mine, _ = loser
    free_to = {one for one in free if mine is None or next_to(size, reach, mine, one)}
    shown = analysis.mark("pairs")
    told = {int(one): int(two) for one, two in shown.pairs} if shown else {}
    assert told.keys() == free_to, text
    for one, two in told.items():
        assert two in free - {one}
        assert not slow(*after(after(loser, one), two))[0], (text, one, two)
    if only := re.search(r"answer ([0-9]+) with ([0-9]+)\.", text):
        assert told == {int(only[1]): int(only[2])}
    else:
        many = re.search(r"answer (every one|[0-9]+) of (?:your|their) (?:([0-9]+) )?picks with ([0-9]+)", text)
        assert many
        count = list(told.values()).count(int(many[3]))
        assert (many[1], many[2]) in {("every one", None), (str(count), str(len(told)))}
        assert ("every one" in text) == (count == len(told))
    return "lost answers" if lost else "answers"


def longest(size: int, reach: int, free: Places, here: int) -> int:
    return max(
        (1 + longest(size, reach, free - {one}, one) for one in free if next_to(size, reach, here, one)), default=0
    )


def reached(size: int, reach: int, free: Places, here: int) -> set[int]:
    found, todo = set(), [here]
    while todo:
        near = [one for one in free - found if next_to(size, reach, todo[-1], one)]
        todo.pop()
        found |= set(near)
        todo += near
    return found


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
