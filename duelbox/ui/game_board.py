"""What a game brings for the table screen: its board, and how moves are typed and pointed at there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from duelbox.core.model import Event, Seat
from duelbox.registry import find_game, part
from duelbox.ui.glyphs import UNICODE, Glyphs
from duelbox.ui.widgets.board import Board, Scene
from duelbox.ui.widgets.canvas import Canvas


@dataclass(frozen=True, slots=True)
class Look:
    """What the screen knows beside the view: nothing here is part of the game."""

    seat: Seat | None
    """Who looks; None for a spectator."""
    names: tuple[str, str] = ("Player 1", "Player 2")
    line: str = ""
    """The move line as it stands."""
    last: str = ""
    """The last move as text, to be marked on the board."""
    events: tuple[Event, ...] = ()
    """What there was to see when it was made."""
    marks: Mapping[str, str] = field(default_factory=dict)
    """The verdict layer: a mark for each move text."""
    blockers: tuple[int, ...] = ()
    """The numbers in the way of what was tried."""
    peek: bool = False
    """Whether the player's own hidden numbers are to be seen."""
    glyphs: Glyphs = UNICODE


def _put(view: Any, line: str, char: str) -> str:
    return line + char


@dataclass(frozen=True)
class GameBoard:
    """What a game's `board` module offers as `BOARD`: functions of a view, no state."""

    widget: Callable[[], Board[Any]]
    """A new board widget."""
    scene: Callable[[Any, Look], Scene]
    """What the board draws for a view."""
    pick: Callable[[Any, str, str], str]
    """The move line, given the line so far, after pointing at a target."""
    score: Callable[[Any, Seat], str]
    """What stands beside a player's name: "3 claimed", "total 9"."""
    keys: str = "0123456789+-*/=.,:"
    """The characters that go into the move line when typed."""
    begins: Callable[[Any, str], bool] = lambda view, line: False
    """Whether this line begins a move, so that its last letter is typed, though it is a key of the table else."""
    changing: str = ""
    """Those of them that change a line where others begin a new one."""
    typed: Callable[[Any, str, str], str] = _put
    """The line after one of these keys."""
    asks: Callable[[Any], str] = lambda view: "Type it"
    """What there is to type."""
    arrows_pick: Callable[[Any], bool] = lambda view: True
    """Whether the arrows lay what they reach into the line."""
    has_secret: Callable[[Any], bool] = lambda view: True
    """Whether there is something to look at, in a game that hides something."""
    open_up: Callable[[Any], Any] = lambda state: state
    """The state with nothing hidden."""
    stages: Callable[[Any, Any, Look], tuple[Scene, ...]] | None = None
    """From the view before and the view now: scenes on the way to this one."""
    mini: Callable[[Any, Glyphs, int, int], Canvas] | None = None
    """The position drawn small, in this width and height."""

    def picture(self, view: Any, glyphs: Glyphs, width: int, height: int) -> Canvas:
        """A position drawn small: in the game's own way, or as its board draws it."""
        if self.mini is not None:
            return self.mini(view, glyphs, width, height)
        scene = self.scene(view, Look(seat=None, glyphs=glyphs))
        return self.widget().paint(scene, width, height, None).canvas


def board_of(game_id: str) -> GameBoard:
    """The board of a game, or one that fits any game; raises UnknownGame where a guest's can't be loaded."""
    board = part(game_id, "board", GameBoard)
    if board is not None:
        return board
    from duelbox.ui.general_board import general_board

    return general_board(find_game(game_id))
