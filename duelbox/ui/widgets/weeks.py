"""Weeks of days, one of them chosen: what became of the puzzle of each day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from duelbox.ui.glyphs import UNICODE, Glyphs

NAMES = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LABEL, CELL = 5, 7
"""Columns of a month's name, and of a day."""
MOST, BELOW = 10, 14
"""Weeks at most, and the lines that others need."""
DAY, WEEK = timedelta(days=1), timedelta(days=7)


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
