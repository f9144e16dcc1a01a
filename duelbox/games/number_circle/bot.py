"""Computer players for Number Circle."""

from __future__ import annotations

from duelbox.bots.api import Bot
from duelbox.bots.levels import Computers, ShortSighted, five_levels, solved
from duelbox.bots.perfect_play import PerfectPlayer
from duelbox.games.number_circle import GAME
from duelbox.games.number_circle.rules import NUMBERS, Move, View

LEVELS = five_levels(
    "Wanders, and adds when the total is below 1.",
    "Looks one answer ahead, misses many of your steps, and adds while the total is low.",
    "Looks four turns ahead, misses some of your steps, and adds while the total is low.",
    "Looks nine turns ahead, and adds to its own total until it sees the end. With one total for both it wanders.",
    "Knows every way to the target. Where none is quick enough, it sets traps.",
)


_LOW = "it adds, and the total is low"
NEAR = 2
"""Within this many steps of the opponent's marker nothing is overlooked."""


MIDDLE = 6
"""The shared total that computers without a better idea aim at."""


def _middling(view: View, move: Move) -> bool:
    """True if the move brings a shared total towards the middle, or raises one's own total up to 4."""
    total, adds = view.totals[view.mover], move.sign == "+"
    return adds == (total < MIDDLE) if view.options.shared_total else adds and total < 4


def _middling_in_words(view: View, move: Move) -> str:
    return "it keeps our total about the middle" if view.options.shared_total else _LOW


def _rising(view: View, move: Move) -> bool:
    return move.sign == "+" and view.totals[view.mover] < (MIDDLE if view.options.shared_total else 10)


def _adding(view: View, move: Move) -> bool:
    """True if one's own total grows; a shared one would help the opponent as well."""
    return not view.options.shared_total and move.sign == "+"


def _far(view: View, move: Move) -> bool:
    """True if the step is far from the opponent's number, or subtracts."""
    steps = abs(move.number - view.places[view.rival])
    return move.sign == "-" or min(steps, len(NUMBERS) - steps) > NEAR


COMPUTERS = Computers(
    GAME,
    (
        ShortSighted(LEVELS[0], 0, lambda view, move: move.sign == "+" and view.totals[view.mover] < 1, _LOW),
        ShortSighted(LEVELS[1], 2, _middling, _middling_in_words, 65),
        ShortSighted(LEVELS[2], 4, _rising, _LOW, 60),
        ShortSighted(LEVELS[3], 9, _adding, "it adds to my total", 17),
    ),
    PerfectPlayer(GAME, solved(GAME)),
    missable=_far,
)

BOT = Bot(LEVELS, COMPUTERS.choose, {one.level.id: one.turns for one in COMPUTERS.sights})
