"""Tests that end courses: their questions are fair, and their results say what was done."""

from __future__ import annotations

import pytest

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.learn.course_test import (
    NEEDED,
    QUESTIONS,
    CourseTest,
    course_test,
    has_test_left,
    is_known,
    key_of_test,
    mark_of,
    questions_of,
)
from duelbox.learn.lessons import course_in, lessons_of
from duelbox.learn.puzzles import right_moves
from duelbox.registry import BUILT_IN, find_game
from tests.pupils import pupil
from tests.pupils.courses import COURSES

PRESETS = [(game_id, one.id) for game_id in BUILT_IN for one in find_game(game_id).PRESETS]
WITH_TEST = [(game_id, preset) for game_id, preset in PRESETS if questions_of(game_id, preset)]
TRAILS = questions_of("circle-duel", "two-trails")


class Clock:
    """A clock that tests move on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(("game_id", "preset"), PRESETS)
def test_each_lesson_of_a_course_has_a_pupil(game_id: str, preset: str) -> None:
    assert [*COURSES[game_id, preset]] == [one.name for one in course_in(lessons_of(game_id), preset)]


@pytest.mark.parametrize(("game_id", "preset"), WITH_TEST)
def test_each_question_has_one_right_move_that_follows_from_the_course(game_id: str, preset: str) -> None:
    game = find_game(game_id)
    rules = [*COURSES[game_id, preset].values()][-1]
    taught = {lesson.idea for lesson in course_in(lessons_of(game_id), preset)}
    questions = questions_of(game_id, preset)
    assert len(questions) >= QUESTIONS
    assert len({one.code for one in questions}) == len(questions)
    for question in questions:
        session = parse_code(question.code, find_game)
        lone = right_moves(session)
        assert lone is not None
        assert set(question.right) == set(lone.moves)
        view = session.view(session.turn)
        assert {game.format_move(move) for move in pupil.left(game_id, rules, view)} <= set(question.right)
        assert len(question.right) * 2 <= len(session.legal_moves())
        assert question.idea in taught
        assert session.options.rules_only() == next(
            one.options.rules_only() for one in game.PRESETS if one.id == preset
        )


def test_a_question_is_right_at_once_or_with_help_or_wrong_and_has_its_time() -> None:
    clock = Clock()
    test = CourseTest("Two Trails", TRAILS[:5], needed=3, now=clock)
    test.attempt(test.right[0])
    clock.now += 10
    assert test.go_on()
    test.hinted()
    test.attempt(test.right[0])
    clock.now += 5
    assert test.go_on()
    wrong = next(one for one in map(str, test.session.view(0).choices) if one not in test.right)
    assert not test.attempt(wrong).right
    assert test.attempt(test.right[0]).right, "another try is allowed"
    clock.now += 60
    assert test.go_on()
    test.answered()
    test.attempt(test.right[0])
    assert test.go_on()
    clock.now += 1
    assert not test.go_on(), "the last question was left out"
    results = test.results
    assert [one.result for one in results.answers] == ["at once", "with help", "wrong", "wrong", "wrong"]
    assert [one.seconds for one in results.answers] == [10, 5, 60, 0, 1]
    assert results.summary == "1 of 5 right at once, 1 with help, 3 wrong, in 1:16."
    assert not results.passed


def test_a_course_is_known_when_its_test_was_passed_and_stays_known() -> None:
    key = key_of_test("circle-duel", "two-trails")
    marks: dict[str, object] = {}
    assert has_test_left("circle-duel", "two-trails", marks)
    for right in (NEEDED - 1, NEEDED, 0):
        test = course_test("circle-duel", "two-trails", marks)
        assert len(test.questions) == QUESTIONS
        for number in range(QUESTIONS):
            if number < right:
                test.attempt(test.right[0])
            test.go_on()
        marks[key] = mark_of(test.results, marks, key)
        assert is_known("circle-duel", "two-trails", marks) == (right != NEEDED - 1)
    assert not has_test_left("circle-duel", "two-trails", marks)


def test_a_test_has_other_questions_the_next_time() -> None:
    key = key_of_test("circle-duel", "two-trails")
    first, again, next_time = (
        course_test("circle-duel", "two-trails", marks).questions for marks in ({}, {}, {key: {"taken": 1}})
    )
    assert first == again != next_time


def test_a_preset_without_questions_has_no_test() -> None:
    with pytest.raises(DuelboxError, match="has no test"):
        course_test("circle-duel", "classic", {})
    assert not has_test_left("circle-duel", "classic", {})
    assert not is_known("circle-duel", "two-trails", {key_of_test("circle-duel", "two-trails"): "?"})
