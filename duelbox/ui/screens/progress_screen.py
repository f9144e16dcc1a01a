"""Progress: the ideas of all games, the weakest first, each with its lesson and its puzzles."""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from textual.binding import Binding, BindingType

from duelbox.core.errors import DuelboxError
from duelbox.learn.progress import Known, known_ideas
from duelbox.registry import title_of
from duelbox.solve import solver_of
from duelbox.ui.screens.list_screen import ListScreen
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.listing import Column


class ProgressScreen(ListScreen[Known]):
    """A list of ideas; the chosen one is explained."""

    HEADING = "Progress"
    BINDINGS: ClassVar[list[BindingType]] = [
        # Priority takes Enter from the list.
        Binding("enter", "open", "Lesson", id="progress.lesson", priority=True, tooltip="The lesson on this idea"),
        Binding("p", "puzzles", "Puzzles", id="progress.puzzles", tooltip="Ten puzzles of this idea"),
        Binding("tab", "next_list", "Games", id="progress.history", priority=True),
        Binding("escape,q", "back", "Back", id="progress.back"),
    ]
    COLUMNS = (
        Column("Idea", least=12),
        Column("Game", least=8),
        Column("Lesson", extra=1),
        Column("Seen", right=True),
        Column("Missed", right=True),
        Column("Back", extra=2),
    )
    TITLES = "Ideas, the weakest first", "The chosen idea"

    def read(self) -> list[Known]:
        """Read the ideas; none if the disk cannot be read."""
        try:
            return known_ideas(self.app.store.progress.dated)
        except DuelboxError:
            return []

    def cells(self, one: Known) -> tuple[str, ...]:
        """The idea, the game, its lesson, and how often it was found and missed."""
        lesson = f"{one.unit}: {'done' if one.lesson_done else f'{one.steps} of {one.of_steps}'}"
        seen = f"{one.solved} of {one.tried}" if one.tried else ""
        back = f"{one.due.day} {one.due:%b}" if one.due else ""
        return one.idea, title_of(one.game), lesson if one.unit else "", seen, str(one.missed or ""), back

    def show_count(self) -> None:
        """Say how many of the ideas the player has met."""
        self.query_one(TopLine).aside = f"{sum(one.begun for one in self.shown)} of {len(self.shown)} ideas met"

    def key(self, one: Known) -> tuple[str, str]:
        """The game and the name of the idea."""
        return one.game, one.idea

    def details(self, one: Known | None) -> str:
        """The idea, the question to ask oneself, how often it was found and missed, and its next day."""
        if one is None:
            return ""
        idea = next(idea for idea in solver_of(one.game).ideas if idea.name == one.idea)
        seen = f"Seen at once {one.solved} of {one.tried} times. " if one.tried else ""
        missed = f"Missed in {one.missed} game{'' if one.missed == 1 else 's'}." if one.missed else ""
        lines = [idea.sentence, f"Ask yourself: {idea.question}", f"{seen}{missed}".rstrip()]
        if one.due:
            lines.append("Comes back today: m on home." if one.due <= date.today() else f"Comes back on {one.due}.")
        return "\n".join(filter(None, lines))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the lesson only if the idea has one."""
        return action != "open" or (self.chosen is not None and bool(self.chosen.unit))

    def action_open(self) -> None:
        """Open the lesson on the chosen idea."""
        if self.chosen and self.chosen.unit:
            self.app.navigation.open_lesson(self.chosen.game, self.chosen.unit - 1)

    def action_puzzles(self) -> None:
        """Open ten puzzles of the chosen idea."""
        if self.chosen:
            self.app.navigation.open_puzzles_of(self.chosen.game, self.chosen.idea)
