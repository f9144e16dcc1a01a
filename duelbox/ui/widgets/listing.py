"""A table of rows to choose from, whose columns make the best of the width there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.widgets import DataTable


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what stands over it, and what becomes of it where there is little room."""

    label: str
    right: bool = False
    """Whether it holds numbers, which line up at the right."""
    least: int = 0
    """How narrow it may be made, if it may."""
    extra: int = 0
    """Columns with the highest number go first; those with 0 stay."""


def widths(columns: Sequence[Column], rows: Sequence[Sequence[str]], room: int, padding: int = 2) -> list[int]:
    """How wide each column is; 0 for one that is left out."""
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
    """Rows of plain text; names are never read as markup."""

    DEFAULT_CSS = """
    Listing { height: 1fr; margin: 1 0 0 0; scrollbar-size-horizontal: 0; }
    """

    def __init__(self, *columns: Column) -> None:
        super().__init__(cursor_type="row", header_height=1)
        self._columns = columns
        self._texts: tuple[tuple[str, ...], ...] = ()

    def fill(self, rows: Sequence[tuple[str, ...]]) -> None:
        """Show these rows; the cursor stays where it was."""
        self._texts = tuple(rows)
        self._lay()

    def on_resize(self, event: events.Resize) -> None:
        """Another width may have room for other columns."""
        self._lay()

    def _lay(self) -> None:
        here = self.cursor_row
        self.clear(columns=True)
        wide = widths(self._columns, self._texts, self.size.width - 1)
        shown = [at for at, width in enumerate(wide) if width]
        for at in shown:
            self.add_column(self._cell(self._columns[at].label, at), width=wide[at])
        for row in self._texts:
            self.add_row(*(self._cell(row[at], at) for at in shown))
        self.move_cursor(row=max(0, min(here, len(self._texts) - 1)))

    def _cell(self, text: str, at: int) -> Text:
        return Text(text, justify="right" if self._columns[at].right else "left", no_wrap=True, overflow="ellipsis")
