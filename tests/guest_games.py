"""Guests' games for the fixture `installed`: the toy game of `tests/toy`, complete or with faults."""

from __future__ import annotations

import atexit
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import copy, copytree, ignore_patterns, rmtree
from tempfile import mkdtemp

from duelbox.cli import main

TOY = Path(__file__).parent / "toy"


def new_game(game_id: str, folder: Path) -> Path:
    """Write the game of `duelbox games --new` with the metadata that pip would add; return the folder to install."""
    with redirect_stdout(StringIO()):
        assert main(["games", "--new", game_id, str(folder)]) == 0
    package = f"duelbox_{game_id.replace('-', '_')}"
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[duelbox.games]\n{game_id} = {package}\n")
    return folder


def _whole() -> Path:
    above = Path(mkdtemp(prefix="duelbox-guest-"))
    atexit.register(rmtree, above, ignore_errors=True)
    folder = new_game("two-heaps", above / "whole_toy")
    copy(Path(__file__).parent / "two_heaps.json", folder / "duelbox_two_heaps" / "facts.json")
    return folder


WHOLE = _whole()
"""Write a guest with a solver, computers, words and a board of its own."""


def toy_with(folder: Path, point: str = "toy-heap", rules: str = "", **modules: str) -> Path:
    """Write the toy with another entry point, additions to its rules, or more modules; return the folder to install."""
    guest = folder / "guest"
    copytree(TOY, guest, ignore=ignore_patterns("__pycache__"))  # another worker may just be writing there
    (guest / "duelbox_toy-1.0.dist-info" / "entry_points.txt").write_text(f"[duelbox.games]\n{point} = duelbox_toy\n")
    source = guest / "duelbox_toy" / "rules.py"
    before, made, after = source.read_text().partition("\nGAME = ")
    source.write_text(f"{before}{rules}{made}{after}")
    for name, text in modules.items():
        (guest / "duelbox_toy" / f"{name}.py").write_text(text)
    return guest
