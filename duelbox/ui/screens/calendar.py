"""The calendar of the puzzles of the day: what was solved, what is still open, and how many days in a row."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from duelbox.core.errors import DuelboxError
from duelbox.learn.shelf import daily, days_until
from duelbox.learn.strength import KIND, Attempt, shared
from duelbox.learn.tallies import attempts_of, days_of, streak_told, strength_told, table
from duelbox.registry import title_of
from duelbox.store.store import Store
from duelbox.ui.screens.panel import PanelScreen
from duelbox.ui.screens.sized_screen import SizedScreen
from duelbox.ui.widgets.weeks import NAMES, Weeks

MARKS, ASCII_MARKS = "■□·", "#+."
"""Found at once, found later, still to do."""


class CalendarScreen(SizedScreen):
    """Weeks of days; Enter or a click opens the puzzle of one."""

    HEADING = "Puzzle of the day"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", id="calendar.open", tooltip="Solve the puzzle of this day"),
        Binding("left", "move(-1)", "Day before", show=False),
        Binding("right", "move(1)", "Next day", show=False),
        Binding("up,pageup", "move(-7)", "Week before", show=False),
        Binding("down,pagedown", "move(7)", "Next week", show=False),
        Binding("home", "move(-100000)", "First day", show=False),
        Binding("end", "move(100000)", "Today", show=False),
        Binding("c", "share", "Copy result", id="puzzle.share", tooltip="Copy the result, without the answer"),
        Binding("p", "tallies", "All puzzles", id="puzzle.tallies", tooltip="What was solved, by game and grade"),
        Binding("escape", "back", "Leave", id="calendar.back"),
    ]
    DEFAULT_CSS = "CalendarScreen #note { height: 1fr; padding: 1 1 0 1; }"

    def __init__(self) -> None:
        super().__init__()
        self.days = days_until(date.today())
        self.done: dict[date, Attempt] = {}

    def body(self) -> ComposeResult:
        """The weeks, and what there is to say of the chosen day."""
        yield Weeks()
        yield Static(id="note", markup=False)

    async def on_screen_resume(self) -> None:
        """A puzzle may have been solved."""
        done = await asyncio.to_thread(lambda: days_of(tried_by(self.app.store)))
        if self.query(Weeks):
            self.done = done
            weeks = self.query_one(Weeks)
            signs = dict(zip((True, False, None), ASCII_MARKS if self.app.settings.ascii else MARKS, strict=True))
            weeks.glyphs = self.app.glyphs
            weeks.marks = {day: signs[done[day].solved if day in done else None] for day in self.days}
            self._go(weeks.at or self.days[-1])

    def _go(self, day: date) -> None:
        """Choose a day, and say what there is to say of it."""
        self.query_one(Weeks).at = day
        signs = ASCII_MARKS if self.app.settings.ascii else MARKS
        told = zip(signs, ("found at once", "found later or with help", "to do"), strict=True)
        lines = [
            self.result(day) or self._untold(day),
            "   ".join(f"{sign} {words}" for sign, words in told),
            streak_told(self.done, date.today()),
        ]
        self.query_one("#note", Static).update("\n\n".join(lines))
        self.refresh_bindings()

    def _untold(self, day: date) -> str:
        puzzle = daily(day)
        told = f"{NAMES[day.weekday()]} {day} · {title_of(puzzle.game_id)} {'★' * puzzle.grade}"
        return f"{told}\nStill to do: press Enter, or click the day again."

    def result(self, day: date) -> str:
        """What came of a day's puzzle, to share; empty where it is still to do."""
        title = title_of(daily(day).game_id)
        return shared(title, self.done[day], ascii_only=self.app.settings.ascii) if day in self.done else ""

    def action_move(self, count: int) -> None:
        """So many days on, as far as there are any."""
        at = self.query_one(Weeks).at
        if at is not None:
            number = (at - self.days[0]).days
            self._go(self.days[max(0, min(number + count, len(self.days) - 1))])

    @on(Weeks.Picked)
    def _picked(self, message: Weeks.Picked) -> None:
        if message.day == self.query_one(Weeks).at:
            self.action_open()
        else:
            self._go(message.day)

    @on(Weeks.Turned)
    def _turned(self, message: Weeks.Turned) -> None:
        self.action_move(7 * message.weeks)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A result can be copied where there is one."""
        return self.query_one(Weeks).at in self.done if action == "share" and self.query(Weeks) else True

    def action_open(self) -> None:
        """Solve the puzzle of the chosen day."""
        day = self.query_one(Weeks).at
        if day is not None:
            self.app.ways.open_puzzles([daily(day)], day)

    def action_share(self) -> None:
        """Copy the result of the chosen day."""
        day = self.query_one(Weeks).at
        if day in self.done:
            self.app.copy_to_clipboard(self.result(day))
            self.notify("Copied. It tells nothing of the answer.")

    def action_tallies(self) -> None:
        """What was solved of all puzzles."""
        self.app.push_screen(puzzle_tallies(self.app.store))


def tried_by(store: Store) -> list[tuple[str, Attempt]]:
    """All attempts at puzzles that are kept; none where the disk refuses."""
    try:
        return attempts_of((one.key, one.value) for one in store.progress.all(KIND))
    except DuelboxError:
        return []


def puzzle_tallies(store: Store) -> PanelScreen:
    """What was solved, by game and grade, and the strength and days in a row that come of it."""
    tried = tried_by(store)
    if not tried:
        return PanelScreen("No puzzle was solved yet.", ())
    head, *rows = table(tried, "★")
    more = "", strength_told(tried), streak_told(days_of(tried), date.today())
    return PanelScreen(head, map(Content, (*rows, *more)), closes="p")
