"""The maps that come with the games: complete, and the same when worked out anew."""

from __future__ import annotations

from random import Random

import pytest

from duelbox.registry import BUILT_IN, find_game
from duelbox.rules_lab.best_rules import code_of
from duelbox.rules_lab.facts import work_out
from duelbox.rules_lab.preset_maps import facts_on_maps, settings_on_maps
from tests.effort import sampled

MOST = 6
"""Cells of a game that are worked out anew in a short run."""


@pytest.mark.parametrize("game_id", BUILT_IN)
def test_stored_maps_are_what_is_worked_out(game_id: str) -> None:
    game, stored = find_game(game_id), facts_on_maps(find_game(game_id))
    settings = list(settings_on_maps(game))
    codes = {code_of(game, options) for options in settings}
    assert stored.keys() <= codes
    assert len(stored) >= 0.9 * len(codes), "few settings take longer than a cell may"
    for options in Random(7).sample(settings, min(len(settings), sampled(MOST, len(settings)))):
        code = code_of(game, options)
        if code in stored:
            assert work_out(game, options, "first", limit=None) == stored[code], code


def test_a_game_without_the_file_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbox.rules_lab.preset_maps.text_beside", lambda game_id, name: None)
    assert facts_on_maps(find_game("circle-duel")) == {}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"circle-duel": 3}'])
def test_a_file_that_makes_no_sense_is_left_out(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbox.rules_lab.preset_maps.text_beside", lambda game_id, name: text)
    assert facts_on_maps(find_game("circle-duel")) == {}
