"""The modules that importing a part of duelbox loads; import-linter checks which part may import which."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from duelbox.registry import BUILT_IN

ROOT = Path(__file__).parents[2]
HEAVY = {"textual", "rich", "platformdirs", "sqlite3", "asyncio", "tomllib"}

AT_HOME = "play.on_screen = lambda run, instead: run(lambda *asked, **how: 0)"
"""The command without its full screen."""


@cache
def loaded_by(statement: str, *options: str) -> frozenset[str]:
    """The modules of a fresh Python after this statement."""
    script = f"import sys\n{statement}\nprint('\\n'.join(sys.modules))"
    ran = subprocess.run([sys.executable, *options, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return frozenset(ran.stdout.split())


def test_the_registry_loads_no_game_and_no_textual() -> None:
    loaded = loaded_by("import duelbox.registry")
    assert "duelbox.core.game" in loaded
    assert not HEAVY & loaded
    assert not any(name.startswith("duelbox.games.") for name in loaded)


def test_all_games_and_all_of_the_core_load_no_textual() -> None:
    core = [path.stem for path in (ROOT / "duelbox" / "core").glob("*.py") if path.stem != "__init__"]
    imports = "".join(f"import duelbox.core.{name}\n" for name in sorted(core))
    loaded = loaded_by(f"{imports}from duelbox.registry import games\nlist(games())")
    assert {f"duelbox.core.{name}" for name in core} <= loaded
    assert set(BUILT_IN.values()) <= loaded
    assert not HEAVY & loaded
    others = {name.split(".")[1] for name in loaded if name.startswith("duelbox.")}
    assert others == {"core", "games", "registry", "startup"}


@pytest.mark.parametrize("game_id", [*BUILT_IN][::4])
def test_a_game_loads_no_other(game_id: str) -> None:
    loaded = loaded_by(f"from duelbox.registry import find_game\nfind_game({game_id!r}).start")
    games = {name for name in loaded if name.startswith("duelbox.games.") and name.count(".") == 2}
    assert games == {BUILT_IN[game_id]}


def test_only_what_plays_across_machines_loads_a_networking_library() -> None:
    modules = "ui.app", "ui.screens.table", "plain.line_match", "commands.play"
    loaded = loaded_by("; ".join(f"import duelbox.{module}" for module in modules))
    assert "textual" in loaded
    assert not {"websockets", "cryptography", "spake2", "nats", "zeroconf"} & loaded


def test_a_kept_home_is_painted_before_models_games_and_the_store_are_loaded() -> None:
    opened = "main([])\nimport duelbox.ui.app, duelbox.ui.home_kept, duelbox.ui.screens.home"
    loaded = loaded_by(f"from duelbox.cli import main\nfrom duelbox.commands import play\n{AT_HOME}\n{opened}")
    assert "textual" in loaded
    assert not {"pydantic", "sqlite3", "tomllib", "duelbox.registry", "duelbox.core.model"} & loaded


def test_the_supervisor_begins_before_anything_large_is_loaded() -> None:
    loaded = loaded_by("import duelbox.__main__", "-S")
    assert "duelbox.ui.terminal.supervisor" in loaded
    assert not {"typing", "argparse", "re", "duelbox.cli"} & loaded
