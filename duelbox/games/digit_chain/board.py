"""Digit Chain Duel on the table: the pool, and the current number beside it."""

from __future__ import annotations

from duelbox.core.model import other
from duelbox.games.digit_chain.rules import NUMBERS, View, first_digit
from duelbox.ui.game_board import GameBoard, Look
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.widgets import minis
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import Canvas, Words
from duelbox.ui.widgets.pool import PoolBoard, PoolScene


def scene(view: View, look: Look) -> PoolScene:
    """The pool as it stands."""
    pool = frozenset(view.pool)
    choices = frozenset(() if view.turn is None else view.choices)
    return PoolScene(
        cells=tuple(_cell(view, look, number, pool, choices) for number in NUMBERS),
        lit=frozenset(first_digit(number) for number in choices),
        any_goes=view.digit is None,
        current=view.current,
        owner=None if not view.picks else 0 if len(view.picks) % 2 else 1,
        told=_told(view),
        tens={"dead-end": "wins", "wild": "wild"}.get(view.options.zero, ""),
        rival=None if view.turn is None else other(view.turn),
        glyphs=look.glyphs,
    )


def _told(view: View) -> tuple[Words, ...]:
    """What may come next."""
    if view.turn is None:
        if view.choices:  # somebody resigned
            return ()
        return ((("nothing left", "text"),), (("to follow", "text"),))
    if view.digit is None:
        return ((("Any number", "text"),), (("may be next" if view.picks else "may be first", "text"),))
    return ((("next begins", "free"),), (("with ", "free"), (str(view.digit), "legal")))


def _cell(view: View, look: Look, number: int, pool: frozenset[int], choices: frozenset[int]) -> Cell:
    owner, free = view.owner(number), number in pool
    return look.cell(
        number,
        legal=number in choices,
        owner=owner,
        open_to=(0, 1) if free else (),
        gap=not free and owner is None,
        last=number == view.current,
    )


def mini(view: View, glyphs: Glyphs, width: int, height: int) -> Canvas:
    """The pool, where there is room; else the end of the chain, and the rows round the one to be answered."""
    if width >= 60 and height >= 10:
        return PoolBoard.paint(scene(view, Look(seat=None, glyphs=glyphs)), width, height, None).canvas
    chain: list[Words] = [
        ((f"{glyphs.seats[at % 2]}{pick}", f"seat-{at % 2}"), (" ", "text")) for at, pick in enumerate(view.picks)
    ]
    count = max(1, min(9, height - (2 if chain else 0) - (height < 11)))
    first = min(max((view.digit or 5) - count // 2, 1), 10 - count)
    gap = " " * (width >= 32)
    lines = [_small_row(view, digit, glyphs, gap) for digit in range(first, first + count)]
    if 2 * count + 2 <= height:
        lines = [line for row in lines for line in (row, ())][:-1]
    if chain:
        lines = [sum(chain[-5:], ()), (), *lines]
    return minis.written(lines, width, height, glyphs)


def _small_row(view: View, digit: int, glyphs: Glyphs, gap: str) -> Words:
    """A row of the pool."""
    lit = digit == view.digit
    one, *tens = (_sign(view, number, glyphs, lit=lit) for number in (digit, *range(digit * 10, digit * 10 + 10)))
    head = (f"{glyphs.up if lit else ' '} {digit}", "legal" if lit else "free"), (glyphs.box[3], "edge")
    return (*head, (" ", "text"), one, (f"{gap} ", "text"), *((sign + gap, style) for sign, style in tens))


def _sign(view: View, number: int, glyphs: Glyphs, *, lit: bool) -> tuple[str, str]:
    seat = view.owner(number)
    if seat is not None:
        return glyphs.seat(seat), f"seat-{seat}"
    return (str(number % 10), "legal" if lit else "free") if number in view.pool else (glyphs.nobody, "dim")


BOARD = GameBoard(
    PoolBoard,
    scene,
    score=lambda view, seat: f"{len(view.picked(seat))} picked",
    keys="0123456789",
    asks=lambda view: "Type a number",
    mini=mini,
    signs=(("·", "picked, or a gap"),),
)
