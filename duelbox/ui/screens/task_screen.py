"""The base of screens for tables beside play: a review, the steps of a lesson, a puzzle, mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from textual.binding import BindingsMap, BindingType

from duelbox.core.news import News
from duelbox.table.base import BaseTable
from duelbox.table.local import LocalTable
from duelbox.table.prompts import Prompts
from duelbox.ui import motion
from duelbox.ui.screens.table import TableScreen
from duelbox.ui.table_keys import ARROWS, RUB_OUT, bindings_of
from duelbox.ui.widgets.plot import Curve, Plot

T = TypeVar("T", bound=BaseTable)


class TaskScreen(TableScreen[T], inherit_bindings=False):
    """A table whose verbs alone are its keys; a subclass may lay out a plot of the game, too."""

    KEYS: ClassVar[tuple[BindingType, ...]] = (*ARROWS, RUB_OUT)
    """The keys beside those of the verbs."""

    def __init__(self, table: T) -> None:
        super().__init__(table)
        self._bindings = BindingsMap([*bindings_of(table.verbs.values(), "task"), *self.KEYS])

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        """Draw the table and the plot."""
        super().show(prompts, news)
        for plot in self.query(Plot):
            plot.glyphs = self.app.glyphs
            plot.curve, plot.at = self.plotted()

    @property
    def window_title(self) -> str:
        """Empty: no game is played here."""
        return ""

    def plotted(self) -> tuple[Curve, int]:
        """The curve to plot, and the turn to mark on it."""
        raise NotImplementedError

    def open_leave(self) -> None:
        """Return to the screen below."""
        self.dismiss(None)

    def lay(self, table: LocalTable, said: str) -> None:
        """Open a game that goes on from here; leaving it leads back to this screen."""
        table.store = self.app.store
        self.app.navigation.open_table(table, said)

    def _before(self) -> motion.Before:
        """The board before a tried move: the session is a new copy by now, perhaps with an answer played."""
        self.settle()
        return motion.Before(self._seen[2], self.board.drawing().canvas)
