"""A board for any game without one of its own: the position in words, and every move as a button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from textual.geometry import Region, Size, Spacing

from duelbox.core.game import AnyGame
from duelbox.core.model import named
from duelbox.core.session import DEFAULT_NAMES
from duelbox.registry import talk_of
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets import thumbnails
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene, Worth
from duelbox.ui.widgets.canvas import Canvas
from duelbox.ui.widgets.cells import frame_of


@dataclass(frozen=True, slots=True)
class ChoiceBox:
    """A move as a button."""

    text: str
    chosen: bool = False
    """The move line names it."""
    worth: Worth | None = None


@dataclass(frozen=True, slots=True)
class ChoiceScene(Scene):
    """A position in words with its moves."""

    lines: tuple[str, ...]
    choices: tuple[ChoiceBox, ...] = ()


class ChoiceBoard(Board[ChoiceScene]):
    """Draws a ChoiceScene."""

    @staticmethod
    def paint(scene: ChoiceScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw the words and as many moves as fit."""
        canvas = Canvas(width, height)
        lines = scene.lines[: max(1, height - 2 if scene.choices else height)]
        room = height - len(lines) - bool(lines)
        regions = _regions(scene.choices, width, room)
        below = regions[-1].bottom + 1 if regions else 0
        top = (height - len(lines) - below - (len(regions) < len(scene.choices))) // 2
        left = (width - max(map(cell_len, lines), default=0)) // 2
        for y, line in enumerate(lines, top):
            canvas.put(max(0, left), y, line, "text")
        targets: dict[str, Region] = {}
        for choice, region in zip(scene.choices, regions, strict=False):
            targets[choice.text] = region.translate((0, top + len(lines) + 1))
            _draw(canvas, targets[choice.text], choice, scene, cursor=choice.text == target)
        if len(regions) < len(scene.choices):
            more = f"and {len(scene.choices) - len(regions)} more, to be typed"
            canvas.put(max(0, (width - len(more)) // 2), top + len(lines) + below, more, "free")
        return Drawing(canvas, targets, tuple(targets))


def _regions(choices: Sequence[ChoiceBox], width: int, height: int) -> list[Region]:
    """The places of the moves in rows: boxes if they fit, else buttons of one line."""
    longest = max((cell_len(choice.text) for choice in choices), default=0)
    for size, gap in ((Size(longest + 6, 3), 1), (Size(longest + 4, 3), 0), (Size(longest + 2, 1), 1)):
        columns = max(1, min(len(choices), (width + gap) // (size.width + gap)))
        rows = -(-len(choices) // columns)
        if rows * size.height <= height or size.height == 1:
            break
    rows = min(rows, max(0, (height - 1) // size.height) if rows * size.height > height else rows)
    left = (width - columns * (size.width + gap) + gap) // 2
    places = ((left + at % columns * (size.width + gap), at // columns * size.height) for at in range(rows * columns))
    return [Region(x, y, *size) for (x, y), _ in zip(places, choices, strict=False)]


def _draw(canvas: Canvas, region: Region, choice: ChoiceBox, scene: ChoiceScene, *, cursor: bool) -> None:
    """Draw a move in a box like the numbers of other boards, or on one line between two signs."""
    glyphs, worth = scene.glyphs, choice.worth
    cell = Cell(0, legal=True, chosen=choice.chosen, worth=worth)
    box, edge, style = frame_of(cell, glyphs, cursor=cursor)
    verdict, middle = "" if worth is None else glyphs.verdict(worth.verdict), region.x + region.width // 2
    if region.height == 1:
        best = verdict if worth is not None and worth.best else " "
        signs = (
            glyphs.left + glyphs.right if cursor or choice.chosen else verdict + best if verdict else glyphs.brackets
        )
        canvas.put(region.x, region.y, f"{signs[0]}{choice.text.center(region.width - 2)}{signs[1]}", style)
        return
    canvas.box(region, box, edge)
    canvas.fill(region.shrink(Spacing(1, 1, 1, 1)), style)
    canvas.put(region.x + 1, region.y + region.height // 2, choice.text.center(region.width - 2), style)
    if worth is not None:
        canvas.put(middle, region.y, verdict, edge)
        figure = f" {worth.figure} " if worth.figure else ""
        canvas.put(middle - len(figure) // 2, region.bottom - 1, figure, "free")


def general_board(game: AnyGame) -> GameBoard:
    """The board of a game that has none of its own."""
    talk = talk_of(game)

    def lines(view: Any, names: tuple[str, str]) -> tuple[str, ...]:
        return tuple(named(talk.board(view), names).splitlines())

    def scene(view: Any, look: Look) -> ChoiceScene:
        hidden = game.INFO.hidden and look.seat != view.turn
        moves = () if hidden or view.turn is None else game.legal_moves(view)
        texts = [game.format_move(move) for move in moves]
        choices = tuple(ChoiceBox(text, look.line.strip() == text, look.worths.get(text)) for text in texts)
        return ChoiceScene(lines(view, look.names), choices, glyphs=look.glyphs)

    def begins(view: Any, line: str) -> bool:
        return any(game.format_move(move).startswith(line) for move in game.legal_moves(view))

    def thumbnail(view: Any, glyphs: Glyphs, width: int, height: int) -> Canvas:
        words = [((line, "text"),) for line in lines(view, DEFAULT_NAMES)]
        return thumbnails.centred_text(words[:height], width, height, glyphs)

    return GameBoard(ChoiceBoard, scene, lambda view, seat: "", begins=begins, thumbnail=thumbnail)
