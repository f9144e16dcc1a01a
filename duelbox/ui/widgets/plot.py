"""The plot of a game: who was ahead after each turn, in three rows with a column for each turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from duelbox.core.model import Seat
from duelbox.learn.turning_points import JudgedMove
from duelbox.ui.glyphs import UNICODE, Glyphs
from duelbox.ui.widgets.lines import TurnClicked

WIDEST = 60
"""Most columns; in a longer game two or more turns share a column."""
GUTTER = 2
EIGHTHS, PLAIN_EIGHTHS = " ▂▄▆█", " _-=#"
"""Signs of four heights; two rows make eight heights."""
BROADEST = 5
"""Most signs in the width of a column."""
KINDS = {"only-move": "*", "no-choice": "┄"}
MARKS = "?!*┄"
"""The marks in order of importance: a column of several turns shows the first of theirs."""
PLAIN = str.maketrans("┄█▄▀▁", ".###_")
LEGEND = "  ! thrown away  * only right move  ┄ no choice"
SIGNS = (
    ("▄ ▀", "the plot: {0} ahead, {1} ahead"),
    ("!", "threw something away"),
    ("*", "the only right move"),
    ("┄", "no choice"),
)
"""The legend for the page of help."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The data of a plot."""

    plies: int = 0
    """The number of turns drawn."""
    heights: Mapping[int, Fraction] = field(default_factory=dict)
    """Player 1's chances after each turn that is known (counted from 1), from 0 to 1."""
    marks: Mapping[int, str] = field(default_factory=dict)
    chance: bool = False
    """The heights are chances in eight steps; else a win, a draw or a loss."""


def curve_of(judged: Iterable[JudgedMove], plies: int, chance: bool, seat: Seat | None, asked: int = 0) -> Curve:
    """The curve of the judged turns; in a game of chance only those of `seat`; `asked` is a turn to mark with "?"."""
    own = [one for one in judged if not chance or seat in (None, one.seat)]
    signs = {one.ply: "!" if one.turning else KINDS.get(one.kind, "") for one in own}
    marks = {ply: sign for ply, sign in signs.items() if sign} | ({asked: "?"} if asked else {})
    heights = {one.ply: one.worth.value if one.seat == 0 else 1 - one.worth.value for one in own}
    return Curve(plies, heights, marks, chance)


def columns(plies: int, width: int) -> int:
    """The number of turns in one column."""
    return max(1, -(-plies // max(1, min(WIDEST, width - GUTTER))))


def drawn(curve: Curve, width: int, glyphs: Glyphs) -> tuple[str, str, str]:
    """The three rows, without the signs of the players before them."""
    step, last = columns(curve.plies, width), None
    rows = ["", "", ""]
    for first in range(1, curve.plies + 1, step):
        for ply in range(first, first + step):
            last = curve.heights.get(ply, last)
        signs = [curve.marks[ply] for ply in range(first, first + step) if ply in curve.marks]
        above, below = (" ", " ") if last is None else _column(last, curve.chance)
        rows[0], rows[1] = rows[0] + above, rows[1] + below
        rows[2] += min(signs, key=MARKS.index, default=" ")
    if not glyphs.unicode:
        table = PLAIN | str.maketrans(EIGHTHS, PLAIN_EIGHTHS) if curve.chance else PLAIN
        rows = [row.translate(table) for row in rows]
    return rows[0], rows[1], rows[2]


def _column(height: Fraction, chance: bool) -> tuple[str, str]:
    """The signs for a height in the upper and the lower row; a chance is a bar of one to eight steps."""
    if chance:
        level = 1 + round(height * 7)
        return EIGHTHS[max(0, level - 4)], EIGHTHS[min(4, level)]
    return ("▁", " ") if height * 2 == 1 else ("▄", " ") if height == 1 else (" ", "▀")


def broad(curve: Curve, width: int) -> int:
    """The width of a column in signs."""
    count = -(-curve.plies // columns(curve.plies, width)) or 1
    return max(1, min(BROADEST, (width - GUTTER) // count))


def stretched(row: str, broad: int, *, mark: bool) -> str:
    """A row with columns of this width, with a gap between them if there is room; a mark stands in the middle."""
    body = max(1, broad - 1) if broad > 2 else broad
    return "".join((sign.center(body) if mark else sign * body).ljust(broad) for sign in row)


class Plot(Widget):
    """Draws a Curve with its marks; a click on a column goes to its turn."""

    DEFAULT_CSS = "Plot { height: 3; padding: 0 1; pointer: pointer; }"

    curve: reactive[Curve] = reactive(Curve())
    at: reactive[int] = reactive(0)
    """The turn that the board shows; 0 is the start."""
    glyphs: reactive[Glyphs] = reactive(UNICODE)

    def render(self) -> Content:
        """The rows with the sign of the player whose half they show; the present turn is highlighted."""
        width = self.content_size.width
        rows = drawn(self.curve, width, self.glyphs)
        wide = broad(self.curve, width)
        here = max(0, self.at - 1) // columns(self.curve.plies, width) * wide
        end = here + wide if self.at else 0
        shares = "$seat-0 on $seat-1" if self.curve.chance else ""
        lines = []
        for row, sign, style, marked in (
            (rows[0], (f"{self.glyphs.seat(0)} ", "$seat-0"), shares or "$seat-0", ""),
            (rows[1], (f"{self.glyphs.seat(1)} ", "$seat-1"), shares or "$seat-1", ""),
            (rows[2], " " * GUTTER, "$foreground bold", " reverse"),
        ):
            row = stretched(row, wide, mark=bool(marked))
            pieces = (row[:here], style), (row[here:end], f"{style}{marked}"), (row[end:], style)
            lines.append(Content.assemble(sign, *pieces))
        legend = Content.styled(LEGEND if self.glyphs.unicode else LEGEND.translate(PLAIN), "$text-muted")
        if self.content_size.height > len(lines):
            lines.append(legend)
        elif legend.cell_length <= width - lines[2].cell_length:
            lines[2] += legend
        return Content("\n").join(lines)

    def on_click(self, event: events.Click) -> None:
        """Go to the turn of the clicked column."""
        event.stop()
        width = self.content_size.width
        x = (event.get_content_offset_capture(self).x - GUTTER) // broad(self.curve, width)
        step = columns(self.curve.plies, width)
        if x < 0:
            self.post_message(TurnClicked(0))
        elif x * step < self.curve.plies:
            self.post_message(TurnClicked(min(self.curve.plies, x * step + step)))
