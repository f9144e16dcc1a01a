"""Rated moves and analyses of games without chance, and the order in which moves are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

from duelbox.solve.api import ONE, ZERO, Analysis, Instead, Mark, Rated, Reason, Verdict

if TYPE_CHECKING:
    from duelbox.core.model import Seat

Sign = Literal[-1, 0, 1]  # a loss, a draw, a win

_VERDICTS: dict[int, Verdict] = {-1: "loss", 0: "draw", 1: "win"}
_CERTAIN: dict[Verdict, tuple[int, int]] = {"win": (-2, 0), "draw": (-1, 1), "loss": (0, 0)}
"""The first two parts of `_rank` for a verdict without chance, as integers, because fractions are slow."""
_UNKNOWN = 10**9
"""Takes the place of uncounted plies, so that such a move is shown last in a win and first in a loss; its end may still
be nearer than a counted one."""


def flipped(sign: Sign) -> Sign:
    """The sign for the other player."""
    if sign == 1:
        return -1
    if sign == -1:
        return 1
    return 0


def rated(move: str, sign: int, plies: int | None) -> Rated:
    """Rate a move of a game without chance; the sign is -1, 0 or 1."""
    win, draw = ZERO, ZERO
    if sign == 1:
        win = ONE
    elif sign == 0:
        draw = ONE
    return Rated(move, _VERDICTS[sign], plies, win, draw)


def analysis_from(
    turn: Seat, sign: int, plies: int | None, moves: Iterable[Rated], reason: Reason | str, complete: bool = True
) -> Analysis:
    """The analysis of a position without chance; a complete one also marks a region to compare."""
    why = reason
    if isinstance(why, str):
        why = Reason(why)
    whole, ranked = rated("", sign, plies), best_first(moves)
    given = turn, whole.verdict, plies, whole.win, whole.draw, ranked, why.sentence
    if not complete:
        return Analysis(*given, complete=False)
    marks = (*region(sorted(ranked, key=lambda one: one.move != why.advised), why.instead), *why.shown)
    return Analysis(*given, True, why.idea, why.thought, why.advised, marks, why.instead)


def region(ranked: Sequence[Rated], instead: Instead | None = None) -> tuple[Mark, ...]:
    """A mark with the best of these moves, which come best first, and the tempting wrong one, or else the nearest."""
    if not ranked:
        return ()
    best = ranked[0]
    at = _place(best.move)
    worse = sorted(
        (one for one in ranked if _worse(one, best)),
        key=lambda one: (instead is None or one.move != instead.move, _apart(_place(one.move), at), one.move),
    )
    if not worse:
        return ()
    moves = sorted((best.move, worse[0].move), key=_place)
    numbers = dict.fromkeys(number for move in moves for number in _place(move)[:1])
    return (Mark("region", tuple(numbers), moves=tuple(moves)),)


def _place(move: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall("[0-9]+", move)))


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The distance between two moves: first between all numbers but the first, so that attacks at one place are near.

    A missing number counts as 0, so a move without numbers has a place, too.
    """
    pairs = zip_longest((*one[1:], *one[:1]), (*other[1:], *other[:1]), fillvalue=0)
    return tuple(abs(a - b) for a, b in pairs)


def _worse(one: Rated, best: Rated) -> bool:
    """The move is worth less; a slower win is not worth less."""
    return (one.value, -one.draw) < (best.value, -best.draw)


def best_first(moves: Iterable[Rated]) -> tuple[Rated, ...]:
    """The moves by value, then fewest draws, then the soonest win or the latest other end; a stable sort."""
    return tuple(sorted(moves, key=_rank))


def _rank(move: Rated) -> tuple[Fraction | int, Fraction | int, int]:
    worth, drawn = _CERTAIN.get(move.verdict) or (-2 * move.value, move.draw)
    plies = move.plies
    if plies is None:
        plies = _UNKNOWN
    if move.verdict != "win":
        plies = -plies
    return worth, drawn, plies
