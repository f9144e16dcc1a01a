"""Computer players for Number Circle."""

from __future__ import annotations

from duelbox.bots.api import Bot, Choice
from duelbox.bots.levels import Computers, ShortSighted, five_levels, solved
from duelbox.bots.perfect_play import PerfectPlayer
from duelbox.games.number_circle import GAME
from duelbox.games.number_circle.rules import NUMBERS, Move, View
from duelbox.solve.api import Stop

LEVELS = five_levels(
    "Wanders, and adds when the total is below 1.",
    "Looks two turns ahead, and adds while the total is low. Often overlooks how near your road is.",
    "Looks four turns ahead, and adds while the total is low. Overlooks your road now and then.",
    "Looks nine turns ahead. Adds to its own total until it sees the end. Seldom overlooks your road.",
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


def _computers(*sights: ShortSighted) -> Computers:
    return Computers(GAME, sights, PerfectPlayer(GAME, solved(GAME)), missable=_far)


_WANDERER = ShortSighted(LEVELS[0], 0, lambda view, move: move.sign == "+" and view.totals[view.mover] < 1, _LOW)

COMPUTERS = _computers(
    _WANDERER,
    ShortSighted(LEVELS[1], 2, _middling, _middling_in_words, slips=80, near=8, feel=38),
    ShortSighted(LEVELS[2], 4, _rising, _LOW, slips=60, near=8, feel=50),
    ShortSighted(LEVELS[3], 9, _adding, "it adds to my total", slips=17, near=8, feel=95),
)
APART = _computers(
    _WANDERER,
    ShortSighted(LEVELS[1], 2, _middling, _middling_in_words, slips=45, near=6, feel=12),
    ShortSighted(LEVELS[2], 4, _rising, _LOW, slips=60, near=8, feel=60),
    ShortSighted(LEVELS[3], 9, _adding, "it adds to my total", slips=50, near=8, feel=90),
)
"""One total for both, and no number for two."""
SHARED = _computers(
    _WANDERER,
    ShortSighted(LEVELS[1], 2, _middling, _middling_in_words, slips=100, near=12, feel=0),
    ShortSighted(LEVELS[2], 4, _rising, _LOW, slips=55, near=12, feel=14),
    ShortSighted(LEVELS[3], 9, _adding, "it adds to my total", slips=42, near=12, feel=88),
)
"""One total for both; little is decided before its last twelve turns."""


def _choose(view: View, level: str, seed: int, stop: Stop) -> Choice:
    computers = COMPUTERS
    if view.options.shared_total:
        computers = SHARED if view.options.sharing else APART
    return computers.choose(view, level, seed, stop)


BOT = Bot(LEVELS, _choose, {one.level.id: one.turns for one in COMPUTERS.sights})
