"""Guests: the toy game of `tests/toy`, whole or with something the matter, as packages for the fixture `installed`."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

TOY = Path(__file__).parent / "toy"
WHOLE = Path(__file__).parent / "whole_toy"
"""A guest with a solver, computers, words and a board of its own."""


def toy_with(folder: Path, point: str = "toy-heap", rules: str = "", **modules: str) -> Path:
    """The toy with another entry point, something added to its rules, or further modules; the folder to install."""
    guest = folder / "guest"
    copytree(TOY, guest)
    (guest / "duelbox_toy-1.0.dist-info" / "entry_points.txt").write_text(f"[duelbox.games]\n{point} = duelbox_toy\n")
    source = guest / "duelbox_toy" / "rules.py"
    before, made, after = source.read_text().partition("\nGAME = ")
    source.write_text(f"{before}{rules}{made}{after}")
    for name, text in modules.items():
        (guest / "duelbox_toy" / f"{name}.py").write_text(text)
    return guest
