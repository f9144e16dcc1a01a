"""The rounds of a match that is over, in a panel over the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from duelbox.sitting.rounds import RoundRow, rounds_table


class RoundsScreen(ModalScreen[None]):
    """A table of rounds: draw, starter, winner, length; Escape, Enter or a click beside it closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,t", "dismiss", "Back", id="rounds.back")]
    DEFAULT_CSS = """
    RoundsScreen {
        align: center middle;
        & VerticalScroll { width: auto; height: auto; padding: 1 2; background: $panel; }
        & VerticalScroll { max-width: 100%; max-height: 100%; }
        & Static { width: auto; height: auto; }
    }
    """

    def __init__(self, rounds: Sequence[RoundRow]) -> None:
        super().__init__()
        self._rounds = rounds

    def compose(self) -> ComposeResult:
        """The table."""
        head, *rows = rounds_table(self._rounds)
        out = Content.styled("Escape closes this.", "$text-muted")
        with VerticalScroll():
            yield Static(Content("\n").join([Content.styled(head, "bold"), *map(Content, rows), Content(""), out]))

    def on_click(self, event: events.Click) -> None:
        """A click beside the panel closes it."""
        if not self.query_one(VerticalScroll).region.contains(event.screen_x, event.screen_y):
            self.dismiss(None)
