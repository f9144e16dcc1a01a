"""duelbox as a library: its names exist, its examples are true, and nothing is loaded before it is used."""

from __future__ import annotations

import copy
import doctest
import importlib
import inspect
import json
import pickle
import re
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from random import Random
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

import duelbox
from duelbox import library
from duelbox.commands.shared import topics
from duelbox.core.errors import CodeError, GameOver, OptionError
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
    with pytest.raises(duelbox.DuelboxError, match="time ran out") as late:
        duelbox.Table("circle-duel").solve(seconds=-1)
    assert isinstance(late.value, duelbox.Stopped)


def test_a_level_may_be_a_number_and_a_table_says_what_it_is() -> None:
    table = duelbox.Table("sequence-duel/10.13")
    assert table.choose(5).move == table.choose("5").move == table.choose("oracle").move
    assert repr(table) == "Table('sequence-duel/10.13')"


def test_the_lab_is_a_function_also_after_its_package_was_loaded() -> None:
    importlib.import_module("duelbox.rules_lab.facts")
    assert inspect.isfunction(duelbox.lab)
    assert inspect.getdoc(duelbox.lab).startswith("A row for each setting")


def test_an_analysis_and_its_moves_are_rows_of_plain_values() -> None:
    for code in ("circle-duel:reach=2/4.5.7", "number-duel:deal=31524-42513"):
        found = duelbox.Table(code).solve()
        facts = json.loads(json.dumps(found.to_dict()))
        assert facts == found.to_dict()
        assert [(row["move"], row["verdict"]) for row in facts["moves"]] == [(m.move, m.verdict) for m in found.moves]
        assert facts["value"] == pytest.approx(float(found.value))
        assert {type(value) for row in facts["moves"] for value in row.values()} <= {str, int, float, type(None)}


def test_the_moves_are_what_a_data_frame_reads() -> None:
    """A DataFrame takes a sequence of data classes, and makes a column of each field."""
    found = duelbox.Table("circle-duel:reach=2/4.5.7").solve()
    assert isinstance(found.moves, Sequence)
    assert all(map(is_dataclass, found.moves))
    assert list(asdict(found.moves[0])) == ["move", "verdict", "plies", "win", "draw"]


def test_an_analysis_is_short_as_text_and_a_table_in_a_notebook() -> None:
    found = duelbox.Table("circle-duel:reach=2/4.5.7").solve()
    assert repr(found) == "<Analysis for Player 2: wins in 5 turns, 3 moves rated>"
    assert repr(found.moves[0]) == "<9: wins in 5 turns>"
    page = ElementTree.fromstring(f"<div>{found._repr_html_()}</div>")
    assert [row.findtext("td") for row in page.iterfind("table/tbody/tr")] == ["9", "6", "8"]
    assert found.reason in "".join(page.itertext())


def test_a_puzzle_that_is_solved_takes_no_more_moves() -> None:
    solving = duelbox.Solving(duelbox.puzzles("circle-duel", grade=3)[0])
    for move in solving.puzzle.line[::2]:
        solving.attempt(move)
    with pytest.raises(GameOver, match="This puzzle is solved"):
        solving.attempt(move)


GAMES = duelbox.game_ids()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, duelbox.Table.copy], ids=["copy", "deepcopy", "method"])
def test_what_is_done_on_a_copy_stays_on_the_copy(copied: copy._CopyProtocol) -> None:
    table = duelbox.Table("sequence-duel/10.13")
    twin = copied(table)
    assert type(twin) is duelbox.Table
    twin.type("16")
    table.type("7")
    assert (table.code(), twin.code()) == ("sequence-duel/10.13.7", "sequence-duel/10.13.16")


@pytest.mark.parametrize("game_id", GAMES)
def test_a_table_and_its_game_come_whole_out_of_a_pickle(game_id: str) -> None:
    table = duelbox.Table(game_id)
    for _ in range(2):
        table.play(table.legal_moves()[0])
    table.go(1)
    again = pickle.loads(pickle.dumps(table))
    assert (again, again.game, again.code()) == (table, table.game, table.code())
    again.redo()
    assert len(again.plies) == 2


