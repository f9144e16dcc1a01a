"""The lessons of a game: in each step a sentence, a board and one move to find."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from duelbox.learn.lessons import Course
from duelbox.table.lesson import LessonTask
from duelbox.ui.screens.task_screen import TaskScreen
from duelbox.ui.table_keys import ARROWS, RUB_OUT, bindings_of


class LessonScreen(TaskScreen[LessonTask], inherit_bindings=False):
    """A step of a lesson; Left and Right lead to the other steps."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(LessonTask.verbs.values(), "lesson"), *ARROWS, RUB_OUT]

    def __init__(self, course: Course) -> None:
        super().__init__(LessonTask(course))
        self._places |= {"game": self._play_game, "puzzles": self._puzzles}

    async def action_step(self, dx: int, dy: int) -> None:
        """Go to the next step or the one before; while the cursor is on the board, move it instead."""
        if dx and self.board.target is None:
            await self.state.do("next" if dx > 0 else "back")
        else:
            await super().action_step(dx, dy)

    def _play_game(self) -> None:
        game, preset = self.table.game, self.table_task.trial.lesson.preset
        self.dismiss(None)
        self.app.navigation.open_preset(game, next(one for one in game.PRESETS if one.id == preset))

    def _puzzles(self) -> None:
        self.app.navigation.open_puzzles_of(self.table.game.INFO.id, self.table_task.trial.lesson.idea)
