"""Mistakes to mend: the turning points of games, as positions at which a better move is looked for.

A position knows nothing of what followed. In a game with hidden numbers a try is judged by what its player could know,
and never played: that would turn over a card.
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
from duelbox.learn.turning_points import LARGEST, NEAR, JudgedMove, met_most, points
from duelbox.solve import analyse
from duelbox.solve.api import HALF, ZERO, Analysis, Idea, Rated
from duelbox.solve.sentences import HINTS, percent, turns

HowFound = Literal["found", "helped", "shown"]
TELLING = 3  # so many are looked at first; the rest on request
ONWARD = 3  # so many turns are told after a right move


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that gave something up, and the position before it."""

    session: Session
    analysis: Analysis
    """Of the position, from the player's view."""
    played: str
    """The wrong move; empty where another position of its idea came back."""
    round: int = 0
    ply: int = 0
    """Counted from 1; 0 where the game is not at hand."""

    @property
    def worth(self) -> Rated:
        """The move that was played, as the solver rates it."""
        return self._rated(self.played)

    def _rated(self, move: str) -> Rated:
        return next(one for one in self.analysis.moves if one.move == move)

    @property
    def lost(self) -> Fraction:
        """How much it gave up."""
        return self.analysis.moves[0].value - self.worth.value

    @property
    def right(self) -> tuple[str, ...]:
        """The moves that keep what there was, the best first; of a chance, all but a few points."""
        best, most = self.analysis.moves[0].value, LARGEST if self.analysis.verdict == "chance" else ZERO
        return tuple(one.move for one in self.analysis.moves if best - one.value <= most and one.move != self.played)

    @property
    def asked(self) -> str:
        """What happened here, and what there is to find."""
        mover, best = player(self.analysis.turn), self.analysis.moves[0]
        if not self.played:
            return f"An idea that you missed, in another position: {mover} to move and {DEEDS[best.verdict]}."
        worth = self.worth
        if "chance" in (best.verdict, worth.verdict):
            return f"{mover} played {self.played} here, and gave up {points(self.lost)}. What is better?"
        if best.value == HALF:
            return f"{mover} played {self.played} here, and the draw was gone. What keeps it?"
        left = "the win was gone" if worth.value == ZERO else "only a draw was left"
        return f"{mover} played {self.played} here, and {left}. What keeps the win?"

    def judged(self, text: str) -> Attempt:
        """Try a move; raises MoveError."""
        session = self.session
        move = session.game.format_move(session.parse(text))
        right = move in self.right
        told = session.named(self._reason(move, right=right))
        if session.game.INFO.hidden:
            return Attempt(right, move, told, session.copy())
        found = try_move(session, self.right, move, self.analysis)
        return replace(found, sentence=f"{told}{_onward(found.played)}") if right else found

    def _reason(self, move: str, *, right: bool) -> str:
        """Why a move is right, or what it is worth."""
        best, rated = self.analysis.moves[0], self._rated(move)
        if not right:
            return too_little(self.session, self.analysis, move)
        if rated.value < best.value:
            return f"{best.move} is a little better: {percent(best.value)} of a win, not {percent(rated.value)}."
        if rated.plies and best.plies and rated.plies != best.plies and rated.verdict == "win":
            return f"It wins {turns(rated.plies - best.plies)} later than {best.move}."
        return self.analysis.reason if move == best.move else f"{best.move} does as well."


def mistakes_in(games: Sequence[tuple[Session, Iterable[JudgedMove], Seat | None]]) -> list[Mistake]:
    """The turning points of some rounds, each with the seat whose mistakes are asked for (None for both)."""
    return [
        Mistake(before(session, judged.ply), judged.analysis, judged.worth.move, count, judged.ply)
        for count, (session, moves, seat) in enumerate(games)
        for judged in moves
        if judged.turning and seat in (None, judged.seat)
    ]


