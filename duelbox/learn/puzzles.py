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
from duelbox.learn.trial import Attempt, try_move
from duelbox.registry import find_game
from duelbox.solve import analyse, rate_moves, solver_of
from duelbox.solve.api import Analysis
from duelbox.solve.sentences import HINTS

GRADES = range(1, 6)
LEAD = Fraction(8, 100)
"""Where there is chance, the best kind of move is better than any other by this much."""
DEEDS = {"win": "win", "draw": "hold the draw", "chance": "find the best chance", "loss": "move"}
DAILY, PRACTICE, EXERCISES = "daily.txt", "practice.txt", "exercises.txt"
"""Files of puzzles: those of the day, those to practise, and easy ones for ideas that have few puzzles."""


class Puzzle(Model):
    """A position with one right move."""

    code: str
    grade: int = Field(ge=1, le=5)
    line: tuple[str, ...] = Field(min_length=1)
    """The right move, then answer and right move in turn."""
    idea: str = ""
    """The name of the idea that decides the first position, if it has one."""

    @property
    def game_id(self) -> str:
        """Whose puzzle it is."""
        return game_of(self.code)


def game_of(code: str) -> str:
    """Of which game a code is."""
    return code.partition("/")[0].partition(":")[0]


@cache
def puzzles_in(file: str) -> tuple[Puzzle, ...]:
    """The puzzles of a file, in its order."""
    return tuple(map(from_line, files("duelbox.learn").joinpath(file).read_text("utf-8").splitlines()))


def from_line(text: str) -> Puzzle:
    """Read a line of a file: grade, code, the moves of the line, and after "#" the idea."""
    puzzle, _, idea = text.partition(" # ")
    grade, code, *moves = puzzle.split()
    return Puzzle(code=code, grade=int(grade), line=tuple(moves), idea=idea)


def to_line(puzzle: Puzzle) -> str:
    """Write a puzzle as a line of a file."""
    idea = f" # {puzzle.idea}" if puzzle.idea else ""
    return f"{puzzle.grade} {puzzle.code} {' '.join(puzzle.line)}{idea}"


class Lone(NamedTuple):
    """The right moves of a position that has one right kind of move, and the position's analysis."""

    moves: tuple[str, ...]
    analysis: Analysis


def right_moves(session: Session, known: Analysis | None = None) -> Lone | None:
    """The one right move (in a hidden game: all that are alike); None where there are several, or all lose.

    `known` is the analysis of the position, if there is one.
    """
    game, view = session.game, session.view(session.turn)
    found = known or rate_moves(game, view)
    top = max(found.moves, key=lambda one: one.value)
    right = tuple(one.move for one in found.moves if one.value == top.value)
    rest = [one for one in found.moves if one.value < top.value]
    if not rest or not top.value:
        return None
    chancy = any(one.verdict == "chance" for one in found.moves)
    alike = solver_of(game.INFO.id).alike
    if len({alike(view, move) for move in right}) > 1 or (chancy and top.value - rest[0].value < LEAD):
        return None
    return Lone(right, found)


class Solving:
    """A puzzle being solved: where its line is, and what help was taken. Nothing in here is a game."""

    def __init__(self, puzzle: Puzzle, names: tuple[str, str] | None = None) -> None:
        self.puzzle = puzzle
        self.session = parse_code(puzzle.code, find_game)
        if names is not None:
            self.session.names = names
        self.at = 0
        """How much of the line has been played."""
        self.at_once: list[bool] = []
        """For each right move that was found whether it was found at once, without help."""
        self.tries: list[bool] = []
        """For each try whether it was right."""
        self.hints = 0
        self.hint_step = 0
        """The number of hints given at this position, of three."""
        self.shown = False
        """An answer was asked for."""
        self._helped = False
        self._known: tuple[int, Analysis] | None = None
        """The analysis of the position with this stamp."""

    @property
    def done(self) -> bool:
        """Whether the line is at its end."""
        return self.at >= len(self.puzzle.line)

    @property
    def analysis(self) -> Analysis:
        """The analysis of the position, worked out once, at the first asking."""
        session = self.session
        if self._known is None or self._known[0] != session.stamp:
            self._known = session.stamp, analyse(session.game, session.view(session.turn))
        return self._known[1]

    def work_out(self) -> None:
        """Work out the position before anybody asks: it may take a second."""
        _ = self.analysis

    @property
    def right(self) -> tuple[str, ...]:
        """The right moves now: one, or in a hidden game all that are alike."""
        lone = right_moves(self.session, self.analysis)
        return lone.moves if lone is not None else (self.puzzle.line[self.at],)

    @property
    def task(self) -> str:
        """The task, for somebody who knows the house rules."""
        deed = DEEDS[self.analysis.verdict]
        return self.session.named(f"{player(self.session.turn or 0)} to move and {deed}.")

    @property
    def asked(self) -> str:
        """The task with the house rules."""
        rules = self.session.options.in_words
        return f"{self.task} House rules: {rules}." if rules else self.task

    def attempt(self, text: str) -> Attempt:
        """Try a move; raises MoveError. A right one is played, and answered as the line has it."""
        if self.done:
            raise GameOver("This puzzle is solved.")
        found = try_move(self.session, self.right, text, self.analysis)
        self.tries.append(found.right)
        if not found.right:
            self._helped = True
            return found
        self.at_once.append(not self._helped)
        self._helped = False
        why = self.analysis.reason
        self.hint_step = 0
        self.session.type(found.move)
        self.at += 1
        if self.at < len(self.puzzle.line):
            self.session.type(self.puzzle.line[self.at])
            self.at += 1
        if not self.done:
            self.work_out()
        return replace(found, sentence=self.session.named(why), played=self.session.copy())

    def hinted(self) -> None:
        """A hint was asked for."""
        self.hints += 1
        self.hint_step = min(self.hint_step + 1, HINTS)
        self._helped = True

    def answered(self) -> None:
        """The answer was asked for."""
        self.shown = self._helped = True

    def go_on(self) -> bool:
        """Go to the next position, which lies there already; False at the end of the line."""
        return not self.done
