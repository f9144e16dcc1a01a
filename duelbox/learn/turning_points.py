"""Where a game turned: every move judged by the exact solver, from what the player who made it could know.

A move is a turning point if it threw a win or a draw away. Where there is chance, it is one if it gave up 10 points of
100, or 5 if no move of the game gave up more; what the reveal then brought is luck, and told apart. A lost position is
nobody's mistake.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Literal

from duelbox.core.game import AnyGame
from duelbox.core.model import Outcome, Position, Seat, other, player
from duelbox.core.session import Session
from duelbox.solve import analyse, solver_of
from duelbox.solve.api import HALF, ONE, ZERO, Analysis, Idea, Rated, Stop, Stopped
from duelbox.solve.sentences import best_moves, in_place, times, turns

Kind = Literal["threw-win", "threw-draw", "lost-chance", "slow", "only-move", "no-choice", "fine"]

NO_REVIEW_YET = "This game between two people is not over. It can be reviewed when it is."
"""Said where nobody is to be told what moves are worth."""
SLOWER = 4  # a win is called slow from so many turns more
MUCH, LARGEST = Fraction(1, 10), Fraction(1, 20)
"""The chance that makes a turning point, and that which does if it was the largest of the game."""
NEAR = 8  # a mistake is shallow if it loses within so many turns
MANY = 3  # an only move is worth telling among so many moves


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One move of a game, and what the player could have had."""

    ply: int
    """Counted from 1."""
    seat: Seat
    move: str
    """As everybody may know it: a secret one is masked while the game is on."""
    kind: Kind
    worth: Rated
    """The move as the solver rates it."""
    analysis: Analysis
    """The position before it, from the player's view: all moves, best first, and the reason for the best."""
    luck: Fraction | None = None
    """Where there is chance: what the move was worth after the reveal, less what it was worth before."""
    cause: str = ""
    """Of a turning point: the best answer to it and what that does, or what an attack met."""

    @property
    def best(self) -> Rated:
        """The best move there was."""
        return self.analysis.moves[0]

    @property
    def lost(self) -> Fraction:
        """How much more the best was worth."""
        return self.best.value - self.worth.value

    @property
    def best_moves(self) -> tuple[str, ...]:
        """The moves worth as much as the best, however long they take; where one was slow, the quickest of them."""
        right = [one for one in self.analysis.moves if one.value == self.best.value]
        return tuple(one.move for one in (best_moves(self.analysis) if self.kind == "slow" else right))

    @property
    def turning(self) -> bool:
        """Whether the game turned here."""
        return self.kind in ("threw-win", "threw-draw", "lost-chance")

    @property
    def shallow(self) -> bool:
        """The answer to it is not far to see; an attack that gives up a chance can be counted at once."""
        return self.kind == "lost-chance" or (self.worth.plies is not None and self.worth.plies <= NEAR)

    @property
    def far(self) -> str:
        """A word of comfort where the answer is too far to see."""
        plies = 0 if self.shallow else self.worth.plies
        return f"That was hard to see, only the Oracle knew: the end is {turns(plies)} away." if plies else ""


def turning_points(session: Session, stop: Stop | None = None) -> tuple[JudgedMove, ...]:
    """Every move up to where the session is, judged. Raises Stopped."""
    return tuple(found for _, found in sorted({one.ply: one for one in stream(session, stop)}.items()))


def stream(session: Session, stop: Stop | None = None) -> Iterator[JudgedMove]:
    """The same, move by move; a move that comes a second time is judged anew, by the whole game.

    Moves in positions that go on for longer than can be worked out are left out.
    """
    stop, game, chance = stop or Stop(), session.game, session.game.INFO.hidden
    plies = [ply for ply in session.plies if ply.move is not None]
    states: list[Position] = [session.start, *(ply.state for ply in plies)]
    told = [text for _, text in session.log()]

    @cache
    def known(at: int) -> Analysis | None:
        """What the player to move there can know; None where it can't be worked out."""
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
        judged = JudgedMove(at + 1, ply.seat, told[at], _kind(analysis, worth, chance), worth, analysis)
        if chance:
            outcome = states[at + 1].outcome
            after = _value(ply.seat, outcome, None if outcome else known(at + 1))
            judged = replace(judged, luck=None if after is None else after - worth.value)
            largest = judged if largest is None or judged.lost > largest.lost else largest
        found = known(at + 1) if judged.turning and not chance and states[at + 1].turn is not None else None
        yield replace(judged, cause=_cause(game, states[at : at + 2], text, found, stop)) if judged.turning else judged
    if largest and LARGEST <= largest.lost < MUCH:
        before = states[largest.ply - 1 : largest.ply]
        yield replace(largest, kind="lost-chance", cause=_cause(game, before, largest.worth.move, None, stop))


