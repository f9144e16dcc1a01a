"""The base of all boards: draws a scene, moves a cursor between targets, and posts the target that is clicked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Generic, Self, TypeVar

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
from duelbox.ui.widgets.geometry import Place, toward

if TYPE_CHECKING:
    from duelbox.core.model import Seat


@dataclass(frozen=True, slots=True)
class Worth:
    """The worth of a move, shown on the board when verdicts are on."""

    verdict: str
    """"win", "draw", "loss" or "chance"; "" until it is known."""
    figure: str = ""
    """The number of turns until the end, or the chance to win: "3", "62%"."""
    best: bool = False
    played: Seat | None = None
    """In a review, the player who made this move."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The look of one number on a board."""

    number: int
    owner: Seat | None = None
    """The player who has claimed it."""
    open_to: tuple[Seat, ...] = ()
    """The players who may still take it, now or later."""
    legal: bool = False
    """The player to move may take it now."""
    gap: bool = False
    """The board has no such number."""
    last: bool = False
    """It was the last move."""
    chosen: bool = False
    """The move line names it."""
    flash: bool = False
    """It is in the way of the move that was refused."""
    worth: Worth | None = None
    hint: str = ""
    """The hint for it, in a few signs: "?" for a move to compare, a letter shared with its partner, or a total."""
    tint: Seat | None = None
    """The player whose colour its outline has; None if both players could take it."""
    safe: bool = False
    """Nobody can take it from the one player it is open to."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The data that a board draws; each kind of board has a subclass of its own."""

    glyphs: Glyphs = field(default=UNICODE, kw_only=True)

    def untold(self) -> Self:
        """The scene without words, where it has some in its middle."""
        return self


S = TypeVar("S", bound=Scene)
_NO_ROOM = "This board needs 60 x 20"

