"""Every kind of premise in the reasons of Number Circle, evaluated for any step straight from the rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from duelbox.solve import analyse
from duelbox.solve.api import HALF
from tests.games.claims import THEM, Claim, Sides
from tests.games.number_circle.slow import lone_moves, slow_moves, spot_of, table_of

Told = re.Match[str]


def hits(view: Any) -> bool:
    """The player to move can hit the target."""
    if view.turn is None:
        return False
    return view.target - view.totals[view.turn] in slow_moves(table_of(view), spot_of(view), view.turn)


def answers(sides: Sides, view: Any) -> list[Any]:
    """The positions after each move of the player to move."""
    return [sides.applied(view, text) for text in sides.moves(view)]


def forks(sides: Sides, view: Any) -> bool:
    """The player to move can play so as to hit the target next, whatever is answered."""
    seat = view.turn
    for then in answers(sides, view):
        replied = answers(sides, then) if then.turn == 1 - seat else []
        if replied and all(one.turn == seat and hits(one) for one in replied):
            return True
    return False


def stops(sides: Sides, told: Told, *, deep: bool) -> bool:
    """Count the answers after which the player cannot hit next, or with `deep` neither hit nor fork."""
    replied = [then for _, then in sides.replies()] if sides.after.turn == sides.them else []
    won = [one.turn == sides.me and (hits(one) or (deep and forks(sides, one))) for one in replied]
    left, told_left = len(won) - sum(won), int(told[1].replace("none", "0"))
    if sides.told:
        return (left, len(won)) == (told_left, int(told[2]))
    return left <= told_left


def safe(sides: Sides, view: Any, seat: int) -> int:
    """The number of moves of a seat after which the other cannot hit."""
    if view.turn != seat:
        return 0
    return sum(one.turn != 1 - seat or not hits(one) for one in answers(sides, view))


def kept(sides: Sides, least: str) -> bool:
    replied = [then for _, then in sides.replies()] if sides.after.turn == sides.them else []
    worst = min((safe(sides, then, sides.me) for then in replied), default=9)
    return worst == int(least) if sides.told else worst >= int(least)


def kept_by(sides: Sides, told: Told) -> bool:
    """The worse step that is named may leave so many, fewer than the advised one."""
    if not sides.told:
        return True
    after = sides.applied(sides.before, told[2])
    there = replace(sides, move=told[2], after=after)
    value = {one.move: one.value for one in analyse(sides.game, sides.before).moves}
    assert value[told[2]] < value[sides.move]
    return kept(there, told[3].replace("none", "0")) and int(told[3].replace("none", "0")) < int(told[1])


def forced(sides: Sides, turns: str | None) -> bool:
    """Neither player can force the target after the step, or its player can within so many turns."""
    worth = analyse(sides.game, sides.after)
    if turns is None:
        return worth.value == HALF
    if not sides.told:
        return wins(sides)
    return wins(sides) and worth.plies == int(turns) - 1


def lined(sides: Sides, told: Told, choose: Callable[[Sides, Any], bool]) -> bool:
    """Every move that may follow the only answer is listed, with a move that hits, or forks."""
    if not sides.told:
        return True
    ((reply, replied),) = sides.replies()
    assert (reply, sides.after.turn, replied.turn) == (told[1], sides.them, sides.me)
    then = sides.applied(replied, told[2])
    pairs = dict(re.findall(r"([+-]\d) with ([+-]\d)", told[3]))
    assert then.turn == sides.them
    assert set(pairs) == set(sides.moves(then))
    return all(choose(sides, sides.applied(sides.applied(then, one), two)) for one, two in pairs.items())


def just_hit(sides: Sides, view: Any) -> bool:
    return view.outcome is not None and bool(view.outcome.winner == sides.me)


def just_forked(sides: Sides, view: Any) -> bool:
    """The player of the reason can hit next, whatever is played now."""
    return view.turn == sides.them and all(one.turn == sides.me and hits(one) for one in answers(sides, view))


def lost_within(sides: Sides, turns: str) -> bool:
    """The answer wins for the opponent, within so many turns from the answer on."""
    worth = analyse(sides.game, sides.after)
    return worth.value == int(sides.after.turn == sides.them) and worth.plies == int(turns) - 1


def fewest(sides: Sides, count: str) -> bool:
    steps = len(sides.moves(sides.after)) if sides.after.turn == sides.them else 0
    return steps == int(count) if sides.told else steps <= int(count)


def fewest_of_all(sides: Sides) -> bool:
    """No other step leaves the opponent fewer."""

    def left(after: Any) -> int:
        return len(sides.moves(after)) if after.turn == sides.them else 0

    return left(sides.after) == min(map(left, answers(sides, sides.before)))


def steps_left(view: Any, seat: int) -> int:
    if view.turn is None:
        return 0
    return lone_moves(table_of(view), spot_of(view), seat) or 0


def race(sides: Sides, told: Told) -> bool:
    """The steps of one's own shortest way, this one included, and those of the opponent."""
    own = 1 + steps_left(sides.after, sides.me)
    if sides.told and told[2]:
        assert steps_left(sides.before, sides.them) == int(told[2])
    return own == int(told[1]) if sides.told else own <= int(told[1])


def wins(sides: Sides) -> bool:
    if sides.after.turn is None:
        return bool(sides.after.outcome.winner == sides.me)
    value = analyse(sides.game, sides.after).value
    return value == (1 if sides.after.turn == sides.me else 0)


