"""A puzzle on the full screen: one right move after the other, on the table's own board."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from time import monotonic
from typing import ClassVar

from textual.binding import Binding, BindingType

from duelbox.learn.puzzles import Puzzle, Solving
from duelbox.learn.strength import KIND, attempt_of, shared
from duelbox.solve import sentences
from duelbox.table.cues import Part
from duelbox.ui.screens.tries import TryScreen


class PuzzleScreen(TryScreen[Solving]):
    """One puzzle; at its end a result to share, and the next one."""

    TITLE_PLACE = "Puzzle"
    LEFT_ALONE = (*TryScreen.LEFT_ALONE, "c", "n")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "skip", "Next puzzle", id="try.next"),
        Binding("c", "share", "Copy result", id="puzzle.share", tooltip="Copy the result, without the answer"),
    ]

    def __init__(self, puzzles: Sequence[Puzzle], day: date | None = None) -> None:
        """Of several puzzles, the first; the others follow."""
        super().__init__(Solving(puzzles[0], ("Player 1", "Player 2")))
        self._rest = puzzles[1:]
        self._day = day
        self._began = monotonic()
        self._result, self._solved = "", False

    @property
    def _last_of_day(self) -> bool:
        """Whether the other days follow, rather than another puzzle."""
        return self._day is not None and not self._rest

    def aside(self) -> str:
        """The day, and how hard it is."""
        return f"{self._day or ''}  {'★' * self.trial.puzzle.grade}".strip()

    def way_on(self) -> str:
        """What Enter does after a right move."""
        return "Enter: the result" if self.trial.done else "Enter: go on"

    def found(self) -> None:
        """On to the next puzzle from the result, too."""
        if self.over:
            self.action_skip()
        else:
            self.proceed()

    def goes_on(self) -> bool:
        """Keep what was done when the line is at its end."""
        if not self.trial.done:
            return True
        attempt = attempt_of(self.trial, monotonic() - self._began, self._day.isoformat() if self._day else "")
        self.app.note_progress(KIND, self.trial.puzzle.code, attempt.model_dump(mode="json"))
        title = self.session.game.INFO.title
        self._result = shared(title, attempt, ascii_only=self.app.settings.ascii)
        self._solved = not attempt.shown
        return False

    def end(self) -> tuple[str, str, tuple[Part, ...]]:
        """The result."""
        on = "Enter: calendar" if self._last_of_day else "Enter: next puzzle"
        return self._result, "Solved" if self._solved else "Done", ((on, "go_on"), ("c: copy result", "share"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The result can be copied when there is one."""
        if action == "share":
            return self.over
        return True if action == "skip" else super().check_action(action, parameters)

    async def action_help_on(self) -> None:
        """A hint, in three steps."""
        if self.state.hint_step < sentences.HINTS:
            self.trial.hinted()
        await self.commands.do("hint")

    def action_answer(self) -> None:
        """Lay the right move into the line."""
        self.trial.answered()
        super().action_answer()

    def label(self, action: str) -> str | None:
        """After the puzzle of a day come the other days."""
        return "Calendar" if action == "skip" and self._last_of_day else super().label(action)

    def action_skip(self) -> None:
        """The next puzzle, or the other days."""
        self._forget()
        self.dismiss(None)
        if self._last_of_day:
            self.app.ways.open("calendar")
        else:
            self.app.ways.open_puzzles(self._rest)

    def action_share(self) -> None:
        """Copy the result."""
        self.app.copy_to_clipboard(self._result)
        self.notify("Copied. It tells nothing of the answer.")
