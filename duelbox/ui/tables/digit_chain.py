"""Digit Chain Duel on the table: the pool, and the current number beside it."""

from __future__ import annotations

from duelbox.core.model import Seat, other
from duelbox.games.digit_chain.rules import NUMBERS, View, first_digit
from duelbox.ui.glyphs import Glyphs
from duelbox.ui.tables.base import Look
from duelbox.ui.widgets.board import Cell
from duelbox.ui.widgets.canvas import Words
from duelbox.ui.widgets.pool import PoolBoard, PoolScene

TYPED = "0123456789"


def board() -> PoolBoard:
    """The pool."""
    return PoolBoard()


def pick(view: View, line: str, target: str) -> str:
    """A number is a whole move."""
    return target


def score(view: View, seat: Seat) -> str:
    """How many numbers a player has picked."""
    return f"{len(view.picked(seat))} picked"


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
        return ((("nothing left", "text"),), (("to follow", "text"),))
    if view.digit is None:
        return ((("Any number", "text"),), (("may be next" if view.picks else "may be first", "text"),))
    return ((("next begins", "free"),), (("with ", "free"), (str(view.digit), "legal")))


def _cell(view: View, look: Look, number: int, pool: frozenset[int], choices: frozenset[int]) -> Cell:
    owner: Seat | None = None
    if number in view.picks:
        owner = 1 if view.picks.index(number) % 2 else 0
    return Cell(
        number=number,
        owner=owner,
        open_to=(0, 1) if number in pool else (),
        legal=number in choices,
        gap=number not in pool and owner is None,
        last=number == view.current,
        chosen=look.line.strip() == str(number),
        flash=number in look.blockers,
        mark=look.marks.get(str(number), ""),
    )


def mini(view: View, glyphs: Glyphs) -> tuple[str, ...]:
    """The end of the chain, and the rows round the one to be answered."""
    chain = [f"{glyphs.seat(1 if at % 2 else 0)}{number}" for at, number in enumerate(view.picks)]
    reach = 1 if chain else 2
    middle = min(max(view.digit or 5, 1 + reach), 9 - reach)
    rows = [_small_row(view, digit, glyphs) for digit in range(middle - reach, middle + reach + 1)]
    lines = ([" ".join(chain[-5:]), ""] if chain else []) + rows
    return tuple(line.center(20) for line in lines)


def _small_row(view: View, digit: int, glyphs: Glyphs) -> str:
    """A row of the pool, each number as its last digit."""
    signs = [_sign(view, number, glyphs) for number in (digit, *range(digit * 10, digit * 10 + 10))]
    return f"{glyphs.up if digit == view.digit else ' '} {digit}{glyphs.box[3]} {signs[0]} {''.join(signs[1:])}"


def _sign(view: View, number: int, glyphs: Glyphs) -> str:
    if number in view.picks:
        return glyphs.seat(1 if view.picks.index(number) % 2 else 0)
    return str(number % 10) if number in view.pool else glyphs.nobody
