"""Ideas that tell right moves from wrong ones: where they are named, they do so, judged straight from the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from duelbox.core.code import parse_code
from duelbox.learn.lessons import lessons_of
from duelbox.learn.practice import practice
from duelbox.registry import find_game
from duelbox.solve import analyse
from duelbox.solve.api import Analysis
from tests.games.circle_duel.claims import choices
from tests.games.sequence_duel.claims import only

SOME = 12


def positions(game_id: str, idea: str) -> Iterator[tuple[Any, set[str], set[str]]]:
    """Views of which the solver names this idea, with the right moves and the wrong ones: of lessons and puzzles."""
    codes = [step.code for lesson in lessons_of(game_id) if lesson.idea == idea for step in lesson.step]
    puzzles = [one.code for one in practice(game_id, idea=idea)][:SOME]
    count = 0
    for code in codes + puzzles:
        session = parse_code(code, find_game)
        found = analyse(session.game, session.view(session.turn))
        if found.idea is not None and found.idea.name == idea:
            right = {one.move for one in found.moves if one.value == found.value}
            count += 1
            yield session.view(session.turn), right, {one.move for one in found.moves} - right
    assert count >= 10


def test_to_hold_back_is_to_leave_what_only_you_can_claim() -> None:
    for view, right, wrong in positions("sequence-duel", "hold back"):
        alone = {str(number) for number in only(view, view.turn)}
        assert wrong <= alone
        assert not right & alone


def test_odd_and_even_parts_two_roads_by_what_as_many_steps_come_to() -> None:
    for view, right, wrong in positions("number-circle", "odd and even"):
        (first,) = {abs(int(move)) for move in right}
        (other,) = {abs(int(move)) for move in wrong} - {first}
        steps = next(count for count in range(1, 10) if view.target in totals(view.target, road(first, count)))
        missed = road(other, steps)
        assert sum(missed) > view.target, "the other road is long enough"
        assert all((total - view.target) % 2 for total in totals(view.target, missed))


def road(first: int, steps: int) -> list[int]:
    """The numbers of so many steps from 1 round the ring."""
    up = first == 2
    return [1 + (at if up else -at) % 9 for at in range(1, steps + 1)]


def totals(target: int, numbers: list[int]) -> set[int]:
    """All totals to which these numbers come with any signs, if none on the way is above the target."""
    reached = {0}
    for number in numbers:
        reached = {total + step for total in reached for step in (number, -number) if total + step <= target}
    return reached


def test_the_number_both_need_is_one_that_the_opponent_could_pick() -> None:
    shared = 0
    for view, right, wrong in positions("circle-duel", "the number both need"):
        theirs = {str(number) for number in choices(view, 1 - view.turn)}
        assert right & theirs
        shared += not wrong & theirs
    assert shared >= 5


@pytest.mark.parametrize(
    ("code", "idea"),
    [
        ("sequence-duel/7.5.3.19.17.12.10.15.9", "hold back"),
        ("sequence-duel/10.5.14.16.13.19.7", "count the end"),
        ("number-circle:target=19", "odd and even"),
        ("number-circle:target=14", "count the steps"),
        ("number-circle:target=12", "half the excess"),
        ("circle-duel:size=16,reach=2,trails=own,gaps=1,seed=20/5.3", "the number both need"),
        ("circle-duel:size=16,reach=2,trails=own,gaps=1,seed=27/14.3.15.5.13", "room"),
    ],
)
def test_the_lesson_of_a_position_is_the_one_on_its_idea(code: str, idea: str) -> None:
    session = parse_code(code, find_game)
    found: Analysis = analyse(session.game, session.view(session.turn))
    assert found.idea is not None
    assert found.idea.name == idea
    assert any(lesson.idea == idea for lesson in lessons_of(session.game.INFO.id))
