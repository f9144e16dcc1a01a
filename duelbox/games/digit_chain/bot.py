"""Computer players for Digit Chain Duel."""

from __future__ import annotations

from duelbox.bots.api import Bot, Choice
from duelbox.bots.levels import Computers, ShortSighted, five_levels
from duelbox.bots.lookahead import bits, foresight_from
from duelbox.bots.perfect_play import PerfectPlayer
from duelbox.core.picking import Pick
from duelbox.games.digit_chain import GAME
from duelbox.games.digit_chain.rules import NUMBERS, View
from duelbox.games.digit_chain.solve.chains import PARTNER, rows
from duelbox.solve.api import Stop

LEVELS = five_levels(
    "Takes an odd number where it can, or ends the game with a 0.",
    "Looks two turns ahead, and avoids leaving you a crowd of answers. Often overlooks the answer that beats it.",
    "Looks four turns ahead, and picks numbers whose reverse is gone. Overlooks an answer now and then.",
    "Looks six turns ahead, and picks numbers whose reverse is gone. Seldom overlooks an answer.",
    "Pairs every number with its reverse. When it is losing, it sets traps.",
)


_FOLLOW = {wild: (0, *(rows(wild)[number % 10] for number in NUMBERS)) for wild in (False, True)}
"""For each number the bits of those that may follow it, picked or not; index 0 is unused."""


def _after(view: View) -> tuple[int, ...]:
    return _FOLLOW[view.options.zero == "wild"]


CROWD = 4
"""This many answers are a crowd."""


def _few_answers(view: View, move: Pick) -> int:
    left = bits(view.pool) ^ 1 << move.number
    return -(left & _after(view)[move.number]).bit_count()


def _odd(view: View, move: Pick) -> bool:
    return move.number % 2 == 1 or (view.options.zero == "dead-end" and not move.number % 10)


def _odd_in_words(view: View, move: Pick) -> str:
    return "it is odd" if move.number % 2 == 1 else "nothing follows it"


def _no_crowd(view: View, move: Pick) -> bool:
    return -_few_answers(view, move) < CROWD


def _unpaired(view: View, move: Pick) -> tuple[bool, int]:
    return PARTNER[move.number] not in view.pool, _few_answers(view, move)


def _unpaired_in_words(view: View, move: Pick) -> str:
    return "you cannot answer with its reverse" if _unpaired(view, move)[0] else "it leaves you the fewest answers"


def _unanswered(view: View, move: Pick) -> bool:
    """True if its reverse, the obvious answer, is gone."""
    return PARTNER[move.number] not in view.pool


def _computers(peek: ShortSighted, planner_slips: int) -> Computers:
    return Computers(
        GAME,
        (
            ShortSighted(LEVELS[0], 0, _odd, _odd_in_words),
            peek,
            ShortSighted(LEVELS[2], 4, _unpaired, _unpaired_in_words, slips=44, near=4, feel=90),
            ShortSighted(LEVELS[3], 6, _unpaired, _unpaired_in_words, slips=planner_slips, near=6, feel=97),
        ),
        PerfectPlayer(GAME, foresight_from(_after, lambda view: view.pool)),
        missable=_unanswered,
    )


_NO_CROWD = "it leaves you no crowd of answers"
COMPUTERS = _computers(ShortSighted(LEVELS[1], 2, _no_crowd, _NO_CROWD, slips=72, near=4, feel=66), 13)
LONG = _computers(ShortSighted(LEVELS[1], 2, _no_crowd, _NO_CROWD, slips=40, near=4, feel=55), 18)
"""A long game has more room for slips of level 2, which have to be rarer, and less for those of level 4."""
FEW_GAPS = 10
"""With a wild zero, a game of fewer gaps is long."""


def _choose(view: View, level: str, seed: int, stop: Stop) -> Choice:
    computers = COMPUTERS
    if view.options.zero == "wild" and view.options.gaps < FEW_GAPS:
        computers = LONG
    return computers.choose(view, level, seed, stop)


BOT = Bot(LEVELS, _choose)
