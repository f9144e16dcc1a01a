"""Days in a row, and what was solved of each game and grade."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from duelbox.learn.strength import Attempt, Strength
from duelbox.learn.tallies import attempts_of, days_of, firsts, streak, streak_told, strength_told, table

TODAY = date(2027, 1, 6)


def days(*back: int) -> dict[date, Any]:
    """The days so many before today."""
    return dict.fromkeys(TODAY - timedelta(days=count) for count in back)


@pytest.mark.parametrize(
    ("back", "count", "told"),
    [
        ((), 0, "days in a row are counted."),
        ((0,), 1, "1 day in a row."),
        ((0, 1, 2), 3, "3 days in a row."),
        ((1, 2), 2, "2 days in a row. The puzzle of today is still to do."),
        ((0, 1, 5, 6, 7), 2, "2 days in a row. Your longest: 3."),
        ((2, 3, 4), 0, "Your row of 3 ended: 2027-01-05 is left out. Do what was left out, and the row goes on."),
        ((3, 4), 0, "Your row of 2 ended: 2027-01-04 to 2027-01-05 are left out. Do what"),
    ],
)
def test_days_in_a_row_and_what_ended_them(back: tuple[int, ...], count: int, told: str) -> None:
    assert streak(days(*back), TODAY) == count
    assert told in streak_told(days(*back), TODAY)


def test_a_day_left_out_that_is_done_later_mends_the_row() -> None:
    assert streak(days(0, 2), TODAY) == 1
    assert streak(days(0, 1, 2), TODAY) == 3


GOOD, POOR = Attempt(grade=2, at_once=(True,), seconds=20), Attempt(grade=2, at_once=(True, False), seconds=100)


def test_the_first_attempt_at_a_puzzle_counts() -> None:
    attempts = [("sequence-duel/1", POOR), ("sequence-duel/1", GOOD), ("circle-duel/4", GOOD), ("gone/4", GOOD)]
    assert list(firsts(attempts).values()) == [POOR, GOOD, GOOD]
    strength = Strength().after(2, False).after(2, True).after(2, True)
    assert strength_told(attempts) == f"Strength {strength.rating:.0f}, give or take {2 * strength.deviation:.0f}."
    assert table(attempts, "*") == [
        "Solved of tried        *    **   ***  **** *****  Time",
        "Number Circle Duel         1/1                    0:20",
        "Sequence Duel              0/1                    1:40",
        "gone                       1/1                    0:20",
        "All games                  2/3                    0:47",
    ]


def test_what_cannot_be_read_is_left_out() -> None:
    kept = [("a", {"grade": 9}), ("b", None), ("c", {"grade": 1, "at_once": [True], "day": "2027-13-01"})]
    attempts = attempts_of(kept)
    assert [code for code, _ in attempts] == ["c"]
    assert days_of(attempts) == {}
    both = [("d", Attempt(grade=1, at_once=(one,), day="2027-01-06")) for one in (False, True)]
    assert days_of(both) == {TODAY: both[0][1]}
