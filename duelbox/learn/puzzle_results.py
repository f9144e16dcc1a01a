"""Results of puzzles: what is stored of each, a line to share, and a table of all of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from statistics import mean
from typing import Any

from pydantic import Field, ValidationError

from duelbox.core.model import Model
from duelbox.learn.puzzles import GRADES, Solving, game_of
from duelbox.registry import title_of

PUZZLES = "puzzle"
"""The kind of progress that results of puzzles are stored as."""
ALL = "All games"
WIDE = 6
"""The width of a column of the table."""


class PuzzleResult(Model):
    """The result of a puzzle that was worked on to its end."""

    grade: int = Field(ge=1, le=5)
    at_once: tuple[bool, ...]
    """For each right move of the line: it was found at once, without help."""
    tries: tuple[bool, ...] = ()
    """For each attempt: it was right."""
    hints: int = 0
    shown: bool = False
    seconds: int = 0
    day: str = ""
    """The day, if it was a puzzle of the day."""

    @property
    def solved(self) -> bool:
        """All moves were found at once, without help."""
        return all(self.at_once) and not self.hints and not self.shown


def result_of(solving: Solving, seconds: float, day: str = "") -> PuzzleResult:
    """The result of a puzzle that is done."""
    return PuzzleResult(
        grade=solving.puzzle.grade,
        at_once=tuple(solving.at_once),
        tries=tuple(solving.tries),
        hints=solving.hints,
        shown=solving.shown,
        seconds=round(seconds),
        day=day,
    )


def resume(solving: Solving, result: PuzzleResult) -> None:
    """Go on with a puzzle from its unfinished result: the moves found so far are played again."""
    for move in solving.puzzle.line[: 2 * len(result.at_once)]:
        solving.session.type(move)
        solving.at += 1
    solving.at_once += result.at_once
    solving.tries += result.tries
    solving.hints = result.hints
    solving.shown = result.shown
    solving.helped = bool(result.hints) or result.shown or result.tries[-1:] == (False,)


def results_of(stored: Iterable[tuple[str, Any]]) -> list[tuple[str, PuzzleResult]]:
    """Read stored results, with the codes of their puzzles; unreadable ones are left out."""
    results = []
    for code, value in stored:
        with suppress(ValidationError):
            results.append((code, PuzzleResult.model_validate_json(json.dumps(value))))
    return results


def first_results(results: Iterable[tuple[str, PuzzleResult]]) -> dict[str, PuzzleResult]:
    """The first result of each puzzle, in their order; later ones begin with the answer known."""
    first: dict[str, PuzzleResult] = {}
    for code, result in results:
        first.setdefault(code, result)
    return first


def worked_on(results: Iterable[tuple[str, PuzzleResult]]) -> dict[str, PuzzleResult]:
    """The first result of each puzzle that is not still to do, in their order.

    A puzzle whose answer was shown is still to do; found later, it was not found at once.
    """
    first: dict[str, PuzzleResult] = {}
    shown = set[str]()
    for code, result in results:
        if result.shown:
            shown.add(code)
        elif code in shown:
            first.setdefault(code, result.changed(at_once=(False,) * len(result.at_once)))
        else:
            first.setdefault(code, result)
    return first


def text_to_share(title: str, results: Sequence[PuzzleResult], *, ascii_only: bool = False) -> str:
    """A result that does not betray the answer: of a day a sign for each position, else for each move."""
    star, full, empty, dot = ("*", "#", "-", "-") if ascii_only else ("★", "■", "□", "·")
    first, *more = results
    if first.day or more:
        unit = "position"
        at_once = [one.solved for one in results]
    else:
        unit = "move"
        at_once = list(first.at_once)
    plural = "" if len(at_once) == 1 else "s"
    parts = [f"{sum(at_once)} of {len(at_once)} {unit}{plural} at once"]
    if hints := sum(one.hints for one in results):
        parts.append(f"{hints} hint{'' if hints == 1 else 's'}")
    if any(one.shown for one in results):
        parts.append("answer shown")
    seconds = sum(one.seconds for one in results)
    parts.append(f"{seconds // 60}:{seconds % 60:02}")
    blocks = "".join(full if found else empty for found in at_once)
    head = f"duelbox {first.day} {dot} " if first.day else "duelbox "
    grades = " ".join(star * one.grade for one in results)
    return f"{head}{title} {grades}\n{blocks}  {f' {dot} '.join(parts)}"


def results_table(results: Sequence[tuple[str, PuzzleResult]], star: str) -> list[str]:
    """Lines of a table: the puzzles solved and tried of each game and grade, and the average time.

    Those whose answer was shown are left out until they are found.
    """
    by_grade: dict[tuple[str, int], list[PuzzleResult]] = defaultdict(list)
    for code, one in worked_on(results).items():
        by_grade[title_of(game_of(code)), one.grade].append(one)
    titles = sorted({title for title, _ in by_grade})
    width = max(map(len, [*titles, ALL]))
    lines = [f"{'Solved of tried':<{width}}{''.join(f'{star * grade:>{WIDE}}' for grade in GRADES)}{'Time':>{WIDE}}"]
    for title in [*titles, *([ALL] if len(titles) > 1 else [])]:
        names = [name for name in titles if title in (name, ALL)]
        done = [[one for name in names for one in by_grade[name, grade]] for grade in GRADES]
        cells = [f"{sum(one.solved for one in of_grade)}/{len(of_grade)}" if of_grade else "" for of_grade in done]
        seconds = round(mean(one.seconds for of_grade in done for one in of_grade))
        row = "".join(f"{cell:>{WIDE}}" for cell in cells)
        lines.append(f"{title:<{width}}{row}{seconds // 60:>{WIDE - 3}}:{seconds % 60:02}")
    return lines
