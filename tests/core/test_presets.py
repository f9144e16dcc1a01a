"""Presets: their kinds, their cards, and the one that is offered first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duelbox.core.game import first_preset, preset_of
from duelbox.registry import BUILT_IN, find_game


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_a_card_tells_the_kind_and_what_to_know_or_learn(game_id: str) -> None:
    for preset in find_game(game_id).PRESETS:
        assert preset.card.startswith(preset.kind.capitalize())
        assert preset.key in preset.card
        assert ("lesson" in preset.card) == (preset.kind == "to learn")
        assert preset_of(find_game(game_id), preset.options) == preset


def test_the_first_is_the_one_marked_or_else_the_classic_game() -> None:
    circle = find_game("circle-duel")
    assert first_preset(circle).name == "Two Trails"
    unmarked = tuple(replace(preset, first=False) for preset in circle.PRESETS)
    assert first_preset(replace(circle, PRESETS=unmarked)).name == "Classic"
