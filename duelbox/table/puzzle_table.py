"""A puzzle at a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from time import monotonic
from typing import Any, ClassVar

from duelbox.learn.daily import daily, short_day, title_of_day
from duelbox.learn.ideas import MISTAKES, missed_in_learning
from duelbox.learn.lessons import readable
from duelbox.learn.puzzle_results import PUZZLES, PuzzleResult, result_of, text_to_share
from duelbox.learn.puzzles import Puzzle, Solving
from duelbox.table.prompts import Part
from duelbox.table.refusals import unless, why_no_proofs
from duelbox.table.state import TableState
from duelbox.table.trial_table import TRIAL_VERBS, TrialTable, at_the_end
from duelbox.table.verb import Verb, Verbs

PUZZLE_VERBS = Verbs(TRIAL_VERBS)
"""The verbs of puzzles."""


class PuzzleTable(TrialTable[Solving]):
    """One puzzle; its end shows a result to share, and leads to the next puzzle."""

    verbs: ClassVar[Mapping[str, Verb]] = PUZZLE_VERBS
    NAME = "Puzzle"

    def __init__(
        self, puzzles: Sequence[Puzzle], day: date | None = None, done: Sequence[PuzzleResult | None] = ()
    ) -> None:
        """Begin the first of several puzzles; `done` are the results of the day's puzzles before it."""
        super().__init__(Solving(puzzles[0]))
        self.rest = puzzles[1:]
        self.day = day
        self.text_to_share = ""
        """The result without the answer, once the puzzle is done."""
        self._before = tuple(done)
        self._own_result: PuzzleResult | None = None
        self._began = monotonic()

    @property
    def last_of_day(self) -> bool:
        """The day's puzzles end with this one; the calendar follows."""
        return self.day is not None and not self.rest

    @property
    def last_of_idea(self) -> bool:
        """The puzzles of an idea end with this one; none follows."""
        return self.day is None and not self.rest and bool(self._before)

    @property
    def done(self) -> tuple[PuzzleResult | None, ...]:
        """The results of the day's puzzles so far, this one last; None for a skipped one."""
        return *self._before, self._own_result

    @property
    def _count(self) -> int:
        return len(self.done) + len(self.rest)

    @property
    def place(self) -> str:
        """The day, the number of the puzzle in it, and its grade."""
        stars = "★" * self.trial.puzzle.grade
        number = ""
        if self._count > 1:
            signs = "".join(map(_sign, self.done))
            number = f" · {len(self.done)} of {self._count} {signs:·<{self._count}}"
        day = short_day(self.day) if self.day else ""
        return f"{day}{number}  {stars}".lstrip(" ·")

    @property
    def heading(self) -> str:
        """The number of the puzzle among several, and its grade."""
        number = f" {len(self.done)} of {self._count}" if self._count > 1 else ""
        return f"Puzzle{number}, grade {self.trial.puzzle.grade} of 5"

    def labels(self) -> Mapping[str, str]:
        """Next opens the calendar after the last puzzle of a day."""
        if self.last_of_day:
            return {**super().labels(), "skip": "Calendar"}
        return super().labels()

    @property
    def way_on(self) -> str:
        """The effect of Enter after a right move."""
        return "the result" if self.trial.done else "go on"

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The result, and the idea of the puzzle."""
        note, prompt = self.text_to_share, "Done"
        if self._own_result is not None and not self._own_result.shown:
            prompt = "Solved"
        if self.trial.puzzle.idea:
            note = f"{note}. The idea: {self.trial.puzzle.idea}."
        if self._own_result is not None and self._own_result.shown:
            what = "position" if self.day else "puzzle"
            note = f"{note} The answer was shown: this {what} stays to do."
        parts: tuple[Part, ...] = ((f"Enter: {self._what_follows}", "play"), ("c: copy result", "share"))
        if self.lesson_offered is not None:
            parts = (*parts, ("t: its lesson", "lesson"))
        return note, prompt, parts

    @property
    def lesson_offered(self) -> int | None:
        """The index of the lesson that is offered after a miss in the first position of a day; None in other cases."""
        result = self._own_result
        if self.day is None or self._before or result is None or result.solved:
            return None
        lessons = readable(self.game.INFO.id)
        return next((at for at, lesson in enumerate(lessons) if lesson.idea == self.trial.puzzle.idea), None)

    @property
    def commands(self) -> Mapping[str, str]:
        """The command for the lesson."""
        return (
            {}
            if self.lesson_offered is None
            else {"lesson": f"duelbox learn {self.game.INFO.id} {self.lesson_offered + 1}"}
        )

    @property
    def _what_follows(self) -> str:
        if self.last_of_day:
            return "calendar"
        if self.last_of_idea:
            return "leave"
        return "next position" if self.day else "next puzzle"

    def advance(self, state: TableState) -> bool:
        """Go to the next move of the puzzle; at its end, keep the result."""
        if self.trial.go_on():
            return True
        day = self.day.isoformat() if self.day else ""
        self._own_result = result_of(self.trial, monotonic() - self._began, day)
        remember_result(self.trial.puzzle, self._own_result, state.frontend.remember)
        done = [result for result in self.done if result]
        ascii_only = state.frontend.settings.plain
        title = title_of_day(daily(self.day)) if self.day else self.game.INFO.title
        self.text_to_share = text_to_share(title, done, ascii_only=ascii_only)
        return False

    def leave_end(self, state: TableState) -> None:
        """Go from the result to the next puzzle."""
        state.frontend.open("next")


def remember_result(puzzle: Puzzle, result: PuzzleResult, remember: Callable[[str, str, dict[str, Any]], None]) -> None:
    """Save the result of a puzzle; its idea comes back if it was not found at once, without help."""
    remember(PUZZLES, puzzle.code, result.model_dump(mode="json"))
    if puzzle.idea and not result.solved:
        remember(MISTAKES, puzzle.code, missed_in_learning(puzzle.idea, date.today()))


def _sign(result: PuzzleResult | None) -> str:
    """The sign of a puzzle of the day: solved, done, or still to do as it was skipped or its answer shown."""
    if result is None or result.shown:
        return "·"
    return "■" if result.solved else "□"


PUZZLE_VERBS.place("skip", "n", "Next puzzle", opens="next", help="the next puzzle")


def _with_a_lesson(table: PuzzleTable, state: TableState) -> str | None:
    """Refuses the lesson unless one is offered at the end."""
    return unless(table.over and table.lesson_offered is not None)


PUZZLE_VERBS.place("lesson", "t", "Lesson", _with_a_lesson, title="The lesson on the idea of this position")


def _proved_here(table: PuzzleTable, state: TableState) -> str | None:
    """Refuses a proof before the end, and in games without proofs."""
    if not table.over:
        return ""
    return why_no_proofs(table.game)


PUZZLE_VERBS.place("prove", "k", "Prove it", _proved_here, title="Prove who wins this position, whatever comes")


@PUZZLE_VERBS.verb("c", "Copy result", at_the_end, title="Copy the result, without the answer")
def share(table: PuzzleTable, state: TableState) -> None:
    """Copy the result."""
    state.frontend.copy(table.text_to_share)
