"""A form of one-line rows: choose with left and right or a click, type where there is something to type.

What is typed first takes the place of what was there; what is typed next, or after End or Backspace, adds to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

LABEL_WIDTH = 18
VALUE = LABEL_WIDTH + 3
"""The column where values begin; the sign before it steps back."""
FEW = 12
"""So many values may be shown side by side."""
LONGEST = 24
"""So many characters can be typed."""
SWITCH = (("off", "off"), ("on", "on"))
TYPE_A_NAME = f"Type a name of at most {LONGEST} letters."


@dataclass(frozen=True, slots=True)
class Row:
    """One line: a label, and one of several values; `typed` rows take text, `choices` then being empty."""

    key: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    """Values and what they are called; side by side, what follows a comma is left out."""
    about: str = ""
    """What it means, shown while the row is chosen."""
    typed: bool = False
    pressed: bool = False
    """For rows whose value is a key: the one that is pressed."""
    numbers: range | None = None
    """For rows that count: typed digits, or left and right."""
    heading: str = ""
    """A line above the row."""
    longest: int = LONGEST
    """So many characters can be typed here."""
    completions: Callable[[str], Sequence[str]] | None = None
    """How what is typed could go on; Tab completes it."""

    @property
    def completed(self) -> Row:
        """The row with its value typed on as far as that is certain."""
        found = self.completions(self.value) if self.completions else ()
        if not found:
            return self
        pairs = zip(min(found), max(found), strict=False)
        return replace(self, value="".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)))

    @property
    def steps(self) -> bool:
        """Whether left and right change it."""
        return bool(self.choices) or self.numbers is not None

    @property
    def shown(self) -> str:
        """The value in words."""
        return next((label for value, label in self.choices if value == self.value), self.value)

    @property
    def values(self) -> tuple[tuple[str, str], ...]:
        """All values with short words for them; none where they are too many, or the row has another value."""
        numbers = self.numbers if self.numbers is not None and len(self.numbers) <= FEW else ()
        values = tuple((value, label.split(",")[0]) for value, label in self.choices)
        values = values or tuple((str(number), str(number)) for number in numbers)
        return values if len(values) <= FEW and any(value == self.value for value, _ in values) else ()

    def moved(self, step: int) -> Row:
        """The row with the next value, or the one before."""
        if self.numbers is not None:
            here = int(self.value) if self.value.isascii() and self.value.isdigit() else self.numbers[0]
            return replace(self, value=str(max(self.numbers[0], min(self.numbers[-1], here + step))))
        if not self.choices:
            return self
        values = [value for value, _ in self.choices]
        at = values.index(self.value) if self.value in values else 0
        return replace(self, value=values[(at + step) % len(values)])


class Form(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows drawn by lines; `Changed` tells the row whose value is new."""

    DEFAULT_CSS = """
    Form { width: 1fr; height: 1fr; pointer: pointer; }
    Form:focus { background-tint: transparent; }
    """

    rows: reactive[tuple[Row, ...]] = reactive((), bindings=True)
    at: reactive[int] = reactive(0, bindings=True)
    fresh: reactive[bool] = reactive(True)
    """Whether what is typed next takes the place of what is there."""

    @dataclass(eq=False)
    class Changed(Message):
        """A row has a new value."""

        row: Row

    @dataclass(eq=False)
    class Moved(Message):
        """Another row is chosen."""

        row: Row

    # -- lines

    def _lines(self) -> list[int | None]:
        """The row drawn on each line, None for blank lines and headings."""
        lines: list[int | None] = []
        for number, row in enumerate(self.rows):
            if row.heading:
                lines += [None, None] if lines else [None]
            lines.append(number)
        return lines

    def watch_rows(self) -> None:
        """Room to scroll in."""
        self.virtual_size = Size(self.size.width, len(self._lines()))
        self.at = max(0, min(self.at, len(self.rows) - 1))

    def watch_at(self) -> None:
        """Keep the chosen row in sight."""
        self.fresh = True
        lines = self._lines()
        if self.at in lines:
            y = lines.index(self.at)
            self.scroll_to_region(Region(0, max(0, y - 1), 1, 3), animate=False)
            self.post_message(self.Moved(self.rows[self.at]))

    @property
    def row(self) -> Row | None:
        """The chosen row."""
        return self.rows[self.at] if self.rows else None

    def render_line(self, y: int) -> Strip:
        """One row, heading or blank."""
        y += self.scroll_offset.y
        lines = self._lines()
        width = self.size.width
        if not 0 <= y < len(lines):
            return Strip.blank(width, self.rich_style)
        number = lines[y]
        if number is None:
            below = lines[y + 1] if y + 1 < len(lines) else None
            content = Content.styled(f"  {self.rows[below].heading}", "bold") if below is not None else Content("")
        else:
            content = self._row(self.rows[number], number == self.at)
        base = self.visual_style
        line = content.truncate(width, ellipsis=True) if content.cell_length > width else content
        return Strip(line.render_segments(base)).adjust_cell_length(width, base.rich_style)

    def spots(self, row: Row) -> dict[str, range]:
        """The columns of each value; none where they do not fit side by side."""
        spots: dict[str, range] = {}
        x = VALUE
        for value, label in row.values:
            spots[value] = range(x, x + len(label))
            x += len(label) + 2
        return spots if x - 1 <= self.size.width else {}

    def _row(self, row: Row, chosen: bool) -> Content:
        label = row.label.ljust(LABEL_WIDTH)
        head = [("▸ " if chosen else "  ", "bold"), (label, "" if chosen else "$text-muted")]
        cursor = "_" if chosen and not self.fresh else ""
        if row.typed or row.pressed:
            style = "bold reverse" if chosen and self.fresh else "bold" if chosen else ""
            return Content.assemble(*head, " ", (row.value or " " * chosen, style), (cursor, "bold"))
        shown = row.values if self.spots(row) else ((row.value, row.shown + cursor),)
        parts: list[tuple[str, str]] = []
        for value, text in shown:
            here = value == row.value
            marks = "‹›" if here else "  "
            style = "bold" if here and chosen else "" if here else "$text-muted"
            parts += [(marks[0], "$text-muted"), (text, style), (marks[1], "$text-muted")]
        return Content.assemble(*head, *parts)

    # -- changing

    def change(self, row: Row) -> None:
        """Put this row in the place of the one with its key, and say so."""
        if row not in self.rows:
            self.rows = tuple(row if one.key == row.key else one for one in self.rows)
            self.post_message(self.Changed(row))

    def step(self, by: int) -> None:
        """The next value of the chosen row, or the one before."""
        if self.row is not None:
            self.change(self.row.moved(by))
            self.fresh = self.row.steps

    def move(self, by: int) -> None:
        """The next row, or the one before."""
        if self.rows:
            self.at = max(0, min(len(self.rows) - 1, self.at + by))

    def on_key(self, event: events.Key) -> None:
        """Arrows choose; what is typed goes into rows that take it.

        Here and now: left to the app, the bindings would be overtaken by what is typed quickly.
        """
        moves: dict[str, Callable[[], None]] = {
            "up": lambda: self.move(-1),
            "down": lambda: self.move(1),
            "left": lambda: self.step(-1),
            "right": lambda: self.step(1),
            "tab": self._complete,
            "shift+tab": lambda: self.move(-1),
        }
        if event.key in moves:
            moves[event.key]()
        elif not (self._press(event) or self._type(event)):
            return
        event.stop()
        event.prevent_default()

    def _complete(self) -> None:
        """Complete what is typed, or else go to the next row."""
        row = self.row
        if row is None or row.completed == row:
            self.move(1)
        else:
            self.change(row.completed)

    def _press(self, event: events.Key) -> bool:
        row = self.row
        if row is None or not row.pressed or event.key in ("enter", "escape"):
            return False
        self.change(replace(row, value="" if event.key in ("backspace", "delete") else event.key))
        return True

    def _type(self, event: events.Key) -> bool:
        row = self.row
        if row is None or not (row.typed or row.numbers is not None):
            return False
        edited = {"ctrl+u": "", "backspace": row.value[:-1], "end": row.value}
        if event.key in edited:
            self.fresh = False
            self.change(replace(row, value=edited[event.key]))
            return True
        if event.character is None or not event.is_printable:
            return False
        if row.numbers is not None and not (event.character.isascii() and event.character.isdigit()):
            return False
        longer = event.character if self.fresh else row.value + event.character
        if row.values and row.numbers is not None and int(longer) not in row.numbers:
            longer = event.character
        if len(longer) <= row.longest:
            self.fresh = False
            self.change(replace(row, value=longer))
        return True

    def paste(self, text: str) -> None:
        """Put a pasted text into the chosen row, where one types there."""
        row, text = self.row, " ".join(text.split())
        if row is not None and row.typed and text:
            self.fresh = False
            self.change(replace(row, value=text[: row.longest]))

    def on_click(self, event: events.Click) -> None:
        """A click chooses a row, and the value it hits; where one value is shown, the next, or the one before."""
        event.stop()
        y = event.y + self.scroll_offset.y
        lines = self._lines()
        number = lines[y] if 0 <= y < len(lines) else None
        if number is None:
            return
        self.at = number
        row = self.rows[number]
        spots = self.spots(row)
        for value, columns in spots.items():
            if columns.start - 1 <= event.x <= columns.stop:
                self.change(replace(row, value=value))
        if not spots and event.x >= VALUE - 1:
            self.step(-1 if event.x == VALUE - 1 else 1)
