"""Progress: how far each idea of all games is known, the weakest first; each leads to its lesson and its puzzles."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.widgets import DataTable, Static

from duelbox.core.errors import DuelboxError
from duelbox.learn.ideas import Known, known_ideas
from duelbox.registry import title_of
from duelbox.solve import solver_of
from duelbox.ui import screens
from duelbox.ui.screens.sized_screen import SizedScreen
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.listing import Column, Listing

COLUMNS = (
    Column("Idea", least=12),
    Column("Game", least=8),
    Column("Lesson", extra=1),
    Column("Seen", right=True),
    Column("Missed", right=True),
    Column("Back", extra=2),
)


class ProgressScreen(SizedScreen):
    """A table of ideas, and what there is to say of the chosen one."""

    HEADING = "Progress"
    BINDINGS: ClassVar[list[BindingType]] = [
        # Before the table takes it.
        Binding("enter", "lesson", "Lesson", id="progress.lesson", priority=True, tooltip="The lesson on this idea"),
        Binding("p", "puzzles", "Puzzles", id="progress.puzzles", tooltip="Ten puzzles of this idea"),
        Binding("tab", "history", "Games", id="progress.history", priority=True),
        Binding("escape,q", "back", "Back", id="progress.back"),
    ]
    DEFAULT_CSS = """
    ProgressScreen {
        & #panes { height: 1fr; layout: vertical; }
        & Listing, & #chosen { border: round $outline; border-title-color: $foreground; padding: 0 1; margin: 0; }
        & #chosen { height: auto; max-height: 8; }
        &.-wide #panes { layout: horizontal; }
        &.-wide Listing { width: 72; height: 1fr; }
        &.-wide #chosen { width: 1fr; height: 1fr; max-height: 100%; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.known: list[Known] = []

    def body(self) -> ComposeResult:
        """The table, and the chosen idea."""
        listing, chosen = Listing(*COLUMNS), Static(id="chosen", markup=False)
        listing.border_title, chosen.border_title = "Ideas, the weakest first", "The chosen idea"
        with Container(id="panes"):
            yield listing
            yield chosen

    async def on_screen_resume(self) -> None:
        """A puzzle may have been solved, or a lesson taken."""
        self.query_one(Listing).focus()
        known = await asyncio.to_thread(self._read)
        if self.query(Listing):
            chosen, self.known = self.chosen, known
            begun = sum(one.begun for one in known)
            self.query_one(TopLine).aside = f"{begun} of {len(known)} ideas met"
            self.query_one(Listing).fill([_cells(one) for one in known])
            here = [at for at, one in enumerate(known) if chosen and (one.game, one.idea) == (chosen.game, chosen.idea)]
            self.query_one(Listing).move_cursor(row=here[0] if here else 0)
            self._draw()

    def _read(self) -> list[Known]:
        progress = self.app.store.progress
        try:
            return known_ideas(lambda kind: [(one.key, one.value) for one in progress.all(kind)])
        except DuelboxError:  # the disk refuses
            return []

    @property
    def chosen(self) -> Known | None:
        """The idea under the cursor."""
        row = self.query_one(Listing).cursor_row
        return self.known[row] if 0 <= row < len(self.known) else None

    def on_data_table_row_highlighted(self) -> None:
        """What there is to say of this idea."""
        self._draw()

    def _draw(self) -> None:
        one = self.chosen
        if one is None:
            return
        idea = next(idea for idea in solver_of(one.game).ideas if idea.name == one.idea)
        seen = f"Seen at once {one.solved} of {one.tried} times. " if one.tried else ""
        missed = f"Missed in {one.missed} game{'' if one.missed == 1 else 's'}." if one.missed else ""
        lines = [idea.sentence, f"Ask yourself: {idea.question}", f"{seen}{missed}".rstrip()]
        if one.due:
            lines.append("Comes back today: m on home." if one.due <= date.today() else f"Comes back on {one.due}.")
        self.query_one("#chosen", Static).update(Content("\n".join(filter(None, lines))))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A lesson can be opened where there is one."""
        return action != "lesson" or (bool(self.query(Listing)) and self.chosen is not None and bool(self.chosen.unit))

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """A click on the row of the cursor."""
        self.action_lesson()

    def action_history(self) -> None:
        """The next list."""
        if any(isinstance(screen, screens.history.HistoryScreen) for screen in self.app.screen_stack):
            self.dismiss(None)
        else:
            self.app.switch_screen(screens.history.HistoryScreen())

    def action_lesson(self) -> None:
        """Take the lesson on the chosen idea."""
        if self.chosen and self.chosen.unit:
            self.app.ways.open_lesson(self.chosen.game, self.chosen.unit - 1)

    def action_puzzles(self) -> None:
        """Solve ten puzzles of the chosen idea."""
        if self.chosen:
            self.app.ways.open_puzzles_of(self.chosen.game, self.chosen.idea)


def _cells(one: Known) -> tuple[str, ...]:
    lesson = f"{one.unit}: {'done' if one.steps == one.of_steps else f'{one.steps} of {one.of_steps}'}"
    seen = f"{one.solved} of {one.tried}" if one.tried else ""
    back = f"{one.due.day} {one.due:%b}" if one.due else ""
    return one.idea, title_of(one.game), lesson if one.unit else "", seen, str(one.missed or ""), back
