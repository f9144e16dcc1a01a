"""Without the folders and registry lines of some games, the other games keep their laws and the app starts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree

import pytest

import duelbox
from duelbox.registry import BUILT_IN

IDS = tuple(BUILT_IN)
WITHOUT = """
import asyncio, sys
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages
import duelbox
from duelbox.cli import main
from duelbox.core.errors import UnknownGame
from duelbox.registry import find_game, game_ids
from duelbox.testing import broken_laws

gone, left = sys.argv[1].split(), sys.argv[2].split()
assert list(game_ids()) == left, game_ids()
for game_id in gone:
    with suppress(UnknownGame):
        raise AssertionError(find_game(game_id))
for module in walk_packages(duelbox.__path__, "duelbox."):
    if not module.name.startswith("duelbox.games.") and not module.name.endswith("__main__"):
        import_module(module.name)
for game_id in left:
    assert not broken_laws(find_game(game_id), seeds=2), game_id
for command in ("games", "doctor", f"show {left[0]}", f"solve {left[-1]}"):
    assert main(command.split()) == 0, command

from duelbox.store.settings import Config
from duelbox.store.store import Store
from duelbox.ui.app import DuelboxApp

async def look() -> None:
    app = DuelboxApp(Config.load(), Store.open())
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        rows = [game.id for game in app.screen.facts.games]
        assert rows == left, rows
        await pilot.press("n")
        await pilot.pause()
        await pilot.press("escape", "1")
        await pilot.pause()
        assert type(app.screen).__name__ == "LocalScreen", app.screen

asyncio.run(look())
print("stands")
"""


@pytest.mark.parametrize("gone", [IDS[:2], IDS[2:]], ids=" ".join)
def test_a_house_without_these_games_stands(gone: tuple[str, ...], tmp_path: Path) -> None:
    (source,) = duelbox.__path__
    house = tmp_path / "duelbox"
    copytree(source, house, ignore=ignore_patterns("*.pyc.*"))  # files that Python is just writing
    registry = house / "registry.py"
    text = registry.read_text(encoding="utf-8")
    for game_id in gone:
        rmtree(house.joinpath(*BUILT_IN[game_id].split(".")[1:]))
        text, lines = re.subn(rf'(?m)^    "{game_id}": .*\n', "", text)
        assert lines == 1
    registry.write_text(text, encoding="utf-8")
    left = [game_id for game_id in IDS if game_id not in gone]
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT, " ".join(gone), " ".join(left)],
        cwd=tmp_path,
        env={**os.environ, "DUELBOX_HOME": str(tmp_path / "home"), "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.endswith("stands\n"), ran.stderr[-2_000:]
