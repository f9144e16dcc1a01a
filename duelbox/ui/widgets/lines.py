"""The lines round a board: title and score, the two players, the moves so far, the move being made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from duelbox.ui.glyphs import UNICODE, Glyphs

if TYPE_CHECKING:
    from duelbox.core.model import Seat

Moves = tuple[tuple["Seat", str], ...]
BETWEEN = "   "
"""Stands between two sentences on one line."""
FIELD = 7
"""The width of the place for a typed move: what stands behind it keeps its column."""


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
        title = Content.assemble(
            (self.title, "bold"), (f" · {self.place}" if self.title and self.place else self.place, "$text-muted")
        )
        left = Content.assemble(("duelbox", "bold"), "   ", title)
        if self.title and left.cell_length + len(self.aside) + 3 > width:
            left = title
        return spread(left, Content.styled(self.aside, "$text-muted"), width)


class ClippedText(Widget):
    """Text in a place that never grows: of what has no room the end is cut, and a key or a click shows it whole."""

    DEFAULT_CSS = "ClippedText { height: 1; padding: 0 1; }"

    words: reactive[tuple[Content, ...]] = reactive((), repaint=False)
    """The paragraphs."""
    more: str = "Tab"
    """The key that shows all of it."""

    class Pressed(Message):
        """It was clicked."""

    @property
    def _lines(self) -> list[Content]:
        return self._wrapped(self.words)

    def _wrapped(self, words: tuple[Content, ...]) -> list[Content]:
        width = max(1, self.content_size.width)
        return [line for one in words for line in (one.wrap(width) if one else [one])]

    def watch_words(self, before: tuple[Content, ...], after: tuple[Content, ...]) -> None:
        """Draw the lines that had words or have some now, and nothing of the room below them."""
        rows = max(len(self._wrapped(before)), len(self._wrapped(after)))
        self.refresh(Region(0, 0, self.content_size.width, min(rows, self.content_size.height)))

    @property
    def cut(self) -> bool:
        """Not all of it is seen."""
        return len(self._lines) > self.content_size.height

    def render(self) -> Content:
        """The lines there is room for."""
        width, height = self.content_size
        lines = self._lines
        if len(lines) > height > 0:
            sign = f"…  {self.more} more" if self.more else "…"
            last = lines[height - 1].rstrip().truncate(max(0, width - len(sign) - 1))
            gap = " " * max(1, width - last.cell_length - len(sign))
            lines = [*lines[: height - 1], Content.assemble(last, gap, (sign, "$text-muted"))]
        return Content("\n").join(lines)

    def on_click(self, event: events.Click) -> None:
        """Show it whole, if it is cut."""
        event.stop()
        self.post_message(self.Pressed())


class OneSentence(ClippedText):
    """One sentence on one line: clauses that have no room are left out, the last ones first."""

    def render(self) -> Content:
        """The sentence."""
        width = self.content_size.width
        told = self.words[0] if self.words else Content("")
        while told.cell_length > width and (end := max(map(told.plain.rfind, CLAUSES))) > 0:
            told = told[: end + (told.plain[end] == ".")]
            told = told if told.plain.endswith(".") else Content.assemble(told, ".")
        return told.truncate(width, ellipsis=True) if told.cell_length > width else told


CLAUSES = (". ", "; ", ": ", ", which ")
"""Before these a sentence can end."""


@dataclass(frozen=True, slots=True)
class Plate:
    """A player as the table shows them."""

    seat: Seat
    name: str
    score: str
    """Figures with their words, parted by dots; the first is the one to keep."""
    to_move: bool = False
    level: int = 0
    """Of a computer, counted from 1."""
    won: bool = False
    away: str = ""
    """A friend is away, and since when: "away 2 min"."""


FOUR_COLOURS = "high-contrast"
"""The theme that has no tints."""
_SHORTEST = 3
"""How short a player can be told: nothing but the name."""


class Plates(Widget):
    """Both players, one at each end: sign, name, what they have, and a pointer at who is to move."""

    DEFAULT_CSS = "Plates { height: 1; }"

    plates: reactive[tuple[Plate, Plate] | None] = reactive(None)
    """From left to right."""
    glyphs: reactive[Glyphs] = reactive(UNICODE)

    def render(self) -> Content:
        """The line."""
        if self.plates is None:
            return Content("")
        width = self.content_size.width
        one, two = Content(""), Content("")
        for short in range(_SHORTEST + 1):
            one, two = (self._plate(plate, short, left=plate is self.plates[0]) for plate in self.plates)
            if one.cell_length + two.cell_length + 1 <= width:
                break
        return spread(one, two, width)

    def _plate(self, plate: Plate, short: int, *, left: bool) -> Content:
        """A player; the shorter, the less beside the name: first the word "level" goes, then words, then figures."""
        glyphs, colour = self.glyphs, f"$seat-{plate.seat}"
        parts = plate.score.split(" · ")[: _SHORTEST - short]
        told = " · ".join(parts if left else reversed(parts))
        told = told if short < _SHORTEST - 1 else " ".join(word for word in told.split() if not word.isalpha())
        pointer = glyphs.win if plate.won else (glyphs.pointer if left else glyphs.right) if plate.to_move else " "
        sign = ((glyphs.hollow if plate.away else glyphs.seats)[plate.seat], f"{colour} bold")
        kind = f" {plate.away}" if plate.away else ""
        kind = f" · {'level ' if not short else ''}{plate.level}" if plate.level and short < _SHORTEST else kind
        name = Content.assemble((plate.name, "bold" if plate.to_move or plate.won else ""), (kind, "$text-muted"))
        score = (f"   {told}" if left else f"{told}   ", "$text-muted") if told else ""
        pieces = (pointer, "bold"), " ", sign, " ", name
        who = Content.assemble(" ", *pieces) if left else Content.assemble(*pieces[::-1], " ")
        who = who.stylize(f"on {colour} 16%") if plate.to_move and not self.app.theme.endswith(FOUR_COLOURS) else who
        return Content.assemble(who, score) if left else Content.assemble(score, who)


@dataclass(eq=False)
class TurnClicked(Message):
    """A move was clicked, in the list or in the plot."""

    ply: int


class MoveList(Widget):
    """The moves: on one line as many as fit, or a column where there is room; a click names one."""

    DEFAULT_CSS = """
    MoveList { height: 1; padding: 0 1; color: $text-muted; }
    """

    moves: reactive[Moves] = reactive(())
    at: reactive[int | None] = reactive(None)
    """How many of them were made where one looks; all, if nothing is said."""
    glyphs: reactive[Glyphs] = reactive(UNICODE)

    def _rounds(self) -> list[list[int]]:
        """The numbers of the moves, for each pair of turns."""
        rounds: list[list[int]] = []
        for at, (seat, _) in enumerate(self.moves):
            if not rounds or seat == 0 or len(rounds[-1]) == 2:
                rounds.append([])
            rounds[-1].append(at)
        return rounds

    @property
    def _last(self) -> int:
        return (len(self.moves) if self.at is None else self.at) - 1

    def _move(self, at: int) -> Content:
        seat, text = self.moves[at]
        style = "$foreground bold underline" if at == self._last else "$foreground" if at < self._last else ""
        return Content.assemble((self.glyphs.seat(seat), f"$seat-{seat}"), (text, style))

    def _lines(self) -> list[list[tuple[int, Content]]]:
        """What is shown, line by line in pieces, each with its move, or -1."""
        rounds = [(moves[0] + 1, moves) for moves in self._rounds()]
        here = next((at for at, (_, moves) in enumerate(rounds) if self._last in moves), 0)
        if (room := self.content_size.height) > 1:
            first = max(0, min(here - room // 2, len(rounds) - room) if self.at is not None else len(rounds) - room)
            width = max((self._move(moves[0]).cell_length for _, moves in rounds[first:]), default=0)
            told = [self._round(number, moves, width) for number, moves in rounds[first : first + room]]
            return told or [[(-1, Content("None yet."))]]
        pieces = [self._round(number, moves) for number, moves in rounds]
        lengths = [sum(one.cell_length for _, one in piece) + len(BETWEEN) for piece in pieces]
        room, first, end = self.content_size.width - 2, here, here + 1
        while first and sum(lengths[first - 1 : end]) - len(BETWEEN) <= room - (0 if first == 1 else 4):
            first -= 1
        while end < len(pieces) and sum(lengths[first : end + 1]) - len(BETWEEN) <= room - 4:
            end += 1
        gap = (-1, Content(BETWEEN))
        line = [(-1, Content(f"…{BETWEEN}"))] if first else []
        for piece in pieces[first:end]:
            line += [*piece, gap]
        return [[*line[:-1], *([gap, (-1, Content("…"))] if end < len(pieces) else [])]]

    def _round(self, number: int, moves: list[int], width: int = 0) -> list[tuple[int, Content]]:
        """A pair of turns with its number; the first move at least so wide."""
        pieces = [(-1, Content(f"{number:>2} "))]
        for at in moves:
            pieces += [(at, self._move(at)), (-1, Content("  " + " " * max(0, width - self._move(at).cell_length)))]
        return pieces[:-1]

    def render(self) -> Content:
        """The line, or the column."""
        if not self.moves and self.content_size.height == 1:
            return Content("No moves yet.")
        return Content("\n").join(Content.assemble(*(piece for _, piece in line)) for line in self._lines())

    def on_click(self, event: events.Click) -> None:
        """Say which move was hit."""
        place = event.get_content_offset_capture(self)
        x, lines = place.x, self._lines()
        for at, piece in lines[place.y] if 0 <= place.y < len(lines) and self.moves else ():
            if at >= 0 and 0 <= x < piece.cell_length:
                event.stop()
                self.post_message(TurnClicked(at + 1))
            x -= piece.cell_length


class MoveLine(Widget):
    """The move as typed or pointed at, with what Enter will do."""

    DEFAULT_CSS = """
    MoveLine { height: 1; padding: 0 1; pointer: pointer; }
    """

    @dataclass(eq=False)
    class Pressed(Message):
        """The line was clicked."""

        action: str
        """The action of the part that was hit, or nothing."""

    prompt: reactive[str] = reactive("")
    line: reactive[str] = reactive("")
    typing: reactive[bool] = reactive(False)
    """A move may be typed now."""
    cursor: reactive[str] = reactive("▏")
    parts: reactive[tuple[tuple[str, str], ...]] = reactive(())
    """What Enter will do, and other keys: what each says, and the action a click on it takes."""

    def render(self) -> Content:
        """The line: as many of the parts as there is room for."""
        width, head, told = self.content_size.width, self._head(), [text for text, _ in self._fitting()]
        text = Content.assemble(head, (BETWEEN.join(told), "$text-muted")) if told else head.rstrip()
        return text.truncate(width, ellipsis=True) if text.cell_length > width else text

    def _head(self) -> Content:
        field = f"{self.line}{self.cursor}" if self.typing else self.line
        field = f"{BETWEEN}{field:<{FIELD}}" if field else BETWEEN
        return Content.assemble((self.prompt, "bold"), (field, "bold"))

    def _fitting(self) -> list[tuple[str, str]]:
        """The parts there is room for."""
        room = self.content_size.width - self._head().cell_length
        parts = list(self.parts)
        if parts and cell_len(parts[0][0]) > room:
            told, action = parts[0]
            parts = [(told[: max((told.rfind(one, 0, room) for one in CLAUSES if one in told), default=room)], action)]
        while parts and cell_len(BETWEEN.join(text for text, _ in parts)) > room:
            parts.pop()
        return parts

    def on_click(self, event: events.Click) -> None:
        """Say what was hit."""
        event.stop()
        x = event.get_content_offset_capture(self).x - self._head().cell_length
        hit = ""
        for text, action in self._fitting():
            if 0 <= x < cell_len(text):
                hit = action
            x -= cell_len(text) + len(BETWEEN)
        self.post_message(self.Pressed(hit))
