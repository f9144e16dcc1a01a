"""The puzzles that come with duelbox: three a day for years, some of every grade to practise, and exercises.

All are text files of a line a puzzle: grade, code, the moves of its line, and after "#" its idea. Those of a day are
never changed, only added to, so that everybody has the same puzzles on the same day. Exercises are for ideas that have
few puzzles; most are seen at a glance.
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
from duelbox.learn.tallies import A_DAY, THREES, attempts_of, firsts

DAILY, PRACTICE, EXERCISES = "daily.txt", "practice.txt", "exercises.txt"
FIRST = date(2026, 11, 16)
ALONE = (THREES - FIRST).days


@cache
def shelf(name: str) -> tuple[Puzzle, ...]:
    """The puzzles of a file, in its order."""
    return tuple(map(read, files("duelbox.learn").joinpath(name).read_text("utf-8").splitlines()))


def read(line: str) -> Puzzle:
    """The puzzle of a line."""
    told, _, idea = line.partition(" # ")
    grade, code, *moves = told.split()
    return Puzzle(code=code, grade=int(grade), line=tuple(moves), idea=idea)


def written(puzzle: Puzzle) -> str:
    """The line of a puzzle."""
    idea = f" # {puzzle.idea}" if puzzle.idea else ""
    return f"{puzzle.grade} {puzzle.code} {' '.join(puzzle.line)}{idea}"


def days() -> list[tuple[Puzzle, ...]]:
    """The puzzles of each day from the first on."""
    known = shelf(DAILY)
    return [(one,) for one in known[:ALONE]] + [known[at : at + A_DAY] for at in range(ALONE, len(known), A_DAY)]


def daily(day: date) -> tuple[Puzzle, ...]:
    """The puzzles of a day, the easiest first; raises DuelboxError outside the days there are."""
    known, at = days(), (day - FIRST).days
    if not 0 <= at < len(known):
        last = FIRST + timedelta(days=len(known) - 1)
        raise DuelboxError(f"There is no puzzle of the day for {day}: there is one from {FIRST} to {last}.")
    return known[at]


def days_until(day: date) -> list[date]:
    """The days up to this one that have a puzzle, oldest first; raises DuelboxError where there are none."""
    count = len(days())
    daily(min(day, FIRST + timedelta(days=count - 1)))
    return [FIRST + timedelta(days=at) for at in range(min(count, (day - FIRST).days + 1))]


def practice(game_id: str | None = None, grade: int | None = None, idea: str = "") -> tuple[Puzzle, ...]:
    """The puzzles to practise, of a game, a grade or an idea where they are named; of an idea exercises as well."""
    return tuple(
        one
        for one in (*(shelf(EXERCISES) if idea else ()), *shelf(PRACTICE))
        if game_id in (None, one.game_id) and grade in (None, one.grade) and idea in ("", one.idea)
    )


def of_idea(game_id: str, idea: str) -> tuple[Puzzle, ...]:
    """What there is to practise of an idea of a game; all of the game, where no puzzle is known to have the idea."""
    return practice(game_id, idea=idea) or practice(game_id)


def offered(
    tried: Sequence[tuple[str, Any]], game_id: str | None = None, grade: int | None = None, idea: str = ""
) -> Puzzle:
    """A puzzle that was not tried yet, as near to the player's strength as there is; raises DuelboxError.

    What was tried are the codes of puzzles, and what was kept of each attempt.
    """
    puzzles = practice(game_id, grade, idea)
    if not puzzles:
        raise DuelboxError("There are no such puzzles. To make some: duelbox puzzle GAME --make N --grade N")
    wanted = grade or near(strength_of(firsts(attempts_of(tried)).values()))
    left = next_of(puzzles, [code for code, _ in tried], wanted, len(tried))
    return left or puzzles[len(tried) % len(puzzles)]
