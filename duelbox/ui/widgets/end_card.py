"""The card at the end of a game: the result and the next steps, placed over no number of the board if possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from duelbox.table.end_card import CardText, drawn_lead
from duelbox.ui.glyphs import UNICODE, Glyphs
from duelbox.ui.motion import PACE, PARTS, UNFOLD

WIDTHS = (72, 70, 64, 56, 48, 42, 38, 34)
"""Possible widths of a card inside its frame."""
FRAME = Size(6, 2)
"""Columns and rows for the frame and the blank space inside it."""
LEAVES_OUT = ("air", "lead", "more", "match", "computer", "trap", "moves", "said", "buttons", "whose", "end")
"""Parts that a card leaves out in little room, in this order."""
WORDLESS = 2
"""The first parts of these are no sentences: they are left out before a number of the board is covered."""


class Place(NamedTuple):
    """The size of a card and the blank region around it."""

    blank: Region
    card: Size
    inside: bool
    """It stands in the middle of the board."""


class Face(Widget):
    """A frame with the result, facts about the game, and buttons."""

    DEFAULT_CSS = """
    Face {
        padding: 0 2; background: $background; link-style: none; link-background: $panel; link-color: $foreground;
        border: round $outline; border-title-color: $foreground; border-title-style: bold;
        &.-won-0 { border: round $seat-0; border-title-color: $seat-0; }
        &.-won-1 { border: round $seat-1; border-title-color: $seat-1; }
    }
    """

    lines: reactive[tuple[Content, ...]] = reactive(())

    def render(self) -> Content:
        """The lines."""
        return Content("\n").join(self.lines)


class EndCard(Container):
    """The card of the end in a blank region."""

    DEFAULT_CSS = """
    EndCard {
        display: none; layer: card; position: absolute; background: $background; align: center middle;
    }
    """

    card: CardText | None = None
    buttons: tuple[tuple[str, str], ...] = ()
    """The label and the verb of each button."""
    glyphs: Glyphs = UNICODE
    _lines: tuple[Content, ...] = ()
    _height: int = 0
    _part: int = PARTS
    """The number of parts that are unfolded."""
    _clock: Timer | None = None
    _laid: tuple[object, Place] | None = None
    """The last place with all that it depends on; a new note does not move the card."""

    def compose(self) -> ComposeResult:
        """The framed card."""
        yield Face()

    def content(self, width: int, without: int = 0) -> list[Content]:
        """The lines at this width, without the first so many parts of `LEAVES_OUT`."""
        if self.card is None:
            return []
        left_out, card = LEAVES_OUT[:without], self.card
        lines = [line for kind, told in card.lines if kind not in left_out for line in Content(told).wrap(width)]
        if card.lead and "lead" not in left_out:
            signs = "█▒" if self.glyphs.unicode else "#:"
            head, end = ("Who could win  ", "$text-muted"), (f"  {card.lead_text}", "$text-muted")
            room = width - len(head[0]) - len(end[0])
            bar = [("-", "") if one is None else (signs[one], f"$seat-{one}") for one in drawn_lead(card.lead, room)]
            lines.append(Content.assemble(head, *bar, end))
        return [*lines, *([] if "air" in left_out else [Content("")]), *self._rows(width, few="buttons" in left_out)]

    def _rows(self, width: int, *, few: bool = False) -> list[Content]:
        """The buttons in rows; `few` keeps only those to play and to review."""
        rows: list[Content] = []
        for text, verb in self.buttons:
            if few and verb not in ("play", "review"):
                continue
            key, _, does = text.partition(": ")
            style = " reverse" if key == "Enter" else ""  # the main button
            key = self.glyphs.enter if key == "Enter" else key
            button = Content.assemble((" ", style), (key, f"bold{style}"), (f" {does} ", style))
            button = button.stylize(f"@click=screen.do('{verb}')")
            if rows and rows[-1].cell_length + button.cell_length + 2 <= width:
                rows[-1] = Content.assemble(rows[-1], "  ", button)
            else:
                rows.append(button)
        return rows

    @property
    def inside(self) -> bool:
        """The card is shown, in the middle of the board."""
        return self.card is not None and self._laid is not None and self._laid[1].inside

    def lay(self, inside: Sequence[Region], below: Sequence[Region], over: Sequence[Region] = ()) -> None:
        """Place the card in the first region inside the board with enough room, which it blanks; else below the board.

        At the lower end of a region `over` the board it covers numbers, rather than leave out words.
        """
        rooms = tuple(inside), tuple(below), tuple(over)
        opens, self.display = not self.display, self.card is not None
        if self.card is None:
            return
        unsaid = replace(self.card, lines=tuple(one for one in self.card.lines if one[0] != "note"))
        if self._laid is None or self._laid[0] != (unsaid, self.buttons, rooms):
            self._laid = (unsaid, self.buttons, rooms), self._placed(*rooms)
        place = self._laid[1]
        self.styles.offset = place.blank.offset
        self.styles.width, self.styles.height = place.blank.size
        width, height = place.card - FRAME
        levels = [self.content(width, without) for without in range(len(LEAVES_OUT) + 1)]
        lines = next((lines for lines in levels if len(lines) <= height), levels[-1])
        face, self._height = self.query_one(Face), place.card.height
        face.styles.width = place.card.width
        buttons = self._rows(width, few=True) if len(lines) > height else []
        self._lines = (*lines[: max(0, height - len(buttons))], *buttons) if buttons else tuple(lines)
        self._unfold(1 if opens and PACE[self.app.animation_level] else self._part)
        score = f" {self.card.score}" if self.card.score else ""
        rule = "─" * (width + 2 - len(self.card.title) - len(score) - 3) if score else ""
        face.border_title = Content(f"{self.card.title} {rule}{score}" if score else self.card.title)
        for seat in (0, 1):
            face.set_class(self.card.winner == seat, f"-won-{seat}")

    def _unfold(self, part: int) -> None:
        """Show so many parts of the rows from the middle outwards, and the next part soon."""
        self._part, face = part, self.query_one(Face)
        hidden = self._height * (PARTS - part) // PARTS // 2
        face.lines = self._lines[hidden : len(self._lines) - hidden]
        face.styles.height = self._height - 2 * hidden
        if self._clock is not None:
            self._clock.stop()
        next_part = partial(self._unfold, part + 1)
        self._clock = self.set_timer(UNFOLD * PACE[self.app.animation_level], next_part) if part < PARTS else None

    def finish_motion(self) -> None:
        """Unfold the whole card now."""
        if self._clock is not None:
            self._unfold(PARTS)

    def _placed(self, inside: Sequence[Region], below: Sequence[Region], over: Sequence[Region]) -> Place:
        """The first region that fits the card, if need be without some parts; else the lower end of the last region."""
        for without, room in product(range(len(LEAVES_OUT)), inside):
            if (size := self._fitting(room.size, without)) is not None:
                return Place(room, size, inside=True)
        tries = [*product(range(WORDLESS + 1), below), *product(range(len(LEAVES_OUT)), (*below, *over))]
        for without, room in tries:
            if (size := self._fitting(room.size, without)) is not None:
                y = room.y + min(1, room.height - size.height)  # a blank row above it
                if room in over:
                    y = room.bottom - size.height
                return Place(Region(room.x, y, room.width, size.height), size, inside=False)
        last = below[-1]
        height = len(self.content(last.width - FRAME.width, len(LEAVES_OUT) - 1)) + FRAME.height
        size = Size(last.width, height)
        return Place(Region(last.x, last.bottom - height, last.width, height), size, inside=False)

    def _fitting(self, room: Size, without: int) -> Size | None:
        """The widest card that fits into this room, without so many parts; None if none does."""
        for wide in WIDTHS:
            size = Size(wide, len(self.content(wide, without))) + FRAME
            if size.width <= room.width and size.height <= room.height:
                return size
        return None
