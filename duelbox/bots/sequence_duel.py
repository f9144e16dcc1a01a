"""Computers for Sequence Duel."""

from __future__ import annotations

from duelbox.bots.api import Choice
from duelbox.bots.sight import Sight, cast, choose_by_sight
from duelbox.core.model import other
from duelbox.games.sequence_duel import GAME
from duelbox.games.sequence_duel.rules import Move, View
from duelbox.solve.api import Stop

LEVELS = cast(
    "Starts at one end and works along.",
    "Takes what is safe, and looks at your next turn.",
    "Counts what each of you has left.",
    "Counts, and sees three of its own turns to the end.",
    "Knows what every stretch of the line is worth.",
)


def _lowest(view: View, move: Move) -> float:
    return -move.number


def _shut(view: View, move: Move) -> float:
    """How many numbers a claim takes from the rival."""
    assert view.turn is not None
    rival = other(view.turn)
    after = view.changed(claims=(*view.claims, move.number))
    return len(view.open_to(rival)) - len(after.open_to(rival))


def _lead(view: View, move: Move) -> float:
    """How many more numbers only you can take than only the rival can, and half of what it takes from the rival."""
    assert view.turn is not None
    after = view.changed(claims=(*view.claims, move.number))
    mine, theirs = set(after.open_to(view.turn)), set(after.open_to(other(view.turn)))
    return len(mine - theirs) - len(theirs - mine)


_SIGHTS = (
    Sight(LEVELS[0], 0, _lowest, "it comes next"),
    Sight(LEVELS[1], 2, _shut, "it shuts you out of the most numbers"),
    Sight(LEVELS[2], 4, _lead, "it leaves me the most numbers of my own"),
    Sight(LEVELS[3], 8, _lead, "it leaves me the most numbers of my own"),
    Sight(LEVELS[4], None, _lead, "it keeps what I have"),
)


def choose(view: View, level: str, seed: int, stop: Stop) -> Choice:
    """The move of this level."""
    return choose_by_sight(GAME, _SIGHTS, view, level, seed, stop)
