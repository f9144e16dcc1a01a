"""The benchmarks run at a small size; times do not matter here."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from tests.bench import bench_solve, bench_stop, rivals
from tests.bench.child import run
from tests.bench.measure import Row, random_positions, show
from tests.effort import SHARE


@pytest.mark.parametrize("name", sorted(file.stem for file in Path(__file__).parent.glob("*.py")))
def test_every_bench_can_be_imported(name: str) -> None:
    assert import_module(f"tests.bench.{name}").__doc__


def test_a_solver_has_rows_in_the_speed_table(capsys: pytest.CaptureFixture[str]) -> None:
    [row] = show([next(bench_solve.number_duel_rows())])
    shown = capsys.readouterr().out
    assert min(row.cpu) > 0
    assert row.work in shown
    assert f"max 50 ms: {'met' if max(row.cpu) <= 50 else 'NOT MET'} (" in shown


@pytest.mark.parametrize(("slowest", "told"), [(50.0, "met (5.00 x"), (50.1, "NOT MET (5.01 x")])
def test_a_row_says_whether_it_stays_within_its_reach(slowest: float, told: str) -> None:
    assert Row("work", cpu=[1.0, slowest], wall=[1.0, 99.0], reach={"max": 50.0}).line(10.0).endswith(f"{told})")
    by_wall = Row("work", wall=[1.0, slowest], reach={"max": 50.0}, by_wall=True)
    assert by_wall.line(10.0).endswith(f"max 50 ms: {told}, by wall)")


def test_it_is_watched_how_long_a_solver_does_not_look_at_its_flag() -> None:
    assert bench_stop.unwatched("circle-duel", next(random_positions("circle-duel", 1, seed=3))) > 0


@pytest.mark.parametrize(
    ("who", "what", "answer"),
    [
        ("duelbox, search", "7", "win"),
        ("duelbox, all moves", "circle-duel/4", "3"),
        ("duelbox, ring", "50", "win"),
    ],
)
def test_our_side_of_the_rivals_table(who: str, what: str, answer: str) -> None:
    assert rivals.ADAPTERS[who](what)() == answer


@pytest.mark.skipif(SHARE > 1, reason="tried by --long: most are not installed")
@pytest.mark.parametrize(("who", "what"), [("easyAI", "7"), ("cgt-py", "7"), ("networkx", "50")])
def test_a_rival_agrees_or_is_told_to_be_missing(who: str, what: str) -> None:
    ran = run("-m", "tests.bench.rivals", who, what)
    assert ran.status == rivals.MISSING or json.loads(ran.out)["answer"] == "win", ran.errors
