"""Computer players for Number Circle Duel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from duelbox.bots.api import Bot
from duelbox.bots.levels import Computers, ShortSighted, five_levels
from duelbox.bots.lookahead import bits, foresight_from
from duelbox.bots.perfect_play import PerfectPlayer
from duelbox.core.picking import Pick
from duelbox.games.circle_duel import GAME
from duelbox.games.circle_duel.rules import View
from duelbox.solve.api import Stop
from duelbox.solve.bits import numbers_in

LEVELS = five_levels(
    "Goes round clockwise, or with two trails likes three ways on, and looks no further.",
    "Looks one answer ahead, but misses many of them. Likes many ways on.",
    "Looks one answer ahead, or eight turns with two trails, and misses some. Likes many ways on.",
    "Looks four turns ahead, or twelve with two trails; then it begins far from the gaps. Seldom misses anything.",
    "Knows every ring to its end. When it is losing, it sets traps.",
)

WIDE = 12
"""With own trails and more free numbers than this, rating every answer to every pick would take too long."""


@cache
def _ring(size: int, reach: int) -> tuple[int, ...]:
    """For each number n the bits of its neighbours; index 0 is unused."""
    steps = [step for step in range(-reach, reach + 1) if step]
    return 0, *(sum({1 << (number - 1 + step) % size + 1 for step in steps}) for number in range(1, size + 1))


def _near(view: View) -> tuple[int, ...]:
    return _ring(view.options.size, view.options.reach)


def _left(view: View, move: Pick) -> int:
    """The numbers left after a pick, as bits."""
    return bits(view.free) ^ 1 << move.number


def _ways_on(view: View, move: Pick) -> int:
    return (_near(view)[move.number] & _left(view, move)).bit_count()


def _two_on(view: View, move: Pick) -> int:
    """The number of ways on from all the ways on together."""
    near, left = _near(view), _left(view, move)
    return sum((near[number] & left).bit_count() for number in numbers_in(near[move.number] & left))


def _onward(view: View, move: Pick) -> bool:
    """True if the pick goes on clockwise and has a free number next to it."""
    size, free = view.options.size, _ring(view.options.size, 1)[move.number] & bits(view.free)
    return bool(view.picks and free) and (move.number - view.picks[-1]) % size <= view.options.reach


def _used(view: View, move: Pick) -> bool:
    """True if the opponent has already picked a number next to this one, which would be the obvious answer."""
    return bool(set(view.neighbours(move.number)) & set(view.picked(view.rival)))


COMPUTERS = Computers(
    GAME,
    (
        ShortSighted(LEVELS[0], 0, _onward, "it goes on clockwise, next to a free number"),
        ShortSighted(LEVELS[1], 2, _ways_on, "it leaves the most ways on", 88),
        ShortSighted(LEVELS[2], 2, _ways_on, "it leaves the most ways on", 33),
        ShortSighted(LEVELS[3], 4, _ways_on, "it leaves the most ways on", 4),
    ),
    PerfectPlayer(GAME, foresight_from(_near, lambda view: view.free)),
    missable=_used,
)


# -- with a trail each


def _anywhere(view: View) -> tuple[int, ...]:
    """The same as `_near`, with all numbers at index 0: a first pick may be any number."""
    return bits(view.numbers), *_near(view)[1:]


def _theirs(view: View) -> int:
    return view.picks[-1] if view.picks else 0


_SEARCHED = foresight_from(_anywhere, lambda view: view.free, _theirs)


def _ahead_on_own(view: View, turns: int, stop: Stop) -> Mapping[str, int]:
    # After a first pick anything may follow, so the search stops at ten turns.
    return _SEARCHED(view, min(turns, 10) if view.last is None else turns, stop)


def _sooner(view: View, move: Pick) -> tuple[int, int]:
    """The lead in numbers reached sooner than the other trail; among equals, the ways on from the ways on."""
    near, left = _anywhere(view), _left(view, move)
    mine, theirs = (_steps(near, at, left) for at in (move.number, _theirs(view)))
    ahead = sum(steps < theirs.get(number, steps + 1) for number, steps in mine.items())
    return ahead - sum(steps <= mine.get(number, steps) for number, steps in theirs.items()), _two_on(view, move)


_SOONER = "it gets to the most numbers before you do"


def _placed(view: View, move: Pick) -> tuple[int, int]:
    """The distance of a first pick from the gaps, since the middle of the widest stretch wins most often; later
    `_sooner`."""
    if view.picks or not view.gaps:
        return _sooner(view, move)
    return min(_apart(view, move, gap) for gap in view.gaps), 0


def _placed_told(view: View, move: Pick) -> str:
    return _SOONER if view.picks or not view.gaps else "no number is further from the gaps"


def _apart(view: View, move: Pick, number: int) -> int:
    """The number of steps round the ring to a number."""
    return min((move.number - number) % view.options.size, (number - move.number) % view.options.size)


def _steps(near: Sequence[int], at: int, free: int) -> dict[int, int]:
    """The number of picks needed to get to each number that can be reached."""
    found: dict[int, int] = {}
    front, steps = numbers_in(near[at] & free), 1
    while front:
        found |= dict.fromkeys(front, steps)
        beyond = {one for number in front for one in numbers_in(near[number] & free)}
        front, steps = sorted(beyond - found.keys()), steps + 1
    return found


def _far(view: View, move: Pick) -> bool:
    """True if the pick is more than a fifth of the ring away from the opponent's last one."""
    return bool(view.picks) and _apart(view, move, view.picks[-1]) > view.options.size / 5


ENOUGH = 3
"""The first level is content with this many ways on."""


def _enough(view: View, move: Pick) -> int:
    return min(_ways_on(view, move), ENOUGH)


def _enough_told(view: View, move: Pick) -> str:
    return f"it leaves {'at least three' if _enough(view, move) == ENOUGH else 'the most'} ways on"


OWN = Computers(
    GAME,
    (
        ShortSighted(LEVELS[0], 0, _enough, _enough_told),
        ShortSighted(LEVELS[1], 2, _two_on, "it leaves the most ways on from all the ways on", 24),
        ShortSighted(LEVELS[2], 8, _sooner, _SOONER, 18),
        ShortSighted(LEVELS[3], 12, _placed, _placed_told, 16),
    ),
    PerfectPlayer(GAME, _ahead_on_own, wide=lambda view: len(view.free) > WIDE),
    missable=_far,
)


BOT = Bot(LEVELS, lambda view, *asked: (OWN if view.own else COMPUTERS).choose(view, *asked))
