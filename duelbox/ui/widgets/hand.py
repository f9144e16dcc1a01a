"""Two hands of cards: theirs above, mine below, and the numbers I can attack with."""

from __future__ import annotations

from dataclasses import dataclass

from textual.geometry import Region

from duelbox.core.model import Seat
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene
from duelbox.ui.widgets.canvas import BLOCK, Canvas, Line, words_width
from duelbox.ui.widgets.cells import draw_cell
from duelbox.ui.widgets.figures import big


@dataclass(frozen=True, slots=True)
class Card:
    """One place of a hand."""

    seat: Seat
    place: str = ""
    """What its place is called, under it."""
    face: int | None = None
    """The number, where the player who looks may see it."""
    public: bool = False
    """Whether everybody may."""
    empty: bool = False
    """Whether nothing lies here yet."""
    target: str = ""
    """What pointing at it says."""
    legal: bool = False
    chosen: bool = False
    last: bool = False
    mark: str = ""
    can_be: tuple[int, ...] = ()
    """What it can still be, from public facts."""


@dataclass(frozen=True, slots=True)
class HandScene(Scene):
    """Both hands."""

    theirs: tuple[Card, ...]
    mine: tuple[Card, ...]
    numbers: tuple[Cell, ...]
    """What I can attack with (or put in order); numbers gone keep their place."""
    above: Line
    """What is said over their hand."""
    between: Line
    """What happened last."""
    below: Line
    """What is said over my hand."""
    asked: str = ""
    """What the numbers are for."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which rows there are: card heights, and the height of the numbers."""

    card: int
    chip: int
    above: bool
    can_be: bool
    between: bool
    below: bool

    @property
    def height(self) -> int:
        """All rows together."""
        return 2 * self.card + self.chip + self.above + self.can_be + self.between + self.below


PLANS = (
    Plan(5, 3, True, True, True, True),
    Plan(3, 3, True, True, True, True),
    Plan(3, 3, True, True, True, False),
    Plan(3, 1, True, True, True, False),
    Plan(3, 1, True, False, True, False),
    Plan(3, 1, True, False, False, False),
    Plan(3, 1, False, False, False, False),
    Plan(1, 1, True, False, True, False),
    Plan(1, 1, True, False, False, False),
    Plan(1, 1, False, False, False, False),
)


class HandBoard(Board[HandScene]):
    """The hidden-hand widget."""

    @staticmethod
    def paint(scene: HandScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw both hands."""
        canvas = Canvas(width, height, braille=scene.glyphs.braille)
        plan = next((plan for plan in PLANS if plan.height <= height), None)
        if plan is None:
            return Drawing(canvas)
        targets: dict[str, Region] = {}
        y = (height - plan.height) // 2
        if plan.above:
            _say(canvas, y, scene.above)
            y += 1
        _draw_hand(canvas, y, scene.theirs, plan, scene.glyphs, target, targets)
        y += plan.card
        if plan.can_be:
            _draw_can_be(canvas, y, scene.theirs, plan)
            y += 1
        if plan.between:
            _say(canvas, y, scene.between)
            y += 1
        if plan.below:
            _say(canvas, y, scene.below)
            y += 1
        _draw_hand(canvas, y, scene.mine, plan, scene.glyphs, target, targets)
        y += plan.card
        _draw_numbers(canvas, y, scene, plan, target, targets)
        legal = [str(cell.number) for cell in scene.numbers if cell.legal]
        return Drawing(canvas, targets, (*legal, *(card.target for card in scene.theirs if card.legal)))


def _say(canvas: Canvas, y: int, line: Line) -> None:
    words = line.fitting(canvas.width)
    canvas.put_words((canvas.width - words_width(words)) // 2, y, words)


def _slots(canvas: Canvas, count: int, plan: Plan) -> list[int]:
    """Where the cards of a hand begin."""
    width = card_width(plan)
    gap = 2 if count * (width + 2) <= canvas.width else 1 if count * (width + 1) <= canvas.width else 0
    left = (canvas.width - count * (width + gap) + gap) // 2
    return [left + at * (width + gap) for at in range(count)]


def card_width(plan: Plan) -> int:
    """How wide a card is."""
    return {5: 9, 3: 6, 1: 4}[plan.card]


def _draw_hand(
    canvas: Canvas,
    y: int,
    cards: tuple[Card, ...],
    plan: Plan,
    glyphs: Glyphs,
    target: str | None,
    targets: dict[str, Region],
) -> None:
    for x, card in zip(_slots(canvas, len(cards), plan), cards, strict=True):
        region = Region(x, y, card_width(plan), plan.card)
        if card.target:
            targets[card.target] = region
        _draw_card(canvas, region, card, glyphs, cursor=bool(card.target) and card.target == target)


def _draw_card(canvas: Canvas, region: Region, card: Card, glyphs: Glyphs, *, cursor: bool) -> None:
    x, y, width, height = region
    if height == 1:
        text = f"{glyphs.seat(card.seat)}{card.face}" if card.face is not None else glyphs.hidden * 2
        canvas.put(x, y, text.center(width), f"seat-{card.seat}")
        return
    seat = f"seat-{card.seat}"
    up = card.face is not None and card.public
    if card.last:
        canvas.box(region, glyphs.bold_box, seat)
    elif card.chosen:
        canvas.box(region, glyphs.heavy_box, "legal")
    elif up and glyphs.braille:
        canvas.box(region, BLOCK, seat)
    else:
        canvas.box(region, glyphs.box, "legal" if card.legal else "edge")
    inside = Region(x + 1, y + 1, width - 2, height - 2)
    if card.empty:
        pass
    elif card.face is None:
        for row in range(inside.y, inside.bottom):
            canvas.put(inside.x, row, glyphs.hidden * inside.width, seat)
    else:
        style = f"fill-{card.seat}" if up else "text"
        canvas.fill(inside, style)
        lines = big(str(card.face), 1) if height == 5 and glyphs.braille else (f"{glyphs.seat(card.seat)} {card.face}",)
        for row, line in enumerate(lines, inside.y + (inside.height - len(lines)) // 2):
            canvas.put(inside.x, row, line.center(inside.width), style)
    label = card.mark or card.place
    canvas.put(x + (width - len(label)) // 2, region.bottom - 1, label, "mark" if card.mark else "free")
    if cursor:
        canvas.put(x, y + height // 2, glyphs.left, "legal")
        canvas.put(x + width - 1, y + height // 2, glyphs.right, "legal")


def _draw_can_be(canvas: Canvas, y: int, cards: tuple[Card, ...], plan: Plan) -> None:
    """Under each face-down card, the numbers it can still be."""
    for x, card in zip(_slots(canvas, len(cards), plan), cards, strict=True):
        text = "".join(map(str, card.can_be))
        canvas.put(x + (card_width(plan) - len(text)) // 2, y, text, "free")


def _draw_numbers(
    canvas: Canvas, y: int, scene: HandScene, plan: Plan, target: str | None, targets: dict[str, Region]
) -> None:
    size = 5 if plan.chip == 3 else 4
    gap = 1
    total = len(scene.numbers) * (size + gap) - gap
    left = (canvas.width - total) // 2
    for at, cell in enumerate(scene.numbers):
        region = Region(left + at * (size + gap), y, size, plan.chip)
        targets[str(cell.number)] = region
        draw_cell(canvas, region, cell, scene.glyphs, cursor=target == str(cell.number))
    label = scene.asked + " "
    if left >= len(label):
        canvas.put(left - len(label), y + plan.chip // 2, label, "free")
