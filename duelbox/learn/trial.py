"""A try at a right move: judged, answered on a copy of the game, and explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from duelbox.core.session import Session
from duelbox.solve import analyse, can_solve, solver_of
from duelbox.solve.api import Analysis, Mark


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of a try."""

    right: bool
    move: str
    sentence: str
    """Why it is wrong; empty for a right move."""
    played: Session
    """The game after the try, and after its answer where it was wrong. The game itself is as it was."""
    shown: tuple[Mark, ...] = ()
    """The drawing of what a right move is good for."""


class Trial(Protocol):
    """Positions at which the right move is looked for, one after the other: a lesson, a puzzle, mistakes."""

    @property
    def session(self) -> Session:
        """The position at hand."""

    @property
    def asked(self) -> str:
        """The task, in a sentence."""

    @property
    def right(self) -> Sequence[str]:
        """The right moves; the first is the one that is shown."""

    @property
    def analysis(self) -> Analysis | None:
        """The analysis that hints tell from; None where all the help is the answer."""

    def attempt(self, text: str) -> Attempt:
        """Try a move, which may take a second; raises MoveError."""

    def answered(self) -> None:
        """The answer was asked for."""

    def go_on(self) -> bool:
        """Go to the next position; False where this was the last."""


def try_move(session: Session, right: Sequence[str], text: str, known: Analysis | None = None) -> Attempt:
    """Try a move where only these are right; raises MoveError.

    `known` is the analysis of the position, if there is one.
    """
    move = session.game.format_move(session.parse(text))
    shown = session.copy()
    shown.type(move)
    if move not in right:
        return Attempt(False, move, _refuted(session, right[0], move, shown, known), shown)
    told = known.shown if known and known.advice == move and not session.game.INFO.hidden else ()
    return Attempt(True, move, "", shown, tuple(mark for mark in told if mark.kind != "region"))


def _refuted(session: Session, best_move: str, move: str, shown: Session, known: Analysis | None) -> str:
    """Play the best answer to a wrong try, and say why the try is wrong."""
    game, mover = session.game, session.turn
    assert mover is not None
    if not can_solve(game.INFO.id):
        return f"{move} is not the move."
    found = known or analyse(game, session.view(mover))
    rated = {one.move: one for one in found.moves}
    best, worth = rated[best_move], rated[move]
    if "chance" in (best.verdict, worth.verdict):
        return too_little(session, found, move)
    if worth.verdict == best.verdict:
        quicker = worth.plies and best.plies and worth.plies > best.plies
        asked = "another move is quicker" if quicker else "not the move that is asked for"
        return f"{move} is not wrong, but {asked}."
    answer = ""
    if shown.turn not in (None, mover):
        reply = analyse(game, shown.view(shown.turn)).moves[0].move
        answer = f"{shown.names[1 - mover]} answers {reply}. "
        shown.type(reply)
    why = shown.outcome.reason if shown.outcome else analyse(game, shown.view(shown.turn)).reason
    return shown.named(f"{answer}{why}")


def too_little(session: Session, found: Analysis, move: str) -> str:
    """Why a move gives up part of a chance: what it does, and the thought that it leaves out."""
    deed = solver_of(session.game.INFO.id).deed(session.view(session.turn), move)
    thought = found.idea.sentence if found.idea else found.thought
    return " ".join(filter(None, (f"{move} gives up too much{f': {deed}' if deed else ''}.", thought)))
