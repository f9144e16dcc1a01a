"""Two hands of cards: theirs above, mine below, and the numbers I can attack with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.geometry import Region, Spacing

from duelbox.core.model import Seat
from duelbox.ui.widgets.board import Board, Cell, Drawing, Scene, Worth
from duelbox.ui.widgets.canvas import BLOCK, Canvas, Line, words_width
from duelbox.ui.widgets.cells import big, draw_cell, outline_of_worth, style_of_worth


@dataclass(frozen=True, slots=True)
class Card:
    """One place of a hand."""

    seat: Seat
    place: str
    """What its place is called: "x2" where it can be attacked, "2" in my own hand."""
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
    worth: Worth | None = None
    hint: str = ""
    can_be: str = ""
    """What it can still be, from public facts: "12·45"."""


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
    dragging: bool = False
    """Whether numbers can be dragged to places of my hand."""


ABOVE, CAN_BE, BETWEEN, BELOW = "above", "can be", "between", "below"
PLANS = (
    (7, 5, (ABOVE, CAN_BE, BETWEEN, BELOW)),
    (5, 3, (ABOVE, CAN_BE, BETWEEN, BELOW)),
    (3, 3, (ABOVE, CAN_BE, BETWEEN, BELOW)),
    (3, 3, (ABOVE, CAN_BE, BELOW)),
    (3, 1, (ABOVE, CAN_BE, BETWEEN, BELOW)),
    (3, 1, (ABOVE, CAN_BE, BELOW)),
    (3, 1, (ABOVE, BELOW)),
    (3, 1, (ABOVE,)),
    (3, 1, ()),
    (1, 1, (ABOVE, CAN_BE, BELOW)),
    (1, 1, (ABOVE, BELOW)),
    (1, 1, ()),
)
"""How high cards and numbers are, and which lines are said, the best first."""
WIDTHS = {7: 15, 5: 9, 3: 7, 1: 6}
"""How wide cards are, by their height."""


class HandBoard(Board[HandScene]):
    """The hidden-hand widget."""

    _held: str | None = None
    """What the mouse is dragging."""
    _dropped: bool = False

    @staticmethod
    def paint(scene: HandScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw both hands."""
        canvas = Canvas(width, height, braille=scene.glyphs.braille)
        count = max(len(scene.theirs), len(scene.mine), len(scene.numbers))
        for card, chip, said in PLANS:
            if 2 * card + chip + len(said) <= height and count * WIDTHS[card] <= width:
                return _Painter(scene, canvas, target, card, chip, said).drawing()
        return Drawing(canvas)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of a number that can be dragged."""
        self._dropped = False
        self._held = self.target_at(event.x, event.y) if self.scene is not None and self.scene.dragging else None

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Drop it on a place of the hand."""
        held, self._held = self._held, None
        place = self.target_at(event.x, event.y)
        if held is not None and place is not None and place.startswith("@") and place != held:
            self._dropped = True
            self.post_message(self.Picked(held + place))

    def on_click(self, event: events.Click) -> None:
        """The click that ends a drag says no more."""
        if self._dropped:
            event.prevent_default()
            event.stop()


