"""Turning points of a game: the exact solver judges every move by the knowledge of the player who made it.

A move is a turning point if it threw away a win or a draw. In a game of chance it is one if it gave up 10 points of
100, or 5 if no other move of the game gave up more; the effect of a reveal counts as luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Literal

from duelbox.core.game import AnyGame
from duelbox.core.model import Outcome, Position, Seat, Voice, other, player
from duelbox.core.session import Session
from duelbox.solve import analyse, difference, with_trap
from duelbox.solve.api import HALF, ONE, ZERO, Analysis, Idea, Rated, Stop, Stopped, Trap
from duelbox.solve.sentences import after_move, best_moves, in_place, times, turns

Kind = Literal["threw-win", "threw-draw", "lost-chance", "slow", "only-move", "no-choice", "fine"]

NO_REVIEW_YET = "This game between two people is not over. It can be reviewed when it is."
"""The refusal of a review while the game goes on."""
SLOWER = 4
"""A win is called slow if it takes so many turns more."""
MUCH, LARGEST = Fraction(1, 10), Fraction(1, 20)
"""The loss of chance that makes a turning point, and the one that does if it was the largest of the game."""
NEAR = 8
"""A mistake is shallow if it loses within so many turns."""
MANY = 3
"""An only move is worth telling among so many moves."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One move of a game, compared with the best one."""

    ply: int
    """The number of the move, from 1."""
    seat: Seat
    move: str
    """The move in public words; a secret one is masked while the game is on."""
    kind: Kind
    worth: Rated
    """The rating of the move."""
    analysis: Analysis
    """The analysis of the position before it, from the player's view."""
    luck: Fraction | None = None
    """In a game of chance: the value of the move after the reveal, less its value before."""
    cause: str = ""
    """For a turning point: the answer that refutes it and what that takes, or the effect of the attack."""

    @property
    def best(self) -> Rated:
        """The rating of the best move."""
        return self.analysis.moves[0]

    @property
    def lost(self) -> Fraction:
        """The value that the move gave up."""
        return self.best.value - self.worth.value

    @property
    def best_moves(self) -> tuple[str, ...]:
        """The moves of the best value; for a slow move, only the quickest of them."""
        right = [one for one in self.analysis.moves if one.value == self.best.value]
        return tuple(one.move for one in (best_moves(self.analysis) if self.kind == "slow" else right))

    @property
    def turning(self) -> bool:
        """The move is a turning point."""
        return self.kind in ("threw-win", "threw-draw", "lost-chance")

    @property
    def shallow(self) -> bool:
        """The refutation is easy to see: it is near, or the chances of an attack can be counted."""
        return self.kind == "lost-chance" or (self.worth.plies is not None and self.worth.plies <= NEAR)

    @property
    def far(self) -> str:
        """A sentence of comfort if the refutation is too far to see."""
        plies = 0 if self.shallow else self.worth.plies
        return f"That was hard to see, only the Oracle knew: the end is {turns(plies)} away." if plies else ""


def turning_points(session: Session, stop: Stop | None = None) -> tuple[JudgedMove, ...]:
    """All moves of a session, judged; raises Stopped."""
    return tuple(judged for _, judged in sorted({one.ply: one for one in stream(session, stop)}.items()))


def stream(session: Session, stop: Stop | None = None) -> Iterator[JudgedMove]:
    """Yield each move when it is judged; one that the whole game makes a turning point is yielded a second time.

    Moves in positions that take too long to work out are left out.
    """
    stop, game, chance = stop or Stop(), session.game, session.game.INFO.hidden
    plies = [ply for ply in session.plies if ply.move is not None]
    states: list[Position] = [session.start, *(ply.state for ply in plies)]
    texts = [text for _, text in session.log()]

    @cache
    def known(at: int) -> Analysis | None:
        """The analysis of state number `at`; None if it takes too long."""
        stop.check()
        try:
            return analyse(game, game.view(states[at], states[at].turn), stop)
        except Stopped:
            stop.check()
            return None

    largest: JudgedMove | None = None
    for at, ply in enumerate(plies):
        analysis = known(at)
        if analysis is None:
            continue
        text = game.format_move(ply.move)
        worth = next(one for one in analysis.moves if one.move == text)
        judged = JudgedMove(at + 1, ply.seat, texts[at], _kind(analysis, worth, chance), worth, analysis)
        if chance:
            outcome = states[at + 1].outcome
            value = _value(ply.seat, outcome, None if outcome else known(at + 1))
            judged = replace(judged, luck=None if value is None else value - worth.value)
            largest = judged if largest is None or judged.lost > largest.lost else largest
        yield replace(judged, cause=_cause(game, states[at], text, stop)) if judged.turning else judged
    if largest and LARGEST <= largest.lost < MUCH:
        cause = _cause(game, states[largest.ply - 1], largest.worth.move, stop)
        yield replace(largest, kind="lost-chance", cause=cause)


