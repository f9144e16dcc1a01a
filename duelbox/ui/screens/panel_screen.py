"""A panel over another screen: one pane of text with a title, or several side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from duelbox.ui.widgets.key_bar import KeyBar


class PanelScreen(ModalScreen[None]):
    """A panel that Escape, Enter or a click beside it closes."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q", "dismiss", "Back", id="panel.back")]
    DEFAULT_CSS = """
    PanelScreen {
        align: center middle;
        background: $background 10%;
        & #panel { width: auto; height: auto; max-width: 100%; max-height: 100%; }
        & VerticalScroll { width: auto; height: auto; max-height: 100%; padding: 0 1; background: $background; }
        & VerticalScroll { border: round $outline; border-title-color: $foreground; border-title-style: bold; }
        & Static { width: auto; height: auto; }
        & KeyBar { dock: bottom; }
    }
    """

    def __init__(self, heading: str, lines: Iterable[Content] = (), closes: str = "") -> None:
        """`closes` is one more key that closes the panel: the one that opened it."""
        super().__init__()
        if closes:
            self._bindings.key_to_bindings.pop(closes, None)
            self._bindings.bind(closes, "dismiss", show=False)
        self._heading, self._text = heading, Content("\n").join(lines)

    def panes(self) -> Iterable[tuple[str, Content]]:
        """The title and the text of each pane."""
        return ((self._heading, self._text),)

    def compose(self) -> ComposeResult:
        """Lay out the panes, from left to right, and the keys."""
        with Horizontal(id="panel"):
            for title, text in self.panes():
                pane = VerticalScroll(Static(text))
                pane.border_title = Content(title) if title else None
                yield pane
        yield KeyBar()

    def on_click(self, event: events.Click) -> None:
        """Close the panel on a click beside it."""
        if not self.query_one("#panel").region.contains(event.screen_x, event.screen_y):
            self.dismiss(None)
