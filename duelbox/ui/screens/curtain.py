"""The curtain: nothing to be seen while the screen changes hands."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Middle
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Static

# Keys typed ahead while the table was still to be seen must not draw the curtain aside.
DEAF_SECONDS = 0.4


class CurtainScreen(Screen[None]):
    """Total cover, until the one whose turn it is says so."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "lift", "I'm here", id="curtain.lift"),
    ]
    DEFAULT_CSS = """
    CurtainScreen {
        background: $background;
        align: center middle;
        & Static { width: 1fr; text-align: center; margin: 0 0 1 0; }
        & Button { width: auto; min-width: 24; }
        & Middle { align: center middle; width: 1fr; height: 1fr; }
    }
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name_shown = name
        self._since = monotonic()

    def compose(self) -> ComposeResult:
        """One sentence and one button."""
        with Middle():
            yield Static(Content(f"Pass to {self._name_shown}"))
            button = Button(Content(f"I'm {self._name_shown} (Enter)"))
            # A focused button would swallow an Enter that comes too early, and the one right after it.
            button.can_focus = False
            yield button

    def on_mount(self) -> None:
        """Toasts might tell something: none stay."""
        self._since = monotonic()
        self.app.clear_notifications()

    def action_lift(self) -> None:
        """Draw the curtain aside, if it has been there long enough to be seen."""
        if monotonic() - self._since >= DEAF_SECONDS:
            self.dismiss(None)

    def on_button_pressed(self) -> None:
        """The button does as Enter does."""
        self.action_lift()
