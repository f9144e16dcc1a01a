"""The players of a table: people by name, computers by level, and two that can be told apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from duelbox.core.errors import BadName, DuelboxError
from duelbox.core.names import MAX_CELLS
from duelbox.core.record import PlayerInfo
from duelbox.registry import find_game
from duelbox.store.settings import Config, LastUsed
from duelbox.table.new_game import last_players
from duelbox.table.players import differently_named, named_players, names_with
from duelbox.testing.laws import is_sentence

GAME = find_game("sequence-duel")


@pytest.mark.parametrize("asked", [("You", None), (None, "you"), ("run:gnuchess", "bot:1"), ("BOT:1", None)])
def test_words_of_the_table_are_refused_as_names(asked: tuple[str | None, str | None]) -> None:
    with pytest.raises(DuelboxError) as refused:
        named_players(GAME, asked)
    assert is_sentence(refused.value.sentence)


@pytest.mark.parametrize("second", ["Ann", "ANN", "\u0410nn"])
def test_two_people_are_refused_names_that_look_alike(second: str) -> None:
    with pytest.raises(BadName):
        named_players(GAME, ("Ann", second))


@pytest.mark.parametrize("person", ["Dash", "dash", "D\u0430sh"])
def test_a_computer_gets_a_2_beside_a_person_of_its_name(person: str) -> None:
    one, two = named_players(GAME, (person, "bot:1"))
    assert one == PlayerInfo(name=person)
    assert two == PlayerInfo(name="Dash 2", level="dash")
    one, two = named_players(GAME, ("bot:1", person))
    assert one == PlayerInfo(name="Dash 2", level="dash")
    assert two == PlayerInfo(name=person)


def test_saved_names_that_look_alike_stay_and_are_shown_apart(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('names = ["Al", "AI"]\n')
    config = Config.load(tmp_path, environ={})
    assert config.notices == ()
    assert config.settings.names == ("Al", "AI")
    last = LastUsed(players=("person", "person"))
    assert [who.name for who in last_players(GAME, last, config.settings.names)] == ["Al", "AI 2"]


def test_a_saved_name_that_is_a_word_of_the_table_stays(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('names = ["You", "bot:3"]\n')
    config = Config.load(tmp_path, environ={})
    assert config.notices == ()
    assert config.settings.names == ("You", "bot:3")


def test_two_names_that_differ_stay_as_they_are() -> None:
    one, two = PlayerInfo(name="Ann"), PlayerInfo(name="Bo")
    assert differently_named(one, two) == (one, two)


def test_there_is_room_for_the_2_behind_names_as_long_as_can_be() -> None:
    long = "Il" * (MAX_CELLS // 2)
    one, two = differently_named(PlayerInfo(name=long), PlayerInfo(name="lI" * (MAX_CELLS // 2)))
    assert one.name == long
    assert two.name == f"{'lI' * (MAX_CELLS // 2 - 1)} 2"


@pytest.mark.parametrize("name", ["", "Ann", "Player 1", "Player 2", "Bo", "BO"])
def test_a_name_told_to_a_friend_is_kept_unless_it_is_another_player_s_or_a_usual_one(name: str) -> None:
    assert names_with(name, ("Ann", "Bo")) == ("Ann", "Bo")
    assert names_with("Cy", ("Ann", "Bo")) == ("Cy", "Bo")
