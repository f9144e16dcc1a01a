"""A player's strength, and the result to share."""

from __future__ import annotations

import re
from math import exp, log, pi, sqrt

import pytest

from duelbox.learn.practice import next_puzzle, practice
from duelbox.learn.puzzle_results import PuzzleResult, results_of, results_table, text_to_share, worked_on
from duelbox.learn.strength import GRADE_DEVIATION, SCALE, TAU, Strength, grade_near, rating_of, strength_of
from tests.golden.said import Said


def slow(one: Strength, grade: int, solved: bool) -> tuple[float, float, float]:
    """Glickman's steps as he writes them, with the new volatility by bisection."""
    mu, phi = (one.rating - 1500) / SCALE, one.deviation / SCALE
    g = 1 / sqrt(1 + 3 * (GRADE_DEVIATION / SCALE) ** 2 / pi**2)
    e = 1 / (1 + exp(-g * (mu - (rating_of(grade) - 1500) / SCALE)))
    v = 1 / (g * g * e * (1 - e))
    delta = v * g * (solved - e)

    def f(x: float) -> float:
        top = exp(x) * (delta**2 - phi**2 - v - exp(x))
        return top / (2 * (phi**2 + v + exp(x)) ** 2) - (x - log(one.volatility**2)) / TAU**2

    low, high = -40.0, 10.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma = exp(low / 2)
    new = 1 / sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    return SCALE * (mu + new**2 * g * (solved - e)) + 1500, SCALE * new, sigma


@pytest.mark.parametrize("solved", [True, False])
@pytest.mark.parametrize("grade", range(1, 6))
@pytest.mark.parametrize(
    "start", [Strength(), Strength(1800, 60, 0.06), Strength(900, 350, 0.2), Strength(2500, 40, 0.05)]
)
def test_the_strength_is_glickmans(start: Strength, grade: int, solved: bool) -> None:
    found = start.after(grade, solved)
    assert (found.rating, found.deviation, found.volatility) == pytest.approx(slow(start, grade, solved), abs=1e-3)
    assert (found.rating > start.rating) == solved


def test_harder_puzzles_follow_when_hard_ones_are_solved() -> None:
    good = strength_of([PuzzleResult(grade=5, at_once=(True,))] * 20)
    poor = strength_of([PuzzleResult(grade=1, at_once=(False,))] * 20)
    assert (grade_near(good), grade_near(poor)) == (5, 1)
    assert good.deviation < Strength().deviation
    puzzles = practice("sequence-duel")
    solved = PuzzleResult(grade=5, at_once=(True,)).model_dump(mode="json")
    *tried, last = [(one.code, solved) for one in puzzles if one.grade == 5]
    assert next_puzzle(tried, "sequence-duel").code == last[0], "one that was not tried, and hard"
    assert next_puzzle([*tried, last], "sequence-duel").grade == 4, "when all of a grade were tried, one close to it"
    assert next_puzzle([(one.code, None) for one in puzzles], "sequence-duel") in puzzles


def test_a_result_tells_nothing_of_the_answer(said: Said) -> None:
    tries = (True, False, False, True, True)
    attempt = PuzzleResult(grade=3, at_once=(True, False, True), tries=tries, hints=1, seconds=101, day="2027-01-06")
    assert not attempt.solved
    told = text_to_share("Digit Chain", [attempt])
    assert re.fullmatch(r"(?s).*2027-01-06.* ★★★\n□  0 of 1 position at once .* 1 hint .* 1:41", told)
    said(told)
    assert text_to_share("Digit Chain", [attempt], ascii_only=True).isascii()
    of_no_day = text_to_share("Digit Chain", [attempt.changed(day="")])
    assert "\n■□■  2 of 3 moves at once · " in of_no_day, "each sign is a move, and so is the figure"
    assert "answer shown" in text_to_share("X", [PuzzleResult(grade=1, at_once=(False,), shown=True)])


def test_the_result_of_a_day_is_a_row_of_three(said: Said) -> None:
    day = [
        PuzzleResult(grade=grade, at_once=(True, found), tries=(True, found), seconds=40, day="2027-01-06")
        for grade, found in ((1, True), (2, False), (4, True))
    ]
    told = text_to_share("Digit Chain", day)
    assert told == "duelbox 2027-01-06 · Digit Chain ★ ★★ ★★★★\n■□■  2 of 3 positions at once · 2:00"
    assert text_to_share("Digit Chain", day, ascii_only=True).isascii()
    said(told)


def test_a_puzzle_whose_answer_was_shown_is_still_to_do() -> None:
    """It is found once without the answer before it counts, and then not as found at once."""
    solved = PuzzleResult(grade=5, at_once=(True,))
    shown = solved.changed(at_once=(False,), shown=True)
    *others, last = practice("sequence-duel")
    tried = [(one.code, solved.model_dump(mode="json")) for one in others]
    tried.append((last.code, shown.model_dump(mode="json")))
    assert next_puzzle(tried, "sequence-duel") == last
    assert last.code not in worked_on(results_of(tried))
    found = [*tried, (last.code, solved.model_dump(mode="json"))]
    assert not worked_on(results_of(found))[last.code].solved
    _, row = results_table([(last.code, shown), (others[0].code, solved)], "*")
    assert re.findall(r"\d+/\d+", row) == ["1/1"]
    assert len(results_table([(last.code, shown)], "*")) == 1, "nothing is solved or tried"
