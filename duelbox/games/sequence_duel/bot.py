"""Computer players for Sequence Duel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duelbox.bots.api import Bot
from duelbox.bots.levels import Computers, ShortSighted, anything, five_levels, solved
from duelbox.bots.perfect_play import PerfectPlayer
from duelbox.core.model import SEATS
from duelbox.core.picking import Pick
from duelbox.games.sequence_duel import GAME
from duelbox.games.sequence_duel.rules import View
from duelbox.games.sequence_duel.solve import snort
from duelbox.games.sequence_duel.solve.line import Stretches, line_of
from duelbox.games.sequence_duel.solve.verdicts import counted, wide
from duelbox.solve import rate_moves
from duelbox.solve.api import Stop

LEVELS = five_levels(
    "Claims whatever is open.",
    "Claims as near to your numbers as it can. Often overlooks the answer when little is left in play.",
    "Looks four turns ahead, and takes in the line at a glance. Overlooks an answer when little is left in play.",
    "Looks four turns ahead. Copies you about the middle of a line, and judges by eye. Seldom overlooks an answer.",
    "Knows what every stretch of the line is worth. When it is losing, it sets traps.",
)

_NUMBER = snort.mean((snort.run(snort.HALF, 1),))
"""The worth of a number that only its owner can claim; levels that judge by eye see no smaller difference."""
_GLANCE = 3 * _NUMBER  # the smallest difference that a glance sees
IN_PLAY = {6: 7, 5: 6, 4: 3, 3: 2}
"""After a claim that is decided within so many turns, at most so many numbers are open to both."""
NEAR = 4
"""Within this many steps of the last claims nothing is overlooked."""
_SOLVED = solved(GAME)


def _line(view: View, ring: bool) -> Stretches:
    """The line for the player to move, with its ends joined or not."""
    mine = view.picked(view.mover)
    return line_of(view.options.size, ring, {one: 1 if one in mine else -1 for one in view.picks})


def _foresee(view: View, turns: int, stop: Stop) -> Mapping[str, int]:
    """The solver's count of turns, where the end is near."""
    claims = turns // 2
    # A claim takes at most one number from its owner and three from the rival: a player with more is not stuck.
    safe = claims + 3 * (turns - claims)
    return {} if min(len(view.open_to(seat)) for seat in SEATS) > safe else _SOLVED(view, turns, stop)


def _settled(view: View, turns: int, stop: Stop) -> Mapping[str, int]:
    """The claims that settle the line within so many turns, as a person counts: hardly a number is left in play."""
    ends = {}
    for one in rate_moves(GAME, view, stop).moves:
        after, _ = GAME.apply(view, view.mover, GAME.parse_move(view, one.move))
        in_play = len(set(after.open_to(0)) & set(after.open_to(1)))
        if in_play <= IN_PLAY[turns]:
            sign = 1 if one.verdict == "win" else -1
            ends[one.move] = sign * (in_play + 1)
    return ends


def _distance(view: View, move: Pick, numbers: Sequence[int]) -> int:
    """The number of steps to the nearest of these numbers; 0 if there are none."""
    size, apart = view.options.size, [abs(move.number - one) for one in numbers]
    return min([min(steps, size - steps) if view.options.ring else steps for steps in apart], default=0)


def _near_rival(view: View, move: Pick) -> int:
    return -_distance(view, move, view.picked(view.rival))


def _worth(view: View, move: Pick) -> int:
    """The worth of the line after a claim."""
    return snort.mean(_line(view, view.options.ring).after(move.number).runs)


def _glance(view: View, move: Pick) -> int:
    return round(_worth(view, move) / _GLANCE)


def _spread(view: View, move: Pick) -> tuple[int, int]:
    """The worth of the stretches by eye; then, on a line, the distance of the nearest own number."""
    stretches = _line(view, ring=False).after(move.number).runs
    nearest = 0 if view.options.ring else _distance(view, move, view.picked(view.mover))
    return sum(round(snort.mean((stretch,)) / _NUMBER) for stretch in stretches), nearest


def _mirror(view: View, move: Pick) -> bool:
    """True if a claim copies the last one about the middle of a line on which all others are copied, or is the
    middle."""
    ends = view.options.size + 1
    copied = {ends - one for one in view.picked(view.rival)}
    middle = {ends // 2, (ends + 1) // 2}
    mine = {*view.picked(view.mover), move.number}
    alone = mine - copied
    return not view.options.ring and bool(copied) and copied < mine and len(alone) == 1 and alone <= middle


def _copying(view: View, move: Pick) -> tuple[bool, tuple[int, int]]:
    return _mirror(view, move), _spread(view, move)


def _copying_in_words(view: View, move: Pick) -> str:
    if not _mirror(view, move):
        return "it leaves me the best stretches by eye"
    copied = {view.options.size + 1 - one for one in view.picked(view.rival)}
    return "it copies a claim of yours about the middle" if move.number in copied else "it is the middle of the line"


def _far(view: View, move: Pick) -> bool:
    """True if a claim is far from the last two."""
    return _distance(view, move, view.picks[-2:]) > NEAR


COMPUTERS = Computers(
    GAME,
    (
        ShortSighted(LEVELS[0], 0, anything, ""),
        ShortSighted(LEVELS[1], 2, _near_rival, "nothing is nearer to your numbers", slips=50, near=4, feel=35),
        ShortSighted(
            LEVELS[2], 4, _glance, "at a glance, it leaves me the better part of the line", slips=50, near=4, feel=75
        ),
        ShortSighted(LEVELS[3], 4, _copying, _copying_in_words, slips=26, near=6, feel=95),
    ),
    PerfectPlayer(
        GAME,
        _foresee,
        counts=lambda view: counted(_line(view, view.options.ring)),
        wide=wide,
        taste=_worth,
    ),
    missable=_far,
    near=_settled,
)

BOT = Bot(LEVELS, COMPUTERS.choose)
