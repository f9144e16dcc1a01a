"""An empty screen while one player hands the machine to the other, so that neither sees secrets."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Static

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

# Keys pressed before this screen was visible must not uncover the table.
DEAF_SECONDS = 0.4


class HandoverScreen(Screen[None]):
    """Covers the table until the next player confirms being here."""

    app: DuelboxApp
    COVERS = True
    """No other screen may open above this one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "lift", "I'm here", id="handover.lift"),
    ]
    DEFAULT_CSS = """
    HandoverScreen {
        background: $background;
        align: center middle;
        & Static { width: auto; margin: 0 2 2 2; }
        & #here, & #here:hover, & #here.-active {
            width: auto;
            min-width: 24;
            padding: 0 2;
            border: round $outline;
            background: $background;
            color: $foreground;
            tint: transparent;
        }
        & #here:hover { border: round $foreground; }
    }
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name_shown = name
        self._since = monotonic()

    def compose(self) -> ComposeResult:
        """Lay out a sentence and a button."""
        button = Button(Content(f"I'm {self._name_shown} (Enter)"), id="here")
        # A button with focus would swallow an Enter that comes too early, and the next one, too.
        button.can_focus = False
        yield Center(Static(Content(f"Pass the screen to {self._name_shown}.")))
        yield Center(button)

    def on_mount(self) -> None:
        """Clear notifications, which might give something away."""
        self._since = monotonic()
        self.app.clear_notifications()

    def on_unmount(self) -> None:
        """Show the notices that had to wait."""
        self.app.tell_news()

    def action_lift(self) -> None:
        """Uncover the table, unless this screen came too recently to have been seen."""
        if monotonic() - self._since >= DEAF_SECONDS:
            self.dismiss(None)

    def on_button_pressed(self) -> None:
        """Do as Enter does."""
        self.action_lift()
