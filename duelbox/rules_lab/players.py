"""The fixed players of the Lab: two middling ones, their games, and somebody who looks one move ahead.

Each of the two draws a few moves and takes the one that leaves the fewest answers. Both see a win at once, their own
and the opponent's, and nothing beyond it. None of the three is a computer player of the app, and none ever changes, so
that facts stay comparable.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from duelbox.core.game import AnyGame
from duelbox.core.model import Seat
from duelbox.core.options import Options
from duelbox.core.packed import OVER, Packed, Packer, Packing, winner
from duelbox.core.rng import Rng
from duelbox.registry import part
from duelbox.solve import rate_moves, worth
from duelbox.solve.api import HALF, ONE, ZERO, Stop

DRAWN = 3, 6
"""The number of moves that each of the two draws; they take turns at beginning."""
MUCH = Fraction(1, 10)
"""The loss of chance that counts as a change of the win in games of chance."""
LONGEST = 60
"""Games are broken off after so many turns."""


class Played(NamedTuple):
    """The figures of one game."""

    changes: int
    """The number of moves that threw away a win or a draw."""
    turns: int
    first_won: bool


def play(game: AnyGame, options: Options, number: int, stop: Stop, *, judged: bool = True) -> Played:
    """Play game number 1, 2, 3 …, two games with each deal; changes are counted only if `judged`."""
    if options.draws:
        options = options.changed(seed=(number + 1) // 2)
    state = game.start(options)
    rng = Rng(number)
    packed = _packed(game, state)
    if packed is not None and not judged:
        return _played_packed(packed, number, rng, stop)
    changes, turns = 0, 0
    much: Fraction = HALF
    if game.INFO.hidden:
        much = MUCH
    while (seat := state.turn) is not None and turns < LONGEST:
        stop.check()
        move = chosen(game, state, seat, rng, DRAWN[(seat + number) % 2])
        after = game.apply(state, seat, move)[0]
        if judged and not move.secret:
            changes += _given_up(game, state, after, move, stop) >= much
        state, turns = after, turns + 1
    return Played(changes, turns, state.outcome is not None and state.outcome.winner == 0)


def _packed(game: AnyGame, state: Any) -> Packed | None:
    """The game in plain numbers, if it has a packed part and hides nothing."""
    packer = part(game.INFO.id, "packed", Packer)
    if packer is None or game.INFO.hidden:
        return None
    return packer.pack(state)


def _played_packed(packed: Packed, number: int, rng: Rng, stop: Stop) -> Played:
    """The same game as `play` plays by the models, without a count of changes."""
    position, turns = packed.start, 0
    while position[0] < OVER and turns < LONGEST:
        stop.check()
        move = _chosen_packed(packed, position, rng, DRAWN[(position[0] + number) % 2])
        position = packed.after(position, move)
        turns += 1
    return Played(0, turns, winner(position) == 0)


def _chosen_packed(packed: Packed, position: Packing, rng: Rng, drawn: int) -> int:
    """The move that `chosen` takes, in plain numbers."""
    seat = position[0]
    moves = rng.shuffled(packed.moves(position))
    if len(moves) == 1:
        return moves[0]
    after = {move: packed.after(position, move) for move in moves}
    for move in moves:
        if after[move][0] == OVER + seat:
            return move

    def replies(move: int) -> Sequence[int]:
        if after[move][0] != 1 - seat:
            return ()
        return packed.moves(after[move])

    def loses(move: int) -> bool:
        won = OVER + 1 - seat
        return any(packed.after(after[move], reply)[0] == won for reply in replies(move))

    tried = sorted(moves[:drawn], key=lambda move: len(replies(move)))
    return next((move for move in tried if not loses(move)), tried[0])


def chosen(game: AnyGame, state: Any, seat: Seat, rng: Rng, drawn: int) -> Any:
    """A win at once, or else the move with the fewest answers, of those drawn, that does not lose at once."""
    view = game.view(state, seat)
    moves = rng.shuffled(game.legal_moves(view))
    if len(moves) == 1 or moves[0].secret:
        return moves[0]
    world = game.worlds(view, rng)  # the player imagines one deal of the hidden numbers
    after = {move: game.apply(world, seat, move)[0] for move in moves}
    if wins := [move for move in moves if won_by(seat, after[move])]:
        return wins[0]
    tried = sorted(moves[:drawn], key=lambda move: answers(game, after[move], seat))
    return next((move for move in tried if not _loses(game, after[move], seat)), tried[0])


def looks_ahead(game: AnyGame, state: Any, seat: Seat, rng: Rng) -> Any:
    """The move of somebody who looks one move ahead and no further.

    It is a win at once, or else a move at random of those after which the opponent cannot win at once.
    """
    view = game.view(state, seat)
    moves = rng.shuffled(game.legal_moves(view))
    if len(moves) == 1 or moves[0].secret:
        return moves[0]
    world = game.worlds(view, rng)
    after = {move: game.apply(world, seat, move)[0] for move in moves}
    wins = [move for move in moves if won_by(seat, after[move])]
    safe = [move for move in moves if not _loses(game, after[move], seat)]
    return [*wins, *safe, *moves][0]


def answers(game: AnyGame, after: Any, seat: Seat) -> int:
    """The number of moves of the opponent of `seat` after a move."""
    if after.turn in (None, seat):
        return 0
    return len(game.legal_moves(game.view(after, after.turn)))


def won_by(seat: Seat, state: Any) -> bool:
    """This seat has won the game."""
    return state.outcome is not None and state.outcome.winner == seat


def _loses(game: AnyGame, after: Any, seat: Seat) -> bool:
    """The opponent can win at once."""
    if after.turn in (None, seat):
        return False
    replies = game.legal_moves(game.view(after, after.turn))
    return any(won_by(after.turn, game.apply(after, after.turn, reply)[0]) for reply in replies)


def value(game: AnyGame, state: Any, seat: Seat, stop: Stop) -> Fraction:
    """The value of a state to a seat with best play: 1 for a win, 1/2 for a draw."""
    if state.outcome is not None:
        if state.outcome.winner is None:
            return HALF
        if state.outcome.winner == seat:
            return ONE
        return ZERO
    win, draw = worth(game, game.view(state, state.turn), stop)
    to_mover = win + draw / 2
    if state.turn == seat:
        return to_mover
    return 1 - to_mover


def _given_up(game: AnyGame, state: Any, after: Any, move: Any, stop: Stop) -> Fraction:
    """The value of the best move less that of this one; the effect of a reveal is luck, and not counted."""
    if not game.INFO.hidden:
        return value(game, state, state.turn, stop) - value(game, after, state.turn, stop)
    moves = rate_moves(game, game.view(state, state.turn), stop).moves
    return moves[0].value - next(one.value for one in moves if one.move == game.format_move(move))
