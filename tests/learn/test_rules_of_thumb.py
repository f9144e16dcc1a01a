"""Scores of the rules of thumb of lessons against level 3."""

from __future__ import annotations

from typing import Any

import pytest

from duelbox.core.rng import Rng
from duelbox.registry import find_game
from tests.bots.scenes import level_of, share_of_points
from tests.effort import sampled
from tests.learn.rules_of_thumb import (
    few,
    first_there,
    furthest_ahead,
    no_fork,
    one_in_three,
    pairs,
    reverses,
    shortest_way,
    winners_stay,
)

RULES = (
    ("circle-duel", "two-trails", first_there, 0.55),
    ("circle-duel", "pairs", pairs, 0.65),
    ("number-circle", "tug-of-war", no_fork, 0.55),
    ("number-circle", "classic", shortest_way, 0.6),
    ("sequence-duel", "ring", furthest_ahead, 0.6),
    ("digit-chain", "wild-zero", few, 0.55),
    ("digit-chain", "long-chain", reverses, 0.6),
    ("number-duel", "classic", one_in_three, 0.55),
    ("number-duel", "winners-stay", winners_stay, 0.55),
)
"""For each rule of thumb the preset in which it is measured, and its least share of points."""


def score(game_id: str, preset: str, rule: Any, games: int, level: str = "counter") -> float:
    """The share of points of the rule of thumb against level 3."""
    game = find_game(game_id)
    options = next(one.options for one in game.PRESETS if one.id == preset)
    return share_of_points(game, options, lambda view, seed: rule(view, Rng(seed)), level_of(game, level), games)


@pytest.mark.parametrize(("game_id", "preset", "rule", "least"), RULES)
def test_the_rule_of_a_lesson_holds_against_level_3(game_id: str, preset: str, rule: Any, least: float) -> None:
    assert score(game_id, preset, rule, sampled(20, 60)) >= least - 0.1
