"""Ratings of games without chance, and the order in which moves are shown."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from duelbox.solve.api import NONE, ONE, Analysis, Rated, Verdict

Sign = Literal[-1, 0, 1]
"""A loss, a draw, a win."""

_VERDICTS: dict[Sign, Verdict] = {-1: "loss", 0: "draw", 1: "win"}
_CERTAIN: dict[Verdict, tuple[int, int]] = {"win": (-2, 0), "draw": (-1, 1), "loss": (0, 0)}
"""What `_rank` begins with where nothing is left to chance; fractions would take most of the time of a short answer."""
_UNKNOWN = 10**9
"""Stands for plies not computed: what was too long to count comes last in a win, first in a loss. That is an order to
show moves in, and no claim: an end that nobody counted may be nearer than one that was."""


def flipped(sign: Sign) -> Sign:
    """The same for the other player."""
    return -1 if sign == 1 else 1 if sign == -1 else 0


def rated(move: str, sign: Sign, plies: int | None) -> Rated:
    """A move of a game without chance."""
    return Rated(move, _VERDICTS[sign], plies, ONE if sign == 1 else NONE, ONE if sign == 0 else NONE)


def summed(
    turn: int,
    sign: Sign,
    plies: int | None,
    moves: Iterable[Rated],
    reason: str,
    complete: bool = True,
    idea: str = "",
) -> Analysis:
    """The analysis of a game without chance."""
    win, draw = ONE if sign == 1 else NONE, ONE if sign == 0 else NONE
    return Analysis(turn, _VERDICTS[sign], plies, win, draw, best_first(moves), reason, complete, idea)


def best_first(moves: Iterable[Rated]) -> tuple[Rated, ...]:
    """The moves by value, then with fewer draws, a win sooner, all else later; else in the order they came."""
    return tuple(sorted(moves, key=_rank))


def _rank(move: Rated) -> tuple[Fraction | int, Fraction | int, int]:
    worth, drawn = _CERTAIN.get(move.verdict) or (-2 * move.value, move.draw)
    plies = _UNKNOWN if move.plies is None else move.plies
    return worth, drawn, plies if move.verdict == "win" else -plies
