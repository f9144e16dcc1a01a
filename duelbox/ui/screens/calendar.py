"""The calendar of the puzzles of each day: what was solved, what is still open, and how many days in a row."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from duelbox.core.errors import DuelboxError
from duelbox.learn.shelf import daily, days_until
from duelbox.learn.strength import KIND, Attempt, shared
from duelbox.learn.tallies import Done, all_solved, attempts_of, begun, days_of, over, streak_told, strength_told, table
from duelbox.registry import title_of
from duelbox.store.store import Store
from duelbox.ui.glyphs import UNICODE, Glyphs
from duelbox.ui.screens.panel import PanelScreen
from duelbox.ui.screens.sized_screen import SizedScreen

NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LABEL, CELL = 5, 7
"""Columns of a month's name, and of a day."""
MOST, BELOW = 20, 17
"""Weeks at most, and the lines that others need."""
DAY, WEEK = timedelta(days=1), timedelta(days=7)
MARKS, ASCII_MARKS = "■□·", "#+."
"""Found at once, found later, still to do."""


class Weeks(Widget):
    """The last weeks up to the last day there is; a click names a day, the wheel goes back and forth by weeks."""

    DEFAULT_CSS = "Weeks { height: auto; margin: 1 0 0 0; padding: 0 1; pointer: pointer; }"

    marks: reactive[Mapping[date, str]] = reactive({}, always_update=True, layout=True)
    """The sign of each day there is."""
    at: reactive[date | None] = reactive(None)
    glyphs: reactive[Glyphs] = reactive(UNICODE)

    @dataclass(eq=False)
    class Picked(Message):
        """A day was clicked."""

        day: date

    @dataclass(eq=False)
    class Turned(Message):
        """The wheel was turned by so many weeks."""

        weeks: int

    def mondays(self) -> list[date]:
        """The weeks shown: as many as fit, with the chosen day among them, the last one at the end if it can be."""
        if not self.marks or self.at is None:
            return []
        first, last, chosen = (day - day.weekday() * DAY for day in (min(self.marks), max(self.marks), self.at))
        room = max(1, min(MOST, self.app.size.height - BELOW))
        end = last if chosen > last - room * WEEK else chosen + (room - 1) * WEEK
        begin = max(first, end - (room - 1) * WEEK)
        return [begin + count * WEEK for count in range((end - begin).days // 7 + 1)]

    def render(self) -> Content:
        """A line of names, and a line a week."""
        lines = [Content.styled(" " * LABEL + "".join(f"{name:^{CELL}}" for name in NAMES), "$text-muted")]
        month = 0
        for monday in self.mondays():
            days = [monday + count * DAY for count in range(7)]
            label = "" if days[-1].month == month else MONTHS[days[-1].month - 1]
            month = days[-1].month
            lines.append(Content.assemble((f"{label:<{LABEL}}", "$text-muted"), *map(self._day, days)))
        return Content("\n").join(lines)

    def _day(self, day: date) -> tuple[str, str]:
        if day not in self.marks:
            return f" {day.day:>2}    ", "$text-disabled"
        left, right = (self.glyphs.left, self.glyphs.right) if day == self.at else (" ", " ")
        return f"{left}{day.day:>2} {self.marks[day]}{right} ", "bold" if day == self.at else ""

    def on_click(self, event: events.Click) -> None:
        """The day that was clicked."""
        spot = event.get_content_offset(self)
        mondays = self.mondays()
        if spot is None or not 0 < spot.y <= len(mondays) or not LABEL <= spot.x < LABEL + 7 * CELL:
            return
        day = mondays[spot.y - 1] + (spot.x - LABEL) // CELL * DAY
        if day in self.marks:
            self.post_message(self.Picked(day))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """A week back."""
        event.stop()
        self.post_message(self.Turned(-1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """A week on."""
        event.stop()
        self.post_message(self.Turned(1))


class CalendarScreen(SizedScreen):
    """Weeks of days; Enter or a click opens the puzzle of one."""

    HEADING = "Puzzles of the day"
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
        Binding("escape,q", "back", "Leave", id="calendar.back"),
    ]
    DEFAULT_CSS = """
    CalendarScreen {
        & #panes { height: 1fr; layout: vertical; align: center middle; }
        & Weeks, & #note { border: round $outline; border-title-color: $foreground; padding: 0 1; margin: 0; }
        & #note { height: 1fr; }
        &.-low Weeks, &.-low #note { border: none; }
        &.-wide #panes { layout: horizontal; }
        &.-wide Weeks { width: 58; height: 100%; }
        &.-wide #note { height: 100%; width: 1fr; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.days = days_until(date.today())
        self.begun: dict[date, Done] = {}
        self.done: dict[date, Done] = {}

    def body(self) -> ComposeResult:
        """The weeks, and what there is to say of the chosen day."""
        with Container(id="panes"):
            weeks, note = Weeks(), Static(id="note", markup=False)
            weeks.border_title, note.border_title = "Weeks", "The chosen day"
            yield weeks
            yield note

    async def on_screen_resume(self) -> None:
        """A puzzle may have been solved."""
        known = await asyncio.to_thread(lambda: begun(tried_by(self.app.store)))
        if self.query(Weeks):
            self.begun, self.done = known, over(known)
            weeks = self.query_one(Weeks)
            signs = dict(zip((True, False, None), ASCII_MARKS if self.app.settings.plain else MARKS, strict=True))
            weeks.glyphs = self.app.glyphs
            weeks.marks = {day: signs[all_solved(self.done[day]) if day in self.done else None] for day in self.days}
            self._go(weeks.at or self.days[-1])

    def _go(self, day: date) -> None:
        self.query_one(Weeks).at = day
        signs = ASCII_MARKS if self.app.settings.plain else MARKS
        told = zip(signs, ("found at once", "found later or with help", "to do"), strict=True)
        lines = [
            self.result(day) or self._untold(day),
            "   ".join(f"{sign} {words}" for sign, words in told),
            streak_told(self.done, date.today()),
        ]
        self.query_one("#note", Static).update("\n\n".join(lines))
        self.refresh_bindings()

    def _untold(self, day: date) -> str:
        puzzles, done = daily(day), self.begun.get(day, {})
        grades = " ".join("★" * one.grade for one in puzzles)
        told = f"{NAMES[day.weekday()]} {day} · {title_of(puzzles[0].game_id)} {grades}"
        left = f"{len(puzzles) - len(done)} of {len(puzzles)} still" if done else "Still"
        return f"{told}\n{left} to do: press Enter, or click the day again."

    def result(self, day: date) -> str:
        """What came of a day's puzzles, to share; empty where they are still to do."""
        puzzles, done = daily(day), self.done.get(day)
        if not done:
            return ""
        told = [done[one.code] for one in puzzles if one.code in done] or [*done.values()]
        return shared(title_of(puzzles[0].game_id), told, ascii_only=self.app.settings.plain)

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
        """Solve the puzzles of the chosen day."""
        day = self.query_one(Weeks).at
        if day is not None:
            self.app.ways.open_daily(day)

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
        return PanelScreen("Puzzles", [Content("No puzzle was solved yet.")])
    head, *rows = table(tried, "★")
    more = "", strength_told(tried), streak_told(days_of(tried), date.today())
    return PanelScreen("Puzzles", (Content.styled(head, "bold"), *map(Content, (*rows, *more))), closes="p")