STYLES = {
    "seat-0": "$seat-0 bold",
    "seat-1": "$seat-1 bold",
    "free": "$text-muted",
    "strong": "$text-muted bold",
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
"""The colour and text style behind each style name of a canvas."""

_STYLE_SHEET = "\n".join(
    f"& .board--{name} {{ color: {colour}; text-style: {rest or 'none'}; }}"
    for name, (colour, _, rest) in ((name, style.partition(" ")) for name, style in STYLES.items())
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A scene drawn at one size, with the places that can be clicked."""

    canvas: Canvas
    targets: dict[str, Region] = field(default_factory=dict)
    """Later ones lie on top of earlier ones."""
    cursor_stops: tuple[str, ...] = ()
    """Targets the arrow keys visit; the first is chosen when the cursor is nowhere."""
    rooms: tuple[Region, ...] = ()
    """Regions that hold only words about the game; the card of the end may cover one of them."""
    track: tuple[Place, ...] = ()
    """On a ring, each cell of the line through its numbers, with the way to it."""


def no_room(canvas: Canvas) -> Drawing:
    """A drawing with one sentence: the smallest window for this board."""
    canvas.put(max(0, (canvas.width - len(_NO_ROOM)) // 2), canvas.height // 2, _NO_ROOM, "text")
    return Drawing(canvas)


class Board(Widget, Generic[S]):
    """Draws a scene line by line, moves the cursor with the arrow keys, and posts the target that is clicked.

    A target is a piece of a move as text: "7", "+7", "3", "x2". The screen puts it into the move line. Drawing, clicks
    and `offset_of` use the same regions.
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
    """The target under the cursor."""
    covered: reactive[bool] = reactive(False, repaint=False)
    """The card of the end stands in the middle, where there are no words then."""

    _drawn: tuple[S, tuple[str | None, Size, bool], Drawing] | None = None
    _shown: Canvas | None = None
    """The picture that the terminal shows, or will show after the next refresh."""
    _frames: tuple[Frame, ...] = ()
    """Pictures of a motion, shown one after the other instead of the drawing; targets stay those of the drawing."""
    _clock: Timer | None = None
    tell: Callable[[], object] = staticmethod(lambda: None)
    """Called after each frame, so that the words beside the board change together with it."""

    @dataclass(eq=False)
    class Picked(Message):
        """A target was clicked."""

        target: str

    def __init__(self) -> None:
        super().__init__()
        self._known_styles: dict[str, Style] = {}

    @staticmethod
    def paint(scene: S, width: int, height: int, target: str | None) -> Drawing:
        """Draw a scene with the cursor at a target. A pure function, so that tests need no app."""
        raise NotImplementedError

    def drawing(self) -> Drawing:
        """The present scene, drawn; remembered until the scene, the cursor or the size changes."""
        scene, at = self.scene, (self.target, self.size, self.covered)
        if scene is None:
            return Drawing(Canvas(*self.size))
        if self._drawn is None or self._drawn[0] is not scene or self._drawn[1] != at:
            shown = scene.untold() if self.covered else scene
            self._drawn = scene, at, self.paint(shown, *self.size, self.target)
        return self._drawn[2]

    def picture(self, scene: S) -> Canvas:
        """A picture of another scene at the size of this board."""
        return self.paint(scene, *self.size, None).canvas

    def strips(self, scene: S) -> list[Strip]:
        """Another scene as lines for the screen."""
        canvas = self.picture(scene)
        return [canvas.strip(y, self._style) for y in range(canvas.height)]

    def watch_scene(self, scene: S | None) -> None:
        """Take the cursor away if its target is gone, and redraw."""
        if scene is not None and self.target is not None and self.target not in self.cursor_stops():
            self.target = None
        self.call_next(self._redraw)

    def watch_target(self) -> None:
        """Redraw."""
        self.call_next(self._redraw)

    def watch_covered(self) -> None:
        """Redraw."""
        self.call_next(self._redraw)

    def _redraw(self) -> None:
        """Draw the changed cells."""
        before, self._shown = self._shown, self.seen
        self._shown.refresh(self, before)

    def render_line(self, y: int) -> Strip:
        """One line of the picture."""
        canvas = self.seen
        if self._shown is None or self._shown.size != self.size:
            self._shown = canvas  # Textual draws every line after a new size
        return canvas.strip(y, self._style) if y < canvas.height else Strip.blank(self.size.width, self.rich_style)

    # -- motion

    @property
    def seen(self) -> Canvas:
        """The picture on the screen: the first frame of a motion, or else the drawing."""
        for frame in self._frames[:1]:
            if frame.canvas.size == self.size:
                return frame.canvas
        return self.drawing().canvas

    @property
    def motion_left(self) -> float:
        """Seconds until the motion ends; 0 without motion."""
        return sum(frame.seconds for frame in self._frames)

    @property
    def caption(self) -> Caption | None:
        """The caption of the present frame, if it has one."""
        return self._frames[0].caption if self._frames else None

    def move(self, frames: Iterable[Frame]) -> None:
        """Show these frames one after the other, at the speed of the settings."""
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
        """End the motion: show the drawing now."""
        if self._clock is not None:
            self._clock.stop()
            self._show(())

    def _style(self, name: str) -> Style:
        if name not in self._known_styles:
            self._known_styles[name] = self.get_component_rich_style(f"board--{name}")
        return self._known_styles[name]

    def notify_style_update(self) -> None:
        """Forget the styles: the theme may have changed."""
        self._known_styles = {}  # a cache of our own, since Textual clears its cache whenever the board changes
        super().notify_style_update()

    def regions(self) -> dict[str, Region]:
        """The region of each target in the widget; later ones lie on top of earlier ones."""
        return self.drawing().targets

    def offset_of(self, target: str) -> Offset:
        """The cell in the middle of a target; tests click there."""
        return _middle(self.regions()[target])

    def target_at(self, x: int, y: int) -> str | None:
        """The target at a cell."""
        hit = [target for target, region in self.regions().items() if region.contains(x, y)]
        return hit[-1] if hit else None

    def cursor_stops(self) -> tuple[str, ...]:
        """Targets the arrow keys visit."""
        return self.drawing().cursor_stops

    def step(self, dx: int, dy: int) -> str | None:
        """Move the cursor to the nearest stop in this direction (or to the first stop) and return its target."""
        stops = self.cursor_stops()
        if self.target in stops:
            regions = self.regions()
            places = [_middle(regions[stop]) for stop in stops]
            self.target = stops[toward(places, stops.index(self.target), dx, dy)]
        elif stops:
            self.target = stops[0]
        return self.target if stops else None

    def on_click(self, event: events.Click) -> None:
        """Post the target under the mouse."""
        self.finish_motion()
        target = self.target_at(event.x, event.y)
        if target is not None:
            event.stop()
            self.target = target
            self.post_message(self.Picked(target))


def _middle(region: Region) -> Offset:
    return Offset(region.x + region.width // 2, region.y + region.height // 2)
