"""The keys that work on the screen below, in a panel over its right side: nothing below has to make room for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

WIDTH = 44
"""The panel, with its padding."""


class KeysScreen(ModalScreen[None]):
    """A list of keys and what they do; Escape, Enter or a click beside it closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter", "back", "Back", id="keys.back")]
    DEFAULT_CSS = f"""
    KeysScreen {{
        align: right top;
        & VerticalScroll {{ width: {WIDTH}; max-width: 100%; height: 1fr; padding: 1 2; background: $panel; }}
        & Static {{ width: 1fr; height: auto; }}
    }}
    """

    def __init__(self, keys: Iterable[tuple[str, str]]) -> None:
        """`keys` are keys as they are written, and what each does; the same words may come more than once."""
        super().__init__()
        self._keys: dict[str, list[str]] = {}
        for key, title in keys:
            shown = self._keys.setdefault(title, [])
            if key not in shown:
                shown.append(key)

    def compose(self) -> ComposeResult:
        """The list."""
        width = max((len(" ".join(keys)) for keys in self._keys.values()), default=0)
        lines = [
            Content.assemble((" ".join(keys).ljust(width), "bold"), f"  {title}") for title, keys in self._keys.items()
        ]
        out = Content.styled("Escape closes this.", "$text-muted")
        with VerticalScroll():
            yield Static(Content("\n").join([Content.styled("Keys", "bold"), Content(""), *lines, Content(""), out]))

    def on_click(self, event: events.Click) -> None:
        """A click beside the panel closes it."""
        if not self.query_one(VerticalScroll).region.contains(event.screen_x, event.screen_y):
            self.dismiss(None)

    def action_back(self) -> None:
        """Back to the screen below."""
        self.dismiss(None)
