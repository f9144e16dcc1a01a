"""Ratings of games without chance, and the order in which moves are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

from duelbox.solve.api import ONE, ZERO, Analysis, Idea, Mark, Rated, Reason, Verdict

if TYPE_CHECKING:
    from duelbox.core.model import Seat

Sign = Literal[-1, 0, 1]  # a loss, a draw, a win

_VERDICTS: dict[int, Verdict] = {-1: "loss", 0: "draw", 1: "win"}
_CERTAIN: dict[Verdict, tuple[int, int]] = {"win": (-2, 0), "draw": (-1, 1), "loss": (0, 0)}
"""What `_rank` begins with where nothing is left to chance; fractions would take most of the time of a short answer."""
_UNKNOWN = 10**9
"""Stands for plies not computed: what was too long to count comes last in a win, first in a loss. That is an order to
show moves in, and no claim: an end that nobody counted may be nearer than one that was."""


def flipped(sign: Sign) -> Sign:
    """The same for the other player."""
    return -1 if sign == 1 else 1 if sign == -1 else 0


def rated(move: str, sign: int, plies: int | None) -> Rated:
    """A move of a game without chance; the sign is -1, 0 or 1."""
    return Rated(move, _VERDICTS[sign], plies, ONE if sign == 1 else ZERO, ONE if sign == 0 else ZERO)


def summed(
    turn: Seat,
    sign: int,
    plies: int | None,
    moves: Iterable[Rated],
    reason: str,
    complete: bool = True,
    idea: Idea | None = None,
    thought: str = "",
    advised: str = "",
    shown: Iterable[Mark] = (),
) -> Analysis:
    """The analysis of a game without chance; a region to compare is added to what is shown, once it is complete."""
    win, draw = ONE if sign == 1 else ZERO, ONE if sign == 0 else ZERO
    ranked = best_first(moves)
    around = sorted(ranked, key=lambda one: one.move != advised)
    marks = (*region(around), *shown) if complete else ()
    return Analysis(turn, _VERDICTS[sign], plies, win, draw, ranked, reason, complete, idea, thought, advised, marks)


def concluded(turn: Seat, sign: int, plies: int | None, moves: Iterable[Rated], told: Reason) -> Analysis:
    """The whole analysis of a game without chance, with its reason."""
    words = told.sentence, True, told.idea, told.thought, told.advised, told.shown
    return summed(turn, sign, plies, moves, *words)


def region(ranked: Sequence[Rated]) -> tuple[Mark, ...]:
    """The best of these moves, best first, and the nearest to it that is not as good; nothing where none is."""
    if not ranked:
        return ()
    best = ranked[0]
    at = _place(best.move)
    worse = sorted(
        (one for one in ranked if _worse(one, best)), key=lambda one: (_apart(_place(one.move), at), one.move)
    )
    if not worse:
        return ()
    moves = sorted((best.move, *(one.move for one in worse[:1])), key=_place)
    numbers = dict.fromkeys(number for move in moves for number in _place(move)[:1])
    return (Mark("region", tuple(numbers), moves=tuple(moves)),)


def _place(move: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall("[0-9]+", move)))


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The distance between two moves: first in all but the first number, so that attacks at one place are near.

    A number that only one of them has counts as far as it is from 0, so a move without numbers has a place, too.
    """
    pairs = zip_longest((*one[1:], *one[:1]), (*other[1:], *other[:1]), fillvalue=0)
    return tuple(abs(a - b) for a, b in pairs)


def _worse(one: Rated, best: Rated) -> bool:
    """The move is worth less; a win that takes longer is not."""
    return (one.value, -one.draw) < (best.value, -best.draw)


def best_first(moves: Iterable[Rated]) -> tuple[Rated, ...]:
    """The moves by value, then with fewer draws, a win sooner, all else later; else in the order they came."""
    return tuple(sorted(moves, key=_rank))


def _rank(move: Rated) -> tuple[Fraction | int, Fraction | int, int]:
    worth, drawn = _CERTAIN.get(move.verdict) or (-2 * move.value, move.draw)
    plies = _UNKNOWN if move.plies is None else move.plies
    return worth, drawn, plies if move.verdict == "win" else -plies
