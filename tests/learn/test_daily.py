"""Days in a row, and the table of results."""

from __future__ import annotations

from datetime import date, timedelta
from hashlib import sha256
from typing import Any

import pytest

from duelbox.core.errors import DuelboxError
from duelbox.learn.daily import (
    A_DAY,
    ALONE,
    FIRST,
    LISTED,
    MIXED,
    THREES,
    all_solved,
    daily,
    days_begun,
    days_done,
    days_until,
    own_days,
    streak,
    streak_sentence,
    to_do,
)
from duelbox.learn.puzzle_results import PuzzleResult, first_results, results_of, results_table
from duelbox.learn.puzzles import DAILY, lines_in
from duelbox.learn.strength import Strength, strength_sentence
from tests.golden.said import Said
from tests.learn.more_puzzles import misfits

TODAY = date(2027, 1, 6)


def days(*back: int) -> dict[date, Any]:
    """The days that lie so many days before today."""
    return dict.fromkeys(TODAY - timedelta(days=count) for count in back)


@pytest.mark.parametrize(
    ("back", "count", "told"),
    [
        ((), 0, "days in a row are counted."),
        ((0,), 1, "1 day in a row."),
        ((0, 1, 2), 3, "3 days in a row."),
        ((1, 2), 2, "Today is still to do."),
        ((0, 1, 5, 6, 7), 2, "longest: 3."),
        ((2, 3, 4), 0, "row of 3 ended: Tue 5 Jan is"),
        ((3, 4), 0, "row of 2 ended: Mon 4 Jan to Tue 5 Jan are"),
    ],
)
def test_days_in_a_row_and_what_ended_them(back: tuple[int, ...], count: int, told: str, said: Said) -> None:
    assert streak(days(*back), TODAY) == count
    sentence = streak_sentence(days(*back), TODAY)
    assert told in sentence
    assert str(count) in sentence or not count
    said(sentence)


def test_days_that_were_played_stay_as_they_were() -> None:
    """Days to come had new puzzles when presets or ideas changed; those up to that day never change. Only the names of
    their ideas follow the solver."""
    played = "\n".join(line.partition(" # ")[0] for line in lines_in(DAILY)[: ALONE + A_DAY])
    assert sha256(played.encode()).hexdigest() == "baa343941aa934f76c09fa62ce96b3954704a8eba585452d61a7dae82e1401a6"


def test_a_day_left_out_that_is_done_later_mends_the_row() -> None:
    assert streak(days(0, 2), TODAY) == 1
    assert streak(days(0, 1, 2), TODAY) == 3


LAST = FIRST + timedelta(days=own_days() - 1)
"""The last day with puzzles of its own."""


def test_after_the_last_day_of_the_shelf_earlier_days_come_again() -> None:
    """For three years every day has puzzles of three games, and no idea too early, also where the round begins."""
    known = [daily(FIRST + timedelta(days=at)) for at in range(own_days())]
    later = [daily(LAST + timedelta(days=at)) for at in range(1, 3 * 366)]
    assert {*later} <= {*known[(MIXED - FIRST).days :]}
    assert later[0] != later[1] != later[2]
    assert list(misfits([*known, *later])) == []


def test_a_day_that_comes_again_is_another_day_to_do() -> None:
    """The results of the day that had the same puzzles do not count on it."""
    day = LAST + timedelta(days=1)
    before = next(one for one in days_until(LAST) if daily(one) == daily(day))
    results = [(one.code, PuzzleResult(grade=1, at_once=(True,), day=before.isoformat())) for one in daily(before)]
    assert to_do(before, results) == ([], [result for _, result in results])
    assert to_do(day, results) == (list(daily(day)), [])
    assert list(days_done(days_begun(results))) == [before]


def test_the_calendar_goes_on_for_ever_but_not_back_for_ever() -> None:
    assert days_until(FIRST) == [FIRST]
    assert days_until(LAST)[0] == FIRST
    far = days_until(date.max)
    assert (far[-1], len(far)) == (date.max, LISTED)
    for none in (FIRST - timedelta(days=1), date.min):
        with pytest.raises(DuelboxError, match="the first is that of 2026-11-16"):
            days_until(none)


GOOD, POOR = (
    PuzzleResult(grade=2, at_once=(True,), seconds=20),
    PuzzleResult(grade=2, at_once=(True, False), seconds=100),
)


def test_the_first_attempt_at_a_puzzle_counts(said: Said) -> None:
    attempts = [("sequence-duel/1", POOR), ("sequence-duel/1", GOOD), ("circle-duel/4", GOOD), ("gone/4", GOOD)]
    assert list(first_results(attempts).values()) == [POOR, GOOD, GOOD]
    strength = Strength().after(2, False).after(2, True).after(2, True)
    least, most = (strength.rating + sign * 2 * strength.deviation for sign in (-1, 1))
    assert strength_sentence(attempts) == f"Your strength: about {strength.rating:.0f}, from {least:.0f} to {most:.0f}."
    head, *rows = results_table(attempts, "*")
    graded = head.index(" ** ")
    assert [(row[graded : graded + 5].split()[0], row.split()[-1]) for row in rows] == [
        ("1/1", "0:20"), ("0/1", "1:40"), ("1/1", "0:20"), ("2/3", "0:47"),
    ]  # fmt: skip
    said("\n".join([head, *rows]))


def test_what_cannot_be_read_is_left_out() -> None:
    kept = [("a", {"grade": 9}), ("b", None), ("c", {"grade": 1, "at_once": [True], "day": "2027-13-01"})]
    attempts = results_of(kept)
    assert [code for code, _ in attempts] == ["c"]
    assert days_done(days_begun(attempts)) == {}


def test_a_day_is_done_when_each_of_its_puzzles_was_worked_on() -> None:
    def attempt(day: date, *, found: bool) -> PuzzleResult:
        return PuzzleResult(grade=1, at_once=(found,), day=day.isoformat())

    early, none = THREES - timedelta(days=1), list[tuple[str, PuzzleResult]]()
    both = [("d", attempt(early, found=one)) for one in (False, True)]
    assert days_done(days_begun(both)) == {early: {"d": both[0][1]}}, "the first attempt counts"
    for count in range(A_DAY):
        assert (TODAY in days_begun(none), days_done(days_begun(none))) == (count > 0, {})
        none.append((f"{count}", attempt(TODAY, found=count < 2)))
        none.append((f"{count}", attempt(TODAY, found=True)))
    assert list(days_done(days_begun(none))) == [TODAY]
    assert not all_solved(days_done(days_begun(none))[TODAY])
    assert all_solved(days_done(days_begun([("d", both[1][1])]))[early])


def test_a_position_whose_answer_was_shown_is_still_to_do() -> None:
    puzzles = daily(THREES)
    found, shown = (
        PuzzleResult(grade=1, at_once=(not help_taken,), shown=help_taken, day=THREES.isoformat())
        for help_taken in (False, True)
    )
    results = [(puzzles[0].code, found), (puzzles[1].code, found), (puzzles[2].code, shown)]
    assert to_do(THREES, results) == ([puzzles[2]], [found, found])
    assert days_done(days_begun(results)) == {}, "and no day in a row"
    results.append((puzzles[2].code, found))
    left, done = to_do(THREES, results)
    assert (left, [one.solved for one in done]) == ([], [True, True, False]), "found, but not at once"
    assert list(days_done(days_begun(results))) == [THREES]
