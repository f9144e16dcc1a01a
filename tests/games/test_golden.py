"""Golden playthroughs: one game of each preset with all views and messages. `python -m tests.golden.make` rebuilds
them."""

from __future__ import annotations

import pytest

from duelbox.registry import games
from tests.golden.make import FOLDER, playthroughs


@pytest.fixture(scope="module")
def built() -> dict[str, str]:
    return dict(playthroughs())


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.txt")))
def test_a_playthrough_is_as_it_was(name: str, built: dict[str, str]) -> None:
    assert name in built, "no preset asks for this file"
    assert built[name] == (FOLDER / name).read_text(encoding="utf-8")


def test_every_preset_has_its_playthrough(built: dict[str, str]) -> None:
    there = sorted(path.name for path in FOLDER.glob("*.txt"))
    assert sorted(built) == there, "python -m tests.golden.make writes what is missing"
    assert len(built) == 1 + sum(len(game.PRESETS) for game in games())


def test_what_a_player_sees_of_a_hidden_hand_is_in_no_view(built: dict[str, str]) -> None:
    """In the golden file, before any reveal, the other views hold no order but their own."""
    text = built["number-duel-own-order.txt"]
    views = [line for line in text.splitlines() if line.startswith("  view of ")]
    first, second, spectator = views[3:6]
    assert '"mine":[' in first
    assert '"mine":[]' in second
    assert '"mine":[]' in spectator
    assert '"faces":[[null,null,null,null,null],[]]' in first
    assert second.partition(": ")[2].replace('"seat":1', "") == spectator.partition(": ")[2].replace('"seat":null', "")
