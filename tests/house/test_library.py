"""duelbox as a library: what it offers is there, says what its examples say, and costs nothing until it is used."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

import duelbox
from duelbox import library
from duelbox.core.errors import CodeError, GameOver
from tests.house.test_imports import HEAVY, loaded_by


@pytest.mark.parametrize("module", [duelbox, library], ids=lambda module: module.__name__)
def test_the_examples_say_what_is_so(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


def test_the_package_has_the_names_of_the_library() -> None:
    assert duelbox.__all__ == library.__all__
    assert all(getattr(duelbox, name) is getattr(library, name) for name in duelbox.__all__)
    assert set(duelbox.__all__) <= set(dir(duelbox))
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = duelbox.no_such_name


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    assert {name for name in loaded_by("import duelbox") if name.startswith(("duelbox", "pydantic"))} == {"duelbox"}
    used = loaded_by("import duelbox\ntable = duelbox.Table('circle-duel/4.5')\nstr(table), table.solve().reason")
    assert not HEAVY & used


def test_a_table_refuses_as_everything_does() -> None:
    with pytest.raises(CodeError, match="6 is not next to the last number"):
        duelbox.Table("circle-duel/4.6")
    over = duelbox.Table("circle-duel/1.2.3.4.5.6.7.8.9.10")
    assert over.legal == ()
    for ask in (over.solve, lambda: over.choose("oracle")):
        with pytest.raises(GameOver, match="Player 1 cannot move"):
            ask()
    with pytest.raises(duelbox.DuelboxError, match=r"no theme 'pink'; .* dark, "):
        over.svg("pink")
    with pytest.raises(duelbox.Stopped):
        duelbox.Table("circle-duel").solve(seconds=-1)


def test_a_level_may_be_a_number_and_a_table_says_what_it_is() -> None:
    table = duelbox.Table("sequence-duel/10.13")
    assert table.choose(5).move == table.choose("5").move == table.choose("oracle").move
    assert repr(table) == "Table('sequence-duel/10.13')"


def test_a_puzzle_that_is_solved_takes_no_more_moves() -> None:
    solving = duelbox.Solving(duelbox.puzzles("circle-duel", grade=3)[0])
    for move in solving.puzzle.line[::2]:
        solving.attempt(move)
    with pytest.raises(GameOver, match="This puzzle is solved"):
        solving.attempt(move)