@pytest.mark.parametrize("error", [OptionError("No.", "size"), CodeError("No.", 3), duelbox.Stopped()])
def test_a_refusal_comes_whole_out_of_a_pickle(error: duelbox.DuelboxError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_tables_are_equal_by_position_and_rules() -> None:
    same = (
        ("sequence-duel/1.9.5", "sequence-duel/5.9.1"),
        ("number-circle:target=15/+2.+9", "number-circle/+2.+9"),
        ("circle-duel:without=3-5", "circle-duel:gaps=2,seed=1"),
        ("circle-duel:reach=3/1.3.2.4", "circle-duel:reach=3/2.3.1.4"),
        ("circle-duel:reach=2,trails=own/1.3.2.4.10", "circle-duel:reach=2,trails=own/2.3.1.4.10"),
    )
    for one, two in (map(duelbox.Table, pair) for pair in same):
        assert one == two
        assert len({one, two}) == 1
    other = (
        ("sequence-duel", "sequence-duel:ring=on"),
        ("circle-duel/1", "circle-duel/2"),
        ("circle-duel:gaps=2,seed=1", "circle-duel:gaps=2,seed=2"),
        ("circle-duel:reach=2/1.2.3", "circle-duel:reach=2/3.2.1"),
        ("circle-duel:reach=2,trails=own/1.5.3.6.2", "circle-duel:reach=2,trails=own/2.5.3.6.1"),
        ("number-duel:deal=31524-51234", "number-duel:deal=31524-51243"),
    )
    for one, two in (map(duelbox.Table, pair) for pair in other):
        assert one != two
    table = duelbox.Table("circle-duel")
    assert table != "circle-duel"
    table.resign()
    assert table != duelbox.Table("circle-duel")


def test_what_makes_no_sense_is_refused_and_changes_nothing() -> None:
    table: Any = duelbox.Table("sequence-duel/10.13")
    with pytest.raises(duelbox.MoveError, match=r"as text, such as '7'"):
        table.type(7)
    with pytest.raises(duelbox.DuelboxError, match="one of resignation, agreement, claim"):
        table.cut("nonsense")
    assert table.turn == 0
    with pytest.raises(duelbox.DuelboxError, match="There is no game 'nonsense'"):
        duelbox.puzzles("nonsense")


def test_what_is_no_move_is_refused_with_what_would_be_right() -> None:
    table = duelbox.Table("sequence-duel")
    for wrong in ("7", 7, None):
        with pytest.raises(duelbox.MoveError, match=r"there is type\("):
            table.play(wrong)
    assert table.code() == "sequence-duel"


def test_a_game_that_need_not_end_ends_the_loop_of_who_plays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert duelbox.Table.max_moves == 10_000
    monkeypatch.setattr(duelbox.Session, "max_moves", 3)
    table = duelbox.Table("number-circle")
    while moves := table.legal_moves():
        table.play(Random(1).choice(moves))
    assert (table.full, len(table.moves), table.legal, table.outcome) == (True, 3, (), None)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_notebook_has_the_board_in_words(game_id: str) -> None:
    table = duelbox.Table(game_id, ("<Ann>", "Ben"))
    picture = ElementTree.fromstring(table._repr_html_())
    told = picture.findtext("{http://www.w3.org/2000/svg}desc")
    assert told == str(table)
    assert picture.get("role") == "img"


def test_the_page_of_the_library_has_every_name_and_its_examples_are_so() -> None:
    page = topics()["api"]
    test = doctest.DocTestParser().get_doctest(page, {}, "api", "api.md", 0)
    assert doctest.DocTestRunner().run(test).failed == 0
    shown = {name for example in test.examples for name in re.findall(r"\w+", example.source)}
    assert set(duelbox.__all__) - {"Analysis", "Puzzle"} <= shown
    assert {"Analysis", "Puzzle"} <= set(re.findall(r"\w+", page))
    kept = {name for name in (*dir(duelbox.Table), *vars(duelbox.Table("circle-duel"))) if not name.startswith("_")}
    assert kept <= shown
