"""The base of screens with a task at a table: a review, the steps of a lesson, a puzzle, mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from duelbox.core.news import News
from duelbox.table.base import BaseTable
from duelbox.table.prompts import Prompts
from duelbox.table.review import ReviewTask
from duelbox.table.trial import TrialTask
from duelbox.ui import motion
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.widgets.plot import Curve, Plot

T = TypeVar("T", bound=TrialTask[Any] | ReviewTask)


class TaskScreen(TableScreen, Generic[T], inherit_bindings=False):
    """A table with a task on it; a subclass may lay out a plot of the game, too."""

    def __init__(self, table_task: T) -> None:
        super().__init__(table_task.table, task=table_task)
        self.table_task = table_task
        self._places["leave"] = self.leave

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        """Draw the table and the plot."""
        super().show(prompts, news)
        for plot in self.query(Plot):
            plot.glyphs, (plot.curve, plot.at) = self.app.glyphs, self.plotted()

    def plotted(self) -> tuple[Curve, int]:
        """The curve to plot, and the turn to mark on it."""
        raise NotImplementedError

    def leave(self) -> None:
        """Return to the screen below."""
        self.dismiss(None)

    def lay(self, table: BaseTable, said: str) -> None:
        """Open a game that goes on from here; leaving it leads back to this screen."""
        table.store = self.app.store
        self.app.navigation.open_table(table, said)

    def _before(self) -> motion.Before:
        """The board before a tried move: the session is a new copy by now, perhaps with an answer played."""
        self.settle()
        return motion.Before(self._seen[2], self.board.drawing().canvas)
