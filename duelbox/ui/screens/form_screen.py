"""A screen that is a form: its keys, and where its parts stand."""

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
from duelbox.ui.widgets.form import Entry, Form


class FormScreen(BaseScreen):
    """What forms have in common: `#body` in the middle, of a form, and what it means below or beside it."""

    # Beside each other only where every value of a row still has room.
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (MIN_WIDTH, "-narrow"), (120, "-wide")]  # noqa: RUF012
    ROWS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "Row", id="form.down", key_display="↑↓", tooltip="Choose a row"),
        Binding("up", "move(-1)", "Row", id="form.up", key_display="↑↓", tooltip="Choose a row", show=False),
        Binding("right", "step(1)", "Change", id="form.right", key_display="←→", tooltip="Change the row"),
        Binding("left", "step(-1)", "Change", id="form.left", key_display="←→", tooltip="Change the row", show=False),
    ]
    """The form's own keys, for the line of keys."""
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
        """The form, and what stands below or beside it."""
        with Container(id="middle"), Container(id="body"):
            form = Form()
            form.border_title = self.HEADING
            form.entry = Entry()
            yield form
            yield from self.beside()
            yield form.entry

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        row = self.form.row
        if row is not None and row.typed:
            self.form.change(replace(row, value=message.input.value))  # more may have been typed since

    def beside(self) -> ComposeResult:
        """The note on the chosen row."""
        note = Static(id="note", markup=False)
        note.border_title = "The chosen row"
        yield note

    def say(self, text: str, *, refused: bool = False) -> None:
        """Say what a row means, or what came of it."""
        self.query_one("#note", Static).set_class(refused, "-refused").update(text)

    @property
    def form(self) -> Form:
        """The form."""
        return self.query_one(Form)

    def action_move(self, by: int) -> None:
        """The next row, or the one before."""
        self.form.move(by)

    def action_step(self, by: int) -> None:
        """The next value, or the one before."""
        self.form.step(by)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only rows with several values can be stepped through."""
        if action != "step":
            return True
        return any(form.row is not None and form.row.steps for form in self.query(Form))
