"""Exact solvers, one module a game, over packed integers; they see views only."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from duelbox.core.game import AnyGame
from duelbox.registry import BUILT_IN, companion
from duelbox.solve.api import Analysis, Solver, Stop

__all__ = ["analyse", "solver_of", "stream"]


def solver_of(game_id: str) -> Solver:
    """The solver of a game: ours in this folder, a guest's in its own package as `solve`."""
    package = BUILT_IN.get(game_id)
    module: Any
    if package is None:
        module = companion(game_id, "solve")
    else:
        module = import_module(f"duelbox.solve.{package.rpartition('.')[2]}")
    solver: Solver = module
    return solver


def stream(game: AnyGame, view: Any, stop: Stop | None = None) -> Iterator[Analysis]:
    """The verdict of a position that is not over, then again with each further move rated."""
    return solver_of(game.INFO.id).stream(view, stop or Stop())


def analyse(game: AnyGame, view: Any, stop: Stop | None = None) -> Analysis:
    """The whole analysis of a position that is not over."""
    *_, last = stream(game, view, stop)
    return last
