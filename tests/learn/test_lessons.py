"""Lessons: every right move is a best one, every sentence is true, and a course goes from lesson to lesson."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from duelbox.core.errors import DuelboxError, MoveError
from duelbox.learn.lessons import (
    TEACHER,
    Course,
    course_in,
    course_of,
    found_in,
    is_done,
    left_at,
    lessons_of,
    steps_done,
)
from duelbox.registry import BUILT_IN, find_game
from duelbox.solve import analyse, solver_of
from duelbox.solve.sentences import HINTS
from tests.guest_games import TOY, toy_with
from tests.learn.said import after, broken, legal, wins

HEAD = 'idea = "fours"\ntitle = "Fours"\nrule = "Leave four."\npreset = "classic"\n'
STEP = 'code = "toy-heap:heap=5"\nsay = "Leave four."\naccept = ["1"]\nthen = "Yes."\n'
STEPS = [
    pytest.param(game_id, number, at, id=f"{game_id}-{lesson.name}-{at + 1}")
    for game_id in BUILT_IN
    for number, lesson in enumerate(lessons_of(game_id))
    for at in range(len(lesson.step))
]


def put(guest: Path, name: str, text: str) -> None:
    (guest / "duelbox_toy" / "lessons").mkdir(exist_ok=True)
    (guest / "duelbox_toy" / "lessons" / f"{name}.toml").write_text(text, encoding="utf-8")


def course(game_id: str, number: int = 0, at: int = 0) -> Course:
    return Course(lessons_of(game_id), number, at, "Ann")


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_each_preset_has_a_course_of_lessons_and_each_lesson_an_idea_of_the_game(game_id: str) -> None:
    lessons = lessons_of(game_id)
    ideas = {idea.name for idea in solver_of(game_id).ideas}
    for preset in find_game(game_id).PRESETS:
        course = [lesson for lesson in lessons if preset.id in lesson.presets]
        assert len(course) <= 5
        assert len(course) >= (2 if preset.kind == "to play" else 1)
    assert all(lesson.idea in ideas and 4 <= len(lesson.step) <= 6 for lesson in lessons)
    assert {lesson.idea for lesson in lessons} == ideas or game_id == "sequence-duel"
    codes = [step.code for lesson in lessons for step in lesson.step]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize(("game_id", "number", "at"), STEPS)
def test_the_right_moves_of_a_step_are_best_and_all_others_are_answered(game_id: str, number: int, at: int) -> None:
    taken = course(game_id, number, at)
    session, accepted = taken.session, set(taken.step.accept)
    moves = analyse(session.game, session.view(session.turn)).moves
    best = {one.move for one in moves if (one.value, one.win) == (moves[0].value, moves[0].win)}
    assert accepted <= best
    before = session.code()
    for one in moves:
        tried = taken.attempt(one.move)
        assert tried.right == (one.move in accepted)
        assert tried.sentence
        assert "%" not in tried.sentence
        if one.move in best - accepted:
            told = "quicker" if one.plies and one.plies > (moves[0].plies or one.plies) else "asked for"
            assert f"{one.move} is not wrong" in tried.sentence
            assert told in tried.sentence
        elif not tried.right and moves[0].verdict in ("win", "draw"):
            outcome = tried.played.outcome
            passed = len(tried.played.plies) == len(session.plies) + 1
            assert TEACHER not in tried.sentence, "the teacher says I"
            assert tried.sentence.startswith("I ") or passed or game_id == "number-duel"
            assert outcome is None or outcome.winner != session.turn
    assert session.code() == before, "a try changes nothing"


def test_the_same_refutation_comes_with_the_rule_the_second_time() -> None:
    taken = course("circle-duel", 0, 0)
    told = [taken.attempt(move).sentence for move in ("8", "9")]
    assert told == ["I pick 10 and win.", f"I pick 10 and win. {taken.lesson.rule}"]


@pytest.mark.parametrize(("game_id", "number", "at"), STEPS)
def test_what_a_step_says_is_so_for_every_right_move(game_id: str, number: int, at: int) -> None:
    taken = course(game_id, number, at)
    session, step = taken.session, taken.step
    assert broken(step.say, session, session, all_figures=False) == []
    for move in step.accept:
        assert broken(step.then, session, after(session, move), all_figures=True) == []
        if move in step.replies:
            assert wins(after(session, move), 1 - session.turn) or game_id == "number-duel"


@pytest.mark.parametrize(("game_id", "number", "at"), STEPS)
def test_a_won_position_stays_won_whatever_is_answered(game_id: str, number: int, at: int) -> None:
    taken = course(game_id, number, at)
    session = taken.session
    if analyse(session.game, session.view(session.turn)).verdict != "win":
        return
    for move in taken.step.accept:
        played = after(session, move)
        answers = legal(played) if played.turn == 1 - session.turn else []
        assert all(wins(after(played, answer), session.turn) for answer in answers)


@pytest.mark.parametrize(("game_id", "number", "at"), STEPS)
@pytest.mark.parametrize("which", [0, -1])
def test_a_step_that_is_played_out_ends_in_a_win(game_id: str, number: int, at: int, which: int) -> None:
    taken = course(game_id, number, at)
    if not taken.step.play:
        return
    me, tried = taken.session.turn, taken.attempt(taken.right[which])
    assert tried.sentence == taken.step.then
    while taken.goes_on:
        assert taken.go_on()
        assert (taken.number, taken.at, taken.session.turn) == (number, at, me)
        tried = taken.attempt(taken.right[which])
        assert tried.right
    assert tried.played.outcome is not None
    assert tried.played.outcome.winner == me


@pytest.mark.parametrize(("game_id", "number", "at"), STEPS)
def test_the_hints_of_a_step_lead_to_a_move_that_it_accepts(game_id: str, number: int, at: int) -> None:
    taken = course(game_id, number, at)
    for _ in range(HINTS):
        taken.hinted()
    assert taken.analysis is not None
    assert taken.analysis.advice in taken.right
    taken.begin()
    assert (taken.hint_step, taken.analysis) == (0, None)


def test_a_course_goes_from_step_to_step_and_plays_what_belongs_to_it() -> None:
    lessons = lessons_of("circle-duel")
    taken = course("circle-duel", found_in(lessons, "partners"), 1)
    tried = taken.attempt("3")
    assert [text for _, text in tried.played.log()] == ["3", "4"]
    with pytest.raises(MoveError):
        taken.attempt("77")
    steps = 2
    while taken.skip():
        steps += 1
    assert (steps, taken.at) == (5, 4)
    assert taken.following is taken.lessons[taken.number + 1]
    taken.open(taken.number + 1)
    assert (taken.lesson.name, taken.at) == ("odd-one-out", 0)


def test_a_course_goes_on_where_it_was_left() -> None:
    lessons = course_in(lessons_of("circle-duel"), "pairs")
    done, key = {"step": 0, "done": True}, "circle-duel/{}".format
    assert left_at("circle-duel", lessons, {}) == (0, 0)
    assert left_at("circle-duel", lessons, {key("partners"): {"step": 3, "done": False}}) == (0, 3)
    assert left_at("circle-duel", lessons, {key("partners"): done, key("odd-one-out"): {"step": 99}}) == (1, 0)
    assert left_at("circle-duel", lessons, {key("partners"): "?", key("why-pairs-win"): done}) == (0, 0)
    assert left_at("circle-duel", lessons, {key(lesson.name): done for lesson in lessons}) == (0, 0)


def test_a_course_is_about_its_preset_and_a_lesson_of_another_opens_its_own() -> None:
    lessons = lessons_of("circle-duel")
    names = [[lesson.name for lesson in course_of("circle-duel", {}, preset=one).lessons] for one in (None, "leap")]
    assert names == [["room", "both-need", "shut-in"]] * 2, "the course of a new player is that of Two Trails"
    pairs = course_of("circle-duel", {}, found_in(lessons, "odd-one-out"))
    assert (pairs.preset, pairs.lesson.name, pairs.number) == ("pairs", "odd-one-out", 1)


def test_a_step_that_was_shown_is_seen_and_not_done() -> None:
    lessons = course_in(lessons_of("circle-duel"), "two-trails")
    taken = Course(lessons)
    for at in range(len(taken.lesson.step)):
        if at == 1:
            taken.answered()
        if at == 3:
            for _ in range(HINTS):
                taken.hinted()
        if at == 4:
            taken.hinted()
        taken.attempt(taken.right[0])
        taken.finish_step()
        while taken.goes_on:
            taken.go_on()
            taken.attempt(taken.right[0])
            taken.finish_step()
        taken.go_on()
    assert taken.missing == (1, 3), "a hint that gives no move away leaves the step to be solved"
    marks = {"circle-duel/room": {"step": 0, "done": False, "solved": sorted(taken.solved)}}
    assert not is_done("circle-duel", taken.lesson, marks)
    assert steps_done("circle-duel", taken.lesson, marks) == len(taken.lesson.step) - 2
    assert left_at("circle-duel", lessons, marks) == (0, 1), "the course goes on at the first step that was only seen"


def test_progress_under_the_old_name_of_a_lesson_counts_for_it() -> None:
    lessons = lessons_of("sequence-duel")
    number = found_in(lessons, "two-from-the-end")
    lesson = lessons[number]
    assert lesson.name == "next-to-the-end"
    done = {"step": 0, "done": True}
    assert is_done("sequence-duel", lesson, {"sequence-duel/two-from-the-end": done})
    assert not is_done("sequence-duel", lesson, {"sequence-duel/safe-numbers": done})


def test_a_lesson_is_found_by_number_or_name() -> None:
    lessons = lessons_of("circle-duel")
    assert [found_in(lessons, text) for text in ("1", "2", "both-need", "Shut-in")] == [0, 1, 1, 2]
    with pytest.raises(DuelboxError, match=r"no lesson '9' here\. There are: room, both-need, shut-in"):
        found_in(lessons, "9")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title = 1", "idea: Field required"),
        ("title", "cannot be read"),
        (f"{HEAD}step = []", "step: Tuple should have at least 1 item"),
        (
            f'{HEAD}[[step]]\ncode = "toy-heap"\nsay = "s"\naccept = ["9"]\nthen = "t"',
            "step 1: You cannot take 9",
        ),
        (
            f'{HEAD}[[step]]\ncode = "circle-duel"\nsay = "s"\naccept = ["9"]\nthen = "t"',
            "step 1: its position is of circle-duel",
        ),
        (HEAD.replace("classic", "huge") + f"[[step]]\n{STEP}", "toy-heap has no preset 'huge'"),
    ],
)
def test_a_guests_lesson_that_cannot_be_taken_says_why(
    installed: Callable[[Path], None], tmp_path: Path, text: str, says: str
) -> None:
    guest = toy_with(tmp_path)
    put(guest, "1-fours", text)
    installed(guest)
    with pytest.raises(DuelboxError, match="The lesson 1-fours of toy-heap cannot be read") as refused:
        lessons_of("toy-heap")
    assert says in refused.value.sentence


def test_a_guest_may_bring_lessons_or_none(installed: Callable[[Path], None], tmp_path: Path) -> None:
    guest = toy_with(tmp_path)
    installed(TOY)
    assert lessons_of("toy-heap") == ()
    for name in ("2-again", "1-fours"):
        put(guest, name, f"{HEAD}[[step]]\n{STEP}")
    installed(guest)
    taken = Course(lessons_of("toy-heap"))
    assert [lesson.name for lesson in taken.lessons] == ["fours", "again"]
    assert taken.attempt("1").right
    assert taken.attempt("2").sentence == "2 is not the move."
