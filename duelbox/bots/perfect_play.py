"""The play of the Oracle: the quickest win, or else traps.

A lost position is lost against best play only. Among moves of equal value it therefore plays the trickiest: the one
after which the fewest of the rival's answers keep the value (answers that lose in plain sight are not counted, and a
rival who sees a near win is in no trap), then the one that holds out longest. In positions with few moves it also
counts the traps behind the right answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from duelbox.bots.api import Choice
from duelbox.core.game import AnyGame
from duelbox.core.model import listed
from duelbox.core.rng import Rng
from duelbox.solve import rate_moves, stream
from duelbox.solve.api import HALF, ONE, ZERO, Analysis, Mark, Rated, Stop, Stopped

PLAIN = 4
"""Every rival is assumed to look so many turns ahead."""
SPARE = 0.08
"""Seconds to count the turns of a win and to look for traps, once a right move is known."""
TRICKS = 12
"""The most moves that are tried as traps."""
FEW = 4
"""In positions with at most so many moves, traps behind the right answers count as well."""
_FOR_EVER = 10**6

Foresight = Callable[[Any, int, Stop], Mapping[str, int]]
"""Finds the moves in a view whose end is near: the turns to a win, or, negative, to a loss, the move included."""


@dataclass(frozen=True, slots=True)
class PerfectPlayer:
    """The level that knows everything, in a game without secrets."""

    game: AnyGame
    foresee: Foresight
    counts: Callable[[Any], bool] = lambda view: True
    """The solver counts turns in this view; without a count, the first winning move is taken."""
    wide: Callable[[Any], bool] = lambda view: False
    """This view has too many answers to look for traps."""
    taste: Callable[[Any, Any], Any] = lambda view, move: 0
    """Decides between moves that are equal as traps and in turns."""

    def choose(self, view: Any, moves: Mapping[str, Any], rng: Rng, stop: Stop) -> Choice:
        """The quickest win, or else the best trap, then the longest defence."""
        analysis = self._known(view, stop)
        top = analysis.moves[0]
        equals = [one for one in analysis.moves if (one.value, one.win) == (top.value, top.win)]
        if top.value == ONE:
            quick = [one for one in equals if one.plies == top.plies]
            chosen = rng.choice(quick)
            over = self._after(view, moves[chosen.move]).turn is None
            why = "It wins at once." if over else _win(chosen, analysis)
            return Choice(chosen.move, why, tuple(one.move for one in quick))
        tried = equals[:TRICKS]
        hopes = self._hopes(view, {one.move: moves[one.move] for one in tried}, stop)
        ranks = {
            one.move: (hopes[one.move], one.plies or _FOR_EVER, self.taste(view, moves[one.move])) for one in tried
        }
        best = max(ranks.values())
        equal = [one for one in tried if ranks[one.move] == best]
        chosen = rng.choice(equal)
        return Choice(chosen.move, self._trap(view, moves[chosen.move], chosen, stop), tuple(one.move for one in equal))

    def _known(self, view: Any, stop: Stop) -> Analysis:
        """The last analysis that matters and that there is time for; raises Stopped if none rates a right move."""
        analysis = None
        with stop.in_time():
            for analysis in stream(self.game, view, stop):
                if analysis.moves and analysis.moves[0].value == analysis.value:
                    if analysis.value == ONE and not self.counts(view):
                        break
                    stop.hurry(SPARE)
        if analysis is None or not analysis.moves:
            raise Stopped
        return analysis

    def _after(self, view: Any, move: Any) -> Any:
        return self.game.apply(view, view.turn, move)[0]

    def _rated(self, after: Any, stop: Stop) -> Analysis:
        if after not in stop.memory:
            stop.memory[after] = rate_moves(self.game, after, stop)
        analysis: Analysis = stop.memory[after]
        return analysis

    # -- traps

    def _hopes(self, view: Any, moves: Mapping[str, Any], stop: Stop) -> dict[str, Fraction]:
        """The expected gain of each move as a trap; 0 for moves not looked at in time."""
        afters = {text: self._after(view, move) for text, move in moves.items()}
        hopes = dict.fromkeys(moves, ZERO)
        with stop.in_time():
            for text, after in afters.items():
                hopes[text] = self._hope(after, view.turn, 1, stop)
            if len(moves) <= FEW:
                hopes = {text: self._hope(after, view.turn, 2, stop) for text, after in afters.items()}
        return hopes

    def _hope(self, after: Any, me: int, depth: int, stop: Stop) -> Fraction:
        """This player's average gain if the rival, who is to move, plays any answer that is not plainly wrong."""
        if after.turn in (None, me) or self.wide(after):
            return ZERO
        analysis = self._rated(after, stop)
        near = self._near(after, analysis, stop)
        if any(turns > 0 for turns in near.values()):
            return ZERO
        answers = [one for one in analysis.moves if one.move not in near] or analysis.moves
        return sum((self._gain(after, one, analysis.value, me, depth, stop) for one in answers), ZERO) / len(answers)

    def _near(self, after: Any, analysis: Analysis, stop: Stop) -> Mapping[str, int]:
        """The answers whose end is near, positive if they win; read off the analysis if it counts all turns."""
        if any(one.plies is None and one.value != HALF for one in analysis.moves):
            return self.foresee(after, PLAIN, stop)
        near = [one for one in analysis.moves if one.plies is not None and one.plies <= PLAIN]
        return {one.move: 1 if one.value == ONE else -1 for one in near}

    def _gain(self, after: Any, answer: Rated, value: Fraction, me: int, depth: int, stop: Stop) -> Fraction:
        if answer.value < value or depth == 1:
            return value - answer.value
        then = self._after(after, self.game.parse_move(after, answer.move))
        if then.turn != me:
            return ZERO
        moves = (self._after(then, move) for move in self.game.legal_moves(then))
        return max(self._hope(one, me, depth - 1, stop) for one in moves)

    # -- reasons

    def _trap(self, view: Any, move: Any, chosen: Rated, stop: Stop) -> str:
        turns = "" if chosen.plies is None else f" in {chosen.plies} turns"
        verdict = "It keeps the draw" if chosen.value == HALF else f"I lose{turns} against best play"
        after = self._after(view, move)
        with stop.in_time():
            if after.turn not in (None, view.turn) and not self.wide(after):
                analysis = self._rated(after, stop)
                right = sum(one.value == analysis.value for one in analysis.moves)
                if right < len(analysis.moves):
                    many = f"{right} of your {len(analysis.moves)} answers {'is' if right == 1 else 'are'} right"
                    return f"{verdict}, but only {many}."
        return f"{verdict}."


