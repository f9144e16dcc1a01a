"""A form of one-line rows: choose with left and right or a click; text is typed into one input that lies over its row.

A number that is typed first takes the place of the one there; what is typed next, or after Backspace, adds to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

LABEL_WIDTH = 16
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
    """For rows that count: typed digits, or left and right; where there are choices, too, the usual ones."""
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
        if self.choices and self.numbers is not None and self.value not in dict(values):
            values += ((self.value, self.value),)
        return values if len(values) <= FEW and any(value == self.value for value, _ in values) else ()

    def moved(self, step: int) -> Row:
        """The row with the next value, or the one before."""
        if self.numbers is not None and not self.choices:
            here = int(self.value) if self.value.isascii() and self.value.isdigit() else self.numbers[0]
            return replace(self, value=str(max(self.numbers[0], min(self.numbers[-1], here + step))))
        if not self.choices:
            return self
        values = [value for value, _ in self.choices]
        at = values.index(self.value) if self.value in values else 0
        return replace(self, value=values[(at + step) % len(values)])


class Entry(Input, inherit_bindings=False):
    """The text of the chosen row, where one types there; Enter is the screen's."""

    BINDINGS: ClassVar[list[BindingType]] = [
        one for one in Input.BINDINGS if isinstance(one, Binding) and one.action != "submit"
    ]
    DEFAULT_CSS = """
    Entry { position: absolute; layer: entry; display: none; width: 1fr; background: $background; }
    Entry:focus { background: $panel; background-tint: transparent; }
    Entry > .input--selection { background: $foreground; color: $background; }
    """

    def __init__(self) -> None:
        super().__init__(compact=True)
        self.cursor_blink = False

    def on_key(self, event: events.Key) -> None:
        """What moves between rows is the form's, here and now: what is typed next would overtake a binding."""
        form = self.screen.query_one(Form)
        if event.key in form.moves and event.key not in ("left", "right"):
            form.moves[event.key]()
            event.stop()
            event.prevent_default()

    def _on_paste(self, event: events.Paste) -> None:
        """Put in all lines of a pasted text as one; a code goes to the app, except where addresses are typed."""
        event.prevent_default()
        text = " ".join(event.text.split())
        if (self.max_length or 0) > LONGEST or not set(":/") & set(text):
            event.stop()
            self.replace(text, *self.selection)


class Form(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows drawn by lines; `Changed` tells the row whose value is new."""

    DEFAULT_CSS = """
    Form { width: 1fr; height: 1fr; pointer: pointer; }
    Form:focus { background-tint: transparent; }
    """

    rows: reactive[tuple[Row, ...]] = reactive((), bindings=True)
    at: reactive[int] = reactive(0, bindings=True)
    fresh: reactive[bool] = reactive(True)
    """Whether the digit that is typed next takes the place of what is there."""
    entry: Entry | None = None
    """Where text is typed, if the screen has such an input."""

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
        """Room for the rows, and to scroll in."""
        lines = len(self._lines())
        self.virtual_size, self.styles.max_height = Size(self.size.width, lines), lines + self.gutter.height
        self.at = max(0, min(self.at, len(self.rows) - 1))
        self.lay_entry()

    def watch_at(self) -> None:
        """Keep the chosen row in sight."""
        self.fresh = True
        lines = self._lines()
        if self.at in lines:
            y = lines.index(self.at)
            self.scroll_to_region(Region(0, max(0, y - 1), 1, 3), animate=False)
            self.post_message(self.Moved(self.rows[self.at]))
            self.lay_entry()
            if self.entry is not None:
                self.entry.action_select_all()

    def lay_entry(self) -> None:
        """Put the input over the chosen row, if text is typed there."""
        row, entry = self.row, self.entry
        if row is None or entry is None or not (entry.is_mounted and isinstance(entry.parent, Widget)):
            return
        entry.display = row.typed
        if row.typed:
            y = self._lines().index(self.at) - round(self.scroll_y)
            entry.styles.offset = self.content_region.offset - entry.parent.region.offset + Offset(VALUE, y)
            entry.styles.width = max(1, self.size.width - VALUE)
            entry.max_length = row.longest
            if entry.value != row.value:
                with entry.prevent(Input.Changed):
                    entry.value = row.value
                entry.cursor_position = len(row.value)
        if (self.has_focus or entry.has_focus) and entry.has_focus != row.typed:
            self.screen.set_focus(entry if row.typed else self)

    def watch_has_focus(self, value: bool) -> None:
        """The input has the focus where text is typed."""
        super().watch_has_focus(value)
        self.lay_entry()

    def on_resize(self) -> None:
        """The input moves with its row, and the frame may have gone."""
        self.styles.max_height = len(self._lines()) + self.gutter.height
        self.lay_entry()

    def watch_scroll_y(self, old: float, new: float) -> None:
        """The input moves with its row."""
        super().watch_scroll_y(old, new)
        self.lay_entry()

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
            return Content.assemble(*head, " ", (row.value or " " * chosen, "bold reverse" if chosen else ""))
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

    @property
    def moves(self) -> dict[str, Callable[[], None]]:
        """The keys that move in the form, and what each does."""
        return {
            "up": lambda: self.move(-1),
            "down": lambda: self.move(1),
            "left": lambda: self.step(-1),
            "right": lambda: self.step(1),
            "tab": self._complete,
            "shift+tab": lambda: self.move(-1),
        }

    def on_key(self, event: events.Key) -> None:
        """Arrows choose; digits go into rows that count.

        Here and now: left to the app, the bindings would be overtaken by what is typed quickly.
        """
        if event.key in self.moves:
            self.moves[event.key]()
        elif self.entry is not None and self.entry.has_focus:  # it has got the focus since the key was pressed
            self.entry.post_message(events.Key(event.key, event.character))
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
            self.lay_entry()

    def _press(self, event: events.Key) -> bool:
        row = self.row
        if row is None or not row.pressed or event.key in ("enter", "escape"):
            return False
        self.change(replace(row, value="" if event.key in ("backspace", "delete") else event.key))
        return True

    def _type(self, event: events.Key) -> bool:
        row = self.row
        if row is None or row.numbers is None:
            return False
        edited = {"ctrl+u": "", "backspace": row.value[:-1], "end": row.value}
        if event.key in edited:
            self.fresh = False
            self.change(replace(row, value=edited[event.key]))
            return True
        if event.character is None or not event.is_printable:
            return False
        if not (event.character.isascii() and event.character.isdigit()):
            return False
        longer = event.character if self.fresh else row.value + event.character
        if row.values and int(longer) not in row.numbers:
            longer = event.character
        if len(longer) <= row.longest:
            self.fresh = False
            self.change(replace(row, value=longer))
        return True

    def on_click(self, event: events.Click) -> None:
        """A click chooses a row, and the value it hits; where one value is shown, the next, or the one before."""
        event.stop()
        x, y = event.get_content_offset_capture(self) + Offset(0, self.scroll_offset.y)
        lines = self._lines()
        number = lines[y] if 0 <= y < len(lines) else None
        if number is None:
            return
        self.at = number
        row = self.rows[number]
        spots = self.spots(row)
        for value, columns in spots.items():
            if columns.start - 1 <= x <= columns.stop:
                self.change(replace(row, value=value))
        if not spots and x >= VALUE - 1:
            self.step(-1 if x == VALUE - 1 else 1)
