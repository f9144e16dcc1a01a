"""A question of an exam that a person sits; the next one follows, and after the last the table of all players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbox.exam.room import Room
from duelbox.exam.sitting import SITTING, Sitting
from duelbox.table.sitting_table import SittingTable
from duelbox.ui.screens.marks_screen import MarksScreen
from duelbox.ui.screens.task_screen import TaskScreen
from duelbox.ui.terminal.background import in_background

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp


class SittingScreen(TaskScreen[SittingTable], inherit_bindings=False):
    """A question at the table of its game; whoever leaves finds the answers kept."""

    def __init__(self, sitting: Sitting, room: Room) -> None:
        super().__init__(SittingTable(sitting, self._keep))
        self._sitting = sitting
        self._room = room

    def _keep(self, question: str, move: str) -> None:
        self.app.note_progress(SITTING, question, move)

    def open_next(self) -> None:
        """Open the next question, or the table."""
        self.app.switch_screen(self.following(self._sitting, self._room))

    @classmethod
    def following(cls, sitting: Sitting, room: Room) -> SittingScreen | MarksScreen:
        """The screen for the question at hand, or the table if all are answered."""
        if not sitting.done:
            return cls(sitting, room)
        room.answers = sitting.answers
        return MarksScreen(room, len(sitting.questions), more=lambda app, most: sit_on(app, room, most))


def sit_on(app: DuelboxApp, room: Room, positions: int) -> None:
    """Open the first question without an answer, in place of the table if it is open; or the table."""

    async def open_it() -> None:
        kept = await in_background(lambda: {**app.store.progress.newest(SITTING), **room.answers})
        sitting = await in_background(lambda: Sitting(room.seed, positions, kept))
        screen = SittingScreen.following(sitting, room)
        if isinstance(app.screen, MarksScreen):
            app.switch_screen(screen)
        else:
            app.push_screen(screen)

    app.run_worker(open_it())
