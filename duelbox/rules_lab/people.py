"""Three figures about a preset that tell how it goes for people.

They are the share of first moves that are right, and the share of games that somebody who looks one move ahead wins
against the lowest level, in either seat. `duelbox.rules_lab.preset_facts` works them out again when levels change.
"""

from __future__ import annotations

from statistics import mean
from typing import Any

from duelbox.bots import choose, levels_of
from duelbox.core.game import AnyGame
from duelbox.core.model import Seat
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.rules_lab.facts import Facts, dealt
from duelbox.rules_lab.players import looks_ahead
from duelbox.solve import rate_moves

GAMES = 200
"""Games in each seat."""
LONGEST = 200
"""A game with more turns counts as drawn."""


def for_people(game: AnyGame, options: Options, *, deals: int, games: int = GAMES) -> Facts:
    """The three figures; those about levels are left out for a game without computers."""
    right = right_picks(game, options, deals)
    if not levels_of(game.INFO.id):
        return Facts(right_picks=right)
    first, second = (mean(points(game, options, seat, number) for number in range(1, games + 1)) for seat in (0, 1))
    return Facts(right_picks=right, ahead_first=first, ahead_second=second)


def right_picks(game: AnyGame, options: Options, deals: int) -> float | None:
    """The mean share of first moves that win with best play; where chance decides, of those that are best.

    None if the first move is secret.
    """
    shares = []
    for state in dealt(game, options, deals):
        view = game.view(state, state.turn)
        if game.legal_moves(view)[0].secret:
            return None
        moves = rate_moves(game, view).moves
        best = max(one.value for one in moves)
        if game.INFO.hidden:
            right = [one for one in moves if one.value == best]
        else:
            right = [one for one in moves if one.verdict == "win"]
        shares.append(len(right) / len(moves))
    return mean(shares)


def points(game: AnyGame, options: Options, seat: Seat, number: int) -> float:
    """The points of somebody in this seat who looks one move ahead against the first level, in game 1, 2, 3 …"""
    level = levels_of(game.INFO.id)[0].id
    drawn = options.draws or game.INFO.hidden
    state: Any = game.start(options.changed(seed=number) if drawn else options)
    rng, turns = Rng(number), 0
    while state.turn is not None and turns < LONGEST:
        view = game.view(state, state.turn)
        if state.turn == seat:
            move = looks_ahead(game, state, seat, rng)
        else:
            move = game.parse_move(view, choose(game, view, level, LONGEST * number + turns).move)
        state, turns = game.apply(state, state.turn, move)[0], turns + 1
    winner = None if state.outcome is None else state.outcome.winner
    if winner is None:
        return 0.5
    return float(winner == seat)
