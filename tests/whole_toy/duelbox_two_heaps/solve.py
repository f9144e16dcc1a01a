"""Two Heaps, solved: who leaves two even heaps wins."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from duelbox.solve.api import Analysis, Solver, Stop
from duelbox.solve.rating import rated, summed
from duelbox_two_heaps.rules import View, format_move, legal_moves


@cache
def worth(a: int, b: int) -> tuple[int, int]:
    """1 for a win and -1 for a loss of the player to move, and in how many turns."""
    after = [worth(left, b) for left in range(a)] + [worth(a, left) for left in range(b)]
    wins = [turns for sign, turns in after if sign == -1]
    return (1, 1 + min(wins)) if wins else (-1, 1 + max((turns for _, turns in after), default=-1))


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """The verdict at once, every move rated."""
    assert view.turn is not None
    stop.check()
    moves = []
    for move in legal_moves(view):
        left = (view.a - move.number, view.b) if move.heap == "a" else (view.a, view.b - move.number)
        sign, turns = worth(*left)
        moves.append(rated(format_move(move), -sign, turns + 1))
    sign, turns = worth(view.a, view.b)
    rest = "Even heaps: what you take from one, your rival takes from the other."
    reason = rest if sign == -1 else "Leave two even heaps, and answer on the other heap from then on."
    yield summed(view.turn, sign, turns, moves, reason, thought="" if sign == -1 else "Look for two even heaps.")


SOLVE = Solver(stream)
