"""Games of somebody who looks one move ahead: `python -m tests.bench.first_games [GAMES]`.

They are played where keys 1 to 5 of home lead somebody who has chosen nothing: the first preset of each game, its seat,
level 1. A line a game says the points of a hundred, draws half, and if they are within the wanted range.
"""

from __future__ import annotations

import sys
from statistics import mean

from duelbox.core.game import first_preset
from duelbox.core.model import SEATS
from duelbox.registry import BUILT_IN, find_game
from duelbox.rules_lab.people import points

GAMES = 400
LEAST, MOST = 58, 85
"""The points of a hundred that are wanted: enough to begin gladly, and not all."""


def main(games: int = GAMES) -> None:
    """Play and print."""
    for game_id in BUILT_IN:
        game = find_game(game_id)
        preset = first_preset(game)
        shares = [100 * mean(points(game, preset.options, seat, at) for at in range(1, games + 1)) for seat in SEATS]
        offered = shares[preset.seat - 1]
        within = "within" if LEAST <= offered <= MOST else "NOT WITHIN"
        first, second = shares
        both = f"first {first:4.1f}, second {second:4.1f}"
        line = f"{game_id:14} {preset.name:11} seat {preset.seat}: {offered:4.1f} of 100, {within} {LEAST} to {MOST}"
        print(f"{line} ({both})", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
