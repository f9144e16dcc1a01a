"""A guest's game with a solver has a map of its options; a solver with a fault ends the command with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from duelbox.registry import find_game
from duelbox.rules_lab.house_rules import house_rules
from tests.command_line import run
from tests.guest_games import TOY, WHOLE

Install = Callable[[Path], None]


def test_a_guest_has_a_map_by_its_options(installed: Install) -> None:
    installed(WHOLE)
    (rule, *_) = house_rules(find_game("two-heaps"))
    layers = ("--layer", "first", "--layer", "changes", "--layer", "one_rule", "--deals", "3")
    rows = [json.loads(line) for line in run("lab", "two-heaps", *layers, "--json").out.splitlines()]
    assert len(rows) >= len(rule.values)
    assert all({"first", "changes", "one_rule"} <= row.keys() for row in rows)


def test_a_guest_without_a_solver_has_none(installed: Install) -> None:
    installed(TOY)
    ran = run("lab", "toy-heap")
    assert (ran.status, ran.out) == (2, "")
    assert "no solver for toy-heap" in ran.err


@pytest.mark.parametrize("field", ["wins=lambda view, stop: 1 / 0", "partners=lambda view: exit(3)"])
def test_a_guests_solver_with_a_fault_ends_the_command(installed: Install, tmp_path: Path, field: str) -> None:
    copytree(WHOLE, tmp_path / "guest")
    solve = tmp_path / "guest" / "duelbox_two_heaps" / "solve.py"
    solve.write_text(f"{solve.read_text('utf-8')}\nfrom dataclasses import replace\nSOLVE = replace(SOLVE, {field})\n")
    installed(tmp_path / "guest")
    ran = run("lab", "two-heaps", "--layer", "first", "--layer", "one_rule", "--deals", "2")
    assert ran.status == 1
    assert "duelbox_two_heaps.solve has a fault" in ran.err
