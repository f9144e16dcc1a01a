"""An analysis in words, for every mode: marks on the moves, a sentence, and hints in three steps."""

from __future__ import annotations

from fractions import Fraction

from duelbox.core.model import listed, player
from duelbox.solve.api import Analysis, Rated


def percent(share: Fraction) -> str:
    """A chance as a whole per cent; never 0 % or 100 % unless it is exactly that."""
    rounded = round(share * 100)
    if rounded in (0, 100) and share * 100 != rounded:
        rounded = 1 if rounded == 0 else 99
    return f"{rounded}%"


def mark(rated: Rated) -> str:
    """A move's worth in three or four cells: +3 wins in 3 turns, -4 loses in 4, = draws, 62% of a point."""
    if rated.verdict == "chance":
        return percent(rated.value)
    if rated.verdict == "draw":
        return "="
    sign = "+" if rated.verdict == "win" else "-"
    return sign if rated.plies is None else f"{sign}{rated.plies}"


def marks(analysis: Analysis) -> dict[str, str]:
    """The marks of all moves rated so far."""
    return {rated.move: mark(rated) for rated in analysis.moves}


def verdict_sentence(analysis: Analysis) -> str:
    """Who wins with best play, and how soon."""
    mover = player(1 if analysis.turn else 0)
    if analysis.verdict == "chance":
        draws = f", draws {percent(analysis.draw)}" if analysis.draw else ""
        return f"With best play {mover} wins {percent(analysis.win)}{draws}."
    if analysis.verdict == "draw":
        return "With best play this is a draw."
    turns = "" if analysis.plies is None else f" in {analysis.plies} {'turn' if analysis.plies == 1 else 'turns'}"
    return f"With best play {mover} {'wins' if analysis.verdict == 'win' else 'loses'}{turns}."


def best_moves(analysis: Analysis) -> tuple[Rated, ...]:
    """The moves worth as much as the best one."""
    if not analysis.moves:
        return ()
    top = analysis.moves[0]
    return tuple(rated for rated in analysis.moves if (rated.value, rated.plies) == (top.value, top.plies))


HINTS = 3


def hint(analysis: Analysis, step: int) -> str:
    """The hint of this step (1: where to look, 2: which idea, 3: the move)."""
    best = best_moves(analysis)
    if step == 1:
        return f"Hint 1 of 3. {_where(analysis, len(best))}"
    if step == 2:
        return f"Hint 2 of 3. {analysis.reason}"
    return f"Hint 3 of 3. Play {best[0].move}."


def _where(analysis: Analysis, count: int) -> str:
    total = len(analysis.moves)
    if count == total:
        return f"All {total} moves are worth the same here." if total > 1 else "There is only one move."
    # The best move is named among neighbours in the list, so that there is still something to find.
    moves = sorted((rated.move for rated in analysis.moves), key=lambda move: (len(move), move))
    at = moves.index(analysis.moves[0].move)
    low = max(0, min(at - at % 3, len(moves) - 3))
    deed = _deed(analysis, count)
    some = f"{count} of {total} moves {deed}" if count > 1 else f"One of {total} moves would {deed}"
    return f"{some}. Look at {listed(moves[low : low + 3], 'or')}."


def _deed(analysis: Analysis, count: int) -> str:
    """What the best moves, so many, do."""
    if analysis.verdict == "win" and count < sum(rated.verdict == "win" for rated in analysis.moves):
        return "win soonest"
    return {"win": "win", "draw": "hold the draw", "loss": "hold out longest", "chance": "give the best chance"}[
        analysis.verdict
    ]
