"""The board of Sequence Duel: the numbers on a line, claimed and blocked."""

from __future__ import annotations

from itertools import groupby

from duelbox.core.model import SEATS, Seat
from duelbox.games.sequence_duel.rules import View
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets import thumbnails
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import Canvas, FittingLine, StyledText
from duelbox.ui.widgets.line_board import LineBoard, LineScene

Sets = tuple[frozenset[int], frozenset[int]]  # numbers, for each seat


def scene(view: View, look: Look) -> LineScene:
    """The line as the player who looks sees it."""
    open_to: Sets = (frozenset(view.open_to(0)), frozenset(view.open_to(1)))
    safe: Sets = (frozenset(view.safe(0)), frozenset(view.safe(1)))
    return LineScene(
        cells=tuple(_cell(view, look, number, open_to, safe) for number in view.numbers),
        ring=view.options.ring,
        pairs=look.pairs,
        stretches=_stretches(look),
        legend=_legend(look) if look.legend and view.turn is not None else None,
        glyphs=look.glyphs,
    )


def _cell(view: View, look: Look, number: int, open_to: Sets, safe: Sets) -> Cell:
    return look.cell(
        number,
        legal=view.turn is not None and number in open_to[view.turn],
        owner=view.owner(number),
        open_to=tuple(seat for seat in SEATS if number in open_to[seat]),
        safe=number in safe[0] | safe[1],
        last=number in view.picks[-1:],
    )


def _stretches(look: Look) -> tuple[tuple[int, ...], ...]:
    """The stretches of numbers that a hint asks to compare."""
    asked = sorted({number for mark in look.hint if mark.kind == "region" for number in map(int, mark.moves)})
    runs = groupby(enumerate(asked), key=lambda pair: pair[1] - pair[0])
    stretches = (tuple(number for _, number in run) for _, run in runs)
    return tuple(stretch for stretch in stretches if len(stretch) > 1)


def _legend(look: Look) -> FittingLine:
    """The signs under the numbers in words, for the player who looks."""
    seats: tuple[Seat, ...] = SEATS if look.seat != 1 else (1, 0)

    def whose(seat: Seat) -> str:
        return "you" if seat == look.seat else look.names[seat]

    def said(short: bool) -> StyledText:
        words: list[tuple[str, str]] = []
        for seat in seats[: 1 if look.seat is not None else 2]:
            words += [(look.glyphs.safe[seat], f"seat-{seat}")]
        words += [(" safe" if short else " safe: nobody can close it", "free")]
        for seat in seats:
            now = ", for now" if seat == look.seat and not short else ""
            words += [(f"{' ' * (2 if short else 4)}{look.glyphs.hollow[seat]}", f"faint-{seat}")]
            words += [(f" only {whose(seat)}{now}", "free")]
        return tuple(words)

    return FittingLine((said(False), said(True)))


def thumbnail(view: View, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """The line in a small space."""
    whole = scene(view, Look(seat=None, glyphs=glyphs))
    return thumbnails.numbers_in_rows(whole.cells, width, height, glyphs, ring=whole.ring)


BOARD = GameBoard(
    LineBoard,
    scene,
    score=lambda view, seat: f"{len(view.picked(seat))} claimed · {len(view.safe(seat))} safe",
    keys="0123456789",
    asks=lambda view: "Type a number",
    thumbnail=thumbnail,
    signs=(
        ("{2} {3}", "only {0} or {1} can claim it"),
        ("◎ ◈", "safe: nobody can take it away"),
        ("·", "nobody can claim it"),
    ),
)
