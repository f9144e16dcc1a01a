"""Progress: how well every idea of every game is known.

Answers to an idea are the puzzles of it that were tried, its returns, and the games in which it was missed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from duelbox.learn import lessons as courses
from duelbox.learn.ideas import MISTAKES, missed_ideas
from duelbox.learn.lessons import LESSONS, steps_done
from duelbox.learn.puzzle_results import PUZZLES, first_results, results_of
from duelbox.learn.puzzles import DAILY, EXERCISES, PRACTICE, puzzles_in
from duelbox.registry import game_ids
from duelbox.solve import can_solve, solver_of

ENOUGH = 4
"""An idea is judged by so many answers and more."""


@dataclass(frozen=True, slots=True)
class Known:
    """The knowledge of an idea: its lesson, its puzzles, and the mistakes it was behind."""

    game: str
    idea: str
    unit: int | None
    """The number of its lesson, if it has one."""
    steps: int
    """The steps done of the lesson."""
    of_steps: int
    solved: int
    tried: int
    """Puzzles of the idea that were tried, and its returns."""
    missed: int
    due: date | None

    @property
    def begun(self) -> bool:
        """The idea was tried or missed."""
        return bool(self.tried or self.missed)

    @property
    def lesson_done(self) -> bool:
        """Every step of its lesson was done, or it has no lesson."""
        return self.steps == self.of_steps

    @property
    def answers(self) -> int:
        """The number of times it was asked for, in puzzles and in games."""
        return self.tried + self.missed

    @property
    def share(self) -> Fraction:
        """The share of answers that were right; 0 without any."""
        return Fraction(self.solved, max(self.answers, 1))

    @property
    def weak(self) -> bool:
        """There are enough answers to judge by, and not all are right."""
        return self.answers >= ENOUGH and self.share < 1

    @property
    def next_command(self) -> str:
        """The command that goes on with it: its lesson, unless that is done, and then its puzzles."""
        puzzles = f'duelbox puzzle {self.game} --idea "{self.idea}"'
        return puzzles if self.lesson_done else f"duelbox learn {self.game} {self.unit}, then {puzzles}"

    def as_json(self) -> dict[str, Any]:
        """All fields as JSON."""
        return asdict(self) | {"due": self.due and self.due.isoformat()}


def known_ideas(marks: Callable[[str], Iterable[tuple[str, Any]]]) -> list[Known]:
    """All ideas of all games: the weak ones first, then the others begun, and then those not begun, as in courses.

    `marks` gives all marks of a kind in their order.
    """
    lessons, missed = dict(marks(LESSONS)), missed_ideas(marks(MISTAKES))
    ideas = {one.code: (one.game_id, one.idea) for name in (DAILY, PRACTICE, EXERCISES) for one in puzzles_in(name)}
    done: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for code, result in first_results(results_of(marks(PUZZLES))).items():
        done[ideas.get(code, ("", ""))].append(result.solved)
    rows = []
    for game_id in game_ids():
        course = courses.readable(game_id)
        for idea in solver_of(game_id).ideas if can_solve(game_id) else ():
            again = missed.get(f"{game_id}/{idea.name}")
            tried = [*done[game_id, idea.name], *(again.found if again else ())]
            number = courses.lesson_on(course, idea)
            lesson = None if number is None else course[number]
            rows.append(
                Known(
                    game_id,
                    idea.name,
                    None if number is None else number + 1,
                    steps_done(game_id, lesson, lessons) if lesson else 0,
                    len(lesson.step) if lesson else 0,
                    sum(tried),
                    len(tried),
                    again.missed if again else 0,
                    again.due if again else None,
                )
            )
    return sorted(rows, key=lambda one: (not one.weak, not one.begun, one.share))


def weakest(known: Sequence[Known]) -> Known | None:
    """The weakest idea of a list in the order of `known_ideas`; None if none is weak."""
    return known[0] if known and known[0].weak else None


def next_idea(known: Sequence[Known]) -> Known | None:
    """The idea to go on with: the weakest, or the one with the fewest answers, begun ones first; None if none is left.

    An idea whose lesson is done and whose answers are all right is not gone on with.
    """
    left = [one for one in known if one.answers < ENOUGH]
    begun = [one for one in left if one.begun or one.steps]
    return weakest(known) or min(begun or left, key=lambda one: (one.answers, one.lesson_done), default=None)
