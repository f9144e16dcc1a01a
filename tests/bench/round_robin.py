"""Every computer against the one below: `python -m tests.bench.round_robin [GAMES-A-PAIR] [GAME…]`.

Starters alternate; the presets are those with real play, and each game is dealt afresh.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from time import perf_counter
from typing import Any

from duelbox.bots import choose, levels
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.registry import find_game, game_ids

# Classic rules that are decided before the first move say nothing about the players.
SKIPPED = {("circle-duel", "classic"), ("digit-chain", "classic")}
LONGEST = 200


def play(game: AnyGame, options: Options, players: tuple[str, str], seed: int) -> float:
    """Points of the first player: 1, 0 or a half; a game without end is a draw."""
    state: Any = game.start(options)
    for turn in range(LONGEST):
        if state.turn is None:
            winner = state.outcome.winner
            return 0.5 if winner is None else float(winner == 0)
        view = game.view(state, state.turn)
        text = choose(game, view, players[state.turn], seed * 1000 + turn).move
        state, _ = game.apply(state, state.turn, game.parse_move(view, text))
    return 0.5


def pair(game: AnyGame, options: Options, upper: str, lower: str, games: int) -> float:
    """The share of points of the upper level."""
    points = 0.0
    for seed in range(1, games + 1):
        dealt = options.changed(seed=(seed + 1) // 2) if options.draws else options
        first = play(game, dealt, (upper, lower) if seed % 2 else (lower, upper), seed)
        points += first if seed % 2 else 1 - first
    return points / games


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for game_id in sys.argv[2:] or game_ids():
        game = find_game(game_id)
        for preset in game.PRESETS:
            if (game_id, preset.id) in SKIPPED:
                continue
            started = perf_counter()
            shares = [
                pair(game, preset.options, upper.id, lower.id, games) for lower, upper in pairwise(levels(game_id))
            ]
            row = "  ".join(f"{share:6.1%}" for share in shares)
            print(f"{game_id:14} {preset.name:14} {row}   ({perf_counter() - started:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
