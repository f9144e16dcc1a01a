"""`duelbox lab` as text, JSON and CSV; the cache behind it; bad input."""

from __future__ import annotations

import csv
import json
import os
import re
import sqlite3
from pathlib import Path

import pytest

import duelbox
from duelbox.registry import find_game
from duelbox.rules_lab import best_rules
from duelbox.rules_lab import cache as caching
from duelbox.rules_lab.cache import Cache
from duelbox.rules_lab.facts import Facts
from duelbox.rules_lab.map import Map
from tests.command_line import run


def test_a_map_is_drawn_with_what_is_not_allowed() -> None:
    page = run("lab", "circle-duel:reach=2,trails=own", "--x", "size=9-12", "--y", "gaps=1-5")
    rows = [line.split() for line in page.out.splitlines()]
    assert rows[1] == ["9", "10", "11", "12"]
    assert rows[2] == ["1", "S", "F", "S", "F"]
    assert rows[6][:2] == ["5", "."]


def test_every_sign_of_a_map_is_explained() -> None:
    page = run("lab", "number-circle:shared_total=on,sharing=off", "--x", "target=11-12", "--y", "floor").out
    *cells, legend = page.splitlines()[2:]
    assert "=" in " ".join(cells)
    assert "= draw " in legend


@pytest.mark.parametrize(
    ("code", "named"), [("circle-duel", "F first in all tried"), ("sequence-duel", "F first always")]
)
def test_a_map_says_always_only_where_nothing_is_drawn(code: str, named: str) -> None:
    game = find_game(code)
    assert Map.of(game, game.PRESETS[0].options).legend("first").startswith(named)


def test_swapping_the_axes_transposes_the_map() -> None:
    def cells(*axes: str) -> dict[str, float]:
        rows = map(json.loads, run("lab", "circle-duel", *axes, "--deals", "5", "--json").out.splitlines())
        return {row["code"]: row["first"] for row in rows}

    x, y = "size=6-9", "gaps=0-3"
    assert [*cells("--x", x, "--y", y)] != [*cells("--x", y, "--y", x)]
    assert cells("--x", x, "--y", y) == cells("--x", y, "--y", x)


def test_rows_have_the_facts_asked_for_and_no_others() -> None:
    line = run("lab", "sequence-duel", "--x", "size=6", "--y", "ring=on", "--layer", "one_rule", "--json").out
    rule = "answers every move with its partner"
    assert json.loads(line) == {"code": "sequence-duel:size=6,ring=on", "one_rule": 1, "rule": rule, "proved": True}
    table = run("lab", "sequence-duel", "--x", "size=6-8", "--y", "ring=on", "--csv").out.splitlines()
    assert [row["first"] for row in csv.DictReader(table)] == ["0.0", "1.0", "0.0"]
    assert [row["first"] for row in duelbox.lab("sequence-duel", "size=6-8", "ring=on")] == [0, 1, 0]


def test_a_cell_over_its_limit_is_late_and_worked_out_when_waited_for() -> None:
    asked = "circle-duel:reach=2,trails=own", "size=14", "gaps=3"
    (late,) = duelbox.lab(*asked, limit=0)
    assert late == {"code": "circle-duel:size=14,reach=2,trails=own,gaps=3", "late": True}
    (known,) = duelbox.lab(*asked, limit=None)
    assert (known["first"], known["deals"]) == (0.7, 20)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["lab", "chess"], "no game 'chess'"),
        (["lab", "circle-duel/4"], "no moves"),
        (["lab", "circle-duel", "--x", "seed"], "no house rule 'seed' to turn, but size, reach, trails and gaps"),
        (["lab", "circle-duel", "--x", "size=9-40"], "size takes a range from 4 to 30, not '9-40'"),
        (["lab", "circle-duel", "--x", "size=12-9"], "not '12-9'"),
        (["lab", "circle-duel", "--x", "size=5,9"], "size takes a range from 4 to 30, not '5,9'"),
        (["lab", "sequence-duel", "--x", "ring=on,maybe"], "ring takes off and on, or several such as off,on, not"),
        (["lab", "sequence-duel", "--x", "ring="], "not ''"),
        (["lab", "circle-duel", "--x", "size", "--y", "size"], "Both axes are size"),
        (["lab", "circle-duel", "--deals", "0"], "--deals takes a number from 1 to"),
        (["lab", "circle-duel", "--x", "size=5-6", "--y", "gaps=9"], "None of these settings is allowed: gaps takes"),
        (["lab", "circle-duel:without=3-4"], "leave out without=3-4"),
        (["lab", "number-duel:deal=31524-51234"], "leave out deal=31524-51234"),
    ],
)
def test_bad_input_gets_a_sentence(words: list[str], sentence: str) -> None:
    told = run(*words)
    assert told.status == 2
    assert sentence in told.err


