"""A puzzle on the full screen: one right move after the other, on the table's own board."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from textual import events, on
from textual.binding import BindingType

from duelbox.learn.puzzle_results import PuzzleResult
from duelbox.learn.puzzles import Puzzle
from duelbox.table.trial import PuzzleTask
from duelbox.ui.screens.exercise import ExerciseScreen
from duelbox.ui.table_keys import ARROWS, RUB_OUT, bindings_of
from duelbox.ui.terminal.background import in_background


class PuzzleScreen(ExerciseScreen[PuzzleTask], inherit_bindings=False):
    """One puzzle; at its end a result to share, and the next one."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(PuzzleTask.verbs.values(), "puzzle"), *ARROWS, RUB_OUT]

    def __init__(
        self, puzzles: Sequence[Puzzle], day: date | None = None, done: Sequence[PuzzleResult | None] = ()
    ) -> None:
        """Of several puzzles, the first; the others follow. `done` are those of the day that went before."""
        super().__init__(PuzzleTask(puzzles, day, done))
        self._places["next"] = self._next

    @on(events.Mount)
    async def _work_out(self) -> None:
        """Work out the position before it is shown."""
        await in_background(self.finding.trial.work_out)

    def copy(self, text: str) -> None:
        """Copy the result, and say so beside it."""
        super().copy(text)
        self.notify("Copied. It tells nothing of the answer.")

    def _next(self) -> None:
        """The next puzzle, or the other days."""
        self.dismiss(None)
        if self.finding.last_of_day:
            self.app.navigation.open("calendar")
        elif self.finding.rest:
            self.app.navigation.open_puzzles(self.finding.rest, self.finding.day, self.finding.done)
        elif not self.finding.last_of_idea:
            self.app.navigation.open_puzzles()
