"""A board of two hands of cards: theirs above, mine below, and between them what my cards would do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.geometry import Region, Spacing

from duelbox.core.model import Seat
from duelbox.ui.widgets.board import Board, Drawing, Scene, Worth
from duelbox.ui.widgets.canvas import BLOCK, Canvas, FittingLine, StyledText, text_width
from duelbox.ui.widgets.cells import large_digits, outline_of_worth, style_of_worth

NOTHING = FittingLine(((),))


@dataclass(frozen=True, slots=True)
class HandCard:
    """One place of a hand."""

    seat: Seat
    place: str = ""
    """The name of its place if it can be attacked: "x2"."""
    face: int | None = None
    """The number; None if it is hidden from the player at the screen."""
    target: str = ""
    """The part of a move that a click on it enters."""
    legal: bool = False
    empty: bool = False
    """The place has no card."""
    lifted: bool = False
    """The attacking card: filled, and one row nearer to the other hand."""
    aimed: bool = False
    """It is attacked now, or the move line names it as the target."""
    last: bool = False
    """It was attacked last and stayed."""
    beaten: bool = False
    worth: Worth | None = None
    hint: str = ""
    feet: tuple[str, ...] = ()
    """Wordings of its fate, the longest first; the first that fits is written into its lower edge."""
    notes: tuple[FittingLine, ...] = ()
    """Two lines below it."""
    brief: str = ""
    """The notes in a few signs."""


@dataclass(frozen=True, slots=True)
class HandScene(Scene):
    """Both hands."""

    slots: int
    """The number of places in a full hand."""
    theirs: tuple[HandCard, ...]
    mine: tuple[HandCard, ...]
    above: tuple[FittingLine, ...] = ()
    """Facts about their hand."""
    below: tuple[FittingLine, ...] = ()
    """Facts about mine."""
    attacker: StyledText = ()
    """The attacking card that the notes under their cards are about."""
    sentence: FittingLine = NOTHING
    """The notes in one sentence, shown when cards are small."""
    dragging: bool = False
    """Numbers can be dragged to places of my hand with the mouse."""
    dealt: bool = False
    """The game is over, and both hands are shown as they were dealt."""


WIDTHS = {15: 19, 9: 11, 5: 9, 3: 7}
"""The width of a card by its height."""
ROOMY, TIGHT = (2, 1, 1, 1), (1, 0, 1, 1)
"""Rows besides the cards: for notes, for facts, to lift a card into, and below my hand."""
PLANS = (
    *((height, rows) for height in (15, 9, 5, 3) for rows in (ROOMY, TIGHT)),
    *((3, rows) for rows in ((1, 0, 0, 0), (0, 0, 0, 0))),
)
"""Heights of cards with the rows besides them, the best first."""
_CARD = 6
"""Rows that the card at the end of a game needs between the hands."""
BESIDE = 17
"""Columns to the left of the hands, for facts about them."""


class HandBoard(Board[HandScene]):
    """Draws a HandScene; numbers can be dragged to places of my hand."""

    _held: str | None = None
    """The target that is being dragged."""
    _dropped: bool = False

    @staticmethod
    def paint(scene: HandScene, width: int, height: int, target: str | None) -> Drawing:
        """Draw both hands; their places depend only on the size of the window and of a full hand."""
        canvas = Canvas(width, height)
        for card, rows in PLANS:
            if 2 * card + sum(rows) <= height and scene.slots * (WIDTHS[card] + 1) - 1 <= width:
                return _Painter(scene, canvas, target, card, rows).drawing()
        return Drawing(canvas)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Begin to drag a number."""
        self._dropped = False
        self._held = self.target_at(event.x, event.y) if self.scene is not None and self.scene.dragging else None

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Drop the number on a place of the hand."""
        held, self._held = self._held, None
        place = self.target_at(event.x, event.y)
        if held is not None and place is not None and place.startswith("@") and place != held:
            self._dropped = True
            self.post_message(self.Picked(held + place))

    def on_click(self, event: events.Click) -> None:
        """Ignore the click that ends a drag."""
        if self._dropped:
            event.prevent_default()
            event.stop()


class _Painter:
    """Draws one scene at one size."""

    def __init__(
        self, scene: HandScene, canvas: Canvas, target: str | None, card: int, rows: tuple[int, int, int, int]
    ) -> None:
        self.scene, self.canvas, self.target, self.glyphs = scene, canvas, target, scene.glyphs
        self.height, self.width = card, WIDTHS[card]
        self.notes, self.free, self.lift, self.seen = rows
        spare = canvas.height - 2 * card - sum(rows)
        self.top = (spare + 2) // 3
        self.bottom = self.top + card + self.notes + self.free + (spare + 1) // 3 + self.lift
        self.targets: dict[str, Region] = {}
        if scene.dealt:  # no card is lifted, and the card of the end needs room between the hands
            self.lift, between = 0, self.bottom - self.top - card
            if between < _CARD:
                self.top, self.bottom = 0, canvas.height - card
        self._set_columns()

    def _set_columns(self) -> None:
        """Compute the left edge of the hands, the columns from place to place, and if facts fit beside the hands."""
        slots, room = self.scene.slots, self.canvas.width
        least = 1 if self.height < 5 else 2
        lengths = {gap: slots * (self.width + gap) - gap for gap in (3, 2, 1)}
        beside = [gap for gap, length in lengths.items() if BESIDE + length <= room and gap >= least]
        self.beside = bool(beside) and self.height > 3
        gap = beside[0] if self.beside else next((gap for gap, length in lengths.items() if length <= room), 1)
        self.pitch, middle = self.width + gap, (room - lengths[gap]) // 2
        self.left = max(BESIDE, middle) if self.beside else middle

    def drawing(self) -> Drawing:
        """Draw their hand, the notes, and my hand."""
        scene = self.scene
        for y, cards, nearer in ((self.top, scene.theirs, 1), (self.bottom, scene.mine, -1)):
            for at, card in enumerate(cards):
                self._place(Region(self.left + at * self.pitch, y, self.width, self.height), card, nearer)
        self._facts()
        self._notes()
        legal = [*scene.mine, *scene.theirs]
        between = Region(0, self.top + self.height, self.canvas.width, self.bottom - self.top - self.height)
        stops = tuple(card.target for card in legal if card.legal)
        return Drawing(self.canvas, self.targets, stops, (between,) if scene.dealt else ())

    def _place(self, region: Region, card: HandCard, nearer: int) -> None:
        """Draw a card at its place, or lifted; a lifted card can be clicked at its place, too."""
        up = region.translate((0, nearer)) if card.lifted and self.lift else region
        if card.target:
            self.targets[card.target] = up.union(region)
        self._card(up, card)
        if card.target and card.target == self.target:
            row = up.y + up.height // 2
            self.canvas.put(up.x, row, self.glyphs.left, "legal")
            self.canvas.put(up.right - 1, row, self.glyphs.right, "legal")

    # -- facts and notes

    def _facts(self) -> None:
        """Write the facts about both hands: beside them, or in one row between them."""
        scene = self.scene
        if self.beside:
            for y, lines in ((self.top, scene.above), (self.bottom, scene.below)):
                for row, line in enumerate(lines, y + (self.height - len(lines)) // 2):
                    self.canvas.put_text(1, row, line.fitting(BESIDE - 2))
            return
        row = self.top + self.height + (self.notes if self.height > 3 else 1)
        if scene.dealt or not self.free or (self.height == 3 and scene.sentence is not NOTHING):
            return
        for name, fact, blanks in ((0, 0, 4), (-1, 0, 4), (-1, 0, 2), (-1, -1, 1)):  # shorter and shorter
            left, right = (_in_a_row(lines, name, fact, blanks) for lines in (scene.above, scene.below))
            if text_width(left) + text_width(right) + 4 <= self.canvas.width:
                break
        self.canvas.put_text(1, row, left)
        behind = 1 + text_width(left) + 2 * bool(left)
        self.canvas.put_text(max(behind, self.canvas.width - 1 - text_width(right)), row, right)

    def _notes(self) -> None:
        """Write the notes under each card."""
        scene = self.scene
        for y, cards in ((self.top + self.height, scene.theirs), (self.bottom + self.height, scene.mine)):
            room = self.notes if cards is scene.theirs else self.seen
            for at, card in enumerate(cards):
                fits = self.height > 3 and len(card.notes) <= room
                lines = card.notes if fits else (FittingLine((((card.brief, "free"),),)),)
                for row, line in enumerate(lines[:room], y):
                    words = line.fitting(self.pitch - 1)
                    middle = self.left + at * self.pitch + self.width // 2
                    self.canvas.put_text(middle - text_width(words) // 2, row, words)
        y = self.top + self.height
        if self.notes > 1 and self.height == 3:
            words = scene.sentence.fitting(self.canvas.width - 2)
            self.canvas.put_text((self.canvas.width - text_width(words)) // 2, y + 1, words)
        elif self.notes > 1 and self.beside:
            self.canvas.put_text(1, y, scene.attacker)

    # -- cards

    def _card(self, region: Region, card: HandCard) -> None:
        """Draw a card: its outline, the name of its place in the upper edge, and a hint or result in the lower edge."""
        self._outline(region, card)
        inside = region.shrink(Spacing(1, 1, 1, 1))
        if card.face is not None:
            self._face(inside, card)
        elif not card.empty:
            for row in range(inside.y, inside.bottom):
                self.canvas.put(inside.x, row, self.glyphs.hidden * inside.width, f"low-{card.seat}")
        self._in_edge(region, region.y, (card.place,), "legal" if card.legal else "free")
        texts = (card.hint,) if card.hint else card.feet if card.worth is None else (card.worth.figure,)
        self._in_edge(region, region.bottom - 1, texts, "tag" if card.hint else "free")

    def _in_edge(self, region: Region, y: int, texts: tuple[str, ...], style: str) -> None:
        """Write the first of these texts that fits into the middle of an edge."""
        text = next((text for text in texts if len(text) <= region.width - 2), "")
        if text:
            text = f" {text} " if len(text) <= region.width - 4 else text
            self.canvas.put(region.x + (region.width - len(text)) // 2, y, text, style)

    def _outline(self, region: Region, card: HandCard) -> None:
        seat, glyphs = f"seat-{card.seat}", self.glyphs
        if card.lifted:
            self.canvas.box(region, BLOCK if glyphs.unicode else glyphs.heavy_box, seat)
        elif card.aimed:
            self.canvas.box(region, glyphs.heavy_box, "legal")
        elif card.beaten or card.empty:
            self.canvas.box(region, glyphs.thin_box, "edge")
        elif card.worth is not None:
            self.canvas.box(region, outline_of_worth(card.worth, glyphs), style_of_worth(card.worth))
        elif card.last:
            self.canvas.box(region, glyphs.bold_box, seat)
        else:
            self.canvas.box(region, glyphs.box, seat)

    def _face(self, inside: Region, card: HandCard) -> None:
        style = f"{'fill' if card.lifted or card.last else 'faint' if card.beaten else 'seat'}-{card.seat}"
        self.canvas.fill(inside, style)
        sign = self.glyphs.seat(card.seat)
        large = inside.height >= 3 and self.glyphs.unicode
        lines = digits(str(card.face), inside.height) if large else (f"{sign} {card.face}",)
        for row, line in enumerate(lines, inside.y + (inside.height - len(lines)) // 2):
            self.canvas.put(inside.x, row, line.center(inside.width), style)
        if large:
            self.canvas.put(inside.x, inside.y, sign, style)


def _in_a_row(lines: Sequence[FittingLine], name: int, fact: int, blanks: int) -> StyledText:
    """The name and the facts in these lengths, with so many blanks before each fact."""
    facts = filter(None, (line.variants[fact] for line in lines[1:]))
    apart = (((" " * blanks + first.lstrip(), style), *rest) for (first, style), *rest in facts)
    return (
        *(piece for line in lines[:1] for piece in line.variants[name]),
        *(piece for line in apart for piece in line),
    )


def digits(text: str, height: int) -> tuple[str, ...]:
    """The largest digits that fit into a card with so many rows inside."""
    lines = large_digits(text, 1, low=True) if height < 5 else large_digits(text, 2)
    return lines if height < 13 else tuple("".join(char * 2 for char in line) for line in lines for _ in (0, 1))
