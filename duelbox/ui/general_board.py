"""A board that fits any game: what its words for the line mode say, and its moves to choose from."""

from __future__ import annotations

from typing import Any

from duelbox.core.game import AnyGame
from duelbox.core.model import named
from duelbox.core.session import DEFAULT_NAMES
from duelbox.registry import talk_of
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets import minis
from duelbox.ui.widgets.canvas import Canvas
from duelbox.ui.widgets.choices import ChoiceBoard, ChoiceBox, ChoiceScene


def general_board(game: AnyGame) -> GameBoard:
    """The board of a game that brings none."""
    talk = talk_of(game)

    def lines(view: Any, names: tuple[str, str]) -> tuple[str, ...]:
        return tuple(named(talk.board(view), names).splitlines())

    def scene(view: Any, look: Look) -> ChoiceScene:
        hidden = game.INFO.hidden and look.seat != view.turn
        moves = () if hidden or view.turn is None else game.legal_moves(view)
        texts = [game.format_move(move) for move in moves]
        choices = tuple(ChoiceBox(text, look.line.strip() == text, look.marks.get(text)) for text in texts)
        return ChoiceScene(lines(view, look.names), choices, glyphs=look.glyphs)

    def begins(view: Any, line: str) -> bool:
        return any(game.format_move(move).startswith(line) for move in game.legal_moves(view))

    def mini(view: Any, glyphs: Glyphs, width: int, height: int) -> Canvas:
        words = [((line, "text"),) for line in lines(view, DEFAULT_NAMES)]
        return minis.written(words[:height], width, height, glyphs)

    return GameBoard(ChoiceBoard, scene, lambda view, seat: "", begins=begins, mini=mini)
