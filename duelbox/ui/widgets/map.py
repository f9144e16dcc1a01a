"""A map of house rules: a grid of cells that scrolls with its cursor."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from textual import events
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget

from duelbox.core.options import written
from duelbox.rules_lab.map import Map

AIR = 2
"""Columns and rows kept in sight beyond the cursor."""
LARGE = 5, 2
"""Columns by which all cells grow if there is room."""


class MapPicture(Widget):
    """Draws the cells of a map; a click picks one."""

    DEFAULT_CSS = "MapPicture { width: 1fr; pointer: pointer; }"

    def __init__(self, drawn: Callable[[int, int], tuple[str, str]]) -> None:
        """`drawn` gives the text and the style of the cell at a column and row."""
        super().__init__()
        self._drawn = drawn
        self._map: Map | None = None
        self._cell = 0
        """The width of a cell."""
        self._first = self._shown = 0, 0
        """The first column and row in sight, and the number of columns and rows in sight."""
        self._label = 0
        """The width of the values at the left."""
        self.height = 0
        """The height in rows."""

    def lay(self, map_: Map, columns: int, rows: int) -> None:
        """Lay the map out in this room, with its cursor in sight."""
        self._map, (wide, high), at = map_, map_.size, map_.at
        self._label = max(len(written(value)) for value in map_.y.values) + 3
        least = max(4, *(len(written(value)) + 2 for value in map_.x.values))
        columns, rows = columns - self._label - 2, rows - 1
        self._cell = width = least + next((more for more in LARGE if wide * (least + more) <= columns), 0)
        self._shown = max(0, min(wide, columns // width)), max(0, min(high, rows))
        before, shown = self._first, self._shown
        self._first = _first(before[0], at[0], shown[0], wide), _first(before[1], at[1], shown[1], high)
        if self.height != 1 + shown[1]:
            self.styles.height = self.height = 1 + shown[1]
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line: the values of the columns, or a row of cells behind its value."""
        pieces = self._pieces(y) if self._map else ()
        line, style = Content.assemble(*pieces), self.visual_style
        return Strip(line.render_segments(style)).adjust_cell_length(self.size.width, style.rich_style)

    def _pieces(self, y: int) -> Iterator[tuple[str, str]]:
        assert self._map is not None
        width, at = self._cell, self._map.at
        columns = range(self._first[0], self._first[0] + self._shown[0])
        row = self._first[1] + y - 1
        if y == 0:
            yield f"{'‹' if columns.start else '':>{self._label}}", "$text-muted"
            for column in columns:
                value = written(self._map.x.values[column])
                yield f"{value:<2}".center(width), "bold" if column == at[0] else "$text-muted"
            yield ("›" if columns.stop < self._map.size[0] else ""), "$text-muted"
            return
        label = written(self._map.y.values[row]) if self._map.y.key else ""
        yield f"{label:>{self._label - 2}}  ", "bold" if row == at[1] else "$text-muted"
        for column in columns:
            text, style = self._drawn(column, row)
            yield f"{text:<2}".center(width), style

    async def on_click(self, event: events.Click) -> None:
        """Pick the clicked cell."""
        across, down = (event.x - self._label) // self._cell, event.y - 1
        if 0 <= across < self._shown[0] and 0 <= down < self._shown[1]:
            await self.screen.run_action(f"pick({self._first[0] + across}, {self._first[1] + down})")


def _first(first: int, at: int, room: int, most: int) -> int:
    """The first column or row to show so that `at` is in sight with some beyond it; scrolls as little as possible."""
    return max(0, min(max(min(first, at - AIR), at + AIR - room + 1), most - room))
