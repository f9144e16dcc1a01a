"""Puzzles: positions in which one move alone keeps what there is, found in games and proved.

A puzzle is a run of right moves: in each of its positions one move alone keeps the win, or the draw where none wins (in
a game of chance: one kind of move is best by `LEAD`). The run goes on as long as that holds, against the answers that
keep it up longest; whoever guesses gets through all of it at most one time in four. Reading two turns ahead must not be
enough to see its first move. The grade, 1 to 5, says what it takes: how many of the computers between the first and the
last do not get through it, and how far there is to read.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

from pydantic import Field

from duelbox.bots import choose, levels
from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError, GameOver, OptionError
from duelbox.core.game import AnyGame
from duelbox.core.model import Model, player
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.learn.tries import Tried, tried
from duelbox.registry import find_game
from duelbox.solve import analyse, can_solve, rated, solver_of
from duelbox.solve.api import Analysis
from duelbox.solve.sentences import HINTS

GRADES = range(1, 6)
GUESS = Fraction(1, 4)  # so often at most a guesser gets through
RUN = 4  # so many right moves a line has at most
LEAD = Fraction(8, 100)  # by so much the best kind of move leads where there is chance
NEAR = 2  # what reading so many turns ahead shows is no puzzle
DEEP = 9  # a win that takes so many turns makes a puzzle a grade harder
MOST = 40  # positions with more moves than this are no puzzles for people
DRAWS = 8  # so often is drawn where a level slips
SLIPS = Fraction(1, 4)  # by so much a lower level may find a puzzle more often by chance
LINES = 40  # so many positions at most are looked at to find a line
LATE = 20  # a game is looked at from a turn before this one on
DEEDS = {"win": "win", "draw": "hold the draw", "chance": "find the best chance", "loss": "move"}
LONGEST_CODE = 110
LONGEST_GAME = 80
TRIES = 20_000  # so many games are played at most to make puzzles
SEEDS = 10_000  # deals are drawn with seeds below this, so that codes stay short


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


class Lone(NamedTuple):
    """The right moves of a position that has one right kind of move, and the position's analysis."""

    moves: tuple[str, ...]
    analysis: Analysis


def right_moves(session: Session, known: Analysis | None = None) -> Lone | None:
    """The one right move (in a hidden game: all that are alike); None where there are several, or all lose.

    `known` is the analysis of the position, if there is one.
    """
    game, view = session.game, session.view(session.turn)
    found = known or rated(game, view)
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


def kinds_of(session: Session) -> int:
    """The number of moves to choose from that are not alike."""
    game, view = session.game, session.view(session.turn)
    alike = solver_of(game.INFO.id).alike
    return len({alike(view, game.format_move(move)) for move in session.legal_moves()})


def posed(session: Session, known: Analysis | None = None) -> Lone | None:
    """The right moves of a position that may be a puzzle's first, however hard; None of any other.

    `known` is an analysis of the position that rates all moves, if there is one.
    """
    legal = session.legal_moves()
    if not NEAR <= len(legal) <= MOST or legal[0].secret:
        return None
    if right_moves(session, known) is None:  # known sooner than all there is to say of a position
        return None
    found = analyse(session.game, session.view(session.turn))
    lone = right_moves(session, found)
    if lone is None:
        return None
    best, others = lone.analysis.moves[0], [one for one in lone.analysis.moves if one.move not in lone.moves]
    at_sight = best.verdict == "win" and best.plies is not None and best.plies <= NEAR
    plain = all(one.verdict == "loss" and one.plies is not None and one.plies <= NEAR for one in others)
    return None if at_sight or plain else lone


def puzzle_at(session: Session, known: Analysis | None = None) -> Puzzle | None:
    """The puzzle of the position a session is at, if it is one."""
    code = session.code()
    lone = posed(session, known) if len(code) <= LONGEST_CODE else None
    if lone is None:
        return None
    line = lone.moves[:1] if session.game.INFO.hidden else _longest(session, lone, [LINES])
    run = list(run_of(session, line))
    if guessed(run) > GUESS:
        return None
    found = through(run)
    if any(one > two + SLIPS for one, two in pairwise(found)):
        return None  # luck rather than sight: a lower level finds it, and a higher one does not
    missed = sum(2 * share < 1 for share in found)
    grade = min(GRADES[-1], 1 + missed + (_depth(lone) >= DEEP))
    idea = lone.analysis.idea
    return Puzzle(code=code, grade=grade, line=line, idea=idea.name if idea else "")


def run_of(session: Session, line: Sequence[str]) -> Iterator[Session]:
    """The positions of a line in which a right move is looked for."""
    at, solver = session.copy(), session.turn
    for text in line:
        if at.turn == solver:
            yield at.copy()
        at.type(text)


def guessed(run: Sequence[Session]) -> Fraction:
    """The chance that whoever guesses gets through these positions."""
    return prod((Fraction(1, kinds_of(one)) for one in run), start=Fraction(1))


def through(run: Sequence[Session]) -> list[Fraction]:
    """For each level between the first, which sees nothing, and the last the chance that it gets through these."""
    among = levels(run[0].game.INFO.id)[1:-1]
    lones = [(one, lone.moves) for one in run if (lone := right_moves(one))]
    return [
        prod((share(one.game, one.view(one.turn), moves, level.id) for one, moves in lones), start=Fraction(1))
        for level in among
    ]


