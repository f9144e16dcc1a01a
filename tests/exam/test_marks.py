"""Marks: what an answer costs, what is refused, and how players are compared."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

import duelbox
from duelbox.core.errors import DuelboxError
from duelbox.exam.marks import chance, check_key, grade, level, marks, read_answers, read_paper
from duelbox.exam.paper import Paper
from tests.command_line import run
from tests.effort import sampled

PAPER = Paper(5, 60)


def best_answers() -> dict[str, str]:
    """A best move for each question."""
    return {found.id: max(found.values, key=found.values.__getitem__) for found in PAPER.questions}


def test_an_answer_costs_the_best_value_less_its_own() -> None:
    for question in PAPER.questions:
        for move, value in question.values.items():
            graded = grade(question, f" {move} ")
            assert (graded.regret, graded.legal) == (question.best - value, True)
            assert move in graded.sentence


def test_an_illegal_answer_and_none_cost_the_worst_and_say_why() -> None:
    question = next(found for found in PAPER.questions if found.game.INFO.id == "circle-duel")
    for answer, why in ((None, "No answer."), ("99", "There is no 99 here"), ("what", "'what' is not a move")):
        graded = grade(question, answer)
        assert (graded.regret, graded.legal) == (question.worst, False)
        assert why in graded.sentence


def test_chance_is_worked_out_exactly() -> None:
    drawn = random.Random(4)
    exact = chance(PAPER.questions)
    rounds = []
    for _ in range(100):
        answers = {found.id: drawn.choice([*found.values]) for found in PAPER.questions}
        rounds.append(marks("drawn", PAPER.questions, answers))
    assert abs(exact.regret - sum(one.regret for one in rounds) / 100) < 0.02
    assert abs(exact.none - sum(one.none for one in rounds) / 100) < 0.02


def test_levels_sit_the_same_paper_in_the_same_way_and_the_oracle_gives_nothing_away() -> None:
    assert level(5, PAPER.questions).regret == 0
    assert level(2, PAPER.questions) == level(2, PAPER.questions)
    assert level(4, PAPER.questions).against(chance(PAPER.questions)).verdict == "better"
    assert chance(PAPER.questions).against(level(5, PAPER.questions)).verdict == "worse"
    assert level(2, PAPER.questions).against(level(2, PAPER.questions)).verdict == "cannot be told"


@pytest.mark.parametrize("seed", [11, 222, 3333][: sampled(0, 3)])
def test_neighbouring_levels_are_told_apart_by_400_positions(seed: int) -> None:
    """Without --long by 200, to save time."""
    questions = Paper(seed, sampled(200, 400)).questions
    rows = [level(number, questions) for number in range(2, 6)]
    for weaker, stronger in pairwise(rows):
        assert stronger.against(weaker).verdict == "better", (weaker.name, stronger.name)


ANSWER = '{"id": "5-001", "move": "5"}'
WRONG = {
    "no JSON": (["what"], "Line 1 of the answers is no JSON object"),
    "a list": ([ANSWER, "[]"], "Line 2 of the answers is no JSON object"),
    "no move": (['{"id": "5-001"}'], "Line 1 of the answers has no id and move"),
    "a move that is no text": (['{"id": "5-001", "move": [5]}'], "has no id and move, such as"),
    "another paper": (['{"id": "7-001", "move": "5"}'], "answers '7-001', which is no question of this paper"),
    "twice": ([ANSWER, "", ANSWER], "Line 3 of the answers answers 5-001 a second time"),
    "deep": (["[" * 100_000], "Line 1 of the answers is no JSON object"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_file_of_answers_that_is_none_is_refused_with_its_line(wrong: str) -> None:
    lines, sentence = WRONG[wrong]
    with pytest.raises(DuelboxError) as refusal:
        read_answers(lines, PAPER)
    assert sentence in refusal.value.sentence


def test_a_paper_that_is_none_of_ours_is_refused() -> None:
    lines = [*PAPER.lines()]
    assert [*read_paper(lines).key()] == [*PAPER.key()]
    for wrong, sentence in (
        ([], "not of format 1"),
        (['{"format": 2, "seed": 5, "positions": 60}'], "not of format 1"),
        (['{"format": 1, "seed": true, "positions": 60}'], "lacks a seed"),
        (['{"format": 1, "seed": 5, "positions": 1000000}'], "lacks a seed"),
        (lines[:-1], "does not hold the questions 1 to 60 of seed 5"),
        ([lines[0], *lines[2:], lines[1]], "does not hold the questions"),
    ):
        with pytest.raises(DuelboxError, match=sentence):
            read_paper(wrong)


def test_a_key_that_says_something_else_is_refused() -> None:
    key = [*PAPER.key()]
    check_key(key, PAPER)
    with pytest.raises(DuelboxError, match="other regrets for question '5-001'"):
        check_key([key[0].replace('"0"', '"1/3"'), *key[1:]], PAPER)
    with pytest.raises(DuelboxError, match="59 questions, and the paper 60"):
        check_key(key[:-1], PAPER)


def test_a_paper_is_written_answered_and_marked(tmp_path: Path) -> None:
    paper, key, answers = (str(tmp_path / name) for name in ("paper", "key", "answers"))
    assert run("exam", "--write", paper, "--seed", "5", "--positions", "20", "--key", key).status == 0
    first = [*best_answers().items()][:20]
    Path(answers).write_text("\n".join(json.dumps({"id": name, "move": move}) for name, move in first))
    ran = run("exam", "--mark", answers, "--paper", paper, "--key", key, "--json")
    found = json.loads(ran.out)
    assert found["players"][0] | {"by_game": 0} == {
        "name": "answers",
        "regret": 0.0,
        "interval": 0.0,
        "none": 1.0,
        "illegal": 0,
        "by_game": 0,
    }
    assert [anchor["name"] for anchor in found["anchors"]] == ["chance", "Dash", "Peek", "Counter", "Planner", "Oracle"]
    told = run("exam", "--mark", answers, "--paper", paper).out
    assert "answers is better than " in told
    assert "chance" in told.partition("better than ")[2].partition("\n")[0]
    again = run("exam", "--write", paper, "--positions", "5")
    assert (again.status, "is there already" in again.err) == (2, True)
    for wrong in (("--mark", answers), ("--mark", "nowhere", "--paper", paper), ("--positions", "0"), ("--legal",)):
        assert run("exam", *wrong).status == 2


def test_an_exam_in_python_says_what_it_takes() -> None:
    exam = duelbox.Exam(seed=5, positions=5)
    assert exam.mark("5-001", None).sentence == "No answer."
    assert isinstance(exam.mark("5-001", 5).regret, Fraction)
    with pytest.raises(DuelboxError, match="There is no question '5-009'"):
        exam.mark("5-009", "5")
    with pytest.raises(DuelboxError, match="a whole number from 1 to 2000"):
        duelbox.Exam(1, 0)
