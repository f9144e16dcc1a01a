"""Mistakes of a game: the game stops before each one, and the player looks for a better move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.screen import Screen

from duelbox.core.session import Session
from duelbox.learn.ideas import Again
from duelbox.learn.mistakes import Mistakes
from duelbox.learn.turning_points import JudgedMove
from duelbox.table.mistakes_table import MistakesTable
from duelbox.ui.screens.task_screen import TaskScreen
from duelbox.ui.widgets.plot import Curve, Plot, curve_of


class MistakesScreen(TaskScreen[MistakesTable], inherit_bindings=False):
    """A mistake, with a plot of the game up to it; the next mistake follows."""

    SPENT = 1
    SPARE: ClassVar[tuple[str, ...]] = ("next_level", "play_on", "help")
    DEFAULT_CSS = "MistakesScreen.-low Plot { display: none; }"

    def __init__(
        self,
        trial: Mistakes,
        games: Sequence[tuple[Session, Sequence[JudgedMove]]] = (),
        back: Callable[[], Screen[None]] | None = None,
        kept: Sequence[Again] = (),
    ) -> None:
        """`games` are the rounds with their judged moves, to be plotted; `back` makes the screen to return to."""
        super().__init__(MistakesTable(trial, len(games), kept))
        self._games = games
        self._back = back
        self.add_class("-plot")

    def open_lesson(self) -> None:
        """Open the lesson on the idea met most often."""
        self.app.navigation.open_lesson(self.table.game.INFO.id, self.table.trial.lesson)

    def between(self) -> ComposeResult:
        """The move line, and the plot if the games are known."""
        yield from super().between()
        if self._games:
            yield Plot()

    def plotted(self) -> tuple[Curve, int]:
        """The game up to the mistake; the whole game once the move is found."""
        table, mistake = self.table, self.table.trial.mistake
        session, judged = self._games[mistake.round]
        hidden, seat = session.game.INFO.hidden, mistake.session.turn
        if table.over or (table.attempt is not None and table.attempt.right):
            return curve_of(judged, len(session.moves), hidden, seat), mistake.ply
        before = [one for one in judged if one.ply < mistake.ply]
        return curve_of(before, mistake.ply, hidden, seat, asked=mistake.ply), mistake.ply

    def open_leave(self) -> None:
        """Return to the game, or to the screen below."""
        if self._back is None:
            self.dismiss(None)
        else:
            self.app.switch_screen(self._back())
