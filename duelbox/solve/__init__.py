"""Asking the exact solver of any game; solvers see views only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from duelbox.core.errors import DuelboxError, UnknownGame
from duelbox.core.game import AnyGame
from duelbox.core.model import player
from duelbox.registry import part
from duelbox.solve.api import ONE, ZERO, Analysis, Instead, Solver, Stop, Trap
from duelbox.solve.sentences import TOO_LONG, turns

__all__ = [
    "NoSolver",
    "analyse",
    "can_solve",
    "difference",
    "explained",
    "rate_moves",
    "solver_of",
    "stream",
    "why_no_verdict",
    "with_trap",
    "worth",
]


class NoSolver(DuelboxError):
    """This game has no solver, or none that can be loaded."""


def solver_of(game_id: str) -> Solver:
    """The solver of a game; raises NoSolver."""
    try:
        solver = part(game_id, "solve", Solver)
    except UnknownGame as error:
        raise NoSolver(error.sentence) from error
    if solver is None:
        raise NoSolver(f"There is no solver for {game_id}.")
    return solver


def can_solve(game_id: str) -> bool:
    """The game has a solver."""
    try:
        solver_of(game_id)
    except NoSolver:
        return False
    return True


def why_no_verdict(game_id: str) -> str:
    """A sentence for a position without a verdict: its game has no solver, or the solver needs too long."""
    try:
        solver_of(game_id)
    except NoSolver as error:
        return error.sentence
    return TOO_LONG


def stream(game: AnyGame, view: Any, stop: Stop | None = None) -> Iterator[Analysis]:
    """Analyses of a position that is not over: the verdict first, then again with each further move rated."""
    return solver_of(game.INFO.id).stream(view, stop or Stop())


def analyse(game: AnyGame, view: Any, stop: Stop | None = None) -> Analysis:
    """The whole analysis of a position that is not over."""
    *_, last = stream(game, view, stop)
    return last


def difference(game: AnyGame, view: Any, move: str, stop: Stop | None = None) -> Instead | None:
    """The answer that refutes a wrong move, and what it takes; None if the opponent does not come to answer."""
    stop = stop or Stop()
    refuted = solver_of(game.INFO.id).refuted
    if refuted is not None:
        return refuted(view, move, stop)
    after, _ = game.apply(view, view.turn, game.parse_move(view, move))
    if after.turn in (None, view.turn) or game.INFO.hidden:
        return None
    answers = analyse(game, after, stop)
    end = "wins" if answers.verdict == "win" else "holds the draw"
    soon = "" if answers.plies is None else f" within {turns(answers.plies)}"
    takes = f"{player(after.turn)} answers {answers.advice} and {end}{soon}"
    return Instead(move, answers.advice, takes, counted=False)


def worth(game: AnyGame, view: Any, stop: Stop) -> tuple[Fraction, Fraction]:
    """The chances of a win and of a draw for the player to move."""
    solver = solver_of(game.INFO.id)
    if solver.wins is not None:
        if solver.wins(view, stop):
            return ONE, ZERO
        return ZERO, ZERO
    analysis = next(solver.stream(view, stop))
    return analysis.win, analysis.draw


TRIES = 20
"""The most moves of a lost position that are tried as traps."""


def with_trap(game: AnyGame, view: Any, analysis: Analysis, stop: Stop | None = None) -> Analysis:
    """Add the best trap to the analysis of a lost position: the move after which the fewest answers still win."""
    lost = analysis.complete and analysis.verdict == "loss" and not game.INFO.hidden
    if not lost or solver_of(game.INFO.id).wide(view):
        return analysis
    traps: list[Trap] = []
    for one in analysis.moves[:TRIES]:
        after, _ = game.apply(view, view.turn, game.parse_move(view, one.move))
        if after.turn not in (None, view.turn):
            answers = rate_moves(game, after, stop)
            right = sum(answer.value == answers.value for answer in answers.moves)
            traps.append(Trap(one.move, right, len(answers.moves)))
    if not traps:
        return analysis
    return replace(analysis, trap=min(traps, key=lambda trap: trap.right / trap.answers))


def explained(game: AnyGame, view: Any, stop: Stop | None = None) -> Iterator[Analysis]:
    """The analyses of `stream`, the last one of a lost position with a trap."""
    for analysis in stream(game, view, stop):
        yield with_trap(game, view, analysis, stop)


def rate_moves(game: AnyGame, view: Any, stop: Stop | None = None) -> Analysis:
    """The first analysis that rates every move; it may not count the turns yet."""
    moves = len(game.legal_moves(view))
    return next(analysis for analysis in stream(game, view, stop) if len(analysis.moves) == moves)
