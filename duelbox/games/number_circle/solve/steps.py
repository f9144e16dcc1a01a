"""Steps round the ring of Number Circle for its solvers, with places from 0 and gaps in place of totals.

A gap is the distance from a total to the target: a step onto the number m makes it m smaller or greater, and 0 wins.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

from duelbox.core.model import Seat
from duelbox.games.number_circle.rules import Move, View

PLACES = range(9)
FREE, FROM_BELOW, FROM_ABOVE = range(3)  # the side a marker came from; FREE if it may go either way

Runner = tuple[int, int, int]  # a place, the side the marker came from, and the gap to the target
Step = tuple[int, int, int]  # the new place, the side the marker then came from, and the number there


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The house rules that matter to a solver; `widest` is the gap at the floor, None without a floor."""

    backtracking: bool
    sharing: bool
    shared: bool
    widest: int | None


def _steps(place: int, came: int, backtracking: bool) -> tuple[Step, ...]:
    below, above = (place - 1) % 9, (place + 1) % 9
    down = (below, FREE if backtracking else FROM_ABOVE, below + 1)
    up = (above, FREE if backtracking else FROM_BELOW, above + 1)
    if backtracking or came == FREE:
        return tuple(sorted((down, up)))
    return (up,) if came == FROM_BELOW else (down,)


STEPS = {turns: [[_steps(place, came, turns) for came in range(3)] for place in PLACES] for turns in (False, True)}
"""`STEPS[backtracking][place][came]`: the steps, sorted by number."""


def house_rules_of(view: View) -> HouseRules:
    """The house rules of a view."""
    rules = view.options
    widest = None if rules.floor is None else view.target - rules.floor
    return HouseRules(rules.backtracking, rules.sharing, rules.shared_total, widest)


def runner_of(view: View, seat: Seat) -> Runner:
    """The runner of a player."""
    place, source = view.places[seat] - 1, view.came_from[seat]
    came = FREE
    if source is not None and not view.options.backtracking:
        came = FROM_BELOW if (place - source) % 9 == 0 else FROM_ABOVE
    return place, came, view.target - view.totals[seat]


def stepped(house: HouseRules, me: Runner, move: Move) -> Runner:
    """The runner after a move."""
    place, came = move.number - 1, FREE
    if not house.backtracking:
        came = FROM_BELOW if (place - me[0]) % 9 == 1 else FROM_ABOVE
    return place, came, me[2] - move.number if move.sign == "+" else me[2] + move.number


@lru_cache(maxsize=16)
def route(backtracking: bool, runner: Runner) -> tuple[int, ...]:
    """The numbers to add (or subtract, if negative) on a shortest way to the target, without a floor."""
    place, came, gap = runner
    steps = STEPS[backtracking]
    layers: list[dict[tuple[int, int], int]] = [{(place, came): 1 << gap}]
    while not any(gaps & 1 for gaps in layers[-1].values()):
        following: dict[tuple[int, int], int] = defaultdict(int)
        for (place, came), gaps in layers[-1].items():
            for to, then, number in steps[place][came]:
                following[to, then] |= gaps >> number | gaps << number
        layers.append(following)
    marker, left = next(marker for marker, gaps in layers[-1].items() if gaps & 1), 0
    way: list[int] = []
    for layer in layers[-2::-1]:
        marker, change = next(
            ((place, came), change)
            for (place, came), gaps in layer.items()
            for to, then, number in steps[place][came]
            for change in (number, -number)
            if (to, then) == marker and left + change > 0 and gaps >> left + change & 1
        )
        left += change
        way.append(change)
    return tuple(reversed(way))