def test_words_with_hyphens_are_a_range_too() -> None:
    lines = run("lab", "digit-chain", "--x", "zero=dead-end-no-tens", "--y", "gaps=0", "--json").out.splitlines()
    assert [json.loads(line)["code"] for line in lines] == ["digit-chain", "digit-chain:zero=no-tens"]


def test_neighbours_may_be_listed_in_any_order() -> None:
    rows = list(duelbox.lab("sequence-duel", "size=8,6,7", "ring=on,off"))
    assert rows == list(duelbox.lab("sequence-duel", "size=6-8", "ring"))
    assert len(rows) == 6


# -- the cache


def test_what_is_kept_is_not_worked_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, path = find_game("sequence-duel"), tmp_path / "lab.db"
    found = Cache(path).work_out(game, game.Options(), "first")
    monkeypatch.setattr("duelbox.rules_lab.cache.work_out", lambda *_, **__: Facts(first=0.5))
    assert Cache(path).work_out(game, game.Options(), "first") == found
    monkeypatch.setattr(caching, "version", lambda game_id: "another")
    assert Cache(path).work_out(game, game.Options(), "first").first == 0.5, "the solver is another one"


def test_the_oldest_rows_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "MOST_ROWS", 3)
    game, path = find_game("sequence-duel"), tmp_path / "lab.db"
    cache = Cache(path)
    for size in range(5, 11):
        cache.work_out(game, game.Options(size=size), "first")
    rows = sqlite3.connect(path).execute("SELECT key FROM fact ORDER BY rowid").fetchall()
    assert [re.sub(r"\D", "", key) for (key,) in rows] == ["820", "920", "1020"]


@pytest.mark.parametrize("damage", ["bytes", "rows", "folder", "pipe"])
def test_a_cache_that_cannot_be_used_is_done_without(tmp_path: Path, damage: str) -> None:
    game, path = find_game("sequence-duel"), tmp_path / "lab.db"
    options = game.Options()
    Cache(path).work_out(game, options, "first")
    if damage == "bytes":
        path.write_bytes(b"no database" * 1000)
    elif damage == "rows":
        with sqlite3.connect(path) as db:
            db.execute('UPDATE fact SET json = \'{"first": "x"}\'')
    else:
        path.unlink()
        path.mkdir() if damage == "folder" else os.mkfifo(path)
    assert Cache(path).work_out(game, options, "first").first == 1


def test_of_more_settings_than_can_be_looked_at_some_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_rules, "MOST_SETTINGS", 50)
    game = find_game("digit-chain")
    found = list(best_rules.settings(game))
    assert len(found) == 50
    assert {one.zero for one in found} == {"dead-end", "no-tens", "wild"}  # type: ignore[attr-defined]


def test_what_is_typed_stays_and_the_rest_is_turned() -> None:
    rows = [
        json.loads(line) for line in run("lab", "circle-duel:size=8,gaps=2", "--deals", "2", "--json").out.splitlines()
    ]
    assert {re.sub("reach=.|trails=own|[:,]", "", row["code"]) for row in rows} == {"circle-duelsize=8gaps=2"}
    assert len(rows) == 6
