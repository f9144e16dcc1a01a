"""Sequence Duel on the table: the numbers on a line, claimed and blocked."""

from __future__ import annotations

from dataclasses import replace

from duelbox.core.model import SEATS, Seat, other
from duelbox.games.sequence_duel.rules import View
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets import minis
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import Canvas, Line
from duelbox.ui.widgets.number_line import LineBoard, LineScene

OpenTo = tuple[frozenset[int], frozenset[int]]  # what each player could claim if it were their turn


def scene(view: View, look: Look) -> LineScene:
    """The line as it stands."""
    open_to = (frozenset(view.open_to(0)), frozenset(view.open_to(1)))
    last: Seat = 0 if len(view.picks) % 2 else 1
    sign = look.sign(last)
    above = (Line(((sign, (" claimed", "free")), (sign,))),) if view.picks else ()
    return LineScene(
        cells=tuple(_cell(view, look, number, open_to) for number in view.numbers),
        pairs=look.pairs,
        ring=view.options.ring,
        figure=(str(view.picks[-1]), f"seat-{last}") if view.picks else ("", ""),
        story=above + _told(view, look, open_to),
        glyphs=look.glyphs,
    )


def _told(view: View, look: Look, open_to: OpenTo) -> tuple[Line, ...]:
    """How many numbers are in play, and how many are safe for each player, as the verdict counts them."""
    both = (str(len(open_to[0] & open_to[1])), "legal")
    lines = [Line(((both, (" in play", "free")),))]
    for seat in SEATS:
        # Only this player can ever claim them: neither they nor those beside them are open to the opponent.
        mine, theirs = open_to[seat], open_to[other(seat)]
        safe = sum(theirs.isdisjoint(view.neighbours(number)) for number in mine - theirs)
        sign, count = look.sign(seat), (f" {safe}", "legal")
        whole = (sign, count, (" safe for ", "free"), (look.names[seat], "free"))
        lines.append(Line((whole, (sign, count, (" safe", "free")))))
    return tuple(lines)


def _cell(view: View, look: Look, number: int, open_to: OpenTo) -> Cell:
    owner, blockers = view.owner(number), ""
    if view.turn is not None and owner is None:
        sign = look.glyphs.seat(view.rival)
        blockers = " ".join(f"{sign}{blocker}" for blocker in view.blockers(number, view.turn))
    return look.cell(
        number,
        legal=view.turn is not None and number in open_to[view.turn],
        owner=owner,
        open_to=tuple(seat for seat in SEATS if number in open_to[seat]),
        last=number in view.picks[-1:],
        why=blockers,
    )


def mini(view: View, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """The line: boxes where there is room, else its numbers with their signs."""
    whole = scene(view, Look(seat=None, glyphs=glyphs))
    drawing = LineBoard.paint(replace(whole, story=whole.story[: bool(view.picks)]), width, height, None)
    boxed = any(region.height > 1 for region in drawing.targets.values())
    return drawing.canvas if boxed else minis.rows(whole.cells, width, height, glyphs)


BOARD = GameBoard(
    LineBoard,
    scene,
    score=lambda view, seat: f"{len(view.picked(seat))} claimed",
    keys="0123456789",
    asks=lambda view: "Type a number",
    mini=mini,
    signs=(
        ("{2} {3}", "only {0} or {1} can claim it"),
        ("◎ ◈", "safe: nobody can take it away"),
        ("·", "nobody can claim it"),
    ),
)
