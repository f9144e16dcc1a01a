"""A form of one-line rows. Left, right and clicks change a value; text is typed into one input laid over its row.

The first digit typed in a row replaces its number; later digits, and those after Backspace, are added to it.
"""

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
"""The column of the values; the sign of the chosen value stands before it."""
FEW = 12
"""Most values that are shown side by side."""
NAME_LENGTH = 24
"""Most characters of a name."""
ROOMY = 25
"""Windows of at least this many rows have room for a blank line above a heading."""
SWITCH = (("off", "off"), ("on", "on"))
TYPE_A_NAME = f"Type a name of at most {NAME_LENGTH} letters."


@dataclass(frozen=True, slots=True)
class Row:
    """A label with one of several values; a `typed` row takes text and has no `choices`."""

    key: str
    label: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    """Values with their labels; values shown side by side leave out what follows a comma."""
    about: str = ""
    """An explanation, shown while the row is chosen."""
    typed: bool = False
    pressed: bool = False
    """The value is a key, set by pressing it."""
    numbers: range | None = None
    """The possible numbers of a row that counts; `choices` then offers the usual ones."""
    heading: str = ""
    """A line above the row."""
    placeholder: str = ""
    """The meaning of a typed row while nothing is typed, shown there."""
    longest: int = NAME_LENGTH
    """Most characters of a typed text."""
    completions: Callable[[str], Sequence[str]] | None = None
    """Texts that begin with the typed text; Tab completes to what they share."""

    @property
    def completed(self) -> Row:
        """The row with its text completed to the beginning that all completions share."""
        completions = self.completions(self.value) if self.completions else ()
        if not completions:
            return self
        pairs = zip(min(completions), max(completions), strict=False)
        return replace(self, value="".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)))

    @property
    def steps(self) -> bool:
        """True if left and right change the value."""
        return bool(self.choices) or self.numbers is not None

    @property
    def shown(self) -> str:
        """The label of the value, or the value itself."""
        return next((label for value, label in self.choices if value == self.value), self.value)

    @property
    def values(self) -> tuple[tuple[str, str], ...]:
        """All values with short labels; none if they are too many or the row has another value."""
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
    """The input for the text of the chosen row; Enter is left to the screen."""

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
        """Move between rows at once: with a binding, the next typed key would be handled first."""
        form = self.screen.query_one(Form)
        if event.key in form.moves and event.key not in ("left", "right"):
            form.moves[event.key]()
            event.stop()
            event.prevent_default()

    def _on_paste(self, event: events.Paste) -> None:
        """Insert a pasted text as one line; a code is left to the app, except in rows for addresses."""
        event.prevent_default()
        text = " ".join(event.text.split())
        if (self.max_length or 0) > NAME_LENGTH or not set(":/") & set(text):
            event.stop()
            self.replace(text, *self.selection)


