"""Puzzles: positions in which one move alone keeps what there is, found in games between computers and proved.

A puzzle has three moves or more to choose from, of which only one keeps the win, or the draw where none wins (in a game
of chance: one kind of move is best by `LEAD`). Reading two turns ahead must not be enough to see it. Its line goes on
as long as the right move stays the only one, against the answers that keep that up longest. The grade, 1 to 5, says
what it takes: how many of the computers below the last one miss it, and how far there is to read.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pydantic import Field

from duelbox.bots import choose, levels
from duelbox.core.game import AnyGame
from duelbox.core.model import Model
from duelbox.core.notation import format_code
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.solve import analyse
from duelbox.solve.api import Analysis, Stop

GRADES = range(1, 6)
CHOICES = 3
"""So many moves there are at least to choose from."""
LEAD = Fraction(8, 100)
"""By so much the best kind of move leads where there is chance."""
NEAR = 2
"""What reading so many turns ahead shows is no puzzle."""
DEEP = 9
"""A win that takes so many turns, or a line of three moves or more, makes a puzzle a grade harder."""
LINES = 40
"""So many positions at most are looked at to find a line."""
LONGEST_CODE = 110
LONGEST_GAME = 80


class Puzzle(Model):
    """A position with one right move."""

    code: str
    grade: int = Field(ge=1, le=5)
    line: tuple[str, ...] = Field(min_length=1)
    """The right move, then answer and right move in turn."""

    @property
    def game_id(self) -> str:
        """Whose puzzle it is."""
        return self.code.partition("/")[0].partition(":")[0]


class Lone(NamedTuple):
    """The right moves of a position that has one right kind of move, and the position's analysis."""

    moves: tuple[str, ...]
    analysis: Analysis


def right_moves(game: AnyGame, view: Any, stop: Stop | None = None) -> Lone | None:
    """The one right move (in a hidden game: all that are alike); None where there are several, or all lose."""
    found = analyse(game, view, stop)
    top = found.moves[0]
    right = tuple(one.move for one in found.moves if one.value == top.value)
    rest = [one for one in found.moves if one.value < top.value]
    if not rest or not top.value:
        return None
    chancy = any(one.verdict == "chance" for one in found.moves)
    alike = len({_kind(game, view, move) for move in right}) == 1
    if not alike or (chancy and top.value - rest[0].value < LEAD):
        return None
    return Lone(right, found)


def _kind(game: AnyGame, view: Any, move: str) -> Hashable:
    """What tells moves apart; where something is hidden, attacks at positions that nobody knows are alike."""
    if not game.INFO.hidden or view.turn is None:
        return move
    number, _, position = move.partition("x")
    return (number, view.faces[1 - view.turn][int(position) - 1]) if position else move


def puzzle_at(
    game: AnyGame, options: Options, moves: Sequence[Any], state: Any, stop: Stop | None = None
) -> Puzzle | None:
    """The puzzle of a position, if it is one."""
    view = game.view(state, state.turn)
    legal = game.legal_moves(view)
    if len({_kind(game, view, game.format_move(move)) for move in legal}) < CHOICES or legal[0].secret:
        return None
    code = format_code(game, options, moves)
    if len(code) > LONGEST_CODE:
        return None
    lone = right_moves(game, view, stop)
    if lone is None or _plain(game, view, lone):
        return None
    line = _line(game, state, lone, stop)
    return Puzzle(code=code, grade=_grade(game, view, lone, line, stop), line=line)


def _plain(game: AnyGame, view: Any, lone: Lone) -> bool:
    """Whether reading two turns ahead is enough: the right move ends the game, or all others lose in plain sight."""
    best, others = lone.analysis.moves[0], [one for one in lone.analysis.moves if one.move not in lone.moves]
    if best.verdict == "win" and best.plies is not None and best.plies <= NEAR:
        return True
    hopeful = {
        _kind(game, view, one.move) for one in others if one.verdict != "loss" or one.plies is None or one.plies > NEAR
    }
    return not hopeful


def _line(game: AnyGame, state: Any, lone: Lone, stop: Stop | None) -> tuple[str, ...]:
    """The right move, and how it goes on; one move where there is chance."""
    if game.INFO.hidden:
        return lone.moves[:1]
    left = [LINES]
    return _longest(game, state, lone, left, stop)


def _longest(game: AnyGame, state: Any, lone: Lone, left: list[int], stop: Stop | None) -> tuple[str, ...]:
    solver, move = state.turn, lone.moves[0]
    after, _ = game.apply(state, solver, game.parse_move(game.view(state, solver), move))
    best: tuple[str, ...] = ()
    if after.turn in (None, solver):
        return (move,)
    for answer in game.legal_moves(game.view(after, after.turn)):
        then, _ = game.apply(after, after.turn, answer)
        if then.turn != solver or left[0] <= 0 or len(game.legal_moves(game.view(then, solver))) < NEAR:
            continue
        left[0] -= 1
        next_lone = right_moves(game, game.view(then, solver), stop)
        if next_lone is not None:
            on = (game.format_move(answer), *_longest(game, then, next_lone, left, stop))
            best = max(best, on, key=len)
    return (move, *best)


def _grade(game: AnyGame, view: Any, lone: Lone, line: Sequence[str], stop: Stop | None) -> int:
    missed = sum(2 * share < 1 for share in shares(game, view, lone.moves, stop)[:-1])
    return min(5, 1 + missed + (missed < len(GRADES) - 1 and (_depth(lone) >= DEEP or len(line) > 4)))


def _depth(lone: Lone) -> int:
    """How far to read: to the win, or to the end of the longest wrong move and one more."""
    best = lone.analysis.moves[0]
    if best.verdict == "win" and best.plies is not None:
        return best.plies
    wrong = [one.plies for one in lone.analysis.moves if one.move not in lone.moves and one.plies is not None]
    return max(wrong, default=0) + 1


def shares(game: AnyGame, view: Any, right: Sequence[str], stop: Stop | None = None) -> list[Fraction]:
    """For each level, the chance that it finds one of the right moves: exact, over the moves it draws between."""
    drawn = [choose(game, view, level.id, 1, stop).among for level in levels(game.INFO.id)]
    return [Fraction(sum(move in right for move in among), len(among)) for among in drawn]


def search(game: AnyGame, options: Options, seed: int, stop: Stop | None = None) -> Iterator[Puzzle]:
    """The puzzles of one game between computers, each level as likely; the same seed, the same puzzles."""
    rng = Rng(seed)
    players = [rng.choice(levels(game.INFO.id)).id for _ in range(2)]
    dealt = options.changed(seed=seed) if options.draws else options
    state: Any = game.start(dealt)
    moves: list[Any] = []
    while state.turn is not None and len(moves) < LONGEST_GAME:
        found = puzzle_at(game, dealt, moves, state, stop)
        if found is not None:
            yield found
        view = game.view(state, state.turn)
        # One move in four is anybody's: computers alone would play the same games again and again.
        if rng.below(4):
            move = game.parse_move(view, choose(game, view, players[state.turn], rng.below(10**6), stop).move)
        else:
            move = rng.choice(game.legal_moves(view))
        moves.append(move)
        state, _ = game.apply(state, state.turn, move)
