"""Motion: frames that a board shows for a moment to point out what changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from textual.geometry import Region

from duelbox.ui.widgets.canvas import Canvas

if TYPE_CHECKING:
    from duelbox.core.model import Seat
    from duelbox.ui.game_board import GameBoard, Look
    from duelbox.ui.widgets.board import Board, Drawing, Scene

Caption = tuple["Seat | None", str]
"""The seat a sentence is about, and the sentence."""
PACE = {"none": 0.0, "basic": 0.5, "full": 1.0}
"""A factor for the length of all motion, by the animation setting."""
TURN = MEET = 0.09
"""Seconds until the attacked card turns over, and then until the result is shown."""
RESULT = 0.7
"""Seconds that the result stays; a key ends it sooner."""
FILL = 0.045
"""Seconds for each part of a number that fills in, while the track lights up by one place."""
BLINK = 0.09
"""Seconds that a number in the way is marked, and then unmarked."""
UNFOLD = 0.04
"""Seconds for each part of the card at the end."""
PARTS = 4
"""Parts of a number that fills in, and of a card that unfolds."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture of a board, shown for so many seconds."""

    canvas: Canvas
    seconds: float
    caption: Caption | None = None
    """The sentence during this frame; None for the sentence about the whole move."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A scene on the way to the present one, shown for so many seconds."""

    scene: Scene
    seconds: float
    caption: Caption | None = None
    """The sentence during this stage; None for the sentence about the whole move."""


@dataclass(frozen=True, slots=True)
class Before:
    """The view and the picture before a move."""

    view: Any
    canvas: Canvas


def show_move(board: Board[Any], table: GameBoard, before: Before, view: Any, look: Look) -> None:
    """Show a move: by the game's own stages, or by filling in the number that was taken."""
    if table.stages is not None:
        stages = table.stages(before.view, view, look)
        board.move(Frame(board.picture(stage.scene), stage.seconds, stage.caption) for stage in stages)
        return
    number = look.last.lstrip("+-")
    claimed = (region for target, region in board.regions().items() if target.lstrip("+-") == number)
    drawing = board.drawing()
    board.move(filled(before.canvas, drawing, tuple(claimed)))


def show_refusal(board: Board[Any], table: GameBoard, view: Any, look: Look) -> None:
    """Blink the numbers in the way of a refused move."""
    if look.blockers:
        board.move(blinked(board.drawing().canvas, board.picture(table.scene(view, replace(look, blockers=())))))


def filled(before: Canvas, drawing: Drawing, regions: Collection[Region]) -> Iterator[Frame]:
    """Frames in which these regions change from the lower edge up, while the track of a ring lights up from there."""
    if not regions or before.size != drawing.canvas.size:
        return
    whole = Region.from_union(regions)
    for part in range(1, PARTS):
        upper = Region(whole.x, whole.y, whole.width, whole.height * (PARTS - part) // PARTS)
        yield Frame(drawing.canvas.patched(before, [upper, *_dark(drawing, whole, part)]), FILL)


def _dark(drawing: Drawing, start: Region, lit: int) -> list[Region]:
    """The cells of a track that are still dark: more than so many places away from the start, and under no number."""
    numbers = {*drawing.targets.values()}
    here = [place for point, place in drawing.track if start.contains(*point)]
    if not here:
        return []
    count = len({number.lstrip("+-") for number in drawing.targets})
    middle = here[len(here) // 2]
    dark = []
    for point, place in drawing.track:
        away = abs(place - middle)
        if min(away, count - away) > lit and not any(number.contains(*point) for number in numbers):
            dark.append(Region(*point, 1, 1))
    return dark


def blinked(marked: Canvas, plain: Canvas) -> Iterator[Frame]:
    """Frames that mark something twice."""
    return (Frame(canvas, BLINK) for canvas in (marked, plain) * 2)
