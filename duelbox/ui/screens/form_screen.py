"""The base of screens with a form: its keys, its layout and the note on the chosen row."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widgets import Input, Static

from duelbox.ui.screens.base_screen import BaseScreen
from duelbox.ui.screens.too_small import MIN_WIDTH
from duelbox.ui.widgets.form import Entry, Form, Row


class FormScreen(BaseScreen):
    """A form in the middle of the screen, with a note on the chosen row below or beside it."""

    # The note stands beside the form only if every value of a row still has room.
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (MIN_WIDTH, "-narrow"), (120, "-wide")]  # noqa: RUF012
    ROWS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "Row", id="form.down", key_display="↑↓", tooltip="Choose a row"),
        Binding("up", "move(-1)", "Row", id="form.up", key_display="↑↓", tooltip="Choose a row", show=False),
        Binding("right", "step(1)", "Change", id="form.right", key_display="←→", tooltip="Change the row"),
        Binding("left", "step(-1)", "Change", id="form.left", key_display="←→", tooltip="Change the row", show=False),
    ]
    """The keys of the form itself, to be shown in the line of keys."""
    DEFAULT_CSS = """
    FormScreen {
        & #middle { height: 1fr; align: center middle; }
        & #body { height: 1fr; layout: vertical; layers: base entry; }
        & Form { border: round $outline; border-title-color: $foreground; }
        & #note { height: auto; min-height: 4; padding: 0 1; border: round $outline; border-title-color: $foreground; }
        & #note.-refused { text-style: bold; }
        &.-low Form, &.-low #note { border: none; }
        &.-low #note { min-height: 3; }
        &.-wide #body { layout: horizontal; max-width: 160; }
        &.-wide #note { width: 40; }
    }
    """

    def body(self) -> ComposeResult:
        """Lay out the form, the widgets beside it, and the input that lies over the chosen row."""
        with Container(id="middle"), Container(id="body"):
            form = Form()
            form.border_title = self.HEADING
            form.entry = Entry()
            yield form
            yield from self.beside()
            yield form.entry

    def on_mount(self) -> None:
        """Let keys go to the form, which a subclass has filled by now."""
        self.form.focus()
        self.explain()

    def on_resize(self) -> None:
        """Fit the form: there may be more room for blank lines, or less."""
        for form in self.query(Form):
            form.watch_rows()

    @on(Form.Moved)
    def _moved(self) -> None:
        self.explain()

    def explain(self) -> None:
        """Show the note on the chosen row."""
        if self.form.row is not None:
            self.say(self.note_on(self.form.row))

    def note_on(self, row: Row) -> str:
        """The meaning of a row."""
        return row.about

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        row = self.form.row
        if row is not None and row.typed:
            self.form.change(replace(row, value=message.input.value))  # the input may hold more than the message

    def beside(self) -> ComposeResult:
        """The widgets below or beside the form: the note."""
        note = Static(id="note", markup=False)
        note.border_title = "The chosen row"
        yield note

    def say(self, text: str, *, refused: bool = False) -> None:
        """Show a text as the note; a refusal is bold."""
        self.query_one("#note", Static).set_class(refused, "-refused").update(text)

    @property
    def form(self) -> Form:
        """The form."""
        return self.query_one(Form)

    def action_move(self, by: int) -> None:
        """Choose the next row, or the one before."""
        self.form.move(by)

    def action_step(self, by: int) -> None:
        """Give the chosen row its next value, or the one before."""
        self.form.step(by)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer stepping only on rows with several values."""
        if action != "step":
            return True
        return any(form.row is not None and form.row.steps for form in self.query(Form))
