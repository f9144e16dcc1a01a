"""Finds puzzles in games, grades them and proves them.

A puzzle is a run of right moves: in each of its positions one move alone keeps the win, or the draw where none wins (in
a game of chance: one kind of move is best by `LEAD`). The run goes on as long as that holds, against the answers that
keep it up longest; somebody who guesses gets through all of it at most one time in four. Looking two turns ahead is not
enough to find its first move. The grade, 1 to 5, counts the computers between the first and the last that do not get
through it, and is one higher where the end is far.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import prod
from statistics import mean
from typing import Any

from duelbox.bots import choose, levels_of
from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError, OptionError
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.learn.puzzles import GRADES, Lone, Puzzle, right_moves
from duelbox.registry import find_game
from duelbox.solve import analyse, can_solve, rate_moves, solver_of
from duelbox.solve.api import Analysis

GUESS = Fraction(1, 4)
"""The largest chance that a guesser gets through."""
RUN = 4
"""The most right moves in a line."""
NEAR = 2
"""A win within so many turns is no puzzle."""
DEEP = 9
"""A win that takes so many turns makes a puzzle a grade harder."""
MOST_MOVES = 40
"""Positions with more moves are no puzzles for people."""
SEEDS_OF_LEVEL = 8
"""Seeds with which a level is asked, as it may slip with some."""
SLIPS = Fraction(1, 4)
"""A lower level may find a puzzle more often than a higher one by this much."""
LINES = 40
"""The most positions looked at to find a line."""
LATE = 20
"""Positions are taken from a turn before this one on."""
LONGEST_CODE = 110
LONGEST_GAME = 80
MOST_GAMES = 20_000
"""The most games played to make puzzles."""
SEEDS = 10_000
"""Deals are drawn with seeds below this, so that codes stay short."""


def kinds_of(session: Session) -> int:
    """The number of different kinds of moves to choose from."""
    game, view = session.game, session.view(session.turn)
    alike = solver_of(game.INFO.id).alike
    return len({alike(view, game.format_move(move)) for move in session.legal_moves()})


def right_first_moves(session: Session, known: Analysis | None = None) -> Lone | None:
    """The right moves of a position that can be the first of a puzzle, or None.

    `known` is an analysis of the position that rates all moves, if it is known.
    """
    legal = session.legal_moves()
    if not 2 <= len(legal) <= MOST_MOVES or legal[0].secret:
        return None
    if right_moves(session, known) is None:  # quicker than the whole analysis
        return None
    lone = right_moves(session, analyse(session.game, session.view(session.turn)))
    if lone is None:
        return None
    best, others = lone.analysis.moves[0], [one for one in lone.analysis.moves if one.move not in lone.moves]
    at_sight = best.verdict == "win" and best.plies is not None and best.plies <= NEAR
    plain = all(one.verdict == "loss" and one.plies is not None and one.plies <= NEAR for one in others)
    return None if at_sight or plain else lone


def puzzle_at(session: Session, known: Analysis | None = None) -> Puzzle | None:
    """The puzzle that begins at a position, if any does."""
    code = session.code()
    lone = right_first_moves(session, known) if len(code) <= LONGEST_CODE else None
    if lone is None:
        return None
    line = lone.moves[:1] if session.game.INFO.hidden else _longest(session, lone, [LINES])
    run = list(run_of(session, line))
    if guess_chance(run) > GUESS:
        return None
    chances = level_chances(run)
    if any(one > two + SLIPS for one, two in pairwise(chances)):
        return None  # a lower level finds it by luck, and a higher one does not
    missed = sum(2 * chance < 1 for chance in chances)
    grade = min(GRADES[-1], 1 + missed + (_depth(lone) >= DEEP))
    idea = lone.analysis.idea
    return Puzzle(code=code, grade=grade, line=line, idea=idea.name if idea else "")


def run_of(session: Session, line: Sequence[str]) -> Iterator[Session]:
    """The positions of a line in which the solver of the puzzle is to move."""
    at, solver = session.copy(), session.turn
    for text in line:
        if at.turn == solver:
            yield at.copy()
        at.type(text)


def guess_chance(run: Sequence[Session]) -> Fraction:
    """The chance of getting through these positions by guessing."""
    return prod((Fraction(1, kinds_of(one)) for one in run), start=Fraction(1))


def level_chances(run: Sequence[Session]) -> list[Fraction]:
    """The chance of each level but the first and the last to get through these positions."""
    among = levels_of(run[0].game.INFO.id)[1:-1]
    lones = [(one, lone.moves) for one in run if (lone := right_moves(one))]
    return [
        prod((level_chance(one.game, one.view(one.turn), moves, level.id) for one, moves in lones), start=Fraction(1))
        for level in among
    ]


def _longest(session: Session, lone: Lone, left: list[int], deep: int = 1) -> tuple[str, ...]:
    """The right move and the longest run of answers and lone right moves after it; `left` counts positions down."""
    solver, move = session.turn, lone.moves[0]
    after = session.copy()
    after.type(move)
    best: tuple[str, ...] = ()
    for answer in after.legal_moves() if after.turn != solver and deep < RUN else ():
        then = after.copy()
        then.play(answer)
        if then.turn != solver or left[0] <= 0 or len(then.legal_moves()) < 2:
            continue
        left[0] -= 1
        again = right_moves(then)
        if again is not None:
            best = max(best, (session.game.format_move(answer), *_longest(then, again, left, deep + 1)), key=len)
    return (move, *best)


def _depth(lone: Lone) -> int:
    """The turns to look ahead: to the win, or one more than to the end of the longest wrong move."""
    best = lone.analysis.moves[0]
    if best.verdict == "win" and best.plies is not None:
        return best.plies
    wrong = [one.plies for one in lone.analysis.moves if one.move not in lone.moves and one.plies is not None]
    return max(wrong, default=0) + 1


def level_chance(game: AnyGame, view: Any, right: Sequence[str], level: str) -> Fraction:
    """The chance that a level finds one of the right moves: a mean over seeds and over the moves it draws from."""
    choices = [choose(game, view, level, seed).among for seed in range(SEEDS_OF_LEVEL)]
    return mean(Fraction(sum(move in right for move in moves), len(moves)) for moves in choices)


def search(game: AnyGame, options: Options, seed: int) -> Iterator[Puzzle]:
    """Yield the puzzles of one game, in which half the moves are best moves and half are random."""
    rng = Rng(seed)
    session = Session(game, options.changed(seed=seed) if options.draws else options)
    late = rng.below(LATE)
    while session.turn is not None and len(session.plies) < LONGEST_GAME:
        legal = session.legal_moves()
        narrow = 2 <= len(legal) <= MOST_MOVES and not legal[0].secret and len(session.plies) >= late
        known = rate_moves(game, session.view(session.turn)) if narrow else None
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
    tries: int = MOST_GAMES,
) -> Iterator[Puzzle]:
    """Make puzzles, no two alike, all of one grade if it is given; the same seed makes the same ones.

    Ends early after `tries` games; `tell` is called with the number of games played. Raises DuelboxError if the game
    has no computers or no solver.
    """
    if not (levels_of(game.INFO.id) and can_solve(game.INFO.id)):
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
    """A key of a position; positions with the same key are the same puzzle."""
    return session.game.INFO.id, solver_of(session.game.INFO.id).essence(session.view(session.turn))


def fault_of(puzzle: Puzzle, *, graded: bool = True) -> str | None:
    """Prove a puzzle anew: a sentence on its first fault, or None. The grade is checked if `graded`."""
    try:
        session = parse_code(puzzle.code, find_game)
    except DuelboxError as error:
        return f"{puzzle.code}: {error.sentence}"
    solver = session.turn
    lone = right_first_moves(session) if solver is not None else None
    if lone is None or guess_chance(list(run_of(session, puzzle.line))) > GUESS:
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
