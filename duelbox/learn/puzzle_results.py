"""Results of puzzles: what is stored of each, a line to share, and a table of all of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import Field, ValidationError

from duelbox.core.errors import DuelboxError
from duelbox.core.model import Model
from duelbox.learn.puzzles import GRADES, Solving, game_of
from duelbox.registry import find_game

PUZZLES = "puzzle"
"""The kind of progress that results of puzzles are stored as."""
ALL = "All games"
WIDE = 6
"""The width of a column of the table."""


class PuzzleResult(Model):
    """A puzzle that was worked on to its end."""

    grade: int = Field(ge=1, le=5)
    at_once: tuple[bool, ...]
    """For each right move of the line whether it was found at once, without help."""
    tries: tuple[bool, ...] = ()
    """For each try whether it was right."""
    hints: int = 0
    shown: bool = False
    seconds: int = 0
    day: str = ""
    """The day whose puzzle it was, if it was one."""

    @property
    def solved(self) -> bool:
        """Whether it counts as solved: all was found at once, without help."""
        return all(self.at_once) and not self.hints and not self.shown


def result_of(solving: Solving, seconds: float, day: str = "") -> PuzzleResult:
    """What there is to keep of a puzzle that is done."""
    return PuzzleResult(
        grade=solving.puzzle.grade,
        at_once=tuple(solving.at_once),
        tries=tuple(solving.tries),
        hints=solving.hints,
        shown=solving.shown,
        seconds=round(seconds),
        day=day,
    )


def results_of(tried: Iterable[tuple[str, Any]]) -> list[tuple[str, PuzzleResult]]:
    """Codes with what was kept of them, in their order; what cannot be read is left out."""
    out = []
    for code, value in tried:
        try:
            out.append((code, PuzzleResult.model_validate_json(json.dumps(value))))
        except ValidationError:
            continue
    return out


def first_results(attempts: Iterable[tuple[str, PuzzleResult]]) -> dict[str, PuzzleResult]:
    """The first attempt at each puzzle: the second time, one knows the answer."""
    found: dict[str, PuzzleResult] = {}
    for code, attempt in attempts:
        found.setdefault(code, attempt)
    return found


def shared(title: str, attempts: Sequence[PuzzleResult], *, ascii_only: bool = False) -> str:
    """A result to share, which tells nothing of the answer: a sign for each try, or for each puzzle of several."""
    star, full, empty, dot = ("*", "#", "-", "-") if ascii_only else ("★", "■", "□", "·")
    first, *more = attempts
    found = [one.solved for one in attempts] if more else list(first.at_once)
    parts = [f"{sum(found)}/{len(found)} at once"]
    if hints := sum(one.hints for one in attempts):
        parts.append(f"{hints} hint{'' if hints == 1 else 's'}")
    if any(one.shown for one in attempts):
        parts.append("answer shown")
    seconds = sum(one.seconds for one in attempts)
    parts.append(f"{seconds // 60}:{seconds % 60:02}")
    blocks = "".join(full if one else empty for one in (found if more else first.tries or first.at_once))
    head = f"duelbox {first.day} {dot} " if first.day else "duelbox "
    grades = " ".join(star * one.grade for one in attempts)
    return f"{head}{title} {grades}\n{blocks}  {f' {dot} '.join(parts)}"


def table(attempts: Sequence[tuple[str, PuzzleResult]], star: str) -> list[str]:
    """Lines: of each game and grade how many were solved of those tried, and the time they took on the average."""
    first: dict[tuple[str, int], list[PuzzleResult]] = defaultdict(list)
    for code, one in first_results(attempts).items():
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


def _title(game_id: str) -> str:
    try:
        return find_game(game_id).INFO.title
    except DuelboxError:  # a guest that is here no more
        return game_id
