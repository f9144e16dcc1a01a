"""Mistakes looked at again: the positions before turning points, at which a better move is looked for.

In a game with hidden numbers, an attempt is judged by the player's knowledge and never played, as that would turn over
a card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from duelbox.core.model import Seat, player
from duelbox.core.session import Session, replayed
from duelbox.learn.lessons import lesson_on, readable
from duelbox.learn.puzzles import DEEDS
from duelbox.learn.trial import Attempt, too_little, try_move
from duelbox.learn.turning_points import LARGEST, NEAR, JudgedMove, most_frequent_idea, points
from duelbox.solve import analyse
from duelbox.solve.api import HALF, ZERO, Analysis, Idea, Rated
from duelbox.solve.sentences import HINTS, after_move, percent, reason, turns

HowFound = Literal["found", "helped", "shown"]
AT_FIRST = 3
"""The number of mistakes looked at first; the others follow on request."""
ONWARD = 3
"""The number of turns told after a right move."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that gave something up, and the position before it."""

    session: Session
    analysis: Analysis
    """The analysis of the position from the player's view."""
    played: str
    """The wrong move; empty for a new position of a missed idea."""
    round: int = 0
    ply: int = 0
    """The number of the wrong move, from 1; 0 without a game."""
    by: str = ""
    """The name of the one who made it, if that is not the player who looks for a better move."""
    cause: str = ""
    """The answer that refuted the move, and what it took."""

    @property
    def worth(self) -> Rated:
        """The rating of the move that was played."""
        return self._rated(self.played)

    def _rated(self, move: str) -> Rated:
        return next(one for one in self.analysis.moves if one.move == move)

    @property
    def lost(self) -> Fraction:
        """The value that it gave up."""
        return self.analysis.moves[0].value - self.worth.value

    @property
    def right(self) -> tuple[str, ...]:
        """The moves that keep the value, or all but a few points of a chance, the one that is explained first."""
        best, most = self.analysis.moves[0].value, LARGEST if self.analysis.verdict == "chance" else ZERO
        moves = [one.move for one in self.analysis.moves if best - one.value <= most and one.move != self.played]
        return tuple(sorted(moves, key=lambda move: move != self.analysis.advice))

    @property
    def asked(self) -> str:
        """The task: what was played here, and what is looked for."""
        mover = player(self.analysis.turn)
        best = self.analysis.moves[0]
        if not self.played and self.by:
            return f"{self.by} made no legal move here. {mover} to move and {DEEDS[best.verdict]}."
        if self.by:
            mover = self.by
        if not self.played:
            return f"An idea that you missed, in another position. {mover} to move and {DEEDS[best.verdict]}."
        worth = self.worth
        if "chance" in (best.verdict, worth.verdict):
            return f"{mover} played {self.played} here, and gave up {points(self.lost)}. What is better?"
        if best.value == HALF:
            return f"{mover} played {self.played} here, and the draw was gone. What keeps it?"
        left = "the win was gone" if worth.value == ZERO else "only a draw was left"
        return f"{mover} played {self.played} here, and {left}. What keeps the win?"

    def attempt(self, text: str) -> Attempt:
        """Try a move; raises MoveError."""
        session = self.session
        move = session.game.format_move(session.parse(text))
        right = move in self.right
        sentence = self._why_right(move) if right else too_little(session, self.analysis, move)
        if session.game.INFO.hidden:
            return Attempt(right, move, session.named(sentence), session.copy())
        attempt = try_move(session, self.right, move, self.analysis)
        return replace(attempt, sentence=session.named(sentence) + _onward(attempt.played)) if right else attempt

    def _why_right(self, move: str) -> str:
        """The reason a move is right, or its difference from the best one."""
        best, rated = self.analysis.moves[0], self._rated(move)
        if rated.value < best.value:
            return f"{best.move} is a little better: {percent(best.value)} of a win, not {percent(rated.value)}."
        if move == self.analysis.advice:
            return after_move(reason(self.analysis))
        if rated.plies and best.plies and rated.plies != best.plies and rated.verdict == "win":
            return f"It wins {turns(rated.plies - best.plies)} later than {best.move}."
        return f"{self.analysis.advice} does as well."