def _win(chosen: Rated, analysis: Analysis) -> str:
    """A sentence on how soon a move wins, and on the way, if the analysis shows it for this move."""
    verdict = f"I can win {'from here' if chosen.plies is None else f'within {chosen.plies} turns'}, whatever you do"
    advised = analysis.advised or analysis.moves[0].move
    shown = analysis.mark("pairs", "mirror", "route") if chosen.move == advised else None
    if shown is None:
        return f"{verdict}."
    way = f"my way is {' '.join(shown.moves)}" if shown.moves else f"I answer {_answers(shown)}"
    return f"{verdict}: {way}."


def _answers(shown: Mark) -> str:
    """Pairs of moves and answers in words: all if they are few, else the most frequent answer, else some pairs."""
    pairs = tuple((move or "a pass", answer) for move, answer in shown.pairs)
    if len(pairs) > FEW:
        answers = [answer for _, answer in pairs]
        most = max(answers, key=answers.count)
        rest = [(move, answer) for move, answer in pairs if answer != most]
        if len(rest) > FEW or answers.count(most) == 1:
            return f"{listed([f'{move} with {answer}' for move, answer in pairs[:FEW]])}, and so on"
        pairs = (*rest, ("anything else" if rest else "anything", most))
    return listed([f"{move} with {answer}" for move, answer in pairs])
