"""Two Heaps on the screen: two rows of counters; pointing at the third one takes three."""

from __future__ import annotations

from dataclasses import dataclass

from textual.geometry import Region

from duelbox.core.model import Seat
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.widgets.board import Board, Drawing, Scene
from duelbox.ui.widgets.canvas import Canvas
from duelbox_two_heaps.rules import View, format_move, legal_moves


@dataclass(frozen=True, slots=True)
class HeapScene(Scene):
    """The heaps, and the move in the line."""

    heaps: tuple[tuple[str, int], ...]
    chosen: str = ""


class HeapBoard(Board[HeapScene]):
    """The board of two heaps."""

    @staticmethod
    def paint(scene: HeapScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the counters."""
        canvas = Canvas(width, height, braille=scene.glyphs.braille)
        targets: dict[str, Region] = {}
        for row, (heap, count) in enumerate(scene.heaps):
            y = height // 2 - 1 + 2 * row
            canvas.put(1, y, f"{heap}:", "text")
            for number in range(1, count + 1):
                text = f"{heap}{number}"
                taken = scene.chosen[:1] == heap and scene.chosen[1:].isdigit() and number <= int(scene.chosen[1:])
                targets[text] = Region(1 + 3 * number, y, 3, 1)
                canvas.put(
                    1 + 3 * number,
                    y,
                    f"[{number}]" if text == target else f" {number} ",
                    "chosen" if taken else "legal",
                )
        return Drawing(canvas, targets, tuple(targets))


def scene(view: View, look: Look) -> HeapScene:
    """What there is to draw."""
    return HeapScene((("a", view.a), ("b", view.b)), look.line.strip(), glyphs=look.glyphs)


def score(view: View, seat: Seat) -> str:
    """Nobody keeps what is taken."""
    return ""


def begins(view: View, line: str) -> bool:
    """A heap's letter begins a move."""
    return any(format_move(move).startswith(line.strip().lower()) for move in legal_moves(view))


BOARD = GameBoard(HeapBoard, scene, score, begins=begins)
