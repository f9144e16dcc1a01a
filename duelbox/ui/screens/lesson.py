"""The lessons of a game on the full screen: one sentence, a board, one thing to do."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from duelbox.learn.lessons import Course
from duelbox.table.lesson import LessonTask
from duelbox.ui.screens.exercise import ExerciseScreen
from duelbox.ui.table_keys import ARROWS, RUB_OUT, bindings_of


class LessonScreen(ExerciseScreen[LessonTask], inherit_bindings=False):
    """The lessons of a game, step by step; left and right turn the steps."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(LessonTask.verbs.values(), "lesson"), *ARROWS, RUB_OUT]

    def __init__(self, course: Course) -> None:
        super().__init__(LessonTask(course))
        self._places |= {"game": self._play_game, "puzzles": self._puzzles}

    async def action_step(self, dx: int, dy: int) -> None:
        """A step on or back; while a number is pointed at, the one beside it."""
        if dx and self.board.target is None:
            await self.state.do("next" if dx > 0 else "back")
        else:
            await super().action_step(dx, dy)

    def _play_game(self) -> None:
        game, preset = self.table.game, self.finding.trial.lesson.preset
        self.dismiss(None)
        self.app.navigation.open_preset(game, next(one for one in game.PRESETS if one.id == preset))

    def _puzzles(self) -> None:
        self.app.navigation.open_puzzles_of(self.table.game.INFO.id, self.finding.trial.lesson.idea)
