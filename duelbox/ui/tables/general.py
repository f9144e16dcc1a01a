"""A table that fits any game: what its words for the line mode say, and its moves to choose from."""

from __future__ import annotations

from typing import Any

from duelbox.core.game import AnyGame
from duelbox.core.model import Seat, named
from duelbox.core.session import DEFAULT_NAMES
from duelbox.registry import talk_of
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.tables.base import Look
from duelbox.ui.widgets import minis
from duelbox.ui.widgets.canvas import Canvas
from duelbox.ui.widgets.choices import Choice, ChoiceBoard, ChoiceScene


class GeneralTable:
    """The table of a game that brings none."""

    TYPED = "0123456789+-*/=.,:"
    """Letters are keys; a move that is written with them can be pointed at."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._talk = talk_of(game)

    def board(self) -> ChoiceBoard:
        """Words and moves."""
        return ChoiceBoard()

    def scene(self, view: Any, look: Look) -> ChoiceScene:
        """The position; the moves are for the one whose turn it is."""
        hidden = self._game.INFO.hidden and look.seat != view.turn
        moves = () if hidden or view.turn is None else self._game.legal_moves(view)
        texts = [self._game.format_move(move) for move in moves]
        choices = tuple(Choice(text, look.line.strip() == text, look.marks.get(text, "")) for text in texts)
        return ChoiceScene(self._lines(view, look.names), choices, glyphs=look.glyphs)

    def pick(self, view: Any, line: str, target: str) -> str:
        """What can be pointed at is a whole move."""
        return target

    def score(self, view: Any, seat: Seat) -> str:
        """Nothing is known of a game's points."""
        return ""

    def mini(self, view: Any, glyphs: Glyphs, width: int, height: int) -> Canvas:
        """The position in words."""
        lines = [((line, "text"),) for line in self._lines(view, DEFAULT_NAMES)]
        return minis.written(lines[:height], width, height, glyphs)

    def _lines(self, view: Any, names: tuple[str, str]) -> tuple[str, ...]:
        return tuple(named(self._talk.board(view), names).splitlines())
