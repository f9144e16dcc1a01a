"""Computers for Number Circle Duel."""

from __future__ import annotations

from duelbox.bots.api import Choice
from duelbox.bots.sight import Sight, cast, choose_by_sight
from duelbox.games.circle_duel import GAME
from duelbox.games.circle_duel.rules import Move, View
from duelbox.solve.api import Stop

LEVELS = cast(
    "Runs on to the next number and never looks up.",
    "Looks one answer ahead, and likes to leave few of them.",
    "Counts the ways on, two answers deep.",
    "Sees three answers ahead, and steers for the corners.",
    "Pairs off the whole ring before the first pick.",
)


def _exits(view: View, move: Move) -> int:
    """How many ways on there are after a pick."""
    return len(view.changed(picks=(*view.picks, move.number)).choices)


def _nearest(view: View, move: Move) -> float:
    last = view.last
    return 0 if last is None else -((move.number - last) % view.options.size)


def _few_exits(view: View, move: Move) -> float:
    return -_exits(view, move)


_SIGHTS = (
    Sight(LEVELS[0], 0, _nearest, "it is the next one round"),
    Sight(LEVELS[1], 2, _few_exits, "it leaves the fewest ways on"),
    Sight(LEVELS[2], 4, _few_exits, "it leaves the fewest ways on"),
    Sight(LEVELS[3], 6, _few_exits, "it leaves the fewest ways on"),
    Sight(LEVELS[4], None, _few_exits, "it wins, and leaves the fewest ways on"),
)


def choose(view: View, level: str, seed: int, stop: Stop) -> Choice:
    """The move of this level."""
    return choose_by_sight(GAME, _SIGHTS, view, level, seed, stop)
