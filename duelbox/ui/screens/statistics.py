"""Statistics: how you did, game by game and opponent by opponent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import DataTable, Static

from duelbox.bots import levels
from duelbox.core.model import listed
from duelbox.registry import title_of
from duelbox.store.statistics import Tally, Way
from duelbox.ui import screens
from duelbox.ui.screens.sized_screen import SizedScreen
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.listing import Column, Listing

BARS = "▁▂▃▄▅▆▇█"
ASCII_BARS = "_.-=+*#@"
COLUMNS = (
    Column("Player", least=8),
    Column("Game"),
    Column("Opponent", least=8),
    Column("Played", right=True),
    Column("Won", right=True),
    Column("Drawn", right=True, extra=1),
    Column("Lost", right=True),
    Column("Streak", right=True, extra=2),
    Column("Best", right=True, extra=3),
    Column("With help", right=True, extra=4),
)


class StatisticsScreen(SizedScreen):
    """A table, and the win share over time of the row under the cursor."""

    HEADING = "Statistics"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "assisted", "With or without help", id="statistics.assisted"),
        Binding("p", "puzzles", "Puzzles", id="statistics.puzzles", tooltip="Puzzles solved, by game and grade"),
        Binding("tab", "progress", "Progress", id="statistics.progress", priority=True),
        Binding("escape,q", "back", "Back", id="statistics.back"),
    ]
    DEFAULT_CSS = """
    StatisticsScreen {
        & Listing, & #chart { border: round $outline; border-title-color: $foreground; padding: 0 1; margin: 0; }
        & #chart { height: auto; max-height: 8; }
        &.-empty Listing { height: 0; margin: 0; }
        &.-empty #chart { border: none; height: 1fr; max-height: 100%; content-align: center middle; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.assisted: bool | None = None
        self.tallies: tuple[Tally, ...] = ()
        self.left_out = 0

    def body(self) -> ComposeResult:
        """Table, chart."""
        listing, chart = Listing(*COLUMNS), Static(id="chart", markup=False)
        listing.border_title, chart.border_title = "Results", "The chosen row"
        yield listing
        yield chart

    async def on_mount(self) -> None:
        """Fill the table."""
        self.query_one(Listing).focus()
        await self.refill()

    async def refill(self) -> None:
        """Read the tallies anew."""
        assisted = self.assisted
        tallies = await asyncio.to_thread(self.app.store.statistics, assisted=assisted)
        self.left_out = await asyncio.to_thread(self.app.store.left_out)
        if assisted != self.assisted or not self.query(Listing):
            return  # something else is asked by now, or nothing any more
        self.tallies = tallies
        self.query_one(Listing).fill([_cells(tally) for tally in self.tallies])
        self.set_class(not self.tallies, "-empty")
        words = {None: "all games", True: "games with help only", False: "games without help only"}
        self.query_one(TopLine).aside = words[self.assisted]
        self._draw(0)

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """The chart of this row."""
        self._draw(event.cursor_row)

    def _draw(self, row: int) -> None:
        chart = self.query_one("#chart", Static)
        if not 0 <= row < len(self.tallies):
            none = "No finished games here yet."
            chart.update(self.app.store.trouble or " ".join(filter(None, (none, self._left_out()))))
            return
        shares = self.tallies[row].shares
        bars = ASCII_BARS if self.app.settings.plain else BARS
        line = "".join(bars[min(len(bars) - 1, int(share * len(bars)))] for share in shares)
        lines = (_ladder(self.tallies[row]), f"Share of points over time, oldest first: {line}", self._left_out())
        chart.update(Content("\n".join(filter(None, lines))))

    def _left_out(self) -> str:
        """That computers alone are not counted, where there is such a game."""
        games = "1 game" if self.left_out == 1 else f"{self.left_out} games"
        return f"Left out: {games} between computers." if self.left_out else ""

    async def action_assisted(self) -> None:
        """All games, those with help, those without."""
        order: tuple[bool | None, ...] = (None, False, True)
        self.assisted = order[(order.index(self.assisted) + 1) % len(order)]
        await self.refill()

    def action_progress(self) -> None:
        """The next list."""
        self.app.switch_screen(screens.progress.ProgressScreen())

    def action_puzzles(self) -> None:
        """What was solved of puzzles."""
        from duelbox.ui.screens.calendar import puzzle_tallies

        self.app.push_screen(puzzle_tallies(self.app.store))


def _ladder(tally: Tally) -> str:
    """The computers of the game in their order: which are beaten, without and with help, as which player."""
    known = levels(tally.game)
    done = [f"{level.name} {_ways(tally.beaten[level.id])}" for level in known if level.id in tally.beaten]
    left = [level.name for level in known if level.id not in tally.beaten]
    won = f"{tally.player} has beaten {'; '.join(done)}." if done else ""
    return f"{won} Not beaten yet: {', '.join(left)}.".strip() if left else won


def _ways(ways: Sequence[Way]) -> str:
    """How a computer was beaten: help is told only where it took help."""
    alone = [second for assisted, second in ways if not assisted]
    helped = [second for assisted, second in ways if assisted and second not in alone]
    parts = [
        f"as {listed([('first', 'second')[second] for second in sorted(which)])} player{words}"
        for words, which in (("", alone), (" with help", helped))
        if which
    ]
    return ", ".join(parts)


def _cells(tally: Tally) -> tuple[str, ...]:
    counts = map(str, (tally.played, tally.won, tally.drawn, tally.lost))
    streak = f"{abs(tally.streak)} {'won' if tally.streak > 0 else 'lost'}" if tally.streak else "none"
    names = (tally.player, title_of(tally.game), tally.opponent)
    return *names, *counts, streak, str(tally.best), str(tally.assisted)
