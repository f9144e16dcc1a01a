"""The base of screens with a list: the rows, and the chosen row in full below or beside them."""

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
LISTS = ("history", "you")
"""Tab opens the other of these screens."""


class ListScreen(BaseScreen, Generic[R]):
    """A list whose rows are read again each time the screen comes to the top."""

    app: DuelboxApp
    COLUMNS: ClassVar[tuple[Column, ...]] = ()
    TITLES: ClassVar[tuple[str, str]] = ("", "The chosen row")
    """The titles of the list and of the chosen row."""
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
        self._reading = 0
        """The number of times that the rows were read."""

    def body(self) -> ComposeResult:
        """Lay out the list and the chosen row."""
        listing, chosen = Listing(*self.COLUMNS), self.beside()
        listing.border_title, chosen.border_title = self.TITLES
        with Container(id="panes"):
            yield listing
            yield chosen

    def beside(self) -> Widget:
        """The widget that shows the chosen row."""
        return Static(id="chosen", markup=False)

    def on_mount(self) -> None:
        """Let the arrows move in the list."""
        self.query_one(Listing).focus()

    async def on_screen_resume(self) -> None:
        """Read the rows again, as another screen may have changed them."""
        if self.is_mounted and self.query(Listing):
            await self.refill()

    async def refill(self) -> None:
        """Read the rows from the disk, and show them unless a later call does."""
        self._reading += 1
        reading = self._reading
        rows = await asyncio.to_thread(self.read)
        if reading == self._reading and self.query(Listing):  # no list is left once the screen closes
            listing, key = self.query_one(Listing), self.chosen and self.key(self.chosen)
            self.shown = tuple(rows)
            listing.fill([self.cells(one) for one in self.shown])
            listing.move_cursor(row=next((at for at, one in enumerate(self.shown) if self.key(one) == key), None))
            self.set_class(not self.shown, "-empty")
            self.show_count()
            self.draw()
            self.refresh_bindings()

    def read(self) -> Sequence[R]:
        """Read the rows from the disk; runs in a thread."""
        raise NotImplementedError

    def cells(self, one: R) -> tuple[str, ...]:
        """The text of a row in each column."""
        raise NotImplementedError

    def key(self, one: R) -> object:
        """The key by which a row stays chosen after reading; None keeps the place instead."""
        return None

    def show_count(self) -> None:
        """Say which rows are listed, and how many."""

    def details(self, one: R | None) -> str | Content:
        """The chosen row in full, or a sentence for an empty list."""
        raise NotImplementedError

    @on(DataTable.RowHighlighted)
    def _highlighted(self) -> None:
        self.draw()

    def draw(self) -> None:
        """Show the chosen row in full."""
        for chosen in self.query("#chosen").results(Static):
            chosen.update(self.details(self.chosen))

    @property
    def chosen(self) -> R | None:
        """The row under the cursor, if the list has any."""
        row = self.query_one(Listing).cursor_row if self.query(Listing) else -1
        return self.shown[row] if 0 <= row < len(self.shown) else None

    @on(DataTable.RowSelected)
    async def _selected(self) -> None:
        await self.run_action("open")

    def action_next_list(self) -> None:
        """Open the other list; history stays below."""
        at, below = LISTS.index(self.HEADING.lower()), self.app.screen_stack[-2]
        if at > 0 and isinstance(below, ListScreen):
            self.dismiss(None)
        else:
            self.app.navigation.open(LISTS[1 - at], instead=at > 0)
