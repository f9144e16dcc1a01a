"""Motion: what a board shows for a moment before it shows what is true. It only ever shows what changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from textual.geometry import Region

from duelbox.ui.widgets.canvas import Canvas

if TYPE_CHECKING:
    from duelbox.core.model import Seat
    from duelbox.ui.game_board import GameBoard, Look
    from duelbox.ui.widgets.board import Board, Scene
    from duelbox.ui.widgets.geometry import Point

Caption = tuple["Seat | None", str]
"""A sentence, and the seat that it is about."""
PACE = {"none": 0.0, "basic": 0.5, "full": 1.0}
"""How long everything takes, by the animation setting."""
TURN = MEET = 0.09
"""Seconds until the card that is attacked turns over, and until it is said what becomes of both."""
RESULT = 0.7
"""Seconds that the result stands, unless a key ends it."""
FILL = 0.045
"""Seconds for each part of a number that fills in; meanwhile a track lights up by one place."""
BLINK = 0.09
"""Seconds that the number in the way is marked, and then is not."""
UNFOLD = 0.04
"""Seconds for each part of a card that unfolds."""
PARTS = 4


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture of a board, and how long it is to be seen."""

    canvas: Canvas
    seconds: float
    caption: Caption | None = None
    """The words of this moment; None where what is said of the whole move fits it."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A scene on the way to the one that is true, and how long it is to be seen."""

    scene: Scene
    seconds: float
    caption: Caption | None = None
    """As for a frame."""


@dataclass(frozen=True, slots=True)
class Before:
    """What a move is going to change: the position as its viewer saw it, and its picture."""

    view: Any
    canvas: Canvas


def show_move(board: Board[Any], table: GameBoard, before: Before, view: Any, look: Look) -> None:
    """Show how the board came to be as it is: by the game's own stages, if it has any."""
    if table.stages is not None:
        stages = table.stages(before.view, view, look)
        board.move(Frame(board.picture(stage.scene), stage.seconds, stage.caption) for stage in stages)
        return
    number = look.last.lstrip("+-")
    claimed = (region for target, region in board.regions().items() if target.lstrip("+-") == number)
    drawing = board.drawing()
    board.move(filled(before.canvas, drawing.canvas, claimed, (drawing.track, drawing.targets.values())))


def show_refusal(board: Board[Any], table: GameBoard, view: Any, look: Look) -> None:
    """Point out the numbers in the way."""
    if look.blockers:
        board.move(blinked(board.drawing().canvas, board.picture(table.scene(view, replace(look, blockers=())))))


def filled(
    before: Canvas, after: Canvas, regions: Iterable[Region], along: tuple[Sequence[Point], Iterable[Region]] = ((), ())
) -> tuple[Frame, ...]:
    """Pictures in which these regions change from the lower edge up, and a track lights up from there.

    `along` is the track and the numbers on it.
    """
    regions = tuple(regions)
    if not regions or (before.width, before.height) != (after.width, after.height):
        return ()
    whole = Region.from_union(regions)
    frames = []
    for part in range(1, PARTS):
        upper = Region(whole.x, whole.y, whole.width, whole.height * (PARTS - part) // PARTS)
        frames.append(Frame(after.patched(before, [upper, *_dark(*along, whole, part)]), FILL))
    return tuple(frames)


def _dark(track: Sequence[Point], numbers: Iterable[Region], start: Region, places: int) -> list[Region]:
    """The cells of a track between its numbers that are more than so many places away from where it lights up."""
    numbers = tuple(numbers)
    here = [at for at, point in enumerate(track) if start.contains(*point)]
    if not here:
        return []
    middle, lit = here[len(here) // 2], places * len(track) // len(numbers)
    away = ((abs(at - middle), Region(*point, 1, 1)) for at, point in enumerate(track))
    return [
        cell
        for far, cell in away
        if min(far, len(track) - far) > lit and not any(number.contains_region(cell) for number in numbers)
    ]


def blinked(marked: Canvas, plain: Canvas) -> tuple[Frame, ...]:
    """Marked twice, and then for as long as it stays so."""
    return tuple(Frame(canvas, BLINK) for canvas in (marked, plain, marked, plain))
