"""A puzzle: one or more right moves to find, and a result to share.

Its keys, such as `h` for a hint, are the verbs in `duelbox/table/trial_table.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from textual import events, on

from duelbox.core.code import parse_code
from duelbox.learn.puzzle_results import PuzzleResult
from duelbox.learn.puzzles import Puzzle
from duelbox.registry import find_game
from duelbox.table.puzzle_table import PuzzleTable
from duelbox.ui.screens.task_screen import TaskScreen
from duelbox.ui.terminal.background import in_background


class PuzzleScreen(TaskScreen[PuzzleTable], inherit_bindings=False):
    """A puzzle; the next one follows it."""

    def __init__(
        self, puzzles: Sequence[Puzzle], day: date | None = None, done: Sequence[PuzzleResult | None] = ()
    ) -> None:
        """Show the first of these puzzles; `done` are the results of earlier ones of the day."""
        super().__init__(PuzzleTable(puzzles, day, done))

    @on(events.Mount)
    async def _work_out(self) -> None:
        """Analyse the position before it is shown."""
        await in_background(self.table.trial.work_out)

    def copy(self, text: str) -> None:
        """Copy the result, and say that it gives nothing away."""
        super().copy(text)
        self.notify("Copied. It tells nothing of the answer.")

    def open_lesson(self) -> None:
        """Open the lesson on the idea of this position; leaving it leads back here."""
        self.app.navigation.open_lesson(self.table.game.INFO.id, self.table.lesson_offered)

    def open_prove(self) -> None:
        """Open the proof of the puzzle's position; leaving it leads back here."""
        from duelbox.ui.proofs import open_proof

        open_proof(self.app, parse_code(self.table.trial.puzzle.code, find_game))

    def open_next(self) -> None:
        """Open the next puzzle or, after the last of a day, the calendar."""
        self.dismiss(None)
        if self.table.last_of_day:
            self.app.navigation.open("calendar")
        elif self.table.rest:
            self.app.navigation.open_puzzles(self.table.rest, self.table.day, self.table.done)
        elif not self.table.last_of_idea:
            self.app.navigation.open_puzzles()
