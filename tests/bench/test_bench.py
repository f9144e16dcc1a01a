"""The benches import and run, at a small size; what they time is no matter here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

from duelbox.registry import find_game
from tests.bench import (
    answers,
    bench_solve,
    follower,
    rivals,
    stops,
)
from tests.bench.child import run
from tests.bench.measure import Row, random_positions, show
from tests.house_rules import SOLVED

FOLDER = Path(__file__).parent
NEEDS_MORE = {"spiel_games"}
"""Modules that need a package which only the rivals do."""


@pytest.mark.parametrize("name", sorted({file.stem for file in FOLDER.glob("*.py")} - NEEDS_MORE))
def test_every_bench_can_be_imported(name: str) -> None:
    assert import_module(f"tests.bench.{name}").__doc__


@pytest.mark.parametrize(
    "rows",
    [
        bench_solve.digit_chain_rows,
        bench_solve.number_duel_rows,
        bench_solve.circle_duel_rows,
        bench_solve.number_circle_rows,
        bench_solve.sequence_duel_rows,
    ],
)
def test_a_solver_has_rows_in_the_speed_table(
    rows: Callable[[], Iterator[Row]], capsys: pytest.CaptureFixture[str]
) -> None:
    [row] = show([next(rows())])
    shown = capsys.readouterr().out
    assert min(row.cpu) > 0
    assert row.work in shown
    assert f"max 50 ms: {'met' if max(row.cpu) <= 50 else 'NOT MET'} (" in shown


@pytest.mark.parametrize(("slowest", "told"), [(50.0, "met (5.00 x)"), (50.1, "NOT MET (5.01 x)")])
def test_a_row_says_whether_it_stays_within_its_reach(slowest: float, told: str) -> None:
    assert Row("work", cpu=[1.0, slowest], wall=[1.0, 99.0], reach={"max": 50.0}).line(10.0).endswith(told)
    assert Row("work", wall=[1.0, slowest], reach={"max": 50.0}, by_wall=True).line(10.0).split("max 50 ms: ")[
        1
    ] == told.replace(")", ", by wall)")


def test_the_command_says_what_this_process_says() -> None:
    command, here = answers.rows(10)
    assert len(command.wall) == len(here.wall) == 1


@pytest.mark.parametrize("game_id", SOLVED)
def test_it_is_watched_how_long_a_solver_does_not_look_at_its_flag(game_id: str) -> None:
    assert stops.unwatched(game_id, next(random_positions(game_id, 1, seed=3))) > 0


@pytest.mark.parametrize(
    ("who", "what", "answer"),
    [
        ("duelbox, search", "7", "win"),
        ("duelbox", "number-duel", "-0.21875"),
        ("duelbox, all moves", "circle-duel/4", "3"),
        ("duelbox, ring", "50", "win"),
    ],
)
def test_our_side_of_the_rivals_table(who: str, what: str, answer: str) -> None:
    ran = run("-m", "tests.bench.rivals", who, what)
    assert ran.status == 0, ran.errors
    assert json.loads(ran.out)["answer"] == answer


@pytest.mark.parametrize(("who", "what"), [("easyAI", "7"), ("cgt-py", "7"), ("OpenSpiel", "7"), ("networkx", "50")])
def test_a_rival_agrees_or_is_told_to_be_missing(who: str, what: str) -> None:
    ran = run("-m", "tests.bench.rivals", who, what)
    assert ran.status == rivals.MISSING or json.loads(ran.out)["answer"] == "win", ran.errors


@pytest.mark.parametrize("game_id", SOLVED)
def test_reasons_say_more_than_the_verdict_and_can_be_followed(game_id: str) -> None:
    for preset in find_game(game_id).PRESETS:
        found = follower.row(game_id, preset.options, 8)
        assert found.restate == 0
        assert found.followed >= 0.7 * found.won
        assert found.longest <= 220


@pytest.mark.parametrize(
    ("reason", "replies", "answers"),
    [
        ("Pick 2, then answer any pick with its partner: 1-10 and 9-8.", "1 8 5", "10 9 None"),
        ("Claim 10. Answer every claim with its partner: 1 to 3 with 20 to 18.", "1 19 4", "20 2 None"),
        ("Claim 2. That closes 3 to Player 2. Then claim 9, but 15 after 8-10 or 12.", "7 8 12", "9 15 15"),
        ("Play -6. Answer +4 with -5 and -4 with +5: you win within 17 turns.", "+4 -4 +5", "-5 +5 None"),
        ("Pick 62, then you can answer 2 with 21, and any other number with its reverse.", "2 23 4", "21 32 44"),
    ],
)
def test_a_follower_does_what_a_sentence_says_and_knows_no_more(reason: str, replies: str, answers: str) -> None:
    plan, legal = follower.read(reason), [f"{sign}{number}" for sign in ("", "+", "-") for number in range(1, 100)]
    assert [str(plan.answer(reply, legal)) for reply in replies.split()] == answers.split()
    assert not follower.restates(reason)
    assert follower.restates("Whatever you do, Player 2 can force 15 within 24 turns.")
