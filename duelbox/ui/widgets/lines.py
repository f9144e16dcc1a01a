"""The lines around a board: title, players, moves so far, sentences, and the move being typed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import events
from textual.content import Content, Span
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from duelbox.ui.glyphs import UNICODE, Glyphs
from duelbox.ui.widgets.cells import large_digits

if TYPE_CHECKING:
    from duelbox.core.model import Seat

Moves = tuple[tuple["Seat", str], ...]
BETWEEN = "   "
"""The blank between two parts of a line."""
FIELD = 7
"""The least width of the typed move, so that the text behind it does not move."""
LARGE_FIELD = 14
"""The same in large digits."""


_NUMBER = re.compile("(?P<number>[0-9]+)|(?:Team|Player) [0-9]+|[^0-9TP]+|[TP]")
"""A number, or a piece of text; the number of a team or of a nameless player is text."""


def enlarged(line: Content) -> tuple[Content, ...]:
    """A line as three rows: numbers in large digits, and all else in the middle row."""
    rows: list[list[Content]] = [[], [], []]
    for part in _NUMBER.finditer(line.plain):
        piece = line[part.start() : part.end()]
        blank = Content(" " * piece.cell_length)
        drawn: tuple[Content, ...] = (blank, piece, blank)
        if part["number"]:
            digits = large_digits(part[0], 1)
            drawn = tuple(Content(row, [Span(0, len(row), span.style) for span in piece.spans]) for row in digits)
        for row, own in zip(rows, drawn, strict=True):
            row.append(own)
    return tuple(Content("").join(row) for row in rows)


def plain_length(line: Content) -> int:
    """The width of a line as it is."""
    return line.cell_length


def enlarged_length(line: Content) -> int:
    """The width of a line with its numbers in large digits."""
    numbers = [part["number"] for part in _NUMBER.finditer(line.plain) if part["number"]]
    return line.cell_length + sum(3 * len(number) - 1 for number in numbers)


def spread(left: Content, right: Content, width: int) -> Content:
    """Two texts at the ends of a line; the left one is shortened if both do not fit."""
    room = max(0, width - right.cell_length - 1)
    left = left.truncate(room, ellipsis=room > 1)
    return Content.assemble(left, " " * max(1, width - left.cell_length - right.cell_length), right)


class TopLine(Widget):
    """The first line of a screen: the game or task, and the score of the match."""

    DEFAULT_CSS = "TopLine { height: 1; padding: 0 1; background: $panel; }"

    auto_links: reactive[bool] = reactive(False, repaint=False)  # no text in it is a link
    title: reactive[str] = reactive("")
    place: reactive[str] = reactive("")
    aside: reactive[str] = reactive("")
    good: str = ""
    """Signs of the aside that have the colour of a win."""

    def render(self) -> Content:
        """The line; in little room without the word duelbox."""
        width = self.content_size.width
        title = Content.assemble(
            (self.title, "bold"), (f" · {self.place}" if self.title and self.place else self.place, "$text-muted")
        )
        left = Content.assemble(("duelbox", "bold"), "   ", title)
        if self.title and left.cell_length + len(self.aside) + 3 > width:
            left = title
        aside = Content.styled(self.aside, "$text-muted")
        for at, sign in enumerate(self.aside):
            if sign in self.good:
                aside = aside.stylize("$win", at, at + 1)
        return spread(left, aside, width)


class ClippedText(Widget):
    """Paragraphs in a fixed place: text that does not fit is cut, and a key or a click shows all of it."""

    DEFAULT_CSS = "ClippedText { height: 1; padding: 0 1; }"

    auto_links: reactive[bool] = reactive(False, repaint=False)  # no text in it is a link
    words: reactive[tuple[Content, ...]] = reactive((), repaint=False)
    more: str = "Tab"
    """The key that shows the whole text."""
    argued: reactive[bool] = reactive(False)
    """The key shows more than the text, however short that is."""
    _kept_lines: tuple[tuple[Content, ...], int, list[Content]] = ((), 0, [])
    """The words wrapped last, their width, and their lines."""

    class Pressed(Message):
        """It was clicked."""

    @property
    def _lines(self) -> list[Content]:
        return self._wrapped(self.words)

    def _wrapped(self, words: tuple[Content, ...]) -> list[Content]:
        """The lines of these words; those of the last words and width are kept, and nobody changes them."""
        width = max(1, self.content_size.width)
        kept_words, kept_width, lines = self._kept_lines
        if kept_words is not words or kept_width != width:
            lines = [line for one in words for line in (one.wrap(width) if one else [one])]
            self._kept_lines = words, width, lines
        return lines

    def watch_words(self, before: tuple[Content, ...], after: tuple[Content, ...]) -> None:
        """Redraw only the lines that had or have text."""
        rows = max(len(self._wrapped(before)), len(self._wrapped(after)))
        self.refresh(Region(0, 0, self.content_size.width, min(rows, self.content_size.height)))

    @property
    def cut(self) -> bool:
        """True if some of the text is cut off."""
        return len(self._lines) > self.content_size.height

    def render(self) -> Content:
        """The lines that fit, with a note if there are more."""
        width, height = self.content_size
        lines = self._lines
        cut = len(lines) > height > 0
        if self.argued and lines and len(lines) < height:
            lines = [*lines, Content("")]
        if cut or (self.argued and lines and height > 0):
            sign = f"{self.more} more" if self.more else ""
            if cut:
                sign = f"…  {sign}".rstrip()
            height = min(height, len(lines))
            last = lines[height - 1].rstrip().truncate(max(0, width - len(sign) - 1))
            gap = " " * max(1, width - last.cell_length - len(sign))
            lines = [*lines[: height - 1], Content.assemble(last, gap, (sign, "$text-muted"))]
        return Content("\n").join(lines)

    def on_click(self, event: events.Click) -> None:
        """Post Pressed."""
        event.stop()
        self.post_message(self.Pressed())


class OneSentence(ClippedText):
    """One sentence on one line; in little room the last clauses are left out."""

    large: reactive[bool] = reactive(False, layout=True)
    """The sentence has three rows, and its numbers large digits."""

    def watch_words(self, before: tuple[Content, ...], after: tuple[Content, ...]) -> None:
        """Redraw the line."""
        self.refresh()

    def render(self) -> Content:
        """The sentence."""
        width = self.content_size.width
        sentence = self.words[0] if self.words else Content("")
        length_of = enlarged_length if self.large else plain_length
        while length_of(sentence) > width and (end := max(map(sentence.plain.rfind, CLAUSES))) > 0:
            sentence = sentence[: end + (sentence.plain[end] == ".")]
            sentence = sentence if sentence.plain.endswith(".") else Content.assemble(sentence, ".")
        if not self.large:
            return sentence.truncate(width, ellipsis=True)
        if length_of(sentence) <= width:
            return Content("\n").join(enlarged(sentence))
        return Content.assemble("\n", sentence.truncate(width, ellipsis=True))


CLAUSES = (". ", "; ", ": ", ", which ")
"""A sentence may be cut before any of these."""


@dataclass(frozen=True, slots=True)
class Plate:
    """The data about a player beside the board."""

    seat: Seat
    name: str
    score: str
    """Counts with their words, separated by " · "; in little room only the first stays."""
    to_move: bool = False
    won: bool = False
    away: str = ""
    """The time since a friend left: "away 2 min"."""


FOUR_COLOURS = "high-contrast"
"""The theme without tinted backgrounds."""
_SHORTEST = 3
"""The shortest form of a player: nothing but the name."""


class Plates(Widget):
    """Both players, one at each end of a line: sign, name, score, and a pointer at the player to move."""

    DEFAULT_CSS = "Plates { height: 1; }"

    auto_links: reactive[bool] = reactive(False, repaint=False)  # no text in it is a link
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
            if one.cell_length + two.cell_length + len(BETWEEN) <= width:
                break
        return spread(one, two, width)

    def _plate(self, plate: Plate, short: int, *, left: bool) -> Content:
        """One player; with higher `short` first a count is left out, then words, then all counts."""
        glyphs, colour = self.glyphs, f"$seat-{plate.seat}"
        parts = plate.score.split(" · ")[: _SHORTEST - short]
        text = " · ".join(parts if left else reversed(parts))
        text = text if short < _SHORTEST - 1 else " ".join(word for word in text.split() if not word.isalpha())
        pointer = glyphs.win if plate.won else (glyphs.pointer if left else glyphs.right) if plate.to_move else " "
        sign = ((glyphs.hollow if plate.away else glyphs.seats)[plate.seat], f"{colour} bold")
        away = f" {plate.away}" if plate.away else ""
        name = Content.assemble((plate.name, "bold" if plate.to_move or plate.won else ""), (away, "$text-muted"))
        score = (f"   {text}" if left else f"{text}   ", "$text-muted") if text else ""
        pieces = (pointer, "bold"), " ", sign, " ", name
        who = Content.assemble(" ", *pieces) if left else Content.assemble(*pieces[::-1], " ")
        who = who.stylize(f"on {colour} 16%") if plate.to_move and not self.app.theme.endswith(FOUR_COLOURS) else who
        return Content.assemble(who, score) if left else Content.assemble(score, who)


@dataclass(eq=False)
class TurnClicked(Message):
    """A turn was clicked in the list of moves or in the plot."""

    ply: int


class MoveList(Widget):
    """The moves on one line, as many as fit, or in a column; a click on one goes to its turn."""

    DEFAULT_CSS = """
    MoveList { height: 1; padding: 0 1; color: $text-muted; }
    """

    auto_links: reactive[bool] = reactive(False, repaint=False)  # no text in it is a link
    moves: reactive[Moves] = reactive(())
    at: reactive[int | None] = reactive(None)
    """The number of turns up to the position on the board; None for all."""
    glyphs: reactive[Glyphs] = reactive(UNICODE)

    def _rounds(self) -> list[list[int]]:
        """The indices of the moves, grouped into pairs of turns."""
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
        # A blank after the sign: some terminals draw ◆ two cells wide.
        return Content.assemble((self.glyphs.seat(seat), f"$seat-{seat}"), " ", (text, style))

    def _lines(self) -> list[list[tuple[int, Content]]]:
        """The lines in pieces, each with the index of its move, or -1."""
        rounds = [(moves[0] + 1, moves) for moves in self._rounds()]
        here = next((at for at, (_, moves) in enumerate(rounds) if self._last in moves), 0)
        if (room := self.content_size.height) > 1:
            first = max(0, min(here - room // 2, len(rounds) - room) if self.at is not None else len(rounds) - room)
            width = max((self._move(moves[0]).cell_length for _, moves in rounds[first:]), default=0)
            lines = [self._round(number, moves, width) for number, moves in rounds[first : first + room]]
            return lines or [[(-1, Content("None yet."))]]
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
        """A pair of turns with its number; the first move is padded to this width."""
        pieces = [(-1, Content(f"{number:>2} "))]
        for at in moves:
            pieces += [(at, self._move(at)), (-1, Content("  " + " " * max(0, width - self._move(at).cell_length)))]
        return pieces[:-1]

    def render(self) -> Content:
        """The moves."""
        if not self.moves and self.content_size.height == 1:
            return Content("No moves yet.")
        return Content("\n").join(Content.assemble(*(piece for _, piece in line)) for line in self._lines())

    def on_click(self, event: events.Click) -> None:
        """Post the turn of the clicked move."""
        place = event.get_content_offset_capture(self)
        x, lines = place.x, self._lines()
        for at, piece in lines[place.y] if 0 <= place.y < len(lines) and self.moves else ():
            if at >= 0 and 0 <= x < piece.cell_length:
                event.stop()
                self.post_message(TurnClicked(at + 1))
            x -= piece.cell_length


class MoveLine(Widget):
    """The move being typed or clicked, and the effect of Enter."""

    DEFAULT_CSS = """
    MoveLine { height: 1; padding: 0 1; pointer: pointer; }
    """

    @dataclass(eq=False)
    class Pressed(Message):
        """The line was clicked."""

        action: str
        """The action of the clicked part, or ""."""

    auto_links: reactive[bool] = reactive(False, repaint=False)  # no text in it is a link
    prompt: reactive[str] = reactive("")
    line: reactive[str] = reactive("")
    typing: reactive[bool] = reactive(False)
    """A move may be typed now."""
    cursor: reactive[str] = reactive("▏")
    parts: reactive[tuple[tuple[str, str], ...]] = reactive(())
    """Texts about Enter and other keys, each with the action of a click on it."""
    large: reactive[bool] = reactive(False, layout=True)
    """The line has three rows, and the move large digits."""

    def render(self) -> Content:
        """The line with as many parts as fit."""
        width = self.content_size.width
        head = self._head()
        texts = [text for text, _ in self._fitting()]
        parts = Content.styled(BETWEEN.join(texts), "$text-muted")
        if self.large and self._head_length() <= width:
            above, middle, below = enlarged(head)
            return Content("\n").join((above, Content.assemble(middle, parts), below))
        line = Content.assemble(head, parts) if texts else head.rstrip()
        return line.truncate(width, ellipsis=True)

    def _head(self) -> Content:
        field = f"{self.line}{self.cursor}" if self.typing else self.line
        if not field:
            return Content.assemble((self.prompt, "bold"), BETWEEN)
        least = FIELD
        if self.large:  # the text behind stays where it is with two large digits, too
            least = LARGE_FIELD - enlarged_length(Content(field)) + len(field)
        return Content.assemble((self.prompt, "bold"), (f"{BETWEEN}{field:<{least}}", "bold"))

    def _head_length(self) -> int:
        head = self._head()
        return enlarged_length(head) if self.large else head.cell_length

    def _fitting(self) -> list[tuple[str, str]]:
        """The parts that fit."""
        room = self.content_size.width - self._head_length()
        parts = list(self.parts)
        if parts and cell_len(parts[0][0]) > room:
            text, action = parts[0]
            parts = [(text[: max((text.rfind(one, 0, room) for one in CLAUSES if one in text), default=room)], action)]
        while parts and cell_len(BETWEEN.join(text for text, _ in parts)) > room:
            parts.pop()
        return parts

    def on_click(self, event: events.Click) -> None:
        """Post the action of the clicked part."""
        event.stop()
        x = event.get_content_offset_capture(self).x - self._head_length()
        hit = ""
        for text, action in self._fitting():
            if 0 <= x < cell_len(text):
                hit = action
            x -= cell_len(text) + len(BETWEEN)
        self.post_message(self.Pressed(hit))