def _longest(session: Session, lone: Lone, left: list[int], deep: int = 1) -> tuple[str, ...]:
    """The right move, and how it goes on where it is answered so that the right move stays the only one longest."""
    solver, move = session.turn, lone.moves[0]
    after = session.copy()
    after.type(move)
    best: tuple[str, ...] = ()
    for answer in after.legal_moves() if after.turn != solver and deep < RUN else ():
        then = after.copy()
        then.play(answer)
        if then.turn != solver or left[0] <= 0 or len(then.legal_moves()) < NEAR:
            continue
        left[0] -= 1
        again = right_moves(then)
        if again is not None:
            best = max(best, (session.game.format_move(answer), *_longest(then, again, left, deep + 1)), key=len)
    return (move, *best)


def _depth(lone: Lone) -> int:
    """How far to read: to the win, or to the end of the longest wrong move and one more."""
    best = lone.analysis.moves[0]
    if best.verdict == "win" and best.plies is not None:
        return best.plies
    wrong = [one.plies for one in lone.analysis.moves if one.move not in lone.moves and one.plies is not None]
    return max(wrong, default=0) + 1


def share(game: AnyGame, view: Any, right: Sequence[str], level: str) -> Fraction:
    """The chance that a level finds one of the right moves: the mean over seeds, as it may slip with some, each exact
    over the moves it draws between."""
    drawn = [choose(game, view, level, seed).among for seed in range(DRAWS)]
    return sum((Fraction(sum(move in right for move in among), len(among)) for among in drawn), Fraction(0)) / DRAWS


def search(game: AnyGame, options: Options, seed: int) -> Iterator[Puzzle]:
    """The puzzles of one game in which every other move is the best, and all others anybody's; the same seed, the same
    puzzles."""
    rng = Rng(seed)
    session = Session(game, options.changed(seed=seed) if options.draws else options)
    late = rng.below(LATE)
    while session.turn is not None and len(session.plies) < LONGEST_GAME:
        legal = session.legal_moves()
        narrow = NEAR <= len(legal) <= MOST and not legal[0].secret and len(session.plies) >= late
        known = rated(game, session.view(session.turn)) if narrow else None
        if known is not None and (found := puzzle_at(session, known)):
            yield found
        if known is not None and rng.below(2):
            session.type(max(known.moves, key=lambda one: one.value).move)
        else:
            session.play(rng.choice(legal))


def make(
    game: AnyGame,
    grade: int | None,
    count: int,
    seed: int,
    tell: Callable[[int], None] = lambda played: None,
    tries: int = TRIES,
) -> Iterator[Puzzle]:
    """So many puzzles, no two alike, all of this grade if one is named; the same seed makes the same ones.

    Ends early where so many games give no more. `tell` hears how many were played. Raises DuelboxError for a game
    without computers or without a solver.
    """
    if not (levels(game.INFO.id) and can_solve(game.INFO.id)):
        needs = "Puzzles are found in games between computers, and proved by a solver"
        raise DuelboxError(f"{needs}: {game.INFO.title} does not bring both.")
    seen = set[Hashable]()
    rng = Rng(seed)
    for played in range(tries):
        tell(played)
        for puzzle in search(game, varied(game, rng), rng.below(SEEDS)):
            alike = essence_of(parse_code(puzzle.code, find_game))
            if alike in seen or (grade is not None and puzzle.grade != grade):
                continue
            seen.add(alike)
            yield puzzle
            if len(seen) == count:
                return


def varied(game: AnyGame, rng: Rng) -> Options:
    """The house rules of a preset, half the time with one of them changed."""
    options: Options = rng.choice(game.PRESETS).options
    described = [one for one in type(options).infos() if one.choices]
    if not described or rng.below(2):
        return options
    one = rng.choice(described)
    try:
        return type(options).from_texts({**options.texts(), one.name: rng.choice(one.choices)})
    except OptionError:  # house rules that do not go together
        return options


def essence_of(session: Session) -> Hashable:
    """What the position of a session comes to: alike positions are one puzzle."""
    return session.game.INFO.id, solver_of(session.game.INFO.id).essence(session.view(session.turn))


def fault_of(puzzle: Puzzle, *, graded: bool = True) -> str | None:
    """What is wrong with a puzzle, or None where all of it is proved anew; its grade, too, unless that may be old."""
    try:
        session = parse_code(puzzle.code, find_game)
    except DuelboxError as error:
        return f"{puzzle.code}: {error.sentence}"
    solver = session.turn
    lone = posed(session) if solver is not None else None
    if lone is None or guessed(list(run_of(session, puzzle.line))) > GUESS:
        return f"{puzzle.code}: this is no puzzle."
    idea = lone.analysis.idea
    if puzzle.idea != (idea.name if idea else ""):
        return f"{puzzle.code}: its idea is {idea.name if idea else 'none'}, not {puzzle.idea or 'none'}."
    made = puzzle_at(session) if graded else puzzle
    if made is None or made.grade != puzzle.grade:
        return f"{puzzle.code}: its grade is {made.grade if made else 'none'}, not {puzzle.grade}."
    for text in puzzle.line:
        if session.turn == solver and ((lone := right_moves(session)) is None or text not in lone.moves):
            return f"{puzzle.code}: {text} is not the one right move."
        session.type(text)
    return None


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

    def attempt(self, text: str) -> Tried:
        """Try a move; raises MoveError. A right one is played, and answered as the line has it."""
        if self.done:
            raise GameOver("This puzzle is solved.")
        found = tried(self.session, self.right, text, self.analysis)
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
