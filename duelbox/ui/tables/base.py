"""What one game adds to the table screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from duelbox.core.model import Event, Seat
from duelbox.registry import companion, find_game
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


class Table(Protocol):
    """The table module of a game: functions, no state.

    A module may bring more, most of it about the view that comes first: `typed(view, line, char)`, the line after a
    key; `CHANGING`, keys that change a line where others begin a new one; `asks(view)`, what there is to type;
    `goal(view)`, where house rules change it; `arrows_pick(view)`, whether the arrows lay what they reach into the
    line; `has_secret(view)`, whether there is something to look at; `stages(before, view, look)`, scenes on the way to
    this one; `open_up(state)`, the game with nothing hidden; and `mini`, see `picture`.
    """

    TYPED: str
    """The characters that go into the move line when typed."""

    def board(self) -> Board[Any]:
        """A new board widget."""

    def scene(self, view: Any, look: Look) -> Scene:
        """What the board draws for this view."""

    def pick(self, view: Any, line: str, target: str) -> str:
        """The move line after pointing at a target."""

    def score(self, view: Any, seat: Seat) -> str:
        """What stands beside a player's name: "3 claimed", "total 9"."""


def picture(table: Table, view: Any, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """A position drawn small: by the table's `mini(view, glyphs, width, height)`, if it has one, else by its board."""
    mini = getattr(table, "mini", None)
    if mini is not None:
        drawn: Canvas = mini(view, glyphs, width, height)
        return drawn
    scene = table.scene(view, Look(seat=None, glyphs=glyphs))
    return table.board().paint(scene, width, height, None).canvas


def table_of(game_id: str) -> Table:
    """The table module of a game: ours in this folder, a guest's in its own package, or one that fits any game.

    Raises UnknownGame where a guest's can't be loaded.
    """
    module: Any = companion(game_id, "table", __package__)
    if module is None:
        from duelbox.ui.tables.general import GeneralTable

        module = GeneralTable(find_game(game_id))
    table: Table = module
    return table
