"""What all screens are: a title above, keys below, and a notice where the terminal is too small for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult, RenderResult
from textual.containers import Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from duelbox.ui.widgets.keys import KeyBar
from duelbox.ui.widgets.lines import TopLine

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp

MIN_WIDTH, MIN_HEIGHT = 60, 20


class TooSmall(Widget):
    """The notice shown in place of everything else."""

    DEFAULT_CSS = """
    TooSmall { display: none; width: 1fr; height: 1fr; content-align: center middle; text-align: center; }
    .-tiny > TooSmall, .-flat > TooSmall { display: block; }
    .-tiny > .main, .-flat > .main { display: none; }
    """
    # The screen and what stands beside it are outside the widget.
    SCOPED_CSS = False

    def render(self) -> RenderResult:
        """How much room there is, how much it takes, and the way out."""
        width, height = self.app.size
        lacking = [
            f"{missing} {what}{'' if missing == 1 else 's'}"
            for missing, what in ((MIN_WIDTH - width, "column"), (MIN_HEIGHT - height, "row"))
            if missing > 0
        ]
        more = " and ".join(lacking)
        return (
            f"duelbox needs {MIN_WIDTH}x{MIN_HEIGHT}.\nThis window has {width}x{height}: {more} too few.\n"
            "Make it larger, or quit with Ctrl+Q; every game is saved."
        )


class SizedScreen(Screen[None]):
    """Sets -narrow or -wide and -low, -normal or -tall for the style sheet; `.main` holds everything but the notice."""

    app: DuelboxApp
    HEADING: ClassVar[str] = ""
    """What the top line says first."""

    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (MIN_WIDTH, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (MIN_HEIGHT, "-low"), (24, "-normal"), (32, "-tall")]  # noqa: RUF012

    async def _dispatch_message(self, message: Message) -> None:
        with self.app.fence():
            await super()._dispatch_message(message)

    def compose(self) -> ComposeResult:
        """The title, what the screen is about, its keys."""
        yield TooSmall()
        with Vertical(classes="main"):
            top = TopLine()
            top.title = self.HEADING
            yield top
            yield from self.body()
            yield KeyBar()

    def body(self) -> ComposeResult:
        """What stands between the title and the keys."""
        raise NotImplementedError

    def action_back(self) -> None:
        """Back to where you were, which is left as it was."""
        self.dismiss(None)
