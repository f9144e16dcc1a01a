"""Computers for Number Circle."""

from __future__ import annotations

from duelbox.bots.api import Choice
from duelbox.bots.sight import Sight, cast, choose_by_sight
from duelbox.games.number_circle import GAME
from duelbox.games.number_circle.rules import Move, View, result
from duelbox.solve.api import Stop

LEVELS = cast(
    "Adds whatever is biggest, and hopes.",
    "Adds up, but looks at your next turn, too.",
    "Plans two turns of its own.",
    "Plans three turns, and leaves you little room.",
    "Knows every way round the ring to the target.",
)


def _total(view: View, move: Move) -> int:
    assert view.turn is not None
    return result(view.totals[view.turn], move.sign, move.number)


def _most(view: View, move: Move) -> float:
    return _total(view, move)


def _within_reach(view: View, move: Move) -> float:
    """Near the target, but no nearer than a number that is to be had."""
    left = view.target - _total(view, move)
    return -abs(left - 5)


_SIGHTS = (
    Sight(LEVELS[0], 0, _most, "it makes the most of the total"),
    Sight(LEVELS[1], 2, _most, "it makes the most of the total"),
    Sight(LEVELS[2], 4, _within_reach, "it keeps the target within reach"),
    Sight(LEVELS[3], 7, _within_reach, "it keeps the target within reach"),
    Sight(LEVELS[4], None, _within_reach, "it is the quickest way"),
)


def choose(view: View, level: str, seed: int, stop: Stop) -> Choice:
    """The move of this level."""
    return choose_by_sight(GAME, _SIGHTS, view, level, seed, stop)
