"""Looking for the right move: an attempt is judged, answered on a copy of the game, and explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duelbox.core.session import Session
from duelbox.solve import difference
from duelbox.solve.api import Analysis, Mark


@dataclass(frozen=True, slots=True)
class Attempt:
    """A move that was tried, and its verdict."""

    right: bool
    move: str
    sentence: str
    """The reason it is wrong, or what a right move teaches."""
    played: Session
    """A copy of the game after the move, and after the answer to a wrong one."""
    shown: tuple[Mark, ...] = ()
    """Marks that explain a right move."""


def try_move(session: Session, right: Sequence[str], text: str, known: Analysis | None) -> Attempt:
    """Try a move on a copy of the game; raises MoveError. `known` is the analysis of the position, if it has one."""
    move = session.game.format_move(session.parse(text))
    played = session.copy()
    played.type(move)
    if move not in right:
        return Attempt(False, move, _refute(session, right[0], move, played, known), played)
    marks = known.shown if known and known.advice == move and not session.game.INFO.hidden else ()
    return Attempt(True, move, "", played, tuple(mark for mark in marks if mark.kind != "region"))


def _refute(session: Session, best_move: str, move: str, played: Session, known: Analysis | None) -> str:
    """Play the best answer to a wrong move in `played`, and give the reason it is wrong."""
    game, mover = session.game, session.turn
    assert mover is not None
    if known is None:
        return f"{move} is not the move."
    rated = {one.move: one for one in known.moves}
    best, worth = rated[best_move], rated[move]
    if "chance" in (best.verdict, worth.verdict):
        return too_little(session, known, move)
    if worth.verdict == best.verdict:
        quicker = worth.plies and best.plies and worth.plies > best.plies
        asked = "another move is quicker" if quicker else "not the move that is asked for"
        return f"{move} is not wrong, but {asked}."
    instead = difference(game, session.view(mover), move)
    if instead is None or not instead.reply:
        return f"{move} {'loses' if worth.verdict == 'loss' else 'only draws'}."
    played.type(instead.reply)
    return played.named(instead.effect)


def too_little(session: Session, analysis: Analysis, move: str) -> str:
    """A sentence on a move that gives up part of a chance: its effect, and the thought it ignores."""
    instead = difference(session.game, session.view(session.turn), move)
    thought = analysis.idea.sentence if analysis.idea else analysis.thought
    deed = "" if instead is None else f": {instead.takes}"
    return f"{move} gives up too much{deed}. {thought}".rstrip()
