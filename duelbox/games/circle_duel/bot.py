"""Computer players for Number Circle Duel."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from duelbox.bots.api import Bot, Choice
from duelbox.bots.levels import Computers, ShortSighted, five_levels
from duelbox.bots.lookahead import foresight_from
from duelbox.bots.perfect_play import PerfectPlayer
from duelbox.core.picking import Pick
from duelbox.games.circle_duel import GAME
from duelbox.games.circle_duel.rules import View
from duelbox.games.circle_duel.solve import SOLVE
from duelbox.games.circle_duel.solve.shared_trail import Near
from duelbox.solve.api import Stop
from duelbox.solve.bits import each

LEVELS = five_levels(
    "Goes round clockwise. With two trails it goes where a way on is left.",
    "Looks two turns ahead, but misses many answers. Likes many ways on.",
    "Looks four turns ahead, and feels where the room is. Overlooks an answer now and then.",
    "Looks six turns ahead, and feels where the room is. Seldom overlooks an answer.",
    "Knows every ring to its end. When it is losing, it sets traps.",
)


@cache
def _ring(size: int, reach: int) -> Near:
    return Near(size, reach)


def _near(view: View) -> Near:
    return _ring(view.options.size, view.options.reach)


def _follow(view: View) -> list[int]:
    """The bits of the numbers that may follow each number; at index 0 those of a first pick."""
    near = _near(view)
    return [near[0] << 1, *(near[1 << at] << 1 for at in range(view.options.size))]


def _bit(number: int) -> int:
    return 1 << number - 1


def _left(view: View, move: Pick) -> int:
    """The numbers left after a pick, as bits."""
    return sum(map(_bit, view.free)) ^ _bit(move.number)


def _ways_on(view: View, move: Pick) -> int:
    return (_near(view)[_bit(move.number)] & _left(view, move)).bit_count()


def _two_on(view: View, move: Pick) -> int:
    """The number of ways on from all the ways on together."""
    near, left = _near(view), _left(view, move)
    return sum((near[bit] & left).bit_count() for bit in each(near[_bit(move.number)] & left))


def _onward(view: View, move: Pick) -> bool:
    """True if the pick goes on clockwise and has a free number next to it."""
    size, free = view.options.size, _ring(view.options.size, 1)[_bit(move.number)] & _left(view, move)
    return bool(view.picks and free) and (move.number - view.picks[-1]) % size <= view.options.reach


def _used(view: View, move: Pick) -> bool:
    """True if the opponent has already picked a number next to this one, which would be the obvious answer."""
    return bool(set(view.neighbours(move.number)) & set(view.picked(view.rival)))


COMPUTERS = Computers(
    GAME,
    (
        ShortSighted(LEVELS[0], 0, _onward, "it goes on clockwise, next to a free number"),
        ShortSighted(LEVELS[1], 2, _ways_on, "it leaves the most ways on", slips=46, near=4, feel=10),
        ShortSighted(LEVELS[2], 4, _ways_on, "it leaves the most ways on", slips=33, near=4, feel=15),
        ShortSighted(LEVELS[3], 6, _ways_on, "it leaves the most ways on", slips=15, near=6, feel=80),
    ),
    PerfectPlayer(GAME, foresight_from(_follow, lambda view: view.free)),
    missable=_used,
)


# -- with a trail each


def _theirs(view: View) -> int:
    return view.picks[-1] if view.picks else 0


_SEARCHED = foresight_from(_follow, lambda view: view.free, _theirs)


def _ahead_on_own(view: View, turns: int, stop: Stop) -> Mapping[str, int]:
    # After a first pick anything may follow, so the search stops at ten turns.
    return _SEARCHED(view, min(turns, 10) if view.last is None else turns, stop)


def _sooner(view: View, move: Pick) -> tuple[int, int]:
    """The lead in numbers reached sooner than the other trail; among equals, the ways on from the ways on."""
    at = _bit(view.picks[-1]) if view.picks else 0
    theirs, mine = _near(view).first_there(_left(view, move), at, _bit(move.number))
    return mine.bit_count() - theirs.bit_count(), _two_on(view, move)


_SOONER = "it gets to the most numbers before you do"


def _placed(view: View, move: Pick) -> tuple[int, int]:
    """The distance of a first pick from the gaps, since the middle of the widest stretch wins most often; later
    `_sooner`."""
    if view.picks or not view.gaps:
        return _sooner(view, move)
    return min(_apart(view, move, gap) for gap in view.gaps), 0


def _placed_in_words(view: View, move: Pick) -> str:
    return _SOONER if view.picks or not view.gaps else "no number is further from the gaps"


def _apart(view: View, move: Pick, number: int) -> int:
    """The number of steps round the ring to a number."""
    return min((move.number - number) % view.options.size, (number - move.number) % view.options.size)


def _far(view: View, move: Pick) -> bool:
    """True if the pick is more than a fifth of the ring away from the opponent's last one."""
    return bool(view.picks) and _apart(view, move, view.picks[-1]) > view.options.size / 5


ENOUGH = 3
"""With leaps of up to three, the first level is content with this many ways on."""


def _enough(view: View, move: Pick) -> int:
    return min(_ways_on(view, move), ENOUGH)


def _enough_in_words(view: View, move: Pick) -> str:
    return f"it leaves {'at least three' if _enough(view, move) == ENOUGH else 'the most'} ways on"


def _goes_on(view: View, move: Pick) -> bool:
    """True if the pick leaves a way on; somebody who looks one move ahead is to win most games against level 1."""
    return _ways_on(view, move) > 0


def _own(*sights: ShortSighted) -> Computers:
    return Computers(GAME, sights, PerfectPlayer(GAME, _ahead_on_own, wide=SOLVE.wide), missable=_far)


_TWO_ON = "it keeps the most ways open"
_CONTENT = ShortSighted(LEVELS[0], 0, _enough, _enough_in_words)
OWN = _own(
    ShortSighted(LEVELS[0], 0, _goes_on, "it leaves a way on"),
    ShortSighted(LEVELS[1], 2, _two_on, _TWO_ON, slips=68, near=4, feel=70),
    ShortSighted(LEVELS[2], 4, _sooner, _SOONER, slips=46, near=4, feel=87),
    ShortSighted(LEVELS[3], 6, _placed, _placed_in_words, slips=16, near=6, feel=96),
)
LEAPS = _own(
    _CONTENT,
    ShortSighted(LEVELS[1], 2, _two_on, _TWO_ON, slips=70, near=4, feel=42),
    ShortSighted(LEVELS[2], 4, _sooner, _SOONER, slips=50, near=4, feel=69),
    ShortSighted(LEVELS[3], 6, _placed, _placed_in_words, slips=12, near=6, feel=97),
)


def _choose(view: View, level: str, seed: int, stop: Stop) -> Choice:
    computers = COMPUTERS
    if view.own:
        computers = LEAPS if view.options.reach > 2 else OWN
    return computers.choose(view, level, seed, stop)


BOT = Bot(LEVELS, _choose)
