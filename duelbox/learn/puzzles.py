"""Puzzles: positions in which one move alone is right; reading them from files, and solving them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from pydantic import Field

from duelbox.core.code import parse_code
from duelbox.core.errors import GameOver
from duelbox.core.model import Model, player
from duelbox.core.session import Session
from duelbox.core.takes import TWO_NAMES, instance, takes
from duelbox.learn.idea_names import new_name
from duelbox.learn.trial import Attempt, try_move
from duelbox.registry import find_game
from duelbox.solve import analyse, rate_moves, solver_of
from duelbox.solve.api import Analysis
from duelbox.solve.sentences import HINTS, after_move

GRADES = range(1, 6)
LEAD = Fraction(8, 100)
"""In a game of chance, the best kind of move is better than any other by this much."""
DEEDS = {"win": "win", "draw": "hold the draw", "chance": "find the best chance", "loss": "move"}
DAILY, PRACTICE, EXERCISES = "daily.txt", "practice.txt", "exercises.txt"
PAPER = "paper.txt"
"""Files of puzzles: those of the day, those to practise, easy ones for ideas that have few, small ones for paper."""


class Puzzle(Model):
    """A position with one right move, and the line that follows it."""

    code: str
    grade: int = Field(ge=1, le=5)
    line: tuple[str, ...] = Field(min_length=1)
    """The right move, then answers and right moves in turn."""
    idea: str = ""
    """The name of the idea behind the first move, if it has one."""

    @property
    def game_id(self) -> str:
        """The game of the puzzle."""
        return game_of(self.code)


def game_of(code: str) -> str:
    """The id of the game in a code."""
    return code.partition("/")[0].partition(":")[0]


@cache
def lines_in(file: str) -> list[str]:
    """A file of puzzles, a line each."""
    return files("duelbox.learn").joinpath(file).read_text("utf-8").splitlines()


@cache
def puzzles_in(file: str) -> tuple[Puzzle, ...]:
    """The puzzles of a file, in its order."""
    return tuple(map(from_line, lines_in(file)))


def from_line(text: str) -> Puzzle:
    """Read a line of a file: grade, code, the moves of the line, and after "#" the idea, perhaps by its old name."""
    puzzle, _, idea = text.partition(" # ")
    grade, code, *moves = puzzle.split()
    return Puzzle(code=code, grade=int(grade), line=tuple(moves), idea=new_name(game_of(code), idea))


class Lone(NamedTuple):
    """The right moves of a position in which one kind of move is right, and the analysis of the position."""

    moves: tuple[str, ...]
    analysis: Analysis


def right_moves(session: Session, known: Analysis | None = None) -> Lone | None:
    """The one right move, or in a hidden game all moves like it; None if several are right or all lose.

    `known` is the analysis of the position, if it is known.
    """
    game, view = session.game, session.view(session.turn)
    analysis = known or rate_moves(game, view)
    top = max(one.value for one in analysis.moves)
    right = tuple(one.move for one in analysis.moves if one.value == top)
    rest = [one.value for one in analysis.moves if one.value < top]
    if not rest or not top:
        return None
    chancy = any(one.verdict == "chance" for one in analysis.moves)
    alike = solver_of(game.INFO.id).alike
    if len({alike(view, move) for move in right}) > 1 or (chancy and top - rest[0] < LEAD):
        return None
    return Lone(right, analysis)


class Solving:
    """A puzzle being solved: the position in its line, and the help that was taken."""

    @takes(puzzle=instance(Puzzle, "a Puzzle"), names=TWO_NAMES.or_none())
    def __init__(self, puzzle: Puzzle, names: tuple[str, str] | None = None) -> None:
        self.puzzle = puzzle
        self.session = parse_code(puzzle.code, find_game)
        if names is not None:
            self.session.names = names
        self.at = 0
        """The number of moves of the line that were played."""
        self.at_once: list[bool] = []
        """For each right move found: it was found at once, without help."""
        self.tries: list[bool] = []
        """For each attempt: it was right."""
        self.hints = 0
        self.hint_step = 0
        """The number of hints given at this position."""
        self.shown = False
        """An answer was shown."""
        self.helped = False
        """A wrong attempt was made, or help taken, since the last right move."""
        self._known: tuple[int, Analysis] | None = None
        """The stamp of a position, and its analysis."""

    @property
    def done(self) -> bool:
        """The whole line was played."""
        return self.at >= len(self.puzzle.line)

    @property
    def analysis(self) -> Analysis:
        """The analysis of the position, worked out when it is first needed."""
        session = self.session
        if self._known is None or self._known[0] != session.stamp:
            self._known = session.stamp, analyse(session.game, session.view(session.turn))
        return self._known[1]

    def work_out(self) -> None:
        """Analyse the position ahead of time, as it may take a second."""
        _ = self.analysis

    @property
    def right(self) -> tuple[str, ...]:
        """The right move now, or in a hidden game all moves like it."""
        lone = right_moves(self.session, self.analysis)
        return lone.moves if lone is not None else (self.puzzle.line[self.at],)

    @property
    def task(self) -> str:
        """The task without the house rules."""
        deed = DEEDS[self.analysis.verdict]
        return self.session.named(f"{player(self.session.turn or 0)} to move and {deed}.")

    @property
    def asked(self) -> str:
        """The task with the house rules."""
        rules = self.session.options.in_words
        return f"{self.task} House rules: {rules}." if rules else self.task

    def attempt(self, text: str) -> Attempt:
        """Try a move; raises MoveError. A right one is played and answered with the move of the line."""
        if self.done:
            raise GameOver("This puzzle is solved.")
        attempt = try_move(self.session, self.right, text, self.analysis)
        self.tries.append(attempt.right)
        if not attempt.right:
            self.helped = True
            return attempt
        self.at_once.append(not self.helped)
        self.helped, self.hint_step = False, 0
        reason = self.session.named(after_move(self.analysis.reason))
        for move in (attempt.move, *self.puzzle.line[self.at + 1 : self.at + 2]):
            self.session.type(move)
            self.at += 1
        if not self.done:
            self.work_out()
        return replace(attempt, sentence=reason)

    def hinted(self) -> None:
        """Count a hint."""
        self.hints += 1
        self.hint_step = min(self.hint_step + 1, HINTS)
        self.helped = True

    def answered(self) -> None:
        """Take note that the answer was shown."""
        self.shown = self.helped = True

    def go_on(self) -> bool:
        """The next position was already played in `attempt`; False at the end of the line."""
        return not self.done
