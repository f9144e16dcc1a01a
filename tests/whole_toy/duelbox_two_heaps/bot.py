"""Computers for Two Heaps: what each one likes; the rest is duelbox's."""

from __future__ import annotations

from duelbox.bots.api import Bot
from duelbox.bots.sight import Computers, Sight, anything, cast, solved
from duelbox.bots.traps import Exact
from duelbox_two_heaps.rules import GAME, Move, View

LEVELS = cast(
    "Takes what comes.",
    "Looks two turns ahead.",
    "Likes heaps that are nearly even.",
    "Looks four turns ahead.",
    "Leaves even heaps.",
)


def _even(view: View, move: Move) -> int:
    a, b = view.a - move.number * (move.heap == "a"), view.b - move.number * (move.heap == "b")
    return -abs(a - b)


COMPUTERS = Computers(
    GAME,
    (
        Sight(LEVELS[0], 0, anything, ""),
        Sight(LEVELS[1], 2, anything, ""),
        Sight(LEVELS[2], 2, _even, "it leaves the heaps most alike"),
        Sight(LEVELS[3], 4, _even, "it leaves the heaps most alike"),
    ),
    Exact(GAME, solved(GAME)),
)

BOT = Bot(LEVELS, COMPUTERS.choose)