def _cause(game: AnyGame, state: Position, move: str, stop: Stop) -> str:
    """The answer that refutes a wrong move in this state and what it takes, or the effect of a wrong attack."""
    with stop.in_time():
        instead = difference(game, game.view(state, state.turn), move, stop)
        if instead is not None:
            return instead.effect
    return ""


def _value(seat: Seat, outcome: Outcome | None, analysis: Analysis | None) -> Fraction | None:
    """The value of a position to a seat, from its outcome or analysis."""
    if outcome is not None:
        return HALF if outcome.winner is None else ONE if outcome.winner == seat else ZERO
    return None if analysis is None else analysis.value if analysis.turn == seat else 1 - analysis.value


def _kind(analysis: Analysis, worth: Rated, chance: bool) -> Kind:
    best, moves = analysis.moves[0], analysis.moves
    lost = best.value - worth.value
    if chance and lost >= MUCH:
        return "lost-chance"
    if lost and not chance:
        return "threw-win" if best.value == ONE else "threw-draw"
    if worth.verdict == "win" and worth.plies and best.plies and worth.plies - best.plies >= SLOWER:
        return "slow"
    if len({one.value for one in moves}) == 1:
        return "no-choice"
    near = sum(best.value - one.value < (MUCH if chance else HALF) for one in moves)
    return "only-move" if near == 1 and len(moves) >= MANY else "fine"


def best_try(session: Session, judged: Sequence[JudgedMove], voice: Voice, stop: Stop) -> str:
    """Sentences on a loss in which nothing was thrown away: the first moves, if they decided it, and the best trap that
    was there, with its answers. Empty for any other game."""
    winner = _winner_without_slips(session, judged)
    if winner is None:
        return ""
    return f"{_first_moves(judged, winner, voice)} {best_trap(session, judged, voice, stop)}".strip()


def best_trap(session: Session, judged: Sequence[JudgedMove], voice: Voice, stop: Stop) -> str:
    """A sentence on the best trap in a loss in which nothing was thrown away; empty if there was none."""
    winner = _winner_without_slips(session, judged)
    if winner is None:
        return ""
    lost = [one for one in judged if one.seat != winner and one.analysis.verdict == "loss"]
    states: list[Position] = [session.start, *(ply.state for ply in session.plies)]
    traps: list[tuple[int, Trap]] = []
    with stop.in_time():
        for one in lost:
            view = session.game.view(states[one.ply - 1], one.seat)
            trap = with_trap(session.game, view, one.analysis, stop).trap
            if trap is not None and trap.right < trap.answers:
                traps.append((one.ply, trap))
    if not traps:
        return ""
    ply, trap = min(traps, key=lambda item: item[1].right / item[1].answers)
    win = "wins" if trap.right == 1 else "win"
    count = f"only {trap.right} of {trap.answers} answers {win}"
    return voice.sentence(f"{voice.whose(other(winner))} best try at turn {ply} was {trap.move}: {count}")


def _winner_without_slips(session: Session, judged: Sequence[JudgedMove]) -> Seat | None:
    """The winner of a game in which the loser threw nothing away; None for any other game."""
    winner = None if session.outcome is None else session.outcome.winner
    if winner is None or session.game.INFO.hidden or any(one.turning for one in judged if one.seat != winner):
        return None
    return winner


def _first_moves(judged: Sequence[JudgedMove], winner: Seat, voice: Voice) -> str:
    """A sentence on the first moves of a game that was lost from the start."""
    if not judged:
        return ""
    first = judged[0]
    if first.ply != 1 or first.best.value != (ONE if first.seat == winner else ZERO):
        return ""
    count = len(first.analysis.moves)
    if first.seat != winner:
        return voice.sentence(f"{voice.whom(first.seat)} had lost from the start: all {count} first moves lose")
    right = sum(one.value == first.best.value for one in first.analysis.moves)
    win = "wins" if right == 1 else "win"
    return voice.sentence(f"{voice.whom(winner)} had won from the start: {right} of {count} first moves {win}")


