"""What all boards share: a scene to draw, a target under the cursor, and a message when one is picked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from rich.style import Style
from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from duelbox.ui.glyphs import UNICODE, Glyphs
from duelbox.ui.motion import PACE, Caption, Frame
from duelbox.ui.widgets.canvas import Canvas
from duelbox.ui.widgets.geometry import Point, toward

if TYPE_CHECKING:
    from duelbox.core.model import Seat


@dataclass(frozen=True, slots=True)
class Worth:
    """What the verdict layer says of a move."""

    verdict: str
    """"win", "draw", "loss", "chance"; or "", while it is not known."""
    figure: str = ""
    """How many turns it takes, or the chance: "3", "62%"."""
    best: bool = False
    played: Seat | None = None
    """The player who made this move, where a game is looked back at."""


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
    worth: Worth | None = None
    hint: str = ""
    """What a hint says of it, in a few signs: "?" to be compared, a letter it shares with its partner, a total."""
    tint: Seat | None = None
    """The only player it concerns, who gives its outline a colour; None where both could take it."""
    also: Seat | None = None
    """The other player, where both reach it."""
    safe: bool = False
    """Whether nobody can take it from the one player it is open to."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything a board draws; each board has a scene of its own that adds to this."""

    glyphs: Glyphs = field(default=UNICODE, kw_only=True)


S = TypeVar("S", bound=Scene)
_NO_ROOM = "This board needs 60 x 20"

STYLES = {
    "seat-0": "$seat-0 bold",
    "seat-1": "$seat-1 bold",
    "free": "$text-muted",
    "legal": "$foreground bold",
    "dim": "$text-disabled",
    "flash": "$warning bold reverse",
    "edge": "$outline",
    "low-0": "$low-0",
    "low-1": "$low-1",
    "text": "$foreground",
    "fill-0": "$seat-0 bold reverse",
    "fill-1": "$seat-1 bold reverse",
    "faint-0": "$seat-0",
    "faint-1": "$seat-1",
    "best": "$win bold",
    "win": "$win",
    "tag": "$foreground bold reverse",
    "chosen": "$foreground bold reverse",
}
"""What everything on a board looks like, by the names that a canvas has for it."""

