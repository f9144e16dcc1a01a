"""The board of Number Circle Duel: a ring, and in its middle the numbers that each player reaches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from duelbox.core.model import SEATS, Seat, other
from duelbox.games.circle_duel.rules import View
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets import thumbnails
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import Canvas, FittingLine
from duelbox.ui.widgets.ring_board import PAD, Reach, RingBoard, RingScene


def scene(view: View, look: Look) -> RingScene:
    """The ring as the player who looks sees it."""
    mine = _seat_in_front(view, look)
    near = {seat: _reached(view, seat) for seat in SEATS}
    reach = view.options.reach
    stretches = (
        Reach(last - reach, 2 * reach, seat, low=seat != mine)
        for seat in (other(mine), mine)
        if (last := _last_of(view, seat)) is not None and (view.own or seat == mine)
    )
    return RingScene(
        cells=tuple(_cell(view, look, number, near) for number in view.numbers),
        pairs=look.pairs,
        reaches=() if look.pairs or view.turn is None else tuple(stretches),
        story=_story(view, look, mine, near),
        glyphs=look.glyphs,
    )


def _seat_in_front(view: View, look: Look) -> Seat:
    """The player whose reach is drawn over the other's: the one who looks, or on one trail the one to move."""
    to_move: Seat = 1 if len(view.picks) % 2 else 0
    return to_move if look.seat is None or not view.own else look.seat


def _last_of(view: View, seat: Seat) -> int | None:
    """The number that a player's next pick must be next to; None for a first pick."""
    if not view.own:
        return view.last
    picked = view.picked(seat)
    return picked[-1] if picked else None


def _reached(view: View, seat: Seat) -> tuple[int, ...]:
    """The numbers that a player could pick now from their last one."""
    last = _last_of(view, seat)
    return () if last is None else tuple(number for number in view.neighbours(last) if number in view.free)


def _cell(view: View, look: Look, number: int, near: dict[Seat, tuple[int, ...]]) -> Cell:
    owner, gap, legal = view.owner(number), number in view.gaps, view.turn is not None and number in view.choices
    shared = view.own and all(number in reached for reached in near.values())
    return look.cell(
        number,
        legal=legal,
        owner=owner,
        open_to=(0, 1) if owner is None and not gap else (),
        gap=gap,
        last=number in view.picks[-1:],
        tint=None if view.last is None else view.turn,
        also=other(view.turn) if view.turn is not None and shared and legal else None,
    )


def _story(view: View, look: Look, mine: Seat, near: dict[Seat, tuple[int, ...]]) -> tuple[FittingLine, ...]:
    """A row for each player: their last number and the numbers they reach. On one trail: the numbers that may
    follow."""
    if not view.picks:
        anywhere = FittingLine(((("Any number may be first", "text"),), (("any", "text"),)))
        return () if view.turn is None else (anywhere,)
    last: Seat = 0 if len(view.picks) % 2 else 1
    rows = [(last, "the last pick: go on with", near[mine])]
    if view.own:
        verbs = ["you reach" if look.names[seat] == "You" else f"{look.names[seat]} reaches".strip() for seat in SEATS]
        order = SEATS[::-1] if look.names[1] == "You" else SEATS
        rows = [(seat, verbs[seat].ljust(max(map(len, verbs))), near[seat]) for seat in order]
    columns = zip_longest(*(numbers for *_, numbers in rows), fillvalue="")
    widths = [max(len(str(number)) for number in column) for column in columns]
    return tuple(_row(view, look, seat, verb, numbers, widths) for seat, verb, numbers in rows)


def _row(view: View, look: Look, seat: Seat, verb: str, numbers: Sequence[int], widths: Sequence[int]) -> FittingLine:
    """A player's last number and the numbers reached from it, each as wide as its column."""
    last, between = _last_of(view, seat), f" {look.glyphs.nobody} " if look.glyphs.unicode else "  "
    if last is None:
        long, short = ((look.sign(seat), (text, "text")) for text in ("     may begin anywhere", " anywhere"))
        return FittingLine((long, short))
    reached = between.join(str(number).rjust(width, PAD) for number, width in zip(numbers, widths, strict=False))
    at = (f"{look.sign(seat)[0]} {str(last).rjust(2, PAD)}", look.sign(seat)[1])
    next_ = (reached or "nothing", "legal" if seat == view.turn or not view.own else "free")
    return FittingLine(tuple((at, (f"  {verb}  " if verb else "  ", "free"), next_) for verb in (verb, "next", "")))


def thumbnail(view: View, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """The ring in a small space; rows of numbers if even the smallest ring is too large."""
    drawn = scene(view, Look(seat=None, names=("", ""), glyphs=glyphs))
    drawing = RingBoard.paint(drawn, width, height, None)
    return drawing.canvas if drawing.targets else thumbnails.numbers_in_rows(drawn.cells, width, height, glyphs)


BOARD = GameBoard(
    RingBoard,
    scene,
    score=lambda view, seat: f"{len(view.picked(seat))} picked",
    keys="0123456789",
    asks=lambda view: "Type a number",
    thumbnail=thumbnail,
    signs=(
        ("━", "the numbers that are near enough"),
        ("{2} {3}", "the other can reach it, too"),
        ("·", "a gap, removed before turn 1"),
    ),
)
