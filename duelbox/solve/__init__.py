"""What the exact solvers of all games share, and where to ask one; solvers see views only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.game import AnyGame
from duelbox.registry import BUILT_IN, fence_of, fenced, part
from duelbox.solve.api import Analysis, Solver, Stop, Stopped
from duelbox.solve.sentences import TOO_LONG

__all__ = ["NoSolver", "analyse", "can_solve", "rated", "solver_of", "stream", "why_no_verdict"]


class NoSolver(DuelboxError):
    """There is no solver for this game, or none that can be loaded."""


def solver_of(game_id: str) -> Solver:
    """The solver of a game; raises NoSolver."""
    try:
        solver = part(game_id, "solve", Solver)
    except UnknownGame as error:
        raise NoSolver(error.sentence) from error
    if solver is None:
        raise NoSolver(f"There is no solver for {game_id}.")
    if game_id not in BUILT_IN and (fault := fence_of(game_id, "solve").sentence):
        raise NoSolver(fault)
    return fenced(game_id, "solve", solver, Stopped)


def can_solve(game_id: str) -> bool:
    """Whether there is a solver for a game."""
    try:
        solver_of(game_id)
    except NoSolver:
        return False
    return True


def why_no_verdict(game_id: str) -> str:
    """A sentence for a position whose solver gave up: it has a fault, or needs too long."""
    try:
        solver_of(game_id)
    except NoSolver as error:
        return error.sentence
    return TOO_LONG


def stream(game: AnyGame, view: Any, stop: Stop | None = None) -> Iterator[Analysis]:
    """The verdict of a position that is not over, then again with each further move rated."""
    return solver_of(game.INFO.id).stream(view, stop or Stop())


def analyse(game: AnyGame, view: Any, stop: Stop | None = None) -> Analysis:
    """The whole analysis of a position that is not over."""
    *_, last = stream(game, view, stop)
    return last


def rated(game: AnyGame, view: Any, stop: Stop | None = None) -> Analysis:
    """The first analysis that rates every move; their turns may not be counted yet."""
    moves = len(game.legal_moves(view))
    return next(found for found in stream(game, view, stop) if len(found.moves) == moves)
