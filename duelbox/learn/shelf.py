"""The puzzles that come with duelbox: one a day for years, and some of every grade to practise.

Both are text files of a line a puzzle: grade, code, and the moves of its line. They are never changed, only added to,
so that everybody has the same puzzle on the same day.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.learn.puzzles import Puzzle
from duelbox.learn.strength import near, next_of, strength_of
from duelbox.learn.tallies import attempts_of, firsts

DAILY, PRACTICE = "daily.txt", "practice.txt"
FIRST = date(2026, 11, 16)


@cache
def shelf(name: str) -> tuple[Puzzle, ...]:
    """The puzzles of a file, in its order."""
    text = files("duelbox.learn").joinpath(name).read_text("utf-8")
    lines = (line.split() for line in text.splitlines())
    return tuple(Puzzle(code=code, grade=int(grade), line=tuple(moves)) for grade, code, *moves in lines)


def daily(day: date) -> Puzzle:
    """The puzzle of a day; raises DuelboxError outside the days there are."""
    puzzles, at = shelf(DAILY), (day - FIRST).days
    if not 0 <= at < len(puzzles):
        last = FIRST + timedelta(days=len(puzzles) - 1)
        raise DuelboxError(f"There is no puzzle of the day for {day}: there is one from {FIRST} to {last}.")
    return puzzles[at]


def days_until(day: date) -> list[date]:
    """The days up to this one that have a puzzle, oldest first; raises DuelboxError where there are none."""
    daily(min(day, FIRST + timedelta(days=len(shelf(DAILY)) - 1)))
    return [FIRST + timedelta(days=at) for at in range(min(len(shelf(DAILY)), (day - FIRST).days + 1))]


def practice(game_id: str | None = None, grade: int | None = None) -> tuple[Puzzle, ...]:
    """What there is to practise, of a game or a grade where they are named."""
    return tuple(one for one in shelf(PRACTICE) if game_id in (None, one.game_id) and grade in (None, one.grade))


def of_idea(game_id: str, idea: str) -> tuple[Puzzle, ...]:
    """What there is to practise of an idea of a game; all of the game, where no puzzle is known to have the idea."""
    puzzles = practice(game_id)
    return tuple(one for one in puzzles if getattr(one, "idea", "") == idea) or puzzles


def offered(tried: Sequence[tuple[str, Any]], game_id: str | None = None, grade: int | None = None) -> Puzzle:
    """A puzzle that was not tried yet, as near to the player's strength as there is; raises DuelboxError.

    What was tried are the codes of puzzles, and what was kept of each attempt.
    """
    puzzles = practice(game_id, grade)
    if not puzzles:
        raise DuelboxError("There are no such puzzles. To make some: duelbox puzzle GAME --make N --grade N")
    wanted = grade or near(strength_of(firsts(attempts_of(tried)).values()))
    left = next_of(puzzles, [code for code, _ in tried], wanted, len(tried))
    return left or puzzles[len(tried) % len(puzzles)]
