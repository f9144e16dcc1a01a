"""The smallest window that duelbox takes, and the notice in a smaller one."""

from __future__ import annotations

from textual.app import RenderResult
from textual.widget import Widget

MIN_WIDTH, MIN_HEIGHT = 60, 20


class TooSmall(Widget):
    """The notice that replaces all other widgets in a window that is too small."""

    DEFAULT_CSS = """
    TooSmall { display: none; width: 1fr; height: 1fr; content-align: center middle; text-align: center; }
    .-tiny > TooSmall, .-flat > TooSmall { display: block; }
    .-tiny > .main, .-flat > .main { display: none; }
    """
    # The rules concern the screen and other widgets, too.
    SCOPED_CSS = False

    def render(self) -> RenderResult:
        """The size of the window, the size it needs, and the key to quit."""
        width, height = self.app.size
        lacking = [
            f"{missing} {unit}{'' if missing == 1 else 's'}"
            for missing, unit in ((MIN_WIDTH - width, "column"), (MIN_HEIGHT - height, "row"))
            if missing > 0
        ]
        more = " and ".join(lacking)
        return (
            f"duelbox needs {MIN_WIDTH}x{MIN_HEIGHT}.\nThis window has {width}x{height}: {more} too few.\n"
            "Make it larger, or quit with Ctrl+Q; every game is saved."
        )
