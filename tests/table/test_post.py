"""Play by post: a code continues the unfinished game of two people that begins like it, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from duelbox.store.store import Store
from duelbox.table.local import LocalTable
from duelbox.table.new_game import read_new_game
from duelbox.table.players import named_players, with_default_names


def kept(store: Store, code: str, p2: str = "Ben") -> str:
    """Save an unfinished match at this position; returns its id."""
    asked = read_new_game(code)
    table = LocalTable(asked, with_default_names(named_players(asked.game, ("Ann", p2))), None, store)
    saving = table.save()
    assert saving is not None
    saving.result()
    assert table.saved is not None
    table.saved.close()
    return table.saved.id


def test_an_answer_by_post_goes_on_with_the_latest_game_that_begins_like_it(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        kept(store, "sequence-duel/10")
        match = kept(store, "sequence-duel/10.13")
        table = LocalTable.continued_by_post(store, read_new_game("sequence-duel/10.13.7.5"))
        assert table is not None
        assert table.saved_as == match
        assert table.session.code() == "sequence-duel/10.13.7.5"
        assert len(table.happened) == 2


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("sequence-duel/10.13", "sequence-duel/10.14.7"),
        ("sequence-duel/10.13", "sequence-duel/10"),
        ("sequence-duel/10.13", "sequence-duel:size=21/10.13.7"),
        ("sequence-duel/10.13", "sequence-duel"),
        ("circle-duel:gaps=2,seed=1/4", "circle-duel:gaps=2,seed=2/5"),
        ("number-duel:seed=1/1x1", "number-duel:seed=1/1x1.1x1"),
        ("sequence-duel:size=5/3.1.5", "sequence-duel:size=5/3.1.5"),
    ],
)
def test_other_codes_begin_a_game_of_their_own(tmp_path: Path, code: str, asked: str) -> None:
    with Store.open(tmp_path) as store:
        kept(store, code)
        assert LocalTable.continued_by_post(store, read_new_game(asked)) is None


def test_no_game_against_a_computer_is_played_on_by_post(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        kept(store, "sequence-duel/10.13", "bot:2")
        assert LocalTable.continued_by_post(store, read_new_game("sequence-duel/10.13.7")) is None
