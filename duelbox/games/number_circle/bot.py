"""Computers for Number Circle."""

from __future__ import annotations

from duelbox.bots.api import Bot
from duelbox.bots.sight import Computers, Sight, cast, solved
from duelbox.bots.traps import Exact
from duelbox.games.number_circle import GAME
from duelbox.games.number_circle.rules import Move, View, result

LEVELS = cast(
    "Steps so that an odd number is left to go, and tosses a coin for plus or minus.",
    "Looks one answer ahead, and steps to the lower number: small steps can do no harm.",
    "Looks one answer ahead, and runs: as near to the target as it can get.",
    "Looks seven turns ahead. Until it sees the end, it adds to its own total; with one for both it wanders.",
    "Knows every way to the target. Where none is quick enough, it sets traps.",
)


def _total(view: View, move: Move) -> int:
    return result(view.totals[view.mover], move.sign, move.number)


def _missing_odd(view: View, move: Move) -> bool:
    return (view.target - _total(view, move)) % 2 == 1


def _adding(view: View, move: Move) -> bool:
    """Whether a total of one's own grows: with a shared one it would be the rival's to use."""
    return not view.options.shared_total and move.sign == "+"


COMPUTERS = Computers(
    GAME,
    (
        Sight(LEVELS[0], 0, _missing_odd, "an odd number is left to go to the target"),
        Sight(LEVELS[1], 2, lambda view, move: -move.number, "the number is the lower one"),
        Sight(LEVELS[2], 2, _total, "it brings the total as near to the target as can be"),
        Sight(LEVELS[3], 7, _adding, "it adds to my total"),
    ),
    Exact(GAME, solved(GAME)),
)

BOT = Bot(LEVELS, COMPUTERS.choose, {one.level.id: one.turns for one in COMPUTERS.sights})
