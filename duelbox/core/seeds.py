"""Fresh seeds from the system's randomness; everything else in core is deterministic."""

from __future__ import annotations

import os

from duelbox.core.game import AnyGame
from duelbox.core.options import MAX_SEED, Options

# A code of an open game may be typed, so its seed is short. A secret deal must not be found by trying all seeds.
SHORT_SEED = 999_999


def random_seed() -> int:
    """A number that nobody can predict."""
    return int.from_bytes(os.urandom(8), "big")


def with_fresh_seed(game: AnyGame, options: Options) -> Options:
    """The options with a new seed, if anything is drawn."""
    if not options.draws:
        return options
    most = MAX_SEED if game.INFO.hidden else SHORT_SEED
    return type(options).from_values({**dict(options), "seed": random_seed() % most + 1})