_STYLE_SHEET = "\n".join(
    f"& .board--{name} {{ color: {colour}; text-style: {rest or 'none'}; }}"
    for name, (colour, _, rest) in ((name, style.partition(" ")) for name, style in STYLES.items())
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A scene drawn at one size: the cells, and what can be pointed at."""

    canvas: Canvas
    targets: dict[str, Region] = field(default_factory=dict)
    """Later ones lie on top of earlier ones."""
    cursor_stops: tuple[str, ...] = ()
    """What the arrow keys visit, in the order of their wish to be first."""
    middle: Region | None = None
    """Free of everything but words about the game: of no use when it is over."""
    track: tuple[Point, ...] = ()
    """Every cell of the line that joins the numbers of a ring."""


def no_room(canvas: Canvas) -> Drawing:
    """A drawing that says how large the window has to be."""
    canvas.put(max(0, (canvas.width - len(_NO_ROOM)) // 2), canvas.height // 2, _NO_ROOM, "text")
    return Drawing(canvas)


class Board(Widget, Generic[S]):
    """A board: draws its scene by lines, knows where every target is, and posts what is picked.

    A target is a piece of a move as text: "7", "+7", "3", "x2". The screen lays it into the move line. The same
    geometry draws, hit-tests and answers `offset_of`.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"board--{name}" for name in STYLES}
    DEFAULT_CSS = f"""
    Board {{
        width: 1fr;
        height: 1fr;
        pointer: default;
        {_STYLE_SHEET}
    }}
    """

    scene: reactive[S | None] = reactive(None, repaint=False)
    target: reactive[str | None] = reactive(None, repaint=False)
    """Where the cursor is."""

    _drawn: tuple[S, tuple[str | None, Size], Drawing] | None = None
    _shown: Canvas | None = None
    """What the terminal shows, or is about to."""
    _frames: tuple[Frame, ...] = ()
    """What is seen instead of the drawing, for a moment; what can be pointed at is where it truly is."""
    _clock: Timer | None = None
    tell: Callable[[], object] = staticmethod(lambda: None)
    """Called with every picture, so that the words beside the board are never those of another moment."""

    @dataclass(eq=False)
    class Picked(Message):
        """A target was clicked."""

        target: str

    def __init__(self) -> None:
        super().__init__()
        self._known_styles: dict[str, Style] = {}

    @staticmethod
    def paint(scene: S, width: int, height: int, target: str | None) -> Drawing:
        """Draw a scene with the cursor at a target: a pure function, so that tests need no app."""
        raise NotImplementedError

    def drawing(self) -> Drawing:
        """The scene as it is drawn now."""
        scene, at = self.scene, (self.target, self.size)
        if scene is None:
            return Drawing(Canvas(*self.size))
        if self._drawn is None or self._drawn[0] is not scene or self._drawn[1] != at:
            self._drawn = scene, at, self.paint(scene, *self.size, self.target)
        return self._drawn[2]

    def picture(self, scene: S) -> Canvas:
        """Another scene at the size of this board."""
        return self.paint(scene, *self.size, None).canvas

    def strips(self, scene: S) -> list[Strip]:
        """The lines of another scene."""
        canvas = self.picture(scene)
        return [canvas.strip(y, self._style) for y in range(canvas.height)]

    def watch_scene(self, scene: S | None) -> None:
        """Take the cursor off what is no longer to be had."""
        if scene is not None and self.target is not None and self.target not in self.cursor_stops():
            self.target = None
        self.call_next(self._redraw)

    def watch_target(self) -> None:
        """Draw the cursor where it is."""
        self.call_next(self._redraw)

    def _redraw(self) -> None:
        """Draw no more than what is not shown yet: a key is to send a few hundred bytes, not the whole board."""
        before, self._shown = self._shown, self.seen
        if before is None or (before.width, before.height) != (self._shown.width, self._shown.height):
            self.refresh()
        elif changes := before.changes(self._shown):
            self.refresh(*changes)

    def render_line(self, y: int) -> Strip:
        """One line of the drawing."""
        canvas = self.seen
        if self._shown is None or (self._shown.width, self._shown.height) != self.size:
            self._shown = canvas  # all of it is drawn, as always at a new size
        return canvas.strip(y, self._style) if y < canvas.height else Strip.blank(self.size.width, self.rich_style)

    # -- motion

    @property
    def seen(self) -> Canvas:
        """What is on the screen: the drawing, or what moves in its place."""
        for frame in self._frames[:1]:
            if (frame.canvas.width, frame.canvas.height) == self.size:
                return frame.canvas
        return self.drawing().canvas

    @property
    def motion_left(self) -> float:
        """How many seconds it still moves."""
        return sum(frame.seconds for frame in self._frames)

    @property
    def caption(self) -> Caption | None:
        """The words of the picture that is seen for a moment, if it has its own."""
        return self._frames[0].caption if self._frames else None

    def move(self, frames: Iterable[Frame]) -> None:
        """Show these one after the other, at the pace that is wished for."""
        self.finish_motion()
        pace = PACE[self.app.animation_level]
        shown = tuple(replace(frame, seconds=frame.seconds * pace) for frame in frames) if pace else ()
        if shown:
            self._show(shown)

    def _show(self, frames: tuple[Frame, ...]) -> None:
        self._frames = frames
        self._redraw()
        if frames:
            self._clock = self.set_timer(frames[0].seconds, self._next_frame)
        else:
            self._clock = None
        self.tell()

    def _next_frame(self) -> None:
        self._show(self._frames[1:])

    def finish_motion(self) -> None:
        """Show what is true, at once."""
        if self._clock is not None:
            self._clock.stop()
            self._show(())

    def _style(self, name: str) -> Style:
        if name not in self._known_styles:
            self._known_styles[name] = self.get_component_rich_style(f"board--{name}")
        return self._known_styles[name]

    def notify_style_update(self) -> None:
        """The theme may be another."""
        self._known_styles = {}  # Textual forgets its own with every change of the board
        super().notify_style_update()

    def regions(self) -> dict[str, Region]:
        """Where each target is, in the widget's own cells; later ones lie on top of earlier ones."""
        return self.drawing().targets

    def offset_of(self, target: str) -> Offset:
        """A cell in the middle of a target: what tests and flashes aim at."""
        return _middle(self.regions()[target])

    def target_at(self, x: int, y: int) -> str | None:
        """The target at a cell."""
        hit = [target for target, region in self.regions().items() if region.contains(x, y)]
        return hit[-1] if hit else None

    def cursor_stops(self) -> tuple[str, ...]:
        """The targets the arrow keys visit."""
        return self.drawing().cursor_stops

    def step(self, dx: int, dy: int) -> str | None:
        """Move the cursor to the nearest stop that way (to the first one, if it was nowhere) and say where it is."""
        stops = self.cursor_stops()
        if self.target in stops:
            regions = self.regions()
            places = [_middle(regions[stop]) for stop in stops]
            self.target = stops[toward(places, stops.index(self.target), dx, dy)]
        elif stops:
            self.target = stops[0]
        return self.target if stops else None

    def on_click(self, event: events.Click) -> None:
        """Say what was clicked."""
        self.finish_motion()
        target = self.target_at(event.x, event.y)
        if target is not None:
            event.stop()
            self.target = target
            self.post_message(self.Picked(target))


def _middle(region: Region) -> Offset:
    return Offset(region.x + region.width // 2, region.y + region.height // 2)