# -- in words


def summary(judged: Sequence[JudgedMove]) -> str:
    """A line on the turning points of a whole game; empty if no move was judged."""
    if not judged:
        return ""
    if any(one.luck is not None for one in judged):
        return f"{_dearest(judged)} {_luck(judged)}"
    thrown = [one for one in judged if one.turning]
    if not thrown:
        return _unturned(judged)
    last = thrown[-1]
    if all((one.best.verdict, one.worth.verdict) == ("win", "loss") for one in thrown):
        return f"The win changed hands {times(len(thrown))}; {last.move} threw it away at turn {last.ply}."
    turned = f"The game turned {times(len(thrown))}; " if len(thrown) > 1 else ""
    return f"{turned}{last.move} threw {'the win' if last.kind == 'threw-win' else 'the draw'} away at turn {last.ply}."


def _unturned(judged: Sequence[JudgedMove]) -> str:
    first = judged[0]
    choice = "No choice mattered" if all(one.kind == "no-choice" for one in judged) else "Nobody threw anything away"
    if first.best.value == HALF:
        return f"{choice}: it was a draw from the first turn on."
    winner = first.seat if first.best.value == ONE else other(first.seat)
    return f"{choice}: {player(winner)} had the win from turn {first.ply} on."


def _dearest(judged: Sequence[JudgedMove]) -> str:
    worst = max(judged, key=lambda one: one.lost)
    if not worst.turning:
        return "No move gave up much."
    return f"{worst.move} at turn {worst.ply} cost {player(worst.seat)} the most: {points(worst.lost)}."


def luck_of(judged: Sequence[JudgedMove]) -> Fraction | None:
    """The chance that luck gave Player 1, less that of Player 2; 0 if it is small, None without chance."""
    if all(one.luck is None for one in judged):
        return None
    ahead = sum((one.luck if one.seat == 0 else -one.luck for one in judged if one.luck is not None), ZERO)
    return ahead if abs(ahead) >= LARGEST else ZERO


def _luck(judged: Sequence[JudgedMove]) -> str:
    if not (ahead := luck_of(judged) or ZERO):
        return "Luck favoured nobody."
    return f"Luck favoured {player(0 if ahead > 0 else 1)}."


def why(one: JudgedMove, whose: str = "") -> str:
    """The reason a move was right or wrong; `whose` names its player if they are not the reader."""
    move, best, reason = one.move, one.best, in_place(one.analysis.reason, whose)
    told, advised = reason if whose else after_move(reason), one.worth.move == one.analysis.advice
    if one.turning:
        gone = {"threw-win": "threw the win away", "threw-draw": "threw the draw away"}
        right = f"{one.analysis.advice} {'was right' if one.kind in gone else 'was better'}"
        lost = f"{right}; {move} {gone.get(one.kind, f'gave up {points(one.lost)}')}."
        cause, better = one.cause, reason
        if cause.startswith("Player "):  # the answer of the opponent, who is not "you" either
            cause, better = in_place(cause, whose), f"Better: {one.analysis.reason}"
        elif cause:
            better = f"Better: {reason}"
        return " ".join(filter(None, (lost, one.far, cause, better)))
    if one.kind == "slow":
        later = (one.worth.plies or 0) - (best.plies or 0)
        if advised:
            return f"{move} was right, though {best.move} wins {later} turns sooner. {told}"
        return f"{move} wins {later} turns later than {best.move}. {reason}"
    if one.kind == "no-choice":
        return f"Every move was worth the same here. {reason}"
    if one.lost:
        return f"{move} gave up {points(one.lost)}; {best.move} is a little better. {reason}"
    if one.kind == "only-move":
        return f"{move} was the only right move. {told}"
    return f"{move} was right. {told}" if advised else f"{move} was as good as {one.analysis.advice}."


def points(share: Fraction) -> str:
    """A difference of chances in points of 100."""
    count = round(share * 100)
    return f"{count} point{'' if count == 1 else 's'} of 100"


def most_frequent_idea(analyses: Iterable[Analysis]) -> tuple[Idea, int] | None:
    """The idea of most of these analyses, and its number; the first one among equals."""
    ideas = Counter(one.idea for one in analyses if one.idea is not None)
    return ideas.most_common(1)[0] if ideas else None
