"""The code in `duelbox help programs` runs, with stand-ins for the libraries of other people."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path
from textwrap import dedent
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import duelbox
from duelbox.commands.shared import topics
from duelbox.core.rng import Rng
from duelbox.exam.paper import GAMES, HOUSE_RULES
from duelbox.registry import find_game
from tests.command_line import run


def code_below(heading: str) -> str:
    """The code below a heading of the page."""
    section = topics()["programs"].partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("    ") or not line]
    return dedent("\n".join(lines))


@pytest.mark.parametrize("game_id", [game_id for game_id in GAMES if game_id != "number-duel"])
def test_the_page_names_each_key_of_a_paper_with_its_classic_value(game_id: str) -> None:
    page = topics()["programs"].partition(f"- `{game_id}`:")[2].partition("\n- ")[0]
    classic = dict(find_game(game_id).Options())
    for key in HOUSE_RULES[game_id](Rng(1)):
        if key == "without":
            continue
        value = {True: "on", False: "off", None: "none"}.get(classic[key], str(classic[key]))
        if isinstance(classic[key], int) and not isinstance(classic[key], bool):
            value = str(classic[key])
        assert f"`{key}={value}`" in page


class Kept(SimpleNamespace):
    """Keeps its arguments by their names."""


class Anything:
    """Any attribute of it is itself; called, it keeps what it is given."""

    def __getattr__(self, name: str) -> Anything:
        return self

    def __call__(self, **given: Any) -> Kept:
        return Kept(**given)


def library(monkeypatch: pytest.MonkeyPatch, name: str, **names: Any) -> None:
    """Stand in for a library, or a part of one."""
    module = ModuleType(name)
    vars(module).update(names)
    monkeypatch.setitem(sys.modules, name, module)


def test_a_paper_is_a_task_of_a_harness(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    library(monkeypatch, "inspect_ai", Task=Kept, task=lambda made: made)
    library(monkeypatch, "inspect_ai.dataset", Sample=Kept)
    library(
        monkeypatch,
        "inspect_ai.scorer",
        Score=Kept,
        mean=object,
        stderr=object,
        scorer=lambda metrics: lambda made: made,
    )
    library(monkeypatch, "inspect_ai.solver", generate=object)
    paper = tmp_path / "paper.jsonl"
    assert run("exam", "--write", str(paper), "--seed", "7", "--positions", "10").status == 0
    names: dict[str, Any] = {}
    exec(code_below("A paper as a task of an evaluation harness").replace("positions=100", "positions=10"), names)
    task = names["paper"](str(paper))
    assert len(task.dataset) == 10
    sample = task.dataset[0]
    assert "Position: circle-duel" in sample.input
    exam = duelbox.Exam(7, 10)
    for move in exam.questions[sample.id].legal:
        output = SimpleNamespace(completion=f"I think so.\n**{move}**")
        score = asyncio.run(task.scorer(SimpleNamespace(sample_id=sample.id, output=output), None))
        assert score.value == exam.mark(sample.id, move).regret
    silent = SimpleNamespace(sample_id=sample.id, output=SimpleNamespace(completion=""))
    assert asyncio.run(task.scorer(silent, None)).value > 0


def test_a_table_is_a_game_for_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    registered = []

    class Base:
        def __init__(self, *given: Any) -> None:
            pass

    library(
        monkeypatch,
        "pyspiel",
        Game=Base,
        State=Base,
        GameType=Anything(),
        GameInfo=Kept,
        PlayerId=SimpleNamespace(TERMINAL=-4),
        register_game=lambda kind, made: registered.append((kind.short_name, made)),
    )
    names: dict[str, Any] = {}
    exec(code_below("A game for OpenSpiel"), names)
    assert registered == [("duelbox", names["Duel"])]
    state = names["Duel"]().new_initial_state()
    drawn = random.Random(1)
    while not state.is_terminal():
        player = state.current_player()
        assert player in (0, 1)
        actions = state._legal_actions(player)
        assert actions == sorted(actions)
        state._apply_action(drawn.choice(actions))
    assert state.current_player() == -4
    assert sorted(state.returns()) == [-1, 1]
    assert str(state).startswith("sequence-duel/")
    assert names["INFO"].num_distinct_actions == 20


def test_a_table_is_an_environment_for_gymnasium(monkeypatch: pytest.MonkeyPatch) -> None:
    class Env:
        def reset(self, *, seed: int | None = None) -> None:
            self.np_random = SimpleNamespace(integers=random.Random(seed).randrange)

    spaces = SimpleNamespace(Discrete=lambda count: count, MultiDiscrete=list)
    library(monkeypatch, "gymnasium", Env=Env, spaces=spaces)
    library(monkeypatch, "numpy", array=lambda values, dtype=None: list(values), int8=int)
    names: dict[str, Any] = {}
    exec(code_below("An environment for Gymnasium"), names)
    env = names["Duel"]()
    ends = set()
    for seed in range(8):
        seen, info = env.reset(seed=seed)
        assert (env.action_space, len(env.observation_space)) == (20, len(seen))
        drawn = random.Random(seed)
        ended = False
        reward = 0.0
        while not ended:
            assert reward == 0
            action = drawn.choice([at for at, legal in enumerate(info["action_mask"]) if legal])
            seen, reward, ended, cut, info = env.step(action)
            assert seen[action] == 1
            assert not cut
        ends.add(reward)
    assert ends <= {1.0, -1.0}