def planned(sides: Sides, text: str, turns: int) -> bool:
    """The named answers win within so many turns; no losing move does."""
    if not sides.told:
        return wins(sides)
    told = dict(re.findall(r"([+-]\d) with ([+-]\d|a pass)", text))
    then = re.search(r"Then play ([+-]\d)", text)
    for reply, replied in sides.replies():
        answer = then[1] if then else told[reply]
        if answer != "a pass" and not within(sides, sides.applied(replied, answer), turns - 3):
            return False
    return True


def within(sides: Sides, view: Any, turns: int) -> bool:
    """The player of the reason wins within so many turns, by trying everything."""
    if view.turn is None:
        return bool(view.outcome.winner == sides.me)
    if not turns:
        return False
    tried = (within(sides, one, turns - 1) for one in answers(sides, view))
    return any(tried) if view.turn == sides.me else all(tried)


def loses_within(sides: Sides, view: Any, turns: int) -> bool:
    """The opponent wins within so many turns, by trying everything."""
    if view.turn is None:
        return bool(view.outcome.winner == sides.them)
    if not turns:
        return False
    tried = (loses_within(sides, one, turns - 1) for one in answers(sides, view))
    return any(tried) if view.turn == sides.them else all(tried)


def refuses(sides: Sides, told: Told) -> bool:
    every = len(sides.moves(sides.after))
    return sides.after.turn == sides.me and (safe(sides, sides.after, sides.me), every) == (int(told[1]), int(told[2]))


def runs(sides: Sides, told: Told) -> bool:
    """The steps that both need after the answer."""
    needed = steps_left(sides.after, sides.them), steps_left(sides.after, sides.me)
    return needed == (int(told[1]), int(told[2])) and needed[0] < needed[1]


CLAIMS: tuple[Claim, ...] = (
    (r"it hits (\d+) at once", lambda m, s: s.after.outcome is not None and s.after.outcome.winner == s.me),
    (rf"(\d+) steps?(?:, and you go first| to {THEM}'s (\d+))", lambda m, s: race(s, m)),
    (rf"then {THEM} cannot hit \d+ next", lambda m, s: s.after.turn != s.them or not hits(s.after)),
    (
        rf"then {THEM} cannot fork",
        lambda m, s: s.after.turn != s.them or not (hits(s.after) or forks(s, s.after)),
    ),
    (rf"Only (\d+|none) of {THEM}'s (\d+) answers stops? you hitting", lambda m, s: stops(s, m, deep=False)),
    (rf"Only (\d+|none) of {THEM}'s (\d+) answers stops? you winning", lambda m, s: stops(s, m, deep=True)),
    (r"at least (\d+) steps? of yours keeps? \d+ out of reach", lambda m, s: kept(s, m[1])),
    (r"the fewest you can leave", lambda m, s: fewest_of_all(s)),
    (rf"{THEM} then has only (\d+) steps?", lambda m, s: fewest(s, m[1])),
    (r"(?:Answer|Then play) [^.]*: (?:you hit|each hits) \d+", lambda m, s: planned(s, m[0], 3)),
    (r"at least (\d+) steps? .*With ([+-]\d) it may be (\w+)", lambda m, s: kept_by(s, m)),
    (r"then neither player can force \d+", lambda m, s: forced(s, None)),
    (r"then you can force \d+ within (\d+) turns", lambda m, s: forced(s, m[1])),
    (r"(?:Answer|Then play) .*: then you hit \d+, whatever comes", lambda m, s: planned(s, m[0], 5)),
    (r"Answer [+-]\d with [+-]\d\. Then answer", lambda m, s: planned(s, m[0], 5)),
    (r"Answer [+-]\d with [+-]\d\. Then fork", lambda m, s: planned(s, m[0], 7)),
    (r"Answer (..) with (..)\. Then answer (.*): you hit", lambda m, s: lined(s, m, just_hit)),
    (r"Answer (..) with (..)\. Then fork: answer (.*)\.", lambda m, s: lined(s, m, just_forked)),
    (r"(?:Answer|Then play) .*: then you can fork", lambda m, s: planned(s, m[0], 7)),
    (rf"{THEM} cannot move: ", lambda m, s: s.after.turn == s.me),
)
"""Premises of a step."""

REPLIES: tuple[Claim, ...] = (
    (r"hits \d+ with", lambda m, s: s.after.outcome is not None and s.after.outcome.winner == s.them),
    (
        r"and hits \d+ next, whatever you play",
        lambda m, s: all(one.turn == s.them and hits(one) for one in answers(s, s.after)),
    ),
    (
        r"and can fork next, whatever you play",
        lambda m, s: all(one.turn == s.them and (hits(one) or forks(s, one)) for one in answers(s, s.after)),
    ),
    (r"and can fork in two turns, whatever you play", lambda m, s: loses_within(s, s.after, 6)),
    (r"and wins within (\d+) turns?", lambda m, s: lost_within(s, m[1])),
    (r"and holds the draw", lambda m, s: s.after.turn is not None and analyse(s.game, s.after).value == HALF),
    (r"only (\d+) of your (\d+) steps stops a hit", lambda m, s: refuses(s, m)),
    (r"needs (\d+) more, you (\d+)", lambda m, s: runs(s, m)),
)
"""Claims about an answer; the sides then hold the position after the answer."""
