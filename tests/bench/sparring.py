"""Sparring with levels and their mixtures in place of a person: `python -m tests.bench.sparring [--games N] [CODE…]`.

It prints the share of points from the thirtieth game on, a line for each game and person. A mixture plays one of two
levels, drawn for each game.
"""

from __future__ import annotations

from argparse import ArgumentParser

from duelbox.core.rng import Rng
from duelbox.learn.strength import Strength, level_near
from duelbox.registry import find_game
from duelbox.store.settings import Settings
from duelbox.table.presets import find_preset
from tests.bench.ladder import play

PRESETS = (
    "number-circle/tug-of-war",
    "number-duel/classic",
    "circle-duel/two-trails",
    "sequence-duel/classic",
    "digit-chain/wild-zero",
)
SETTLED = 30


def main() -> None:
    """Play and print."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("presets", nargs="*", default=PRESETS)
    args = parser.parse_intermixed_args()
    for name in args.presets:
        game_id, _, preset = name.partition("/")
        game = find_game(game_id)
        options = find_preset(game, preset, Settings()).options
        for twice in range(2, 11):  # level 1, levels 1 and 2, level 2 …
            strength, rng, points = Strength(), Rng(twice), 0.0
            for seed in range(1, args.games + 1):
                person = (twice + rng.below(2)) // 2 if twice % 2 else twice // 2
                level = level_near(strength, 5, rng.below(10**6))
                score, _ = play(game, options, level, person, seed)
                strength = strength.after(level, score)
                points += score * (seed > SETTLED)
            share = points / (args.games - SETTLED)
            print(f"{name:26} {twice / 2:3} {share:6.1%} {strength.rating:5.0f}", flush=True)


if __name__ == "__main__":
    main()
