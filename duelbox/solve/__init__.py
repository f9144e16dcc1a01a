"""Exact solvers, one module a game, over packed integers; they see views only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.game import AnyGame
from duelbox.registry import companion
from duelbox.solve.api import Analysis, Solver, Stop

__all__ = ["NoSolver", "analyse", "can_solve", "solver_of", "stream"]


class NoSolver(DuelboxError):
    """There is no solver for this game, or none that can be loaded."""


def solver_of(game_id: str) -> Solver:
    """The solver of a game: ours in this folder, a guest's in its own package as `solve`; raises NoSolver."""
    try:
        module: Any = companion(game_id, "solve", __name__)
    except UnknownGame as error:
        raise NoSolver(error.sentence) from error
    if module is None:
        raise NoSolver(f"There is no solver for {game_id}.")
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
