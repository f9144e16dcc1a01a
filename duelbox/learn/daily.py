"""The puzzles of the day, the days that were done, and days in a row.

Puzzles of a day are never changed, only added, so that everybody has the same ones on the same day. After the last day
that has puzzles of its own, those of earlier days come again, in the same order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import cache
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.learn.puzzle_results import PuzzleResult, worked_on
from duelbox.learn.puzzles import DAILY, Puzzle, from_line, lines_in
from duelbox.registry import title_of

DAY = timedelta(days=1)
FIRST = date(2026, 11, 16)
THREES, A_DAY = date(2026, 11, 20), 3
"""The first day with three puzzles, and their number; each day before has one."""
MIXED = date(2026, 11, 21)
"""The first day with puzzles of three games; before, the three of a day are of one game and one idea."""
ALONE = (THREES - FIRST).days
"""The number of days with one puzzle."""


APART = 3
"""The days from one puzzle of an idea to the next, at least, from `MIXED` on."""
LISTED = 731
"""The most days that `days_until` lists."""


def own_days() -> int:
    """The number of days that have puzzles of their own."""
    return ALONE + (len(lines_in(DAILY)) - ALONE) // A_DAY


@cache
def _puzzles(at: int) -> tuple[Puzzle, ...]:
    """The puzzles of the day that is so many after the first, which has puzzles of its own."""
    first, count = (at, 1) if at < ALONE else (ALONE + (at - ALONE) * A_DAY, A_DAY)
    return tuple(map(from_line, lines_in(DAILY)[first : first + count]))


@cache
def _comes_again() -> int:
    """The day, counted from the first, whose puzzles follow those of the last day; it brings no idea too early."""
    end, begin = own_days(), (MIXED - FIRST).days
    for at in range(begin, end - APART):
        gaps_kept = True
        for ago in range(1, APART):
            before = _ideas(range(end - ago, end))
            if before & _ideas(range(at, at + APART - ago)):
                gaps_kept = False
        if gaps_kept:
            return at
    return begin


def _ideas(days: Iterable[int]) -> set[tuple[str, str]]:
    """The ideas of some days, each with its game."""
    return {(one.game_id, one.idea) for at in days for one in _puzzles(at)}


def daily(day: date) -> tuple[Puzzle, ...]:
    """The puzzles of a day, the easiest first; raises DuelboxError before the first day."""
    at, end = (day - FIRST).days, own_days()
    if at < 0:
        raise DuelboxError(f"There is no puzzle of the day for {day}: the first is that of {FIRST}.")
    if at >= end:
        begin = _comes_again()
        at = begin + (at - end) % (end - begin)
    return _puzzles(at)


def title_of_day(puzzles: Sequence[Puzzle]) -> str:
    """The game of a day's puzzles; "Three games" if there are several."""
    if len({one.game_id for one in puzzles}) > 1:
        return "Three games"
    return title_of(puzzles[0].game_id)


def short_day(day: date) -> str:
    """A day as screens write it: "Wed 6 Jan"."""
    return f"{day:%a} {day.day} {day:%b}"


def days_until(day: date) -> list[date]:
    """The days up to this one, oldest first, of two years at most; raises DuelboxError before the first day."""
    daily(day)
    count = min(LISTED, (day - FIRST).days + 1)
    return [day - DAY * ago for ago in reversed(range(count))]


Done = Mapping[str, PuzzleResult]
"""The first results of the puzzles of a day, by their codes."""


def days_begun(results: Iterable[tuple[str, PuzzleResult]]) -> dict[date, Done]:
    """The results of each day on which a puzzle of the day was done.

    A puzzle whose answer was shown is still to do; found later, it was not found at once.
    """
    of_day: dict[date, list[tuple[str, PuzzleResult]]] = defaultdict(list)
    for code, result in results:
        with suppress(ValueError):  # an empty or impossible date
            of_day[date.fromisoformat(result.day)].append((code, result))
    begun = {day: worked_on(some) for day, some in of_day.items()}
    return {day: done for day, done in begun.items() if done}


def days_done(begun: Mapping[date, Done]) -> dict[date, Done]:
    """The days whose puzzles were all worked on."""
    return {day: done for day, done in begun.items() if len(done) >= (A_DAY if day >= THREES else 1)}


def to_do(day: date, results: Iterable[tuple[str, PuzzleResult]]) -> tuple[Sequence[Puzzle], Sequence[PuzzleResult]]:
    """The puzzles of a day that are left, and the results of the others; raises DuelboxError if the day has none."""
    puzzles, done = daily(day), days_begun(results).get(day, {})
    left = [one for one in puzzles if one.code not in done]
    return left, [done[one.code] for one in puzzles if one.code in done]


def all_solved(done: Done) -> bool:
    """Every puzzle of a day was solved at once, without help."""
    return all(one.solved for one in done.values())


def streak(days: Mapping[date, Any], today: date) -> int:
    """The number of days in a row that were done, up to today or yesterday."""
    at = today if today in days else today - DAY
    count = 0
    while at in days:
        count, at = count + 1, at - DAY
    return count


def streak_sentence(days: Mapping[date, Any], today: date) -> str:
    """Sentences on the days in a row; after a gap, on the days that were left out."""
    count, past = streak(days, today), [day for day in days if day <= today]
    if not past:
        return "Do the puzzles of today, and of tomorrow: days in a row are counted."
    best = max(streak(days, day) for day in past)
    if count:
        now = "1 day" if count == 1 else f"{count} days"
        longest = f" Your longest: {best}." if best > count else ""
        still = "" if today in days else " Today is still to do."
        return f"{now} in a row.{longest}{still}"
    last, yesterday = max(past), today - DAY
    left_out = f"{short_day(last + DAY)} to {short_day(yesterday)} are"
    if last + DAY == yesterday:
        left_out = f"{short_day(yesterday)} is"
    before = streak(days, last)
    return f"Your row of {before} ended: {left_out} left out. Do what was left out, and the row goes on."
