"""The lines round a board: title and score, the two players, the moves so far, the move being made."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from duelbox.core.model import SEATS, Seat
from duelbox.ui.glyphs import UNICODE, Glyphs


def spread(left: Content, right: Content, width: int) -> Content:
    """Two texts at the two ends of a line; the left one gives way."""
    room = max(0, width - right.cell_length - 1)
    if left.cell_length > room:
        left = left.truncate(room, ellipsis=room > 1)
    return Content.assemble(left, " " * max(1, width - left.cell_length - right.cell_length), right)


class TopLine(Widget):
    """What is played, and how the match stands."""

    DEFAULT_CSS = "TopLine { height: 1; padding: 0 1; } "

    title: reactive[str] = reactive("")
    place: reactive[str] = reactive("")
    aside: reactive[str] = reactive("")

    def render(self) -> Content:
        """The line."""
        left = Content.assemble(
            ("duelbox", "bold"), "   ", (self.title, "bold"), (f" · {self.place}" if self.place else "", "$text-muted")
        )
        return spread(left, Content.styled(self.aside, "$text-muted"), self.content_size.width)


@dataclass(frozen=True, slots=True)
class Plate:
    """A player as the table shows them."""

    name: str
    score: str
    to_move: bool = False
    computer: bool = False
    won: bool = False


class Plates(Widget):
    """Both players, one at each end: sign, name, what they have, and a pointer at who is to move."""

    DEFAULT_CSS = "Plates { height: 1; padding: 0 1; }"

    plates: reactive[tuple[Plate, Plate] | None] = reactive(None)
    glyphs: reactive[Glyphs] = reactive(UNICODE)

    def render(self) -> Content:
        """The line."""
        if self.plates is None:
            return Content("")
        one, two = (self._plate(seat, self.plates[seat]) for seat in SEATS)
        width = self.content_size.width
        room = max(4, width - two.cell_length - 2)
        return spread(one.truncate(room, ellipsis=True) if one.cell_length > room else one, two, width)

    def _plate(self, seat: Seat, plate: Plate) -> Content:
        pointer = self.glyphs.up if plate.to_move else " "
        sign = (self.glyphs.seat(seat), f"$seat-{seat} bold")
        name = (plate.name, "bold" if plate.to_move or plate.won else "")
        kind = (" (computer)" if plate.computer and self.content_size.width >= 72 else "", "$text-muted")
        score = (f"  {plate.score}" if plate.score else "", "$text-muted")
        if seat == 0:
            return Content.assemble((pointer, "bold"), " ", sign, " ", name, kind, score)
        pointer = "◂" if plate.to_move and pointer == "▸" else "<" if plate.to_move else " "
        score_before = (f"{plate.score}  " if plate.score else "", "$text-muted")
        return Content.assemble(score_before, name, kind, " ", sign, " ", (pointer, "bold"))


class MoveList(Widget):
    """The moves so far: on one line as many of the last as fit, or a column where there is room."""

    DEFAULT_CSS = """
    MoveList { height: 1; padding: 0 1; color: $text-muted; }
    """

    moves: reactive[tuple[tuple[Seat, str], ...]] = reactive(())
    glyphs: reactive[Glyphs] = reactive(UNICODE)

    def _rounds(self) -> list[Content]:
        """One text for each pair of turns, numbered."""
        out: list[Content] = []
        pair: list[tuple[Seat, str]] = []
        for at, (seat, text) in enumerate(self.moves):
            if pair and (seat == 0 or len(pair) == 2):
                out.append(self._pair(len(out) + 1, pair, last=False))
                pair = []
            pair.append((seat, text))
            if at == len(self.moves) - 1:
                out.append(self._pair(len(out) + 1, pair, last=True))
        return out

    def _pair(self, number: int, pair: list[tuple[Seat, str]], *, last: bool) -> Content:
        parts: list[Content | tuple[str, str]] = [(f"{number:>2} ", "$text-muted")]
        for at, (seat, text) in enumerate(pair):
            if at:
                parts.append(("  ", ""))
            style = "bold underline" if last and at == len(pair) - 1 else ""
            parts += [(self.glyphs.seat(seat), f"$seat-{seat}"), (text, f"$foreground {style}")]
        return Content.assemble(*parts)

    def render(self) -> Content:
        """The line, or the column."""
        rounds = self._rounds()
        if not rounds:
            return Content.styled("No moves yet.", "$text-muted")
        width, height = self.content_size
        if height > 1:
            return Content("\n").join(rounds[-height:])
        shown: list[Content] = []
        used = 0
        for one in reversed(rounds):
            if shown and used + one.cell_length + 3 > width - 2:
                shown.insert(0, Content.styled("…", "$text-muted"))
                break
            shown.insert(0, one)
            used += one.cell_length + 3
        return Content("   ").join(shown)


class MoveLine(Widget):
    """The move as typed or pointed at, with what Enter will do."""

    DEFAULT_CSS = """
    MoveLine { height: 1; padding: 0 1; pointer: pointer; }
    """

    class Pressed(Message):
        """The line was clicked: the same as Enter."""

    prompt: reactive[str] = reactive("")
    line: reactive[str] = reactive("")
    told: reactive[str] = reactive("")
    """What Enter will do."""

    def render(self) -> Content:
        """The line."""
        width = self.content_size.width
        parts: list[Content | tuple[str, str]] = [(self.prompt, "bold")]
        if self.line:
            parts += [("  ", ""), (f" {self.line} ", "bold reverse")]
        if self.told:
            parts += [("  ", ""), (self.told, "$text-muted")]
        text = Content.assemble(*parts)
        return text.truncate(width, ellipsis=True) if text.cell_length > width else text

    def on_click(self, event: events.Click) -> None:
        """A click on the line plays it."""
        event.stop()
        self.post_message(self.Pressed())
