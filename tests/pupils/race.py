"""Number Circle, as a pupil counts it, and the rules of its lessons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duelbox.registry import find_game
from tests.pupils.pupil import Moves, Rule, least, most


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


def high(view: Any, moves: Moves) -> Moves:
    """Keep the total high."""
    return most(moves, lambda move: after(view, move).totals[view.turn])


def low(view: Any, moves: Moves) -> Moves:
    """Bring the total down."""
    return least(moves, lambda move: after(view, move).totals[view.turn])


NO_HIT: tuple[Rule, ...] = (hit, no_hit)
FORK: tuple[Rule, ...] = (*NO_HIT, fork, no_fork)
KEEP_LOW: tuple[Rule, ...] = (*FORK, low)
KEEP_HIGH: tuple[Rule, ...] = (*FORK, high)
