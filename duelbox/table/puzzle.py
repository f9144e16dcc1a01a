"""A puzzle as a task at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from time import monotonic

from duelbox.learn.puzzle_results import PUZZLES, PuzzleResult, result_of, text_to_share
from duelbox.learn.puzzles import Puzzle, Solving
from duelbox.table.prompts import Part
from duelbox.table.state import TableState
from duelbox.table.task import verb
from duelbox.table.trial import TrialTask, at_end


class PuzzleTask(TrialTask[Solving]):
    """One puzzle; its end shows a result to share, and leads to the next puzzle."""

    place = "Puzzle"

    def __init__(
        self, puzzles: Sequence[Puzzle], day: date | None = None, done: Sequence[PuzzleResult | None] = ()
    ) -> None:
        """Begin the first of several puzzles; `done` are the results of the day's puzzles before it."""
        super().__init__(Solving(puzzles[0]))
        self.rest, self.day = puzzles[1:], day
        self._before = tuple(done)
        self._own_result: PuzzleResult | None = None
        self._began = monotonic()
        self._result, self._solved = "", False

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

    def aside(self) -> str:
        """The day, the number of the puzzle in it, and its grade."""
        at, count = len(self.done), len(self.done) + len(self.rest)
        signs = "".join("·" if one is None else "■" if one.solved else "□" for one in self.done)
        place = f" · {at} of {count} {signs:·<{count}}" if count > 1 else ""
        return f"{self.day or ''}{place}  {'★' * self.trial.puzzle.grade}".lstrip(" ·")

    @property
    def heading(self) -> str:
        """The number of the puzzle among several, and its grade."""
        count = len(self.done) + len(self.rest)
        return f"Puzzle{f' {len(self.done)} of {count}' if count > 1 else ''}, grade {self.trial.puzzle.grade} of 5"

    def labels(self) -> Mapping[str, str]:
        """Next opens the calendar after the last puzzle of a day."""
        return {**super().labels(), **({"next": "Calendar"} if self.last_of_day else {})}

    def way_on(self) -> str:
        """The effect of Enter after a right move."""
        return "the result" if self.trial.done else "go on"

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The result, and the idea of the puzzle."""
        idea = self.trial.puzzle.idea
        note = f"{self._result}. The idea: {idea}." if idea else self._result
        on = f"Enter: next p{'osition' if self.day else 'uzzle'}"
        on = "Enter: calendar" if self.last_of_day else "Enter: leave" if self.last_of_idea else on
        return note, "Solved" if self._solved else "Done", ((on, "play"), ("c: copy result", "share"))

    def advance(self, state: TableState) -> bool:
        """Go to the next move of the puzzle; at its end, keep the result."""
        if self.trial.go_on():
            return True
        result = result_of(self.trial, monotonic() - self._began, self.day.isoformat() if self.day else "")
        state.frontend.remember(PUZZLES, self.trial.puzzle.code, result.model_dump(mode="json"))
        self._own_result, self._solved = result, not result.shown
        done = [one for one in self.done if one]
        self._result = text_to_share(self.table.game.INFO.title, done, ascii_only=state.frontend.settings.plain)
        return False

    def leave_end(self, state: TableState) -> None:
        """Go from the result to the next puzzle."""
        self.next(state)

    @verb("n", "Next puzzle", alias="skip", in_lines="the next puzzle")
    def next(self, state: TableState) -> None:
        """Open the next puzzle, or the calendar."""
        state.frontend.open("next")

    @verb("c", "Copy result", when=at_end, title="Copy the result, without the answer")
    def share(self, state: TableState) -> None:
        """Copy the result."""
        state.frontend.copy(self._result)
