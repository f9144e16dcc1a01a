"""A table of rows to choose from; columns shrink or disappear to fit the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.coordinate import Coordinate
from textual.message import Message
from textual.widgets import DataTable

NEAR = 50
"""The end is near when fewer rows than this follow."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, and how it shrinks in little room."""

    label: str
    right: bool = False
    """It holds numbers, aligned at the right."""
    least: int = 0
    """The least width it may shrink to; 0 if it must not shrink."""
    extra: int = 0
    """Columns with the highest number are left out first; those with 0 stay."""


def widths(columns: Sequence[Column], rows: Sequence[Sequence[str]], room: int, padding: int = 2) -> list[int]:
    """The width of each column; 0 for a column that is left out."""
    wide = [
        max(cell_len(text) for text in (column.label, *(row[at] for row in rows))) for at, column in enumerate(columns)
    ]
    while sum(width + padding for width in wide if width) > room:
        extras = [at for at, column in enumerate(columns) if column.extra and wide[at]]
        spare = [at for at, column in enumerate(columns) if column.least and wide[at] > column.least]
        if extras:
            wide[max(extras, key=lambda at: columns[at].extra)] = 0
        elif spare:
            wide[max(spare, key=lambda at: wide[at])] -= 1
        else:
            break
    return wide


class Listing(DataTable[Text]):
    """Rows of plain text, never read as markup."""

    DEFAULT_CSS = """
    Listing { height: 1fr; margin: 1 0 0 0; scrollbar-size-horizontal: 0; }
    """

    class Ending(Message):
        """The last rows are nearly in sight, so that more may be loaded."""

    def __init__(self, *columns: Column) -> None:
        super().__init__(cursor_type="row", header_height=1)
        self._columns = columns
        self._texts: tuple[tuple[str, ...], ...] = ()
        self._wide: list[int] = []

    def fill(self, rows: Sequence[tuple[str, ...]]) -> None:
        """Show these rows; the cursor stays at its row."""
        self._texts = tuple(rows)
        self._lay()

    def extend(self, rows: Sequence[tuple[str, ...]]) -> None:
        """Add rows at the end."""
        self._texts += tuple(rows)
        if self._widths() != self._wide:
            self._lay()
            return
        for row in rows:
            self._add(row)

    @property
    def is_ending(self) -> bool:
        """True if the last rows are nearly in sight."""
        return max(self.cursor_row, round(self.scroll_y) + self.size.height) > self.row_count - NEAR

    def watch_cursor_coordinate(self, old: Coordinate, new: Coordinate) -> None:
        """Post Ending if the cursor comes near the end."""
        super().watch_cursor_coordinate(old, new)
        self._tell_ending()

    def watch_scroll_y(self, old: float, new: float) -> None:
        """Post Ending if the wheel scrolls near the end; the cursor stays."""
        super().watch_scroll_y(old, new)
        self._tell_ending()

    def _tell_ending(self) -> None:
        if self.is_ending:
            self.post_message(self.Ending())

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the clicked row first, so that one click opens it."""
        row, column = event.style.meta.get("row", -1), event.style.meta.get("column", -1)
        if row >= 0 and column >= 0:
            self.cursor_coordinate = Coordinate(row, column)

    def on_resize(self, event: events.Resize) -> None:
        """Choose the columns anew for another width."""
        self._lay()

    def _lay(self) -> None:
        here = self.cursor_row
        self.clear(columns=True)
        self._wide = self._widths()
        for at, width in enumerate(self._wide):
            if width:
                self.add_column(self._cell(self._columns[at].label, at), width=width)
        for row in self._texts:
            self._add(row)
        self.move_cursor(row=max(0, min(here, len(self._texts) - 1)))

    def _widths(self) -> list[int]:
        return widths(self._columns, self._texts, self.size.width - 1)

    def _add(self, row: tuple[str, ...]) -> None:
        self.add_row(*(self._cell(row[at], at) for at, width in enumerate(self._wide) if width))

    def _cell(self, text: str, at: int) -> Text:
        return Text(text, justify="right" if self._columns[at].right else "left", no_wrap=True, overflow="ellipsis")
