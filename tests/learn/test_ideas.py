"""Missed ideas come back, each time later and in another position; and the knowledge of each idea."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from duelbox.core.code import parse_code
from duelbox.learn.ideas import DAYS, Again, Missed, Returned, lost_lately, missed_ideas, missed_in_learning
from duelbox.learn.lessons import lesson_on, lessons_of
from duelbox.learn.practice import of_idea
from duelbox.learn.puzzle_maker import guess_chance
from duelbox.learn.puzzles import DAILY, EXERCISES, PRACTICE, puzzles_in, right_moves
from duelbox.registry import BUILT_IN, find_game
from duelbox.solve import analyse, solver_of

CODE, IDEA = "sequence-duel:size=19/1.3.5.7.9", "mirror"
KEY = f"sequence-duel/{IDEA}"
FIRST = date(2026, 1, 1)
Marks = list[tuple[str, Any]]


def missed(day: date = FIRST, idea: str = IDEA) -> dict[str, Any]:
    return Missed(played="11", names=("Ann", "Bo"), idea=idea, day=day).model_dump(mode="json")


def returned(found: bool, day: date, code: str = "") -> tuple[str, Any]:
    return KEY, Returned(code=code, found=found, day=day).model_dump(mode="json")


def again(marks: Marks) -> Again:
    [one] = missed_ideas(marks).values()
    return one


def of_kinds(**kinds: Marks) -> Callable[[str], Iterable[tuple[str, Any, datetime]]]:
    noon = datetime(FIRST.year, FIRST.month, FIRST.day, 12).astimezone()
    return lambda kind: [(key, value, noon) for key, value in kinds.get(kind, [])]


def test_an_idea_comes_back_later_each_time_until_it_is_found_twice_in_a_row() -> None:
    marks: Marks = [(CODE, missed())]
    day = FIRST + timedelta(DAYS[0])
    for at, days in enumerate((3, 7, 21, 21)):
        assert again(marks).due == day
        marks.append(returned(bool(at % 2), day))
        day += timedelta(days)
    assert (
        again(
            [
                *marks,
                returned(True, day),
            ]
        ).due
        is None
    )
    assert again([*marks, returned(True, day), (CODE, missed(day))]).due == day + timedelta(DAYS[0]), "missed once more"
    assert again([*marks, (CODE, missed())]).missed == 1, "the same game, ended a second time"
    assert again([*reversed(marks)]).due == again(marks).due, "however they came in"


def test_it_comes_back_in_other_positions_of_the_idea() -> None:
    one, seen = again([(CODE, missed())]), set[str]()
    for _ in range(5):
        position = one.position()
        assert position is not None
        code = position.session.code()
        assert code not in {*seen, CODE}
        assert position.analysis.idea is not None
        assert position.analysis.idea.name == IDEA
        assert position.attempt(position.right[0]).right
        assert "another position" in position.asked
        seen.add(code)
        one.come_back(Returned(code=code, found=False, day=FIRST))


def test_a_mistake_without_an_idea_comes_back_itself() -> None:
    one = again([("sequence-duel:size=11/3.5", missed(idea="").copy() | {"played": "7"})])
    position = one.position()
    assert position is not None
    assert (position.session.code(), position.played) == ("sequence-duel:size=11/3.5", "7")
    assert again([("sequence-duel:size=11/3.5", missed(idea=""))]).key == "sequence-duel:size=11/3.5"


def test_results_under_an_old_name_of_an_idea_count_for_the_new_one() -> None:
    code = "sequence-duel:size=19/1.3"
    old_return = returned(found=True, day=FIRST + timedelta(1))[1]
    marks = [(code, missed(idea="largest stake")), ("sequence-duel/largest stake", old_return)]
    kept = again(marks)
    assert kept.key == "sequence-duel/where most is at stake"
    assert (kept.missed, kept.found) == (1, [True])
    position = kept.position()
    assert position is not None
    assert position.analysis.idea is not None
    assert position.analysis.idea.name == "where most is at stake"
    assert [last.idea for _, last in lost_lately(marks, "sequence-duel")] == ["where most is at stake"]


def test_the_idea_of_every_stored_puzzle_is_an_idea_of_its_game() -> None:
    known = {game_id: {idea.name for idea in solver_of(game_id).ideas} | {""} for game_id in BUILT_IN}
    for file in (DAILY, PRACTICE, EXERCISES):
        assert [one for one in puzzles_in(file) if one.idea not in known[one.game_id]] == []


def test_what_cannot_be_read_is_left_out() -> None:
    strange = [
        None,
        1,
        [],
        {},
        {"due": 1},
        {"due": "never"},
        {"day": "x"},
        {**missed(), "names": ["\x1b[2J", "Bo"]},
        {"played": 1},
        {**missed(), "day": "9999-12-32"},
        {**missed(), "day": "9999-12-31"},
        {**missed(), "day": "2023-02-29"},
    ]
    marks: Marks = [("?", one) for one in strange]
    assert missed_ideas(marks) == {}
    assert again([*marks, (CODE, missed())]).missed == 1
    assert again([(CODE, {**missed(), "day": "2024-02-29"})]).due == date(2024, 3, 1)


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_every_lesson_has_ten_puzzles_of_its_idea(game_id: str) -> None:
    for idea in solver_of(game_id).ideas:
        puzzles = of_idea(game_id, idea.name)
        assert len({one.code for one in puzzles}) >= 10
        assert {one.idea for one in puzzles} == {idea.name}
        assert lesson_on(lessons_of(game_id), idea) is not None


def test_exercises_have_one_right_move_and_the_idea_they_name() -> None:
    for one in puzzles_in(EXERCISES):
        session = parse_code(one.code, find_game)
        found = analyse(session.game, session.view(session.turn))
        lone = right_moves(session, found)
        assert lone is not None
        assert one.line[0] in lone.moves
        assert guess_chance([session]) <= (1 if len(one.line) > 1 else 0.5)
        assert found.idea is not None
        # partners decide after the odd one out was picked, so these lines go on until a partner answers
        assert one.idea == found.idea.name or (one.idea == "partners" and len(one.line) > 2)


def test_a_missed_puzzle_and_a_seen_step_come_back_and_are_no_mistakes_of_games() -> None:
    puzzle = next(one for one in puzzles_in(PRACTICE) if one.idea == IDEA)
    marks: Marks = [(puzzle.code, missed_in_learning(IDEA, FIRST))]
    one = again(marks)
    assert (one.key, one.missed, one.due) == (KEY, 0, FIRST + timedelta(DAYS[0]))
    position = one.position()
    assert position is not None
    assert position.session.code() != puzzle.code
    assert lost_lately(marks, "sequence-duel") == []
    assert again([*marks, (CODE, missed())]).missed == 1
