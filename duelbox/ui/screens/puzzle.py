"""A puzzle: one or more right moves to find, and a result to share.

Its keys, such as `h` for a hint, are the verbs in `duelbox/table/trial.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from textual import events, on
from textual.binding import BindingType

from duelbox.learn.puzzle_results import PuzzleResult
from duelbox.learn.puzzles import Puzzle
from duelbox.table.puzzle import PuzzleTask
from duelbox.ui.screens.task_screen import TaskScreen
from duelbox.ui.table_keys import ARROWS, RUB_OUT, bindings_of
from duelbox.ui.terminal.background import in_background


class PuzzleScreen(TaskScreen[PuzzleTask], inherit_bindings=False):
    """A puzzle; the next one follows it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(PuzzleTask.verbs.values(), "puzzle"), *ARROWS, RUB_OUT]

    def __init__(
        self, puzzles: Sequence[Puzzle], day: date | None = None, done: Sequence[PuzzleResult | None] = ()
    ) -> None:
        """Show the first of these puzzles; `done` are the results of earlier ones of the day."""
        super().__init__(PuzzleTask(puzzles, day, done))
        self._places["next"] = self._next

    @on(events.Mount)
    async def _work_out(self) -> None:
        """Analyse the position before it is shown."""
        await in_background(self.table_task.trial.work_out)

    def copy(self, text: str) -> None:
        """Copy the result, and say that it gives nothing away."""
        super().copy(text)
        self.notify("Copied. It tells nothing of the answer.")

    def _next(self) -> None:
        """Open the next puzzle or, after the last of a day, the calendar."""
        self.dismiss(None)
        if self.table_task.last_of_day:
            self.app.navigation.open("calendar")
        elif self.table_task.rest:
            self.app.navigation.open_puzzles(self.table_task.rest, self.table_task.day, self.table_task.done)
        elif not self.table_task.last_of_idea:
            self.app.navigation.open_puzzles()