def mistakes_in(games: Sequence[tuple[Session, Iterable[JudgedMove], Seat | None]]) -> list[Mistake]:
    """The turning points of some rounds; each round comes with the seat whose mistakes count (None for both)."""
    return [
        Mistake(before(session, judged.ply), judged.analysis, judged.worth.move, count, judged.ply, cause=judged.cause)
        for count, (session, moves, seat) in enumerate(games)
        for judged in moves
        if judged.turning and seat in (None, judged.seat)
    ]


def worst_mistakes(mistakes: Sequence[Mistake]) -> list[Mistake]:
    """The mistakes that gave up the most, among equals those with a near answer, then the last; in playing order."""

    def rank(one: Mistake) -> tuple[Fraction, bool, int, int]:
        return one.lost, one.worth.plies is not None and one.worth.plies <= NEAR, one.round, one.ply

    return sorted(sorted(mistakes, key=rank)[-AT_FIRST:], key=lambda one: (one.round, one.ply))


def before(session: Session, ply: int) -> Session:
    """A copy of the game before a move, without the later moves."""
    moves = [one.move for one in session.plies[: ply - 1]]
    return replayed(session.game, session.options, moves, session.names)


def _onward(session: Session) -> str:
    """A sentence with the next turns of best play."""
    ahead, turns_told = session.copy(), list[str]()
    while ahead.turn is not None and len(turns_told) < ONWARD:
        name, move = ahead.names[ahead.turn], analyse(ahead.game, ahead.view(ahead.turn)).moves[0].move
        turns_told.append(f"{name} {move}")
        ahead.type(move)
    return f" And then: {', '.join(turns_told)}." if turns_told else ""


class Mistakes:
    """Mistakes being looked at one after the other, and the results."""

    def __init__(self, mistakes: Sequence[Mistake], rest: Sequence[Mistake] = ()) -> None:
        self.todo, self.rest = list(mistakes), list(rest)
        self.results: dict[int, HowFound] = {}
        self._open(0)

    def _open(self, at: int) -> None:
        self.at, self.hint_step, self.tries = at, 0, 0
        self.mistake = self.todo[at]
        self.session, self.analysis = self.mistake.session, self.mistake.analysis
        self.right, self.asked = self.mistake.right, self.mistake.asked

    @property
    def done(self) -> bool:
        """This is the last mistake."""
        return self.at + 1 == len(self.todo)

    def attempt(self, text: str) -> Attempt:
        """Try a move; raises MoveError."""
        attempt = self.mistake.attempt(text)
        if attempt.right:
            self.results.setdefault(self.at, "helped" if self.hint_step or self.tries else "found")
        self.tries += 1
        return attempt

    def hinted(self) -> None:
        """Count a hint."""
        self.hint_step = min(self.hint_step + 1, HINTS)

    def answered(self) -> None:
        """Take note that the answer was shown."""
        self.results.setdefault(self.at, "shown")

    def go_on(self) -> bool:
        """Go to the next mistake; False after the last."""
        if self.done:
            return False
        self._open(self.at + 1)
        return True

    def more(self) -> None:
        """Go on with the rest."""
        self.todo, self.rest = [*self.todo, *self.rest], []
        self.go_on()

    def summary(self) -> str:
        """A sentence on the results, and one on the idea behind most of the mistakes."""
        words: dict[str, str] = {"found": "found at once", "helped": "found with help", "shown": "shown"}
        results = list(self.results.values())
        counts = [f"{results.count(one)} {said}" for one, said in words.items() if one in results]
        left = len(self.todo) - len(results)
        mistakes = f"{len(self.todo)} mistake{'' if len(self.todo) == 1 else 's'}"
        counted = f"{mistakes}: {', '.join([*counts, f'{left} left out'] if left else counts)}."
        return f"{counted} Most often it was this: {self.main_idea.sentence}" if self.main_idea else counted

    @property
    def main_idea(self) -> Idea | None:
        """The idea behind most of the mistakes."""
        found = most_frequent_idea(one.analysis for one in (*self.todo, *self.rest))
        return found[0] if found else None

    @property
    def lesson(self) -> int | None:
        """The index of the lesson on that idea."""
        return lesson_on(readable(self.session.game.INFO.id), self.main_idea) if self.main_idea else None
