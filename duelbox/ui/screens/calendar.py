"""The calendar: the puzzles of each day, solved or still to do, and the count of solved puzzles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from duelbox.learn.daily import Done, daily, days_begun, days_done, days_until, streak_sentence, title_of_day
from duelbox.learn.puzzle_results import results_table, text_to_share
from duelbox.learn.strength import strength_sentence
from duelbox.store.store import Store
from duelbox.ui.home_known import tried_by
from duelbox.ui.screens.list_screen import ListScreen
from duelbox.ui.screens.panel_screen import PanelScreen
from duelbox.ui.widgets.listing import Column

MARKS, ASCII_MARKS = "■□·", "#+."
"""Signs for a puzzle found at once, found later or with help, and still to do."""


class CalendarScreen(ListScreen[date]):
    """A list of days, the latest first; Enter or a click opens the puzzles of a day."""

    HEADING = "Puzzles of the day"
    BINDINGS: ClassVar[list[BindingType]] = [
        # Priority takes Enter from the list.
        Binding("enter", "open", "Open", id="calendar.open", priority=True, tooltip="Solve the puzzles of this day"),
        Binding("c", "share", "Copy result", id="puzzle.share", tooltip="Copy the result, without the answer"),
        Binding("p", "tallies", "All puzzles", id="puzzle.tallies", tooltip="What was solved, by game and grade"),
        Binding("escape,q", "back", "Leave", id="calendar.back"),
    ]
    COLUMNS = Column("Day"), Column(""), Column("Game", least=8), Column("Hardest", extra=1)
    TITLES = "Days", "The chosen day"

    def __init__(self) -> None:
        super().__init__()
        self.begun: Mapping[date, Done] = {}
        """The attempts at the puzzles of each day."""
        self.done: Mapping[date, Done] = {}
        """The days whose puzzles are all done."""

    def read(self) -> Sequence[date]:
        """Read the days, and the attempts on each."""
        self.begun = days_begun(tried_by(self.app.store))
        self.done = days_done(self.begun)
        return days_until(date.today())[::-1]

    def cells(self, one: date) -> tuple[str, ...]:
        """The day, a sign for each puzzle, the game, and the grade of the hardest."""
        puzzles, done = daily(one), self.begun.get(one, {})
        results = [done.get(puzzle.code) for puzzle in puzzles]
        results = results if any(results) else [*done.values()] or results  # other puzzles may have been set then
        signs = "".join(self._signs[2 if result is None else 0 if result.solved else 1] for result in results)
        return f"{one:%a} {one.day:>2} {one:%b %Y}", signs, title_of_day(puzzles), "★" * puzzles[-1].grade

    @property
    def _signs(self) -> str:
        return ASCII_MARKS if self.app.settings.plain else MARKS

    def key(self, one: date) -> date:
        """The day itself."""
        return one

    def details(self, one: date | None) -> str:
        """The result of the day, the meaning of the signs, and the number of days in a row."""
        words = zip(self._signs, ("found at once", "found later or with help", "to do"), strict=True)
        legend = "   ".join(f"{sign} {told}" for sign, told in words)
        return "" if one is None else "\n".join((self.result(one), legend, streak_sentence(self.done, date.today())))

    def result(self, day: date) -> str:
        """The result of a day as it can be shared, or the number of puzzles still to do."""
        puzzles, done = daily(day), self.done.get(day)
        if done:
            results = [done[one.code] for one in puzzles if one.code in done] or [*done.values()]
            return text_to_share(title_of_day(puzzles), results, ascii_only=self.app.settings.plain)
        left = len(puzzles) - len(self.begun.get(day, {}))
        return f"{'Still' if left == len(puzzles) else f'{left} of {len(puzzles)} still'} to do: press Enter, or click."

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer copying only for a day that is done."""
        return action != "share" or self.chosen in self.done

    def action_open(self) -> None:
        """Open the puzzles of the chosen day."""
        if self.chosen is not None:
            self.app.navigation.open_daily(self.chosen)

    def action_share(self) -> None:
        """Copy the result of the chosen day."""
        if self.chosen is not None:
            self.app.copy_to_clipboard(self.result(self.chosen))
            self.notify("Copied. It tells nothing of the answer.")

    def action_tallies(self) -> None:
        """Open the count of solved puzzles."""
        self.app.push_screen(puzzle_tallies(self.app.store))


def puzzle_tallies(store: Store) -> PanelScreen:
    """A panel that counts solved puzzles by game and grade, with the player's strength and days in a row."""
    tried = tried_by(store)
    if not tried:
        return PanelScreen("Puzzles", [Content("No puzzle was solved yet.")])
    head, *rows = results_table(tried, "★")
    more = "", strength_sentence(tried), streak_sentence(days_done(days_begun(tried)), date.today())
    return PanelScreen("Puzzles", (Content.styled(head, "bold"), *map(Content, (*rows, *more))), closes="p")
