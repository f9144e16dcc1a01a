"""Mistakes on the full screen: the game stops before each of them, and a better move is looked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from duelbox.core.news import News
from duelbox.core.session import Session
from duelbox.learn.ideas import Again
from duelbox.learn.mistakes import Mistakes
from duelbox.learn.turning_points import JudgedMove
from duelbox.table.prompts import Prompts
from duelbox.table.trial import MistakesTask
from duelbox.ui.screens.exercise import ExerciseScreen
from duelbox.ui.table_keys import ARROWS, RUB_OUT, bindings_of
from duelbox.ui.widgets.plot import Curve, Plot, curve_of


class MistakesScreen(ExerciseScreen[MistakesTask], inherit_bindings=False):
    """One mistake after the other, with a plot of the game up to where it stops."""

    SPENT = 1
    SPARE: ClassVar[tuple[str, ...]] = ("next_level", "play_on", "help")
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(MistakesTask.verbs.values(), "mistakes"), *ARROWS, RUB_OUT]
    DEFAULT_CSS = "MistakesScreen.-low Plot { display: none; }"

    def __init__(
        self,
        trial: Mistakes,
        games: Sequence[tuple[Session, Sequence[JudgedMove]]] = (),
        back: Callable[[], Screen[None]] | None = None,
        kept: Sequence[Again] = (),
    ) -> None:
        """`games` are the rounds as they were judged, for the plot; `back` makes the screen that Leave leads to."""
        super().__init__(MistakesTask(trial, len(games), kept))
        self._games, self._back = games, back
        self.add_class("-plot")
        self._places["lesson"] = self._lesson

    def _lesson(self) -> None:
        self.app.navigation.open_lesson(self.table.game.INFO.id, self.finding.trial.lesson)

    def between(self) -> ComposeResult:
        """The plot, too, up to where the game stops."""
        yield from super().between()
        if self._games:
            yield Plot()

    def show(self, prompts: Prompts, news: Sequence[News]) -> None:
        """Draw the plot, too."""
        super().show(prompts, news)
        for plot in self.query(Plot):
            plot.glyphs, plot.curve, plot.at = self.app.glyphs, self._curve(), self.finding.trial.mistake.ply

    def _curve(self) -> Curve:
        """The game up to the stop; the whole of it once the move is found."""
        mistake, table = self.finding.trial.mistake, self.finding.table
        session, judged = self._games[mistake.round]
        hidden, seat = session.game.INFO.hidden, mistake.session.turn
        if table.over or (table.tried is not None and table.tried.right):
            return curve_of(judged, len(session.moves), hidden, seat)
        before = [one for one in judged if one.ply < mistake.ply]
        return curve_of(before, mistake.ply, hidden, seat, asked=mistake.ply)

    def leave(self) -> None:
        """Back to the game, or to where this was opened."""
        if self._back is None:
            self.dismiss(None)
        else:
            self.app.switch_screen(self._back())