class Form(ScrollView, can_focus=True, inherit_bindings=False):
    """Draws the rows and changes their values."""

    DEFAULT_CSS = """
    Form { width: 1fr; height: 1fr; pointer: pointer; }
    Form:focus { background-tint: transparent; }
    """

    rows: reactive[tuple[Row, ...]] = reactive((), bindings=True)
    at: reactive[int] = reactive(0, bindings=True)
    fresh: reactive[bool] = reactive(True)
    """The next digit typed replaces the value."""
    entry: Entry | None = None
    """The input for text, if the screen has one."""
    _laid: tuple[str, str] | None = None
    """The key and the value of the row that the input was laid over."""

    @dataclass(eq=False)
    class Changed(Message):
        """The value of a row has changed."""

        row: Row

    @dataclass(eq=False)
    class Moved(Message):
        """Another row is chosen."""

        row: Row

    # -- lines

    def _lines(self) -> list[int | None]:
        """The row drawn on each line, None for headings and, where there is room, a blank line above."""
        lines: list[int | None] = []
        for number, row in enumerate(self.rows):
            if row.heading:
                lines += [None, None] if lines and self.app.size.height >= ROOMY else [None]
            lines.append(number)
        return lines

    def watch_rows(self) -> None:
        """Fit the height to the rows."""
        lines = len(self._lines())
        self.virtual_size, self.styles.max_height = Size(0, lines), lines + self.gutter.height
        self.at = max(0, min(self.at, len(self.rows) - 1))
        self.lay_entry()

    def watch_at(self) -> None:
        """Scroll the chosen row into sight and tell the screen."""
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
        """Lay the input over the chosen row if it takes text, and move the focus."""
        row, entry = self.row, self.entry
        if row is None or entry is None or not (entry.is_mounted and isinstance(entry.parent, Widget)):
            return
        entry.display = row.typed
        if row.typed:
            y = self._lines().index(self.at) - round(self.scroll_y)
            entry.styles.offset = self.content_region.offset - entry.parent.region.offset + Offset(VALUE, y)
            entry.styles.width = max(1, self.size.width - VALUE)
            entry.max_length = row.longest
            entry.placeholder = row.placeholder
            # In an unchanged row, the input may hold keys that the row does not know of yet.
            if (row.key, row.value) != self._laid and entry.value != row.value:
                with entry.prevent(Input.Changed):
                    entry.value = row.value
                entry.cursor_position = len(row.value)
        self._laid = None
        if row.typed:
            self._laid = row.key, row.value
        if (self.has_focus or entry.has_focus) and entry.has_focus != row.typed:
            self.screen.set_focus(entry if row.typed else self)

    def watch_has_focus(self, value: bool) -> None:
        """Pass the focus on to the input if the chosen row takes text."""
        super().watch_has_focus(value)
        self.lay_entry()

    def on_resize(self) -> None:
        """Fit the height and move the input: at another size the frame and blank lines may be gone."""
        self.watch_rows()

    def watch_scroll_y(self, old: float, new: float) -> None:
        """Move the input with its row."""
        super().watch_scroll_y(old, new)
        self.lay_entry()

    @property
    def row(self) -> Row | None:
        """The chosen row."""
        return self.rows[self.at] if self.rows else None

    def render_line(self, y: int) -> Strip:
        """One line: a row, a heading, or a blank line."""
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
        line = content.truncate(width, ellipsis=True)
        return Strip(line.render_segments(base)).adjust_cell_length(width, base.rich_style)

    def spots(self, row: Row) -> dict[str, range]:
        """The columns of each value; empty if they do not fit side by side."""
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
        if row.typed and row.placeholder and not row.value:
            return Content.assemble(*head, " ", (row.placeholder, "$text-muted"))
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
        """Replace the row with the same key, and post Changed."""
        if row not in self.rows:
            self.rows = tuple(row if one.key == row.key else one for one in self.rows)
            self.post_message(self.Changed(row))

    def step(self, by: int) -> None:
        """Step the value of the chosen row forwards or backwards."""
        if self.row is not None:
            self.change(self.row.moved(by))
            self.fresh = self.row.steps

    def move(self, by: int) -> None:
        """Choose another row, so many rows down."""
        self.take_typed()
        if self.rows:
            self.at = max(0, min(len(self.rows) - 1, self.at + by))

    def take_typed(self) -> None:
        """Let the chosen row have the text of the input, whose message of it may be on its way."""
        row, entry = self.row, self.entry
        if row is not None and row.typed and entry is not None and entry.display:
            self.change(replace(row, value=entry.value))

    @property
    def moves(self) -> dict[str, Callable[[], None]]:
        """The keys that move in the form, with the function of each."""
        return {
            "up": lambda: self.move(-1),
            "down": lambda: self.move(1),
            "left": lambda: self.step(-1),
            "right": lambda: self.step(1),
            "tab": self._complete,
            "shift+tab": lambda: self.move(-1),
        }

    def on_key(self, event: events.Key) -> None:
        """Move with arrows, and type digits, keys or text into the chosen row.

        Done here, without bindings: these would be handled after keys that are typed quickly.
        """
        if event.key in self.moves:
            self.moves[event.key]()
        elif self.entry is not None and self.entry.has_focus:  # it got the focus after the key press
            self.entry.post_message(events.Key(event.key, event.character))
        elif not (self._press(event) or self._type(event)):
            return
        event.stop()
        event.prevent_default()

    def _complete(self) -> None:
        """Complete the typed text; with nothing to complete, choose the next row."""
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
        digit = event.character or ""
        if not (digit.isascii() and digit.isdigit()):
            return False
        longer = digit if self.fresh else row.value + digit
        if row.values and int(longer) not in row.numbers:
            longer = digit
        if len(longer) <= row.longest:
            self.fresh = False
            self.change(replace(row, value=longer))
        return True

    def on_click(self, event: events.Click) -> None:
        """Choose the clicked row and value; of a value shown alone, the next or the one before."""
        event.stop()
        x, y = event.get_content_offset_capture(self) + Offset(0, self.scroll_offset.y)
        lines = self._lines()
        number = lines[y] if 0 <= y < len(lines) else None
        if number is None:
            return
        self.take_typed()
        self.at = number
        row = self.rows[number]
        spots = self.spots(row)
        for value, columns in spots.items():
            if columns.start - 1 <= x <= columns.stop:
                self.change(replace(row, value=value))
        if not spots and x >= VALUE - 1:
            self.step(-1 if x == VALUE - 1 else 1)
