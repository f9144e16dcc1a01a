"""The time until each solver notices its stop flag: `python -m tests.bench.bench_stop`.

Over many positions without caches: the longest CPU time between two checks of the flag or two results, which is the
longest it could take to stop.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

from duelbox.games.number_circle.solve import backwards, steps
from duelbox.games.number_duel.solve.odds import odds
from duelbox.games.sequence_duel.solve import verdicts as sequence_duel
from duelbox.solve import solver_of
from duelbox.solve.api import Stop
from tests.bench.measure import Row, random_positions, show
from tests.house_rules import GAME_IDS

OFTEN = {"max": 10.0}
POSITIONS = 400


def _forget_races() -> None:
    backwards._tables.clear()
    backwards._links.cache_clear()
    steps.route.cache_clear()


FORGET: dict[str, Callable[[], None]] = {
    "circle-duel": lambda: None,
    "number-circle": _forget_races,
    "sequence-duel": sequence_duel.forget,
    "digit-chain": lambda: None,
    "number-duel": odds.cache_clear,
}
"""Clears the cache of a solver."""


class Watch(Stop):
    """A stop flag that measures the longest time between two checks in milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = 0.0
        self._looked = process_time()

    def check(self) -> None:
        now = process_time()
        self.longest, self._looked = max(self.longest, 1_000 * (now - self._looked)), now
        super().check()


def rows() -> Iterator[Row]:
    """Print the longest time to stop for each game."""
    for game_id in GAME_IDS:
        row = Row(f"{game_id}, {POSITIONS} random positions: longest without a look", reach=OFTEN)
        views = list(random_positions(game_id, POSITIONS, seed=3))
        gc.disable()  # Pauses for garbage collection do not count.
        row.cpu = [unwatched(game_id, view) for view in views]
        gc.enable()
        yield row


def unwatched(game_id: str, view: Any) -> float:
    """The longest time that a whole analysis of this view goes without checking the flag or giving a result."""
    FORGET[game_id]()
    watch = Watch()
    for _ in solver_of(game_id).stream(view, watch):
        watch.check()
    return watch.longest


if __name__ == "__main__":
    show(rows())
