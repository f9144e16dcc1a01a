"""Computers for Digit Chain Duel."""

from __future__ import annotations

from duelbox.bots.ahead import bits, searched
from duelbox.bots.api import Bot
from duelbox.bots.sight import Computers, Sight, anything, cast
from duelbox.bots.traps import Exact
from duelbox.core.numbers import Move
from duelbox.games.digit_chain import GAME
from duelbox.games.digit_chain.rules import NUMBERS, View
from duelbox.games.digit_chain.solve.chains import PARTNER, rows

LEVELS = cast(
    "Takes an odd number wherever it may.",
    "Looks one answer ahead, and else takes what comes.",
    "Looks one answer ahead, and counts yours: the fewer, the better.",
    "Looks five turns ahead, and picks numbers whose reverse is gone.",
    "Pairs every number with its reverse. Where that is no use, it sets traps.",
)


_FOLLOW = {wild: (0, *(rows(wild)[number % 10] for number in NUMBERS)) for wild in (False, True)}
"""For each number the bits of those that may follow it, gone or not; nothing stands at 0."""


def _after(view: View) -> tuple[int, ...]:
    return _FOLLOW[view.options.zero == "wild"]


def _few_answers(view: View, move: Move) -> int:
    left = bits(view.pool) ^ 1 << move.number
    return -(left & _after(view)[move.number]).bit_count()


def _unpaired(view: View, move: Move) -> tuple[bool, int]:
    return PARTNER[move.number] not in view.pool, _few_answers(view, move)


COMPUTERS = Computers(
    GAME,
    (
        Sight(LEVELS[0], 0, lambda view, move: move.number % 2, "it is odd"),
        Sight(LEVELS[1], 2, anything, ""),
        Sight(LEVELS[2], 2, _few_answers, "it leaves you the fewest answers"),
        Sight(LEVELS[3], 5, _unpaired, "you cannot answer with its reverse, or you have few answers"),
    ),
    Exact(GAME, searched(_after, lambda view: view.pool)),
)

BOT = Bot(LEVELS, COMPUTERS.choose)
