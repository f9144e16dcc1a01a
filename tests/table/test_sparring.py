"""Sparring: two neighbouring levels, drawn by the seed of the game and moved by the person's games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from duelbox.bots import levels_of
from duelbox.core.errors import DuelboxError
from duelbox.core.record import PlayerInfo
from duelbox.core.rng import Rng
from duelbox.learn.strength import Strength, level_near
from duelbox.registry import find_game
from duelbox.store.statistics import LOST_DEAL
from duelbox.store.store import Store
from duelbox.table.local import LocalTable
from duelbox.table.new_game import read_new_game
from duelbox.table.players import named_players, with_default_names

LEVELS = [level.id for level in levels_of("circle-duel")]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as opened:
        yield opened


def sat_down(
    store: Store, seed: int = 1, name: str = "Ann", code: str = "circle-duel:size=20,reach=2,gaps=3"
) -> LocalTable:
    named = named_players(find_game("circle-duel"), (name, "bot:sparring"))
    return LocalTable(read_new_game(f"{code},seed={seed}"), with_default_names(named), store=store)


def level_drawn(table: LocalTable) -> int:
    """The level of the computer at the table, from 0."""
    return LEVELS.index(table.players[1].level or "")


def win(table: LocalTable, person: bool) -> None:
    """Let the game be won by one seat."""
    table.play(table.game.format_move(table.session.legal_moves()[0]))
    if person == (table.session.turn == 0):
        table.play(table.game.format_move(table.session.legal_moves()[0]))
    table.resign()
    saved = table.save()
    assert saved is None or saved.result()


def test_the_level_is_one_of_two_neighbours_and_the_table_says_which(store: Store) -> None:
    sittings = [sat_down(store, seed) for seed in range(1, 30)]
    assert {level_drawn(one) for one in sittings} == {1, 2}
    assert {(one.players[1].name, one.players[1].level) for one in sittings} == {
        ("Peek", "peek"),
        ("Counter", "counter"),
    }
    assert [level_drawn(one) for one in sittings] == [level_drawn(sat_down(store, seed)) for seed in range(1, 30)]


def test_losses_in_deals_that_were_lost_from_the_start_do_not_move_it(store: Store) -> None:
    for seed in range(1, 7):
        table = sat_down(store, seed)
        win(table, person=False)
        store.progress.add(LOST_DEAL, table.saved_as or "", {})
    assert {level_drawn(sat_down(store, seed)) for seed in range(1, 20)} == {1, 2}
    for seed in range(1, 7):
        win(sat_down(store, seed), person=False)
    assert min(level_drawn(sat_down(store, seed)) for seed in range(1, 20)) == 0


def test_games_of_the_same_rules_move_it_and_others_do_not(store: Store) -> None:
    for seed in range(1, 7):
        win(sat_down(store, seed), person=True)
    stronger = {level_drawn(sat_down(store, seed)) for seed in range(1, 20)}
    assert min(stronger) >= 3, stronger
    assert {level_drawn(sat_down(store, seed, name="Bo")) for seed in range(1, 20)} == {1, 2}
    assert {level_drawn(sat_down(store, seed, code="circle-duel:size=20,reach=2,gaps=4")) for seed in range(1, 20)} == {
        1,
        2,
    }
    for seed in range(7, 30):
        win(sat_down(store, seed), person=False)
    assert max(level_drawn(sat_down(store, seed)) for seed in range(1, 20)) < max(stronger)


def test_games_with_help_do_not_move_it(store: Store) -> None:
    before = [level_drawn(sat_down(store, seed)) for seed in range(1, 20)]
    for seed in range(1, 7):
        helped = sat_down(store, seed)
        helped.assisted = True
        win(helped, person=True)
    assert [level_drawn(sat_down(store, seed)) for seed in range(1, 20)] == before


def test_nobody_is_weaker_than_the_first_level_or_stronger_than_the_last() -> None:
    for rating, level in ((0, 1), (9000, 5)):
        assert {level_near(Strength(rating), 5, seed) for seed in range(50)} == {level}
    drawn = [level_near(Strength(1650), 5, seed) for seed in range(1000)]
    assert set(drawn) == {3, 4}
    assert 700 < drawn.count(4) < 800


@pytest.mark.parametrize("strong", [0.0, 0.7, 1.5, 2.0, 3.4, 4.0])
def test_from_the_thirtieth_game_on_a_person_wins_about_half(strong: float) -> None:
    """A person whose Elo lies between the first and last level scores half; levels are 160 points apart."""
    strength, points, rng = Strength(), 0.0, Rng(7)
    for game in range(230):
        level = level_near(strength, 5, game)
        expected = 1 / (1 + 10 ** ((level - 1 - strong) * 160 / 400))
        score = float(rng.below(10_000) < expected * 10_000)
        strength = strength.after(level, score)
        points += score * (game >= 30)
    assert 0.4 <= points / 200 <= 0.6


def test_sparring_is_no_level_of_a_game() -> None:
    with pytest.raises(DuelboxError, match="Levels: 1 to 5"):
        named_players(find_game("circle-duel"), ("bot:spar", None))
    assert with_default_names(named_players(find_game("circle-duel"), (None, "bot:Sparring")))[1] == PlayerInfo(
        name="Sparring", level="sparring"
    )
