"""House rules in words: phrases and sentences for every set of options."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from duelbox.core.game import Preset
from duelbox.core.options import Options
from duelbox.registry import find_game
from tests import house_rules as drawing
from tests.house_rules import GAME_IDS

PRESETS = [(game_id, preset) for game_id in GAME_IDS for preset in find_game(game_id).PRESETS]
DRAWS = 300
WRITTEN_FOR_CODES = re.compile(r"[_=:]|\b(off|none|dead-end|no-tens)\b|\bon$|\bin all\b")


@pytest.mark.parametrize(("game_id", "preset"), PRESETS, ids=lambda one: getattr(one, "id", one))
def test_every_preset_reads_as_phrases(game_id: str, preset: Preset[Any]) -> None:
    game = find_game(game_id)
    told = preset.options.in_words
    assert bool(told) == (preset.options != game.Options())
    for phrase in filter(None, told.split(", ")):
        assert re.fullmatch(r"[a-z0-9][a-z0-9 ]*", phrase)
        assert not WRITTEN_FOR_CODES.search(phrase)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_rules_that_differ_are_told_differently(game_id: str) -> None:
    rng = Random(7)
    told: dict[str, Options] = {}
    for _ in range(DRAWS):
        options = drawing.house_rules(game_id, rng)
        words = options.in_words
        assert not WRITTEN_FOR_CODES.search(words)
        assert told.setdefault(words, options.rules_only()) == options.rules_only()
        for sentence in options.sentences():
            assert re.fullmatch(r"[A-Z][^_=]*\.", sentence)
    assert len(told) > 5


@pytest.mark.parametrize(
    ("game_id", "options", "told"),
    [
        ("circle-duel", {"size": 12, "without": (3, 7, 9)}, "12 in the ring, three gaps"),
        ("sequence-duel", {"size": 27, "ring": True}, "27 in a ring"),
        ("digit-chain", {"zero": "no-tens", "gaps": 20, "seed": 7}, "no tens, 20 gaps"),
        ("number-circle", {"sharing": False, "shared_total": True}, "one total for both, one player on a number"),
        ("number-duel", {"hand": 7, "victors_stay": True}, "seven numbers each, winners stay"),
    ],
)
def test_house_rules_are_told_as_people_say_them(game_id: str, options: dict[str, Any], told: str) -> None:
    game = find_game(game_id)
    assert game.Options.from_values(options).in_words == told


def test_a_guest_without_words_of_its_own_is_told_by_its_titles() -> None:
    class Switches(Options):
        long_nights: bool = False
        owls: bool = True
        moon: int = 3

    assert Switches(long_nights=True, owls=False, moon=4).in_words == "long nights, no owls, moon: 4"
