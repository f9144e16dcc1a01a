"""Computers for Digit Chain Duel."""

from __future__ import annotations

from duelbox.bots.api import Choice
from duelbox.bots.sight import Sight, cast, choose_by_sight
from duelbox.games.digit_chain import GAME
from duelbox.games.digit_chain.rules import Move, View, first_digit
from duelbox.solve.api import Stop

LEVELS = cast(
    "Takes the biggest number it may.",
    "Looks one answer ahead, and at how many you have.",
    "Counts answers, two deep.",
    "Follows the chain three answers deep.",
    "Pairs every number with its reverse.",
)


def _biggest(view: View, move: Move) -> float:
    return move.number


def _answers(view: View, move: Move) -> int:
    return len(view.changed(picks=(*view.picks, move.number)).choices)


def _few_answers(view: View, move: Move) -> float:
    return -_answers(view, move)


def _odd_answers(view: View, move: Move) -> float:
    """Few answers, and, among as many, those whose reverse is gone."""
    mirror = move.number % 10 * 10 + first_digit(move.number)
    return -_answers(view, move) - 0.5 * (mirror in view.pool)


_SIGHTS = (
    Sight(LEVELS[0], 0, _biggest, "it is the biggest"),
    Sight(LEVELS[1], 2, _few_answers, "it leaves you the fewest answers"),
    Sight(LEVELS[2], 4, _few_answers, "it leaves you the fewest answers"),
    Sight(LEVELS[3], 6, _odd_answers, "it leaves you few answers, and not its reverse"),
    Sight(LEVELS[4], None, _few_answers, "it leaves you the fewest answers"),
)


def choose(view: View, level: str, seed: int, stop: Stop) -> Choice:
    """The move of this level."""
    return choose_by_sight(GAME, _SIGHTS, view, level, seed, stop)
