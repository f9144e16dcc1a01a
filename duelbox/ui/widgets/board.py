"""What all boards share: a scene to draw, a target under the cursor, and a message when one is picked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from textual import events
from textual.geometry import Offset, Region
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from duelbox.core.model import Seat
from duelbox.ui.glyphs import UNICODE, Glyphs


@dataclass(frozen=True, slots=True)
class Cell:
    """What one number looks like to the player at the board."""

    number: int
    owner: Seat | None = None
    """Who has claimed it."""
    open_to: tuple[Seat, ...] = ()
    """Who may still take it, now or later."""
    legal: bool = False
    """Whether the player to move may take it now."""
    gap: bool = False
    """Whether it was never there."""
    last: bool = False
    """Whether it is the last move."""
    chosen: bool = False
    """Whether the move line names it."""
    flash: bool = False
    """Whether it is the number in the way."""
    mark: str = ""
    """What the verdict layer says of it: "+3", "-4", "=", "62%"."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a board draws; each board has a scene of its own that adds to this."""

    glyphs: Glyphs = field(default=UNICODE, kw_only=True)


S = TypeVar("S", bound=Scene)


class Board(Widget, Generic[S]):
    """A board: draws its scene by lines, knows where every target is, and posts what is picked.

    A target is a piece of a move as text: "7", "+7", "3", "x2". The screen lays it into the move line. The same
    geometry draws, hit-tests and answers `offset_of`.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "board--seat-0",
        "board--seat-1",
        "board--free",
        "board--legal",
        "board--dim",
        "board--last",
        "board--cursor",
        "board--flash",
        "board--mark",
        "board--edge",
        "board--text",
    }
    DEFAULT_CSS = """
    Board {
        width: 1fr;
        height: 1fr;
        pointer: default;
        & .board--seat-0 { color: $seat-0; text-style: bold; }
        & .board--seat-1 { color: $seat-1; text-style: bold; }
        & .board--free { color: $text-muted; }
        & .board--legal { color: $foreground; text-style: bold; }
        & .board--dim { color: $text-disabled; }
        & .board--last { text-style: bold underline; }
        & .board--cursor { color: $foreground; text-style: bold reverse; }
        & .board--flash { color: $warning; text-style: bold reverse; }
        & .board--mark { color: $accent; text-style: bold; }
        & .board--edge { color: $text-disabled; }
        & .board--text { color: $foreground; }
    }
    """

    scene: reactive[S | None] = reactive(None)
    target: reactive[str | None] = reactive(None)
    """Where the cursor is."""

    class Picked(Message):
        """A target was clicked."""

        def __init__(self, board: Board[Any], target: str) -> None:
            super().__init__()
            self.board = board
            self.target = target

        @property
        def control(self) -> Board[Any]:
            """The board."""
            return self.board

    def regions(self) -> dict[str, Region]:
        """Where each target is, in the widget's own cells; later ones lie on top of earlier ones."""
        raise NotImplementedError

    def offset_of(self, target: str) -> Offset:
        """A cell in the middle of a target: what tests and flashes aim at."""
        region = self.regions()[target]
        return Offset(region.x + region.width // 2, region.y + region.height // 2)

    def target_at(self, x: int, y: int) -> str | None:
        """The target at a cell."""
        hit = None
        for target, region in self.regions().items():
            if region.contains(x, y):
                hit = target
        return hit

    def stops(self) -> tuple[str, ...]:
        """The targets the arrow keys visit."""
        return tuple(self.regions())

    def step(self, dx: int, dy: int) -> str | None:
        """Move the cursor to the nearest stop that way (to the first one, if it was nowhere) and say where it is."""
        stops = self.stops()
        if not stops:
            return None
        if self.target not in stops:
            self.target = stops[0]
            return self.target
        here = self.offset_of(self.target)
        best: tuple[float, str] | None = None
        for stop in stops:
            there = self.offset_of(stop)
            ahead = (there.x - here.x) * dx / 2 + (there.y - here.y) * dy
            aside = abs((there.x - here.x) * dy / 2) + abs((there.y - here.y) * dx)
            if stop != self.target and ahead > 0 and (best is None or ahead + 2 * aside < best[0]):
                best = (ahead + 2 * aside, stop)
        if best is not None:
            self.target = best[1]
        return self.target

    def on_click(self, event: events.Click) -> None:
        """Say what was clicked."""
        target = self.target_at(event.x, event.y)
        if target is not None:
            event.stop()
            self.target = target
            self.post_message(self.Picked(self, target))
