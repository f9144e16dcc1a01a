"""A position drawn small: on a card of the home screen, and beside the form of a new game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.widget import Widget

from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.registry import BUILT_IN
from duelbox.ui.game_board import board_of
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.canvas import Canvas
from duelbox.ui.widgets.minis import content

if TYPE_CHECKING:
    from duelbox.ui.app import DuelboxApp


def drawn(game_id: str, view: Any, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """The position; nothing where a guest's table fails, which must not stop the others."""
    try:
        return board_of(game_id).picture(view, glyphs, width, height)
    except Exception:
        if game_id in BUILT_IN:
            raise
        return Canvas(width, height)


class Preview(Widget):
    """The board by the rules that are being chosen; what is drawn by chance is drawn for instance."""

    app: DuelboxApp

    def __init__(self) -> None:
        super().__init__()
        self._begun: tuple[AnyGame, Any] | None = None

    def show(self, game: AnyGame, options: Options) -> None:
        """Draw this game."""
        self._begun = game, game.view(game.start(options), None)
        self.refresh()

    def render(self) -> Content:
        """The picture."""
        if self._begun is None:
            return Content("")
        game, view = self._begun
        canvas = drawn(game.INFO.id, view, self.app.glyphs, *self.content_size)
        return Content("\n").join(content(canvas))
