"""A list, and beside it or below it the chosen row in full: one frame for all lists."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget
from textual.widgets import DataTable, Static

from duelbox.ui.screens.base_screen import BaseScreen
from duelbox.ui.widgets.listing import Column, Listing

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

R = TypeVar("R")
LISTS = ("history", "statistics", "progress")
"""Tab leads from each of these to the next."""


class ListScreen(BaseScreen, Generic[R]):
    """Rows that are read anew whenever the screen is seen again."""

    app: DuelboxApp
    COLUMNS: ClassVar[tuple[Column, ...]] = ()
    TITLES: ClassVar[tuple[str, str]] = ("", "The chosen row")
    """The titles over the list, and over the chosen row."""
    DEFAULT_CSS = """
    ListScreen {
        & #panes { height: 1fr; layout: vertical; }
        & Listing, & #chosen { border: round $outline; border-title-color: $foreground; padding: 0 1; margin: 0; }
        & #chosen { height: auto; min-height: 5; max-height: 8; }
        &.-wide #panes { layout: horizontal; }
        &.-wide Listing { width: 72; height: 1fr; }
        &.-wide #chosen { width: 1fr; height: 1fr; max-height: 100%; }
        &.-empty Listing { display: none; }
        &.-empty #chosen { border: none; height: 1fr; max-height: 100%; content-align: center middle; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.shown: tuple[R, ...] = ()
        self._asked = 0

    def body(self) -> ComposeResult:
        """The list, and the chosen row."""
        listing, chosen = Listing(*self.COLUMNS), self.beside()
        listing.border_title, chosen.border_title = self.TITLES
        with Container(id="panes"):
            yield listing
            yield chosen

    def beside(self) -> Widget:
        """The widget that shows the chosen row."""
        return Static(id="chosen", markup=False)

    def on_mount(self) -> None:
        """The arrows move in the list."""
        self.query_one(Listing).focus()

    async def on_screen_resume(self) -> None:
        """Read the rows anew: they may have changed."""
        if self.is_mounted and self.query(Listing):
            await self.refill()

    async def refill(self) -> None:
        """Read the rows anew."""
        self._asked += 1
        asked = self._asked
        shown = await asyncio.to_thread(self.read)
        if asked == self._asked and self.query(Listing):  # else something else is asked by now, or nothing any more
            listing, key = self.query_one(Listing), self.chosen and self.key(self.chosen)
            self.shown = tuple(shown)
            listing.fill([self.cells(one) for one in self.shown])
            listing.move_cursor(row=next((at for at, one in enumerate(self.shown) if self.key(one) == key), None))
            self.set_class(not self.shown, "-empty")
            self.filled()
            self.draw()
            self.refresh_bindings()

    def read(self) -> Sequence[R]:
        """The rows, from the disk."""
        raise NotImplementedError

    def cells(self, one: R) -> tuple[str, ...]:
        """A row as text, column by column."""
        raise NotImplementedError

    def key(self, one: R) -> object:
        """A row with the same key stays chosen; None: the same place does."""
        return None

    def filled(self) -> None:
        """The list shows what was read."""

    def told(self, one: R | None) -> str | Content:
        """The chosen row in full; None: there is no row."""
        raise NotImplementedError

    @on(DataTable.RowHighlighted)
    def _highlighted(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Show the chosen row."""
        for chosen in self.query("#chosen").results(Static):
            chosen.update(self.told(self.chosen))

    @property
    def chosen(self) -> R | None:
        """The row under the cursor."""
        row = self.query_one(Listing).cursor_row if self.query(Listing) else -1
        return self.shown[row] if 0 <= row < len(self.shown) else None

    @on(DataTable.RowSelected)
    async def _selected(self) -> None:
        await self.run_action("open")

    def action_next_list(self) -> None:
        """Open the next list: history stays below, the others replace each other."""
        at, below = LISTS.index(self.HEADING.lower()), self.app.screen_stack[-2]
        if at + 1 == len(LISTS) and isinstance(below, ListScreen):
            self.dismiss(None)
        else:
            self.app.navigation.open(LISTS[(at + 1) % len(LISTS)], instead=at > 0)
