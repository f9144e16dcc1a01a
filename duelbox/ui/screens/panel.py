"""A panel over a screen, which nothing below has to make room for: a heading, and lines to read."""

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


class PanelScreen(ModalScreen[None]):
    """Escape, Enter or a click beside it closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter", "dismiss", "Back", id="panel.back")]
    DEFAULT_CSS = """
    PanelScreen {
        align: center middle;
        & VerticalScroll { width: auto; height: auto; padding: 1 2; background: $panel; }
        & VerticalScroll { max-width: 100%; max-height: 100%; }
        & Static { width: auto; height: auto; }
    }
    """

    def __init__(self, heading: str, lines: Iterable[Content], closes: str = "") -> None:
        """`closes` is a key that closes it, too: the one that opened it."""
        super().__init__()
        if closes:
            self._bindings.bind(closes, "dismiss", show=False)
        out = Content.styled("Escape closes this.", "$text-muted")
        self._text = Content("\n").join([Content.styled(heading, "bold"), *lines, Content(""), out])

    def compose(self) -> ComposeResult:
        """The lines."""
        with VerticalScroll():
            yield Static(self._text)

    def on_click(self, event: events.Click) -> None:
        """A click beside the panel closes it."""
        if not self.query_one(VerticalScroll).region.contains(event.screen_x, event.screen_y):
            self.dismiss(None)


class KeysScreen(PanelScreen):
    """The keys that work on the screen below, and what they do, over its right side."""

    DEFAULT_CSS = """
    KeysScreen {
        align: right top;
        & VerticalScroll { width: 44; height: 1fr; }
        & Static { width: 1fr; }
    }
    """

    def __init__(self, keys: Iterable[tuple[str, str]]) -> None:
        """`keys` are keys as they are written, and what each does; the same words may come more than once."""
        together = keys_together(keys)
        width = max((len(" ".join(keys)) for keys in together.values()), default=0)
        lines = (
            Content.assemble((" ".join(keys).ljust(width), "bold"), f"  {told}") for told, keys in together.items()
        )
        super().__init__("Keys", [Content(""), *lines])


def keys_together(keys: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The keys that do the same, by what they do, each once."""
    together: dict[str, list[str]] = {}
    for key, told in keys:
        shown = together.setdefault(told, [])
        if key not in shown:
            shown.append(key)
    return together
