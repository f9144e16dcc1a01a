"""A pupil who follows lessons to the letter: each sentence leaves some of the moves, and chance takes one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from duelbox.core.rng import Rng
from duelbox.registry import find_game

Moves = Sequence[Any]
Rule = Callable[[Any, Moves], Moves]
"""The moves of a view that a sentence leaves; all of them where it says nothing."""


def least(moves: Moves, cost: Callable[[Any], Any]) -> Moves:
    """The moves of the least cost."""
    costs = [cost(move) for move in moves]
    return [move for move, one in zip(moves, costs, strict=True) if one == min(costs)]


def most(moves: Moves, gain: Callable[[Any], Any]) -> Moves:
    """The moves of the greatest gain."""
    gains = [gain(move) for move in moves]
    return [move for move, one in zip(moves, gains, strict=True) if one == max(gains)]


def left(game_id: str, rules: Sequence[Rule], view: Any) -> Moves:
    """The moves that these rules leave, in their order; a rule that would leave none says nothing."""
    moves: Moves = find_game(game_id).legal_moves(view)
    for rule in rules:
        if len(moves) > 1:
            moves = rule(view, moves) or moves
    return moves


def choose(game_id: str, rules: Sequence[Rule], view: Any, rng: Rng) -> str:
    """The move of a pupil with these rules."""
    return find_game(game_id).format_move(rng.choice(left(game_id, rules, view)))
