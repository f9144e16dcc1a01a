"""What the exact solvers of all games share, and where to ask one; solvers see views only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.model import other
from duelbox.registry import BUILT_IN, fence_of, fenced, part
from duelbox.solve.api import ONE, ZERO, Analysis, Solver, Stop, Stopped, Trap
from duelbox.solve.sentences import TOO_LONG, trap_sentence

__all__ = [
    "NoSolver",
    "analyse",
    "can_solve",
    "explained",
    "rate_moves",
    "solver_of",
    "stream",
    "why_no_verdict",
    "with_trap",
    "worth",
]


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


def worth(game: AnyGame, view: Any, stop: Stop) -> tuple[Fraction, Fraction]:
    """The chances of a win and of a draw for the player to move, without a reason."""
    solver = solver_of(game.INFO.id)
    if solver.wins is not None:
        return (ONE if solver.wins(view, stop) else ZERO), ZERO
    found = next(solver.stream(view, stop))
    return found.win, found.draw


TRIES = 20
"""So many moves of a lost position are tried as traps."""


def with_trap(game: AnyGame, view: Any, found: Analysis, stop: Stop | None = None) -> Analysis:
    """The analysis of a lost position, with the move after which the fewest answers still win; any other as it is."""
    lost = found.complete and found.verdict == "loss" and not game.INFO.hidden
    if not lost or solver_of(game.INFO.id).wide(view):
        return found
    traps: list[Trap] = []
    for one in found.moves[:TRIES]:
        after, _ = game.apply(view, view.turn, game.parse_move(view, one.move))
        if after.turn not in (None, view.turn):
            answers = rate_moves(game, after, stop)
            right = sum(answer.value == answers.value for answer in answers.moves)
            traps.append(Trap(one.move, right, len(answers.moves)))
    if not traps:
        return found
    best = min(traps, key=lambda trap: trap.right / trap.answers)
    return replace(found, trap=best, reason=f"{found.reason} {trap_sentence(best, other(found.turn))}")


def explained(game: AnyGame, view: Any, stop: Stop | None = None) -> Iterator[Analysis]:
    """The verdict of a position as it becomes known, for somebody who reads it; the whole of a lost one with a trap."""
    for found in stream(game, view, stop):
        yield with_trap(game, view, found, stop)


def rate_moves(game: AnyGame, view: Any, stop: Stop | None = None) -> Analysis:
    """The first analysis that rates every move; their turns may not be counted yet."""
    moves = len(game.legal_moves(view))
    return next(found for found in stream(game, view, stop) if len(found.moves) == moves)