class _Painter:
    """Draws one scene from the top down."""

    def __init__(
        self, scene: HandScene, canvas: Canvas, target: str | None, card: int, chip: int, said: Sequence[str]
    ) -> None:
        self.scene, self.canvas, self.target = scene, canvas, target
        self.height, self.width, self.chip, self.said = card, WIDTHS[card], chip, said
        self.glyphs = scene.glyphs
        self.targets: dict[str, Region] = {}

    def drawing(self) -> Drawing:
        """Their hand, what happened, my hand, my numbers."""
        scene = self.scene
        spare = self.canvas.height - (2 * self.height + self.chip + len(self.said))
        gap = min(2, spare // 3)
        y = (spare - 3 * gap) // 2
        y = self._say(y, scene.above, ABOVE in self.said)
        y = self._hand(y, scene.theirs)
        if CAN_BE in self.said:
            for x, card in zip(self._slots(len(scene.theirs)), scene.theirs, strict=True):
                self.canvas.put(x + (self.width - len(card.can_be)) // 2, y, card.can_be, "free")
            y += 1
        y = self._say(y + gap, scene.between, BETWEEN in self.said)
        y = self._say(y + gap, scene.below, BELOW in self.said)
        y = self._hand(y, scene.mine)
        self._numbers(y + gap)
        legal = (*(str(cell.number) for cell in scene.numbers if cell.legal),)
        cards = (*scene.theirs, *scene.mine)
        return Drawing(self.canvas, self.targets, (*legal, *(card.target for card in cards if card.legal)))

    def _say(self, y: int, line: Line, said: bool) -> int:
        if said:
            words = line.fitting(self.canvas.width)
            self.canvas.put_words((self.canvas.width - words_width(words)) // 2, y, words)
        return y + said

    def _slots(self, count: int) -> list[int]:
        width = self.width
        gap = next(gap for gap in (2, 1, 0) if count * (width + gap) - gap <= self.canvas.width or gap == 0)
        left = (self.canvas.width - count * (width + gap) + gap) // 2
        return [left + at * (width + gap) for at in range(count)]

    def _hand(self, y: int, cards: tuple[Card, ...]) -> int:
        if not cards:
            self._say(y + self.height // 2, Line(((("no numbers left", "free"),),)), True)
        for x, card in zip(self._slots(len(cards)), cards, strict=True):
            region = Region(x, y, self.width, self.height)
            if card.target:
                self.targets[card.target] = region
            if region.height == 1:
                self._short(region, card)
            else:
                self._card(region, card)
            if card.target and card.target == self.target:
                row = y + region.height // 2
                self.canvas.put(x, row, self.glyphs.left, "legal")
                self.canvas.put(region.right - 1, row, self.glyphs.right, "legal")
        return y + self.height

    def _short(self, region: Region, card: Card) -> None:
        """A card on one line: its place, and its face or back."""
        text = "  " if card.empty else self.glyphs.hidden * 2
        if card.face is not None:
            text = f"{self.glyphs.seat(card.seat)}{card.face}"
        signs = "<>" if card.chosen else self.glyphs.brackets if card.legal else "  "
        self.canvas.put(region.x, region.y, f"{signs[0]}{card.place:<2}", "legal" if card.legal else "free")
        self.canvas.put(region.x + 3, region.y, text, f"{'fill' if card.public else 'seat'}-{card.seat}")
        self.canvas.put(region.x + 5, region.y, signs[1], "legal")

    def _card(self, region: Region, card: Card) -> None:
        """A card with an outline: solid where it can be attacked, filled where everybody knows it."""
        x, width = region.x, region.width
        self._outline(region, card)
        inside = region.shrink(Spacing(1, 1, 1, 1))
        if card.face is not None:
            self._face(inside, card)
        elif not card.empty:
            for row in range(inside.y, inside.bottom):
                self.canvas.put(inside.x, row, self.glyphs.hidden * inside.width, f"faint-{card.seat}")
        style = "legal" if card.legal else "free"
        self.canvas.put(x + (width - len(card.place)) // 2, region.bottom - 1, card.place, style)
        told = card.hint or ("" if card.worth is None else card.worth.figure)
        if told:
            row = region.y if card.face is not None else region.y + region.height // 2
            self.canvas.put(x + (width - len(told) - 2) // 2, row, f" {told} ", "tag" if card.hint else "free")

    def _outline(self, region: Region, card: Card) -> None:
        seat, glyphs = f"seat-{card.seat}", self.glyphs
        if card.chosen:
            self.canvas.box(region, glyphs.heavy_box, "legal")
        elif card.last:
            self.canvas.box(region, glyphs.bold_box, seat)
        elif card.worth is not None:
            self.canvas.box(region, outline_of_worth(card.worth, glyphs), style_of_worth(card.worth))
        elif card.legal:
            self.canvas.box(region, glyphs.box, "legal")
        elif card.public and glyphs.braille:
            self.canvas.box(region, BLOCK, seat)
        else:
            self.canvas.box(region, glyphs.thin_box if card.empty else glyphs.box, "edge")

    def _face(self, inside: Region, card: Card) -> None:
        style = f"fill-{card.seat}" if card.public else f"seat-{card.seat}"
        self.canvas.fill(inside, style)
        sign = self.glyphs.seat(card.seat)
        large = inside.height >= 3 and self.glyphs.braille
        lines = big(str(card.face), 2 if inside.height >= 5 else 1) if large else (f"{sign} {card.face}",)
        for row, line in enumerate(lines, inside.y + (inside.height - len(lines)) // 2):
            self.canvas.put(inside.x, row, line.center(inside.width), style)
        if large:
            self.canvas.put(inside.x, inside.y, sign, style)

    def _numbers(self, y: int) -> None:
        scene, chip = self.scene, self.chip
        size, gap = {5: 11, 3: 5, 1: 4}[chip], 1
        beside = 0
        if chip == 1 and any(cell.worth for cell in scene.numbers):
            beside = 4 if (size + 4 + gap) * len(scene.numbers) <= self.canvas.width else 0
            size += beside
        left = (self.canvas.width - len(scene.numbers) * (size + gap) + gap) // 2
        for at, cell in enumerate(scene.numbers):
            region = Region(left + at * (size + gap), y, size, chip)
            self.targets[str(cell.number)] = region
            own = Region(region.x, y, size - beside, chip)
            draw_cell(self.canvas, own, cell, self.glyphs, cursor=self.target == str(cell.number))
            if beside and cell.worth is not None:
                self.canvas.put(own.right, y, cell.worth.figure, "free")
        if scene.numbers and left >= len(scene.asked) + 2:
            self.canvas.put(left - len(scene.asked) - 2, y + chip // 2, scene.asked, "free")
