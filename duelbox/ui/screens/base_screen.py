"""The base of the full screens: a title above, keys below, and a notice in a window that is too small."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import ActiveBinding
from textual.containers import Vertical
from textual.geometry import Size
from textual.screen import Screen

from duelbox.ui.screens.too_small import MIN_HEIGHT, MIN_WIDTH, TooSmall
from duelbox.ui.widgets.key_bar import KeyBar
from duelbox.ui.widgets.lines import TopLine

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp


class BaseScreen(Screen[None]):
    """A title, the body of a subclass and a line of keys, all in `.main`; its size sets classes for the style sheet."""

    app: DuelboxApp
    HEADING: ClassVar[str] = ""
    """The title in the top line."""

    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (MIN_WIDTH, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (MIN_HEIGHT, "-low"), (24, "-normal"), (32, "-tall")]  # noqa: RUF012

    def compose(self) -> ComposeResult:
        """Lay out the title, the body and the keys."""
        self._set_size_classes(self.app.size)
        yield TooSmall()
        with Vertical(classes="main"):
            top = TopLine()
            top.title = self.HEADING
            yield top
            yield from self.body()
            yield KeyBar()

    def _set_size_classes(self, size: Size) -> None:
        """Set the classes for this size; Textual sets them once more, and then need not work out all styles again."""
        for length, breakpoints in (
            (size.width, self.HORIZONTAL_BREAKPOINTS),
            (size.height, self.VERTICAL_BREAKPOINTS),
        ):
            reached = [name for least, name in breakpoints if length >= least]
            self.add_class(reached[-1], update=False)

    def active_binding(self, key: str) -> ActiveBinding | None:
        """The binding in `active_bindings` of one key; other keys are not looked at."""
        active = None
        for namespace, bindings in self._modal_binding_chain:
            for binding in bindings.key_to_bindings.get(key, ()):
                works = self.app._check_action_state(binding.action, namespace)
                if works is False:
                    continue
                if active is None or (binding.priority and not active.binding.priority):
                    active = ActiveBinding(namespace, binding, bool(works), binding.tooltip)
        return active

    def body(self) -> ComposeResult:
        """The widgets between the title and the keys."""
        raise NotImplementedError

    @on(events.ScreenResume)
    def _show_title(self) -> None:
        """Show the title of the window that the open screens ask for."""
        self.app.show_title()

    def action_back(self) -> None:
        """Close this screen."""
        self.dismiss(None)