def most_telling(found: Sequence[Mistake]) -> list[Mistake]:
    """Those that gave up the most, among equals those whose answer is near, then the last; in the order of the game."""

    def telling(one: Mistake) -> tuple[Fraction, bool, int, int]:
        return one.lost, one.worth.plies is not None and one.worth.plies <= NEAR, one.round, one.ply

    chosen = sorted(found, key=telling)[-TELLING:]
    return sorted(chosen, key=lambda one: (one.round, one.ply))


def before(session: Session, ply: int) -> Session:
    """The game as it stood before a move, which knows of none after it."""
    moves = [one.move for one in session.plies[: ply - 1]]
    return replayed(session.game, session.options, moves, session.names)


def _onward(session: Session) -> str:
    """The next turns with best play, in a sentence; the session is left as it is."""
    ahead, told = session.copy(), list[str]()
    while ahead.turn is not None and len(told) < ONWARD:
        name, move = ahead.names[ahead.turn], analyse(ahead.game, ahead.view(ahead.turn)).moves[0].move
        told.append(f"{name} {move}")
        ahead.type(move)
    return f" And then: {', '.join(told)}." if told else ""


class Mistakes:
    """Mistakes being looked at, one after the other: what is asked, and how each was found."""

    def __init__(self, found: Sequence[Mistake], rest: Sequence[Mistake] = ()) -> None:
        self.todo, self.rest = list(found), list(rest)
        self.at, self.hint_step, self.tries = 0, 0, 0
        self.results: dict[int, HowFound] = {}

    @property
    def mistake(self) -> Mistake:
        """The one at hand."""
        return self.todo[self.at]

    @property
    def session(self) -> Session:
        """The position before it."""
        return self.mistake.session

    @property
    def right(self) -> tuple[str, ...]:
        """The moves that keep what there was."""
        return self.mistake.right

    @property
    def asked(self) -> str:
        """What there is to find."""
        return self.mistake.asked

    @property
    def analysis(self) -> Analysis:
        """The analysis of the position."""
        return self.mistake.analysis

    @property
    def done(self) -> bool:
        """Whether it is the last one."""
        return self.at + 1 == len(self.todo)

    def attempt(self, text: str) -> Attempt:
        """Try a move; raises MoveError."""
        found = self.mistake.judged(text)
        if found.right:
            self.results.setdefault(self.at, "helped" if self.hint_step or self.tries else "found")
        self.tries += 1
        return found

    def hinted(self) -> None:
        """A hint was asked for."""
        self.hint_step = min(self.hint_step + 1, HINTS)

    def answered(self) -> None:
        """The answer was asked for."""
        self.results.setdefault(self.at, "shown")

    def go_on(self) -> bool:
        """To the next one; False after the last."""
        if self.done:
            return False
        self.at, self.hint_step, self.tries = self.at + 1, 0, 0
        return True

    def more(self) -> None:
        """On to the rest."""
        self.todo, self.rest = [*self.todo, *self.rest], []
        self.go_on()

    def told(self) -> str:
        """How they were found, in a sentence."""
        words: dict[str, str] = {"found": "found at once", "helped": "found with help", "shown": "shown"}
        found = list(self.results.values())
        counts = [f"{found.count(one)} {said}" for one, said in words.items() if one in found]
        left = len(self.todo) - len(found)
        mistakes = f"{len(self.todo)} mistake{'' if len(self.todo) == 1 else 's'}"
        told = f"{mistakes}: {', '.join([*counts, f'{left} left out'] if left else counts)}."
        met = self.met
        return f"{told} Most often it was this: {met.sentence}" if met else told

    @property
    def met(self) -> Idea | None:
        """The idea met most often."""
        met = met_most(one.analysis for one in (*self.todo, *self.rest))
        return met[0] if met else None

    @property
    def lesson(self) -> int | None:
        """The place of the lesson on the idea met most often."""
        return lesson_on(readable(self.session.game.INFO.id), self.met) if self.met else None