def _cause(game: AnyGame, states: Sequence[Position], move: str, found: Analysis | None, stop: Stop) -> str:
    """What a wrong move allows: the best answer to it, and the state of things after that.

    `states` are the positions before and after the move, and `found` is what the opponent can know after it.
    """
    seat = states[0].turn
    if game.INFO.hidden:
        deed = solver_of(game.INFO.id).deed(game.view(states[0], seat), move)
        return f"{deed[:1].upper()}{deed[1:]}." if deed else ""
    if found is None or found.turn == seat:
        return ""
    answer = found.advice
    then, _ = game.apply(states[1], found.turn, game.parse_move(states[1], answer))
    if then.turn not in (None, seat):
        return ""
    with stop.in_time():
        told = "That ends the game." if then.outcome else analyse(game, game.view(then, seat), stop).reason
        return f"They answer {answer}. {told}"
    return ""


def _value(seat: Seat, outcome: Outcome | None, analysis: Analysis | None) -> Fraction | None:
    """What a position turned out to be worth to a seat."""
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


# -- in a line


def summary(judged: Sequence[JudgedMove]) -> str:
    """What a whole game turned on, in a line for the result; empty where no move was judged."""
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
    """What luck gave Player 1, less what it gave Player 2; 0 where it was little, None without chance."""
    if all(one.luck is None for one in judged):
        return None
    ahead = sum((one.luck if one.seat == 0 else -one.luck for one in judged if one.luck is not None), ZERO)
    return ahead if abs(ahead) >= LARGEST else ZERO


def _luck(judged: Sequence[JudgedMove]) -> str:
    if not (ahead := luck_of(judged) or ZERO):
        return "Luck favoured nobody."
    return luck_told(ahead, f"{player(0 if ahead > 0 else 1)}'s")


def luck_told(ahead: Fraction, whose: str) -> str:
    """A sentence about the luck of the player it helped."""
    return f"Luck raised {whose} chance to win by {round(abs(ahead) * 100)} in 100."


def why(one: JudgedMove, whose: str = "") -> str:
    """The reason that a move was right or wrong, to its player, or to others where the player's name is given."""
    move, best, reason = one.move, one.best, in_place(one.analysis.reason, whose)
    if one.turning:
        gone = {"threw-win": "threw the win away", "threw-draw": "threw the draw away"}
        right = f"{one.analysis.advice} {'was right' if one.kind in gone else 'was better'}"
        lost = f"{right}; {move} {gone.get(one.kind, f'gave up {points(one.lost)}')}."
        better = f"Better: {reason}" if one.cause else reason
        return " ".join(filter(None, (lost, one.far, one.cause, better)))
    if one.kind == "slow":
        later = (one.worth.plies or 0) - (best.plies or 0)
        return f"{move} wins {later} turns later than {best.move}. {reason}"
    if one.kind == "no-choice":
        return f"Every move was worth the same here. {reason}"
    if one.lost:
        return f"{move} gave up {points(one.lost)}; {best.move} is a little better. {reason}"
    if one.kind == "only-move":
        return f"{move} was the only right move. {reason}"
    return f"{move} was right. {reason}" if one.worth.move == best.move else f"{move} was as good as {best.move}."


def points(share: Fraction) -> str:
    """A chance in whole points of 100."""
    count = round(share * 100)
    return f"{count} point{'' if count == 1 else 's'} of 100"


def met_most(analyses: Iterable[Analysis]) -> tuple[Idea, int] | None:
    """The idea that was behind most of these positions, and how often; the one met first among equals."""
    met = Counter(one.idea for one in analyses if one.idea is not None)
    return met.most_common(1)[0] if met else None
