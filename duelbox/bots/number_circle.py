"""Computers for Number Circle."""

from __future__ import annotations

from duelbox.bots.api import Choice
from duelbox.bots.sight import Computers, Sight, anything, cast, solved
from duelbox.bots.traps import Exact
from duelbox.games.number_circle import GAME
from duelbox.games.number_circle.rules import Move, View, result
from duelbox.solve.api import Stop

LEVELS = cast(
    "Steps to the lower number, and tosses a coin for plus or minus.",
    "Looks one answer ahead, and steps to the lower number: small steps can do no harm.",
    "Looks one answer ahead, and runs: as near to the target as it can get.",
    "Looks seven turns ahead, and wanders until it sees the end.",
    "Knows every way to the target. Where none is quick enough, it sets traps.",
)


def _lower(view: View, move: Move) -> int:
    return -move.number


def _near(view: View, move: Move) -> int:
    assert view.turn is not None
    return result(view.totals[view.turn], move.sign, move.number)


_LOWER = "the number is the lower one"
_COMPUTERS = Computers(
    GAME,
    (
        Sight(LEVELS[0], 0, _lower, _LOWER),
        Sight(LEVELS[1], 2, _lower, _LOWER),
        Sight(LEVELS[2], 2, _near, "it brings the total as near to the target as can be"),
        Sight(LEVELS[3], 7, anything, ""),
    ),
    solved(GAME),
    Exact(GAME),
)


def choose(view: View, level: str, seed: int, stop: Stop) -> Choice:
    """The move of this level."""
    return _COMPUTERS.choose(view, level, seed, stop)
