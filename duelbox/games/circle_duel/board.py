"""The board of Number Circle Duel: a ring, and in its middle the numbers that each player reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from textual.geometry import Size

from duelbox.core.model import SEATS, Seat, other
from duelbox.games.circle_duel.rules import Options, View
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets import thumbnails
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import Canvas, FittingLine, shortened
from duelbox.ui.widgets.ring_board import PAD, Reach, RingBoard, RingScene

_NAME = 8
"""Cells of a name beside the numbers that its player reaches."""
_LAST_PICK = "  the last pick: "
_GO_ON = "go on with "
_SHORT = "next"


def scene(view: View, look: Look) -> RingScene:
    """The ring as the player who looks sees it."""
    mine = _seat_in_front(view, look)
    near = {seat: _reached(view, seat) for seat in SEATS}
    reach = view.options.reach
    choices = () if view.turn is None else view.choices
    followed = view.last
    shared = set(near[0]).intersection(near[1]) if view.own else set()
    cells = []
    for number in view.numbers:
        tint = None if followed is None or number in shared else view.turn
        cells.append(_cell(view, look, number, legal=number in choices, tint=tint))
    stretches = (
        Reach(last - reach, 2 * reach, seat, low=seat != mine)
        for seat in (other(mine), mine)
        if (last := _last_of(view, seat)) is not None and (view.own or seat == mine)
    )
    return RingScene(
        cells=tuple(cells),
        pairs=look.pairs,
        reaches=() if look.pairs or view.turn is None else tuple(stretches),
        story=_story(view, look, mine, near),
        stories=_stories(view.options),
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
    if last is None:
        return ()
    free = view.free
    return tuple([number for number in view.neighbours(last) if number in free])


def _cell(view: View, look: Look, number: int, *, legal: bool, tint: Seat | None) -> Cell:
    owner = view.owner(number)
    gap = number in view.gaps
    return look.cell(
        number,
        legal=legal,
        owner=owner,
        open_to=(0, 1) if owner is None and not gap else (),
        gap=gap,
        last=number in view.picks[-1:],
        tint=tint,
    )


def _story(view: View, look: Look, mine: Seat, near: dict[Seat, tuple[int, ...]]) -> tuple[FittingLine, ...]:
    """A row for each player: their last number and the numbers they reach. On one trail: the numbers that may
    follow."""
    if not view.picks:
        anywhere = FittingLine(((("Any number may be first", "text"),), (("any", "text"),)))
        return () if view.turn is None else (anywhere,)
    if not view.own:
        last: Seat = 0 if len(view.picks) % 2 else 1
        return (_next_on_one_trail(view, look, last, near[mine]),)
    verbs = [_reaches(look.names[seat]) for seat in SEATS]
    order = SEATS[::-1] if look.names[1] == "You" else SEATS
    columns = zip_longest(*near.values(), fillvalue="")
    widths = [max(len(str(number)) for number in column) for column in columns]
    longest = max(map(len, verbs))
    return tuple(_row(view, look, seat, verbs[seat].ljust(longest), near[seat], widths) for seat in order)


def _reaches(name: str) -> str:
    """A player, with the verb before the numbers; a long name is cut."""
    if name == "You":
        return "you reach"
    return f"{shortened(name, _NAME)} reaches".strip()


def _between(look: Look) -> str:
    return f" {look.glyphs.nobody} " if look.glyphs.unicode else "  "


def _next_on_one_trail(view: View, look: Look, last: Seat, numbers: Sequence[int]) -> FittingLine:
    """The last pick and the numbers that may follow it."""
    sign, style = look.sign(last)
    at = f"{sign} {str(view.last).rjust(2, PAD)}", style
    if not numbers:
        return FittingLine(((at, ("  the last pick: ", "free"), ("nothing follows", "legal")), (at,)))
    listed = _between(look).join(map(str, numbers))
    on, bare = (f"{_GO_ON}{listed}", "legal"), (listed, "legal")
    return FittingLine(((at, (_LAST_PICK, "free"), on), (at, ("  ", "free"), on), (at, ("  ", "free"), bare)))


def _row(view: View, look: Look, seat: Seat, verb: str, numbers: Sequence[int], widths: Sequence[int]) -> FittingLine:
    """A player's last number and the numbers reached from it, each as wide as its column."""
    last = _last_of(view, seat)
    if last is None:
        long, short = ((look.sign(seat), (text, "text")) for text in ("     may begin anywhere", " anywhere"))
        return FittingLine((long, short))
    padded = [str(number).rjust(width, PAD) for number, width in zip(numbers, widths, strict=False)]
    sign, style = look.sign(seat)
    at = f"{sign} {str(last).rjust(2, PAD)}", style
    next_ = (_between(look).join(padded) or "nothing", "legal" if seat == view.turn else "free")
    return FittingLine(tuple((at, (f"  {verb}  " if verb else "  ", "free"), next_) for verb in (verb, _SHORT, "")))


def _stories(options: Options) -> tuple[Size, ...]:
    """The sizes of the longest words that these rules can bring inside the ring: whole, and shortened."""
    reached = min(2 * options.reach, options.size - 1)
    digits = len(str(options.size))
    listed = reached * digits + (reached - 1) * len(" · ")
    at = len("● 10")
    if options.trails == "own":
        parts, lines = (f"  {'w' * _NAME} reaches  ", f"  {_SHORT}  ", "  "), 3
    else:
        parts, lines = (_LAST_PICK + _GO_ON, f"  {_GO_ON}", "  "), 1
    return tuple(Size(at + len(part) + listed, lines) for part in parts)


def thumbnail(view: View, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """The ring in a small space; rows of numbers if even the smallest ring is too large."""
    drawn = replace(scene(view, Look(seat=None, names=("", ""), glyphs=glyphs)), stories=(), small=True)
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
        ("⠶", "the numbers that are near enough"),
        ("·", "a gap, removed before turn 1"),
    ),
)
