"""A search for house rules that reach bars which the player can move; results are listed as they come."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import DataTable, Static

from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.rules_lab.best_rules import BARS, Found, Progress, code_of, find, missed, time_left
from duelbox.rules_lab.pool import shared_work
from duelbox.solve.api import Stop, Stopped
from duelbox.ui.screens.base_screen import BaseScreen
from duelbox.ui.terminal.background import in_background
from duelbox.ui.widgets.lines import TopLine
from duelbox.ui.widgets.listing import Column, Listing
from duelbox.ui.yielding_stop import YieldingStop

STEPS: dict[str, tuple[Any, ...]] = {
    "fair": ((0.3, 0.7), (0.35, 0.65), (0.4, 0.6), (0.45, 0.55)),
    "alive": (0.5, 1.0, 1.5, 2.0, 2.5, 3.0),
    "one_rule": (0.25, 0.5, 0.75, 1.0),
    "length": (15.0, 20.0, 25.0, 30.0, 40.0, 60.0),
}
"""The values of each bar, the lowest first."""
COLUMNS = (
    Column("House rules", least=16),
    Column("First wins", right=True),
    Column("Win changes", right=True),
    Column("One rule", right=True, extra=1),
    Column("Turns", right=True, extra=2),
)
PROGRESS = 20
"""The width of the progress bar."""
BETWEEN = 0.2
"""Seconds between two updates of the list."""


class FindRulesScreen(BaseScreen):
    """A list of house rules, the best first; Enter shows one on the map."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Priority takes these keys from the list.
        Binding("enter,right", "take", "On the map", id="find.take", priority=True),
        Binding("tab", "bar", "Bar", id="find.bar", priority=True, tooltip="Choose a bar to move"),
        Binding("minus", "raise(-1)", "Move it", id="find.down", show=False, tooltip="Move the bar down"),
        Binding("plus", "raise(1)", "Move it", id="find.up", key_display="+ -", tooltip="Move the bar up"),
        Binding("escape,q", "stop", "Keep what is there", id="find.stop", tooltip="End the search"),
        Binding("escape,q", "back", "Map", id="find.back"),
    ]
    DEFAULT_CSS = """
    FindRulesScreen {
        & #bars { height: auto; padding: 0 1; }
        & Listing { border: round $outline; margin: 0; padding: 0 1; }
        & #note { height: 1; padding: 0 1; color: $text-muted; }
    }
    """

    class Stepped(Message):
        """The search has made progress."""

    def __init__(self, game: AnyGame, then: Callable[[Options], object]) -> None:
        """`then` takes the house rules to show on the map."""
        super().__init__()
        self.game, self._then = game, then
        self.bars, self.bar = BARS, "fair"
        self.progress = Progress(0, 0, ())
        self._shown: tuple[Found, ...] = ()
        self._updated = 0.0
        """The time of the last update."""
        self._began = 0.0
        """The time at which the search began."""
        self._gone = Stop()
        """Stops the search."""

    def body(self) -> ComposeResult:
        """Lay out the bars, the list and the progress of the search."""
        yield Static(id="bars", markup=False)
        yield Listing(*COLUMNS)
        yield Static(id="note", markup=False)

    def on_screen_resume(self) -> None:
        """Begin the search."""
        top = self.query_one(TopLine)
        top.title, top.place = self.game.INFO.title, "Find house rules"
        self.query_one(Listing).focus()
        self._search()

    @on(events.ScreenSuspend)
    @on(events.Unmount)
    def _leave(self) -> None:
        self._gone.stop()

    def _search(self) -> None:
        """Begin the search again with the bars as they are now."""
        self._gone.stop()
        self._gone = gone = YieldingStop(None, self.app.at_rest)
        self._began = monotonic()
        game, bars, folders = self.game, self.bars, self.app.store.folders
        self.progress = Progress(0, 0, ())

        def show(progress: Progress) -> None:
            if not gone.asked:
                self.progress = progress
                if progress.over or monotonic() - self._updated > BETWEEN:
                    self._updated = monotonic()
                    self.post_message(self.Stepped())

        def search() -> None:
            with suppress(Stopped), shared_work(folders.cells) as (work, threads):
                find(game, bars=bars, stop=gone, told=show, work=work, threads=threads)

        self.run_worker(in_background(search))
        self.show()

    # -- showing

    def show(self) -> None:
        """Show the bars, the results and the progress."""
        low, high = self.bars.fair
        sentences = {
            "fair": f"first wins {100 * low:.0f} to {100 * high:.0f} %",
            "alive": f"win changes {self.bars.alive:g} or more",
            "one_rule": f"one rule wins under {100 * self.bars.one_rule:.0f} %",
            "length": f"{self.bars.length:.0f} turns at most",
        }
        mark = self.app.glyphs.left
        words = [
            (f"{mark if bar == self.bar else ' '} {one:<27}", "bold" if bar == self.bar else "")
            for bar, one in sentences.items()
        ]
        lines = Content.assemble(*words[:2], "\n", *words[2:])
        self.query_one("#bars", Static).update(lines)
        self._show_results()

    @on(Stepped)
    def _show_results(self) -> None:
        progress, listing = self.progress, self.query_one(Listing)
        if progress.found != self._shown:
            chosen, self._shown = self.chosen, progress.found
            listing.fill([_cells(one) for one in self._shown])
            if chosen in self._shown and listing.cursor_row > 0:  # else the cursor stays at the best
                listing.move_cursor(row=self._shown.index(chosen))
        self._show_code()
        self.query_one("#note", Static).update(self._note())
        self.refresh_bindings()

    def _note(self) -> str:
        """The state of the search in a line."""
        progress = self.progress
        looked = f"{progress.done:,} of {progress.total:,}"
        if progress.over and self._shown and self._shown[0].misses:
            return f"{looked} looked at. None passes: these come nearest."
        if progress.over or self._gone.asked:
            return f"{looked} looked at."
        full, empty = "■·"
        if self.app.settings.plain:
            full, empty = "#."
        far = progress.done * PROGRESS // max(1, progress.total)
        left = time_left(progress, monotonic() - self._began)
        return f"{full * far}{empty * (PROGRESS - far)}  {', '.join(filter(None, [looked, left]))}"

    @on(DataTable.RowHighlighted)
    def _show_code(self) -> None:
        chosen = self.chosen
        self.query_one(Listing).border_subtitle = Content(code_of(self.game, chosen.options)) if chosen else ""

    @property
    def chosen(self) -> Found | None:
        """The house rules under the cursor."""
        row = self.query_one(Listing).cursor_row
        return self._shown[row] if 0 <= row < len(self._shown) else None

    # -- actions

    @on(DataTable.RowSelected)
    def action_take(self) -> None:
        """Show the chosen rules on the map."""
        if (chosen := self.chosen) is not None:
            self.dismiss(None)
            self._then(chosen.options)

    def action_stop(self) -> None:
        """End the search, and keep what it has found."""
        self._gone.stop()
        self._show_results()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let Escape end the search first, and then leave."""
        if action in ("stop", "back"):
            searching = not self.progress.over and not self._gone.asked
            return (action == "stop") == searching
        return True

    def action_bar(self) -> None:
        """Choose the next bar."""
        bars = [*STEPS]
        self.bar = bars[(bars.index(self.bar) + 1) % len(bars)]
        self.show()

    def action_raise(self, by: int) -> None:
        """Move the chosen bar, and begin the search again."""
        steps = STEPS[self.bar]
        at = max(0, min(len(steps) - 1, steps.index(getattr(self.bars, self.bar)) + by))
        self.bars = replace(self.bars, **{self.bar: steps[at]})
        self._search()


def _cells(found: Found) -> tuple[str, ...]:
    """The house rules in words, and the facts about them."""
    fact = found.facts
    first, one_rule = ("-" if share is None else f"{100 * share:.0f} %" for share in (fact.first, fact.one_rule))
    changes = "-" if fact.changes is None else f"{fact.changes:.1f}"
    length = "-" if fact.length is None else f"{fact.length:.0f}"
    words = found.options.in_words or "the classic rules"
    if found.misses:
        words = f"{words}: {missed(found)}"
    return words, first, changes, one_rule, length
