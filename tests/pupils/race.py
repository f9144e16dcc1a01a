"""Number Circle, as a pupil counts it, and the rules of its lessons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duelbox.registry import find_game
from tests.pupils.pupil import Moves, Rule, least, most

LONGEST = 9
"""A pupil adds up once round the ring."""


def afters(view: Any) -> Iterator[Any]:
    """The views after each move."""
    game = find_game("number-circle")
    for move in game.legal_moves(view) if view.turn is not None else ():
        yield game.apply(view, view.turn, move)[0]


def after(view: Any, move: Any) -> Any:
    """The view after a move."""
    return find_game("number-circle").apply(view, view.turn, move)[0]


def can_hit(view: Any) -> bool:
    """The player to move hits the target at once."""
    return any(then.outcome is not None for then in afters(view))


def is_fork(view: Any, me: int) -> bool:
    """The other player can hit after each move of the player to move."""
    if view.turn in (None, me):
        return False
    answers = list(afters(view))
    return bool(answers) and all(then.turn == me and can_hit(then) for then in answers)


def road(view: Any, seat: int, up: bool, count: int) -> list[int]:
    """The next numbers of a player who goes straight up, or down."""
    step = 1 if up else -1
    return [(view.places[seat] - 1 + step * at) % 9 + 1 for at in range(1, count + 1)]


def subtracted(numbers: list[int], half: int) -> list[frozenset[int]]:
    """The ways to choose places of a road whose numbers add up to so much."""
    ways = [frozenset[int]()]
    for at in range(len(numbers)):
        ways += [way | {at} for way in ways]
    return [way for way in ways if sum(numbers[at] for at in way) == half]


def first_steps(view: Any) -> set[tuple[str, int]]:
    """The first steps of the shortest straight roads to the target.

    Numbers are only added, or else some are subtracted that are worth half of what is too much.
    """
    seat = view.turn
    for count in range(1, LONGEST + 1):
        found = set()
        for up in (True, False):
            numbers = road(view, seat, up, count)
            if numbers[0] == view.came_from[seat]:
                continue
            excess = view.totals[seat] + sum(numbers) - view.target
            ways = subtracted(numbers, excess // 2) if excess >= 0 and excess % 2 == 0 else []
            for way in ways:
                found.add(("-" if 0 in way else "+", numbers[0]))
        if found:
            return found
    return set()


# -- the rules


def hit(view: Any, moves: Moves) -> Moves:
    """Hit the target if you can."""
    return [move for move in moves if after(view, move).outcome is not None]


def no_hit(view: Any, moves: Moves) -> Moves:
    """Leave no hit."""
    me = view.turn
    return [move for move in moves if (then := after(view, move)).turn == me or not can_hit(then)]


def fork(view: Any, moves: Moves) -> Moves:
    """Be able to hit next, whatever they play."""
    return [move for move in moves if is_fork(after(view, move), view.turn)]


def no_fork(view: Any, moves: Moves) -> Moves:
    """Leave them no fork."""
    me = view.turn
    safe = []
    for move in moves:
        then = after(view, move)
        if then.turn == me or not any(is_fork(now, then.turn) for now in afters(then)):
            safe.append(move)
    return safe


def straight(view: Any, moves: Moves) -> Moves:
    """Add up a road from your number, up or down, and take the one that comes to the target soonest."""
    seat = view.turn
    for count in range(1, LONGEST + 1):
        roads = [road(view, seat, up, count) for up in (True, False)]
        firsts = [numbers[0] for numbers in roads if view.totals[seat] + sum(numbers) == view.target]
        chosen = [move for move in moves if move.sign == "+" and move.number in firsts]
        if chosen:
            return chosen
    return moves


def half_the_excess(view: Any, moves: Moves) -> Moves:
    """Add up a road; subtract numbers worth half of what is too much, if that is even."""
    firsts = first_steps(view)
    return [move for move in moves if (move.sign, move.number) in firsts]


def high(view: Any, moves: Moves) -> Moves:
    """Keep the total high."""
    return most(moves, lambda move: after(view, move).totals[view.turn])


def low(view: Any, moves: Moves) -> Moves:
    """Bring the total down."""
    return least(moves, lambda move: after(view, move).totals[view.turn])


STEPS: tuple[Rule, ...] = (hit, straight)
EXCESS: tuple[Rule, ...] = (hit, half_the_excess)
NO_HIT: tuple[Rule, ...] = (hit, no_hit)
FORK: tuple[Rule, ...] = (*NO_HIT, fork, no_fork)
KEEP_LOW: tuple[Rule, ...] = (*FORK, low)
KEEP_HIGH: tuple[Rule, ...] = (*FORK, high)
