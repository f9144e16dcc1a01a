"""The lessons of a game: in each step a sentence, a board and one move to find."""

from __future__ import annotations

from duelbox.learn.lessons import Course
from duelbox.table.lesson_table import LessonTable
from duelbox.ui.screens.task_screen import TaskScreen


class LessonScreen(TaskScreen[LessonTable], inherit_bindings=False):
    """A step of a lesson; Left and Right lead to the other steps."""

    def __init__(self, course: Course) -> None:
        super().__init__(LessonTable(course))

    async def action_step(self, dx: int, dy: int) -> None:
        """Go to the next step or the one before; while the cursor is on the board, move it instead."""
        if dx and self.board.target is None:
            await self.state.do("skip" if dx > 0 else "back")
        else:
            await super().action_step(dx, dy)

    def open_play_game(self) -> None:
        """Open a game in which the idea of the lesson helps."""
        game, wanted = self.table.game, self.table.trial.preset
        self.dismiss(None)
        self.app.navigation.open_preset(game, next(preset for preset in game.PRESETS if preset.id == wanted))

    def open_test(self) -> None:
        """Open the test of the course in place of its last lesson."""
        self.dismiss(None)
        self.app.navigation.open_test(self.table.game.INFO.id, self.table.trial.preset)

    def open_puzzles(self) -> None:
        """Open puzzles of the lesson's idea."""
        self.app.navigation.open_puzzles_of(self.table.game.INFO.id, self.table.trial.lesson.idea)
