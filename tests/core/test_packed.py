"""Games in plain numbers: random games by them end as the models say, and are many times as quick."""

from __future__ import annotations

from time import process_time

import pytest

import duelbox
from duelbox.core.packed import DRAWN, OVER, Packed, Packer, places, play_out, winner
from duelbox.registry import find_game
from duelbox.rules_lab import players
from duelbox.solve.api import Stop
from tests.house_rules import SOLVED

AT_LEAST = 5
"""A packed game is at least so many times as quick as its models, the packing of its start included."""


def code_of(game_id: str) -> str:
    """A position of this game that is fully known."""
    if game_id == "number-duel":
        return "number-duel:deal=31524-42513"
    return game_id


@pytest.mark.parametrize("game_id", SOLVED[:5])
def test_a_playout_is_the_same_game_packed_or_by_models(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = duelbox.Table(code_of(game_id))
    monkeypatch.setattr(duelbox.Table, "max_moves", 60)
    quick = [table.playout(seed) for seed in range(20)]
    monkeypatch.setattr(Packer, "pack", lambda self, state: None)
    assert [table.playout(seed) for seed in range(20)] == quick
    assert table.plies == ()


def test_a_playout_of_a_game_that_is_over_is_its_result() -> None:
    table = duelbox.Table("circle-duel:size=4/1.2.3.4")
    assert table.playout() == 1
    table = duelbox.Table("circle-duel/4")
    table.resign()
    assert table.playout() == 0


@pytest.mark.parametrize("game_id", SOLVED[:5])
def test_a_packed_game_is_many_times_as_quick_as_its_models(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duelbox.Table, "max_moves", 60)
    table = duelbox.Table(code_of(game_id))
    table.playout()
    packed = seconds_of_playouts(table)
    monkeypatch.setattr(Packer, "pack", lambda self, state: None)
    assert AT_LEAST * packed < seconds_of_playouts(table)


def seconds_of_playouts(table: duelbox.Table) -> float:
    """The processor's time for ten random games, the least of three tries."""
    tries = []
    for _ in range(3):
        begun = process_time()
        for seed in range(10):
            table.playout(seed)
        tries.append(process_time() - begun)
    return min(tries)


def test_places_are_those_of_the_bits() -> None:
    for bits in (0, 1, 0b1010, 1 << 98 | 1 << 8 | 1):
        assert places(bits) == tuple(at for at in range(99) if bits >> at & 1)


def test_a_winner_is_that_of_a_finished_position() -> None:
    assert [winner((first,)) for first in (0, 1, OVER, OVER + 1, DRAWN)] == [None, None, 0, 1, None]
    stuck = Packed((0,), lambda position: [0], lambda position, move: (0,))
    assert winner(play_out(stuck, 1, 100)) is None


@pytest.mark.parametrize("game_id", SOLVED[:4])
def test_the_players_of_the_lab_play_the_same_game_packed_or_by_models(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = find_game(game_id)
    numbers = range(1, 5)
    quick = [players.play(game, preset.options, at, Stop(), judged=False) for preset in game.PRESETS for at in numbers]
    monkeypatch.setattr(players, "_packed", lambda game, state: None)
    slow = [players.play(game, preset.options, at, Stop(), judged=False) for preset in game.PRESETS for at in numbers]
    assert quick == slow
