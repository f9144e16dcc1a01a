"""What all attempts at puzzles come to: days in a row, and how much was solved of each game and grade."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

from pydantic import ValidationError

from duelbox.core.errors import DuelboxError
from duelbox.learn.puzzles import GRADES, game_of
from duelbox.learn.strength import Attempt, strength_of
from duelbox.registry import find_game

DAY = timedelta(days=1)
THREES, A_DAY = date(2026, 11, 20), 3
"""From this day on there are so many puzzles a day instead of one."""
ALL = "All games"
WIDE = 6  # the columns of a grade in the table


def attempts_of(tried: Iterable[tuple[str, Any]]) -> list[tuple[str, Attempt]]:
    """Codes with what was kept of them, in their order; what cannot be read is left out."""
    out = []
    for code, value in tried:
        try:
            out.append((code, Attempt.model_validate_json(json.dumps(value))))
        except ValidationError:
            continue
    return out


def firsts(attempts: Iterable[tuple[str, Attempt]]) -> dict[str, Attempt]:
    """The first attempt at each puzzle: the second time, one knows the answer."""
    found: dict[str, Attempt] = {}
    for code, attempt in attempts:
        found.setdefault(code, attempt)
    return found


Done = Mapping[str, Attempt]
"""The first attempts at puzzles of a day, by their codes."""


def begun(attempts: Iterable[tuple[str, Attempt]]) -> dict[date, Done]:
    """What was done of the puzzles of each day."""
    found: dict[date, dict[str, Attempt]] = defaultdict(dict)
    for code, attempt in attempts:
        with suppress(ValueError):  # no day, or none of the calendar
            found[date.fromisoformat(attempt.day)].setdefault(code, attempt)
    return dict(found)


def days_of(attempts: Iterable[tuple[str, Attempt]]) -> dict[date, Done]:
    """The days whose puzzles were all worked on, and what was done of them."""
    return over(begun(attempts))


def over(begun: Mapping[date, Done]) -> dict[date, Done]:
    """Of the days that were begun those whose puzzles were all worked on."""
    return {day: done for day, done in begun.items() if len(done) >= (A_DAY if day >= THREES else 1)}


def all_solved(done: Done) -> bool:
    """Whether each of a day's puzzles was found at once, without help."""
    return all(one.solved for one in done.values())


def streak(days: Mapping[date, Any], today: date) -> int:
    """How many days up to today, or yesterday, have been done without a gap."""
    at = today if today in days else today - DAY
    count = 0
    while at in days:
        count, at = count + 1, at - DAY
    return count


def streak_told(days: Mapping[date, Any], today: date) -> str:
    """How the days in a row stand; where a day off has ended them, which, and what goes on with them."""
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
    left_out = f"{yesterday} is" if last + DAY == yesterday else f"{last + DAY} to {yesterday} are"
    before = streak(days, last)
    return f"Your row of {before} ended: {left_out} left out. Do what was left out, and the row goes on."


def table(attempts: Sequence[tuple[str, Attempt]], star: str) -> list[str]:
    """Lines: of each game and grade how many were solved of those tried, and the time they took on the average."""
    first: dict[tuple[str, int], list[Attempt]] = defaultdict(list)
    for code, one in firsts(attempts).items():
        first[_title(game_of(code)), one.grade].append(one)
    titles = sorted({title for title, _ in first})
    width = max(map(len, [*titles, ALL]))
    lines = [f"{'Solved of tried':<{width}}{''.join(f'{star * grade:>{WIDE}}' for grade in GRADES)}{'Time':>{WIDE}}"]
    for title in [*titles, *([ALL] if len(titles) > 1 else [])]:
        names = [name for name in titles if title in (name, ALL)]
        done = [[one for name in names for one in first[name, grade]] for grade in GRADES]
        cells = [f"{sum(one.solved for one in of_grade)}/{len(of_grade)}" if of_grade else "" for of_grade in done]
        times = [one.seconds for of_grade in done for one in of_grade]
        mean = round(sum(times) / len(times))
        told = "".join(f"{cell:>{WIDE}}" for cell in cells)
        lines.append(f"{title:<{width}}{told}{mean // 60:>{WIDE - 3}}:{mean % 60:02}")
    return lines


def strength_told(attempts: Iterable[tuple[str, Attempt]]) -> str:
    """A player's strength, and how far it may be from the truth."""
    found = strength_of(firsts(attempts).values())
    least, most = (found.rating + sign * 2 * found.deviation for sign in (-1, 1))
    return f"Your strength: about {found.rating:.0f}, from {least:.0f} to {most:.0f}."


def _title(game_id: str) -> str:
    try:
        return find_game(game_id).INFO.title
    except DuelboxError:  # a guest that is here no more
        return game_id
