"""The lines round a board: title and score, the two players, the moves so far, the move being made."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from duelbox.core.model import SEATS, Seat
from duelbox.ui.glyphs import UNICODE, Glyphs

BETWEEN = "   "
"""Stands between two sentences on one line."""


def spread(left: Content, right: Content, width: int) -> Content:
    """Two texts at the two ends of a line; the left one gives way."""
    room = max(0, width - right.cell_length - 1)
    if left.cell_length > room:
        left = left.truncate(room, ellipsis=room > 1)
    return Content.assemble(left, " " * max(1, width - left.cell_length - right.cell_length), right)


class TopLine(Widget):
    """What is played, and how the match stands."""

    DEFAULT_CSS = "TopLine { height: 1; padding: 0 1; background: $panel; }"

    title: reactive[str] = reactive("")
    place: reactive[str] = reactive("")
    aside: reactive[str] = reactive("")

    def render(self) -> Content:
        """The line; where there is little room, without our name."""
        width = self.content_size.width
        title = Content.assemble((self.title, "bold"), (f" · {self.place}" if self.place else "", "$text-muted"))
        left = Content.assemble(("duelbox", "bold"), "   ", title)
        if self.title and left.cell_length + len(self.aside) + 3 > width:
            left = title
        return spread(left, Content.styled(self.aside, "$text-muted"), width)


@dataclass(frozen=True, slots=True)
class Plate:
    """A player as the table shows them."""

    name: str
    score: str
    to_move: bool = False
    computer: bool = False
    won: bool = False


_SHORTEST = 3
"""How short a player can be told: nothing but the name."""


class Plates(Widget):
    """Both players, one at each end: sign, name, what they have, and a pointer at who is to move."""

    DEFAULT_CSS = "Plates { height: 1; padding: 0 1; }"

    plates: reactive[tuple[Plate, Plate] | None] = reactive(None)
    glyphs: reactive[Glyphs] = reactive(UNICODE)

    def render(self) -> Content:
        """The line."""
        if self.plates is None:
            return Content("")
        width = self.content_size.width
        one, two = (Content(""), Content(""))
        for short in range(_SHORTEST + 1):
            one, two = (self._plate(seat, self.plates[seat], short) for seat in SEATS)
            if one.cell_length + two.cell_length + 1 <= width:
                break
        return spread(one, two, width)

    def _plate(self, seat: Seat, plate: Plate, short: int) -> Content:
        """A player; the shorter, the less beside the name: first what a computer is goes, then words, then figures."""
        figures = " ".join(word for word in plate.score.split() if not word.isalpha())
        told = plate.score if short < 2 else figures if short < _SHORTEST else ""
        pointer = self.glyphs.up if plate.to_move else " "
        sign = (self.glyphs.seat(seat), f"$seat-{seat} bold")
        name = Content.styled(plate.name, "bold" if plate.to_move or plate.won else "")
        kind = (" (computer)" if plate.computer and not short else "", "$text-muted")
        won = (" wins" if plate.won else "", f"$seat-{seat} bold")
        score = (f"  {told}" if told else "", "$text-muted")
        if seat == 0:
            return Content.assemble((pointer, "bold"), " ", sign, " ", name, kind, won, score)
        pointer = "◂" if plate.to_move and pointer == "▸" else "<" if plate.to_move else " "
        score_before = (f"{told}  " if told else "", "$text-muted")
        return Content.assemble(score_before, name, kind, won, " ", sign, " ", (pointer, "bold"))


class MoveList(Widget):
    """The moves so far: on one line as many of the last as fit, or a column where there is room."""

    DEFAULT_CSS = """
    MoveList { height: 1; padding: 0 1; color: $text-muted; }
    """

    moves: reactive[tuple[tuple[Seat, str], ...]] = reactive(())
    glyphs: reactive[Glyphs] = reactive(UNICODE)

    def _rounds(self) -> list[list[int]]:
        """The numbers of the moves, for each pair of turns."""
        rounds: list[list[int]] = []
        for at, (seat, _) in enumerate(self.moves):
            if not rounds or seat == 0 or len(rounds[-1]) == 2:
                rounds.append([])
            rounds[-1].append(at)
        return rounds

    def _move(self, at: int) -> Content:
        seat, text = self.moves[at]
        last = " bold underline" if at == len(self.moves) - 1 else ""
        return Content.assemble((self.glyphs.seat(seat), f"$seat-{seat}"), (text, f"$foreground{last}"))

    def _round(self, number: int, moves: list[int], width: int = 0) -> Content:
        """A pair of turns with its number; the first move at least so wide."""
        parts: list[Content | str] = [f"{number:>2} "]
        for at in moves:
            parts += [self._move(at), "  "]
            if at == moves[0] and len(moves) == 2:
                parts.append(" " * (width - self._move(at).cell_length))
        return Content.assemble(*parts[:-1])

    def render(self) -> Content:
        """The line, or the column."""
        if self.content_size.height > 1:
            return Content("\n").join(self._column())
        if not self.moves:
            return Content("No moves yet.")
        shown: list[Content] = []
        used = 0
        for number, moves in reversed(list(enumerate(self._rounds(), 1))):
            one = self._round(number, moves)
            if shown and used + one.cell_length + 3 > self.content_size.width - 2:
                shown.insert(0, Content("…"))
                break
            shown.insert(0, one)
            used += one.cell_length + 3
        return Content("   ").join(shown)

    def _column(self) -> list[Content]:
        rounds = list(enumerate(self._rounds(), 1))[2 - self.content_size.height :]
        width = max((self._move(moves[0]).cell_length for _, moves in rounds), default=0)
        told = [self._round(number, moves, width) for number, moves in rounds] or [Content("None yet.")]
        return [Content.styled("Moves", "bold"), Content(""), *told]


class MoveLine(Widget):
    """The move as typed or pointed at, with what Enter will do."""

    DEFAULT_CSS = """
    MoveLine { height: 1; padding: 0 1; pointer: pointer; }
    """

    class Pressed(Message):
        """The line was clicked."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action
            """The action of the part that was hit, or nothing."""

    prompt: reactive[str] = reactive("")
    line: reactive[str] = reactive("")
    parts: reactive[tuple[tuple[str, str], ...]] = reactive(())
    """What Enter will do, and other keys: what each says, and the action a click on it takes."""

    def render(self) -> Content:
        """The line: as many of the parts as there is room for."""
        width, head, told = self.content_size.width, self._head(), [text for text, _ in self._fitting()]
        text = Content.assemble(head, "  ", (BETWEEN.join(told), "$text-muted")) if told else head
        return text.truncate(width, ellipsis=True) if text.cell_length > width else text

    def _head(self) -> Content:
        head = Content.styled(self.prompt, "bold")
        return Content.assemble(head, "  ", (f" {self.line} ", "bold reverse")) if self.line else head

    def _fitting(self) -> list[tuple[str, str]]:
        """The parts there is room for."""
        room = self.content_size.width - self._head().cell_length - 2
        parts = list(self.parts)
        if parts and cell_len(parts[0][0]) > room:
            told, action = parts[0]
            parts = [("Enter plays it" if self.line else told.partition(",")[0], action)]
        while parts and cell_len(BETWEEN.join(text for text, _ in parts)) > room:
            parts.pop()
        return parts

    def on_click(self, event: events.Click) -> None:
        """Say what was hit."""
        event.stop()
        x = event.get_content_offset_capture(self).x - self._head().cell_length - 2
        hit = ""
        for text, action in self._fitting():
            if 0 <= x < cell_len(text):
                hit = action
            x -= cell_len(text) + len(BETWEEN)
        self.post_message(self.Pressed(hit))
