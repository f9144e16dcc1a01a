"""The table with right moves to find on it: the steps of a lesson, a puzzle, mistakes."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from duelbox.table.base import BaseTable
from duelbox.table.trial import FindingTask
from duelbox.ui import motion
from duelbox.ui.screens.table import TableScreen

F = TypeVar("F", bound=FindingTask[Any])


class ExerciseScreen(TableScreen, Generic[F], inherit_bindings=False):
    """The table with a task on it; a try is shown as a move is, with the answer to a wrong one."""

    def __init__(self, finding: F) -> None:
        super().__init__(finding.table, task=finding)
        self.finding = finding
        self._places["leave"] = self.leave

    def leave(self) -> None:
        """Back to where this was opened."""
        self.dismiss(None)

    def lay(self, table: BaseTable, said: str) -> None:
        """Play on from here; from that game the way leads back."""
        table.store = self.app.store
        self.app.navigation.open_table(table, said)

    def _before(self) -> motion.Before:
        """The board before a try, which is shown on a copy of the game, perhaps with its answer."""
        self.settle()
        return motion.Before(self._seen[2], self.board.drawing().canvas)
