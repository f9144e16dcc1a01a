"""The card at the end of a game: over the board where it covers least of it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Region
from textual.reactive import reactive
from textual.widget import Widget

from duelbox.table.ending import Card, drawn_lead
from duelbox.ui.glyphs import UNICODE, Glyphs

WIDTHS = (72, 60, 52, 42)
"""The widths that a card may have inside its frame."""
FRAME = 6
"""The columns of the frame and of the air inside it."""


class EndCard(Widget):
    """Who won, how it was played, and buttons for what may follow; it covers as little of the board as can be."""

    DEFAULT_CSS = """
    EndCard {
        display: none; layer: card; position: absolute; padding: 0 2; background: $background;
        link-style: none; link-background: $panel; link-color: $foreground;
        border: round $outline; border-title-color: $foreground; border-title-style: bold;
        &.-won-0 { border: round $seat-0; border-title-color: $seat-0; }
        &.-won-1 { border: round $seat-1; border-title-color: $seat-1; }
    }
    """

    card: reactive[Card | None] = reactive(None)
    buttons: reactive[tuple[tuple[str, str], ...]] = reactive(())
    """What each says, and the verb it takes."""
    glyphs: reactive[Glyphs] = reactive(UNICODE)

    def content(self, width: int) -> list[Content]:
        """The lines at this width."""
        if self.card is None:
            return []
        lines = [line for told in self.card.lines for line in Content(told).wrap(width)]
        if self.card.lead:
            signs = "█▒" if self.glyphs.braille else "#:"
            bar = [("-", "") if one is None else (signs[one], f"$seat-{one}") for one in drawn_lead(self.card.lead)]
            lines.append(Content.assemble(("The lead: ", "$text-muted"), *bar))
        return [*lines, Content(""), *self._rows(width)]

    def _rows(self, width: int) -> list[Content]:
        """The buttons, in as many rows as they take."""
        rows: list[Content] = []
        for text, verb in self.buttons:
            key, _, does = text.partition(": ")
            key = self.glyphs.enter if key == "Enter" else key
            button = Content.assemble(" ", (key, "bold"), f" {does} ").stylize(f"@click=screen.do('{verb}')")
            if rows and rows[-1].cell_length + button.cell_length + 2 <= width:
                rows[-1] = Content.assemble(rows[-1], "  ", button)
            else:
                rows.append(button)
        return rows

    def render(self) -> Content:
        """The lines."""
        return Content("\n").join(self.content(self.content_size.width))

    def lay(self, rows: Sequence[str]) -> None:
        """Stand where it covers least of these rows of the screen, which begin below the plates."""
        self.display = self.card is not None
        if self.card is None:
            return
        width = max(map(len, rows), default=0)
        sizes = [(wide + FRAME, len(self.content(wide)) + 2) for wide in WIDTHS if wide + FRAME <= width]
        place = least_covering(rows, sizes or [(width, len(self.content(width - FRAME)) + 2)])
        self.styles.offset = (place.x, place.y)
        self.styles.width, self.styles.height = place.width, place.height
        self.border_title = self.card.title
        for seat in (0, 1):
            self.set_class(self.card.winner == seat, f"-won-{seat}")


def least_covering(rows: Sequence[str], sizes: Sequence[tuple[int, int]]) -> Region:
    """The place of one of these sizes (columns, rows) that covers the fewest signs; then the widest, in the middle."""
    height, width = len(rows), max(map(len, rows), default=0)
    sums = [[0] * (width + 1)]
    for row in rows:
        above, line, total = sums[-1], [0], 0
        for x in range(width):
            total += x < len(row) and row[x] != " "
            line.append(above[x + 1] + total)
        sums.append(line)

    def covered(place: Region) -> tuple[int, int, int]:
        (x, y), (right, bottom) = place.offset, place.bottom_right
        signs = sums[bottom][right] - sums[y][right] - sums[bottom][x] + sums[y][x]
        return signs, -place.width, abs(x + right - width) + 2 * abs(y + bottom - height)

    places = (
        Region(x, y, wide, high)
        for wide, high in sizes
        for y in range(max(1, height - high + 1))
        for x in range(max(1, width - wide + 1))
        if y + high <= height and x + wide <= width
    )
    return min(places, key=covered, default=Region(0, 0, width, height))
