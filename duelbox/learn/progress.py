"""Progress: how well every idea of every game is known.

Answers to an idea are the puzzles of it that were tried, its returns, and the games in which it was missed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from duelbox.learn import lessons as courses
from duelbox.learn.ideas import MISTAKES, missed_ideas
from duelbox.learn.lessons import LESSONS, key_of, steps_done
from duelbox.learn.puzzle_results import PUZZLES, first_results, results_of
from duelbox.learn.puzzles import DAILY, EXERCISES, PRACTICE, puzzles_in
from duelbox.registry import game_ids
from duelbox.solve import can_solve, solver_of
from duelbox.solve.api import Idea

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
    last: date | None
    """The last day of an answer, of its lesson, or of a game in which it was missed."""
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
        days = {"last": self.last, "due": self.due}
        return asdict(self) | {name: day and day.isoformat() for name, day in days.items()}


Marks = Callable[[str], Iterable[tuple[str, Any, datetime]]]
"""Gives all marks of a kind in their order: key, value and time."""


class _Kept:
    """All marks of learning, sorted by what they are of."""

    def __init__(self, marks: Marks) -> None:
        lessons, puzzles = list(marks(LESSONS)), list(marks(PUZZLES))
        self.lessons = {key: value for key, value, _ in lessons}
        self.lesson_days = {key: _day(at) for key, _, at in lessons}
        self.missed = missed_ideas((key, value) for key, value, _ in marks(MISTAKES))
        self.results = first_results(results_of((key, value) for key, value, _ in puzzles))
        self.puzzle_days = {key: _day(at) for key, _, at in puzzles}
        ideas = {one.code: (one.game_id, one.idea) for name in (DAILY, PRACTICE, EXERCISES) for one in puzzles_in(name)}
        self.puzzles: dict[tuple[str, str], list[str]] = defaultdict(list)
        """The codes of the puzzles that were tried, by game and idea."""
        for code in self.results:
            self.puzzles[ideas.get(code, ("", ""))].append(code)

    def known(self, game_id: str, idea: Idea, course: courses.Lessons) -> Known:
        """The knowledge of an idea, with its lesson in a course."""
        again = self.missed.get(f"{game_id}/{idea.name}")
        codes = self.puzzles[game_id, idea.name]
        tried = [self.results[code].solved for code in codes]
        days = [self.puzzle_days[code] for code in codes]
        if again:
            tried += again.found
            days.append(again.day)
        number = courses.lesson_on(course, idea)
        unit: int | None = None
        steps = 0
        of_steps = 0
        if number is not None:
            lesson = course[number]
            unit = number + 1
            steps = steps_done(game_id, lesson, self.lessons)
            of_steps = len(lesson.step)
            days += [day for key, day in self.lesson_days.items() if key == key_of(game_id, lesson)]
        return Known(
            game=game_id,
            idea=idea.name,
            unit=unit,
            steps=steps,
            of_steps=of_steps,
            solved=sum(tried),
            tried=len(tried),
            missed=again.missed if again else 0,
            last=max(days, default=None),
            due=again.due if again else None,
        )


def _day(at: datetime) -> date:
    return at.astimezone().date()


def known_ideas(marks: Marks) -> list[Known]:
    """All ideas of all games: the weak ones first, then the others begun, and then those not begun, as in courses."""
    kept = _Kept(marks)
    rows = []
    for game_id in filter(can_solve, game_ids()):
        course = courses.readable(game_id)
        rows += [kept.known(game_id, idea, course) for idea in solver_of(game_id).ideas]
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
