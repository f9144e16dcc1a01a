"""Exact solvers, one module a game, over packed integers; they see views only."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.registry import BUILT_IN, companion
from duelbox.solve.api import Analysis, Solver, Stop

__all__ = ["NoSolver", "analyse", "can_solve", "solver_of", "stream"]


class NoSolver(DuelboxError):
    """Nobody has written a solver for this game."""


def solver_of(game_id: str) -> Solver:
    """The solver of a game: ours in this folder, a guest's in its own package as `solve`; raises NoSolver."""
    package = BUILT_IN.get(game_id)
    module: Any
    try:
        if package is None:
            module = companion(game_id, "solve")
        else:
            module = import_module(f"duelbox.solve.{package.rpartition('.')[2]}")
    except ModuleNotFoundError:
        raise NoSolver(f"There is no solver for {game_id}.") from None
    solver: Solver = module
    return solver


def can_solve(game_id: str) -> bool:
    """Whether there is a solver for a game."""
    try:
        solver_of(game_id)
    except NoSolver:
        return False
    return True


def stream(game: AnyGame, view: Any, stop: Stop | None = None) -> Iterator[Analysis]:
    """The verdict of a position that is not over, then again with each further move rated."""
    return solver_of(game.INFO.id).stream(view, stop or Stop())


def analyse(game: AnyGame, view: Any, stop: Stop | None = None) -> Analysis:
    """The whole analysis of a position that is not over."""
    *_, last = stream(game, view, stop)
    return last
