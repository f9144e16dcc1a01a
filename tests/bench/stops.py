"""How soon every solver answers its stop flag: `python -m tests.bench.stops`.

Over many positions, every one cold: the longest that a solver goes without looking at the flag, or telling something
(CPU), which is the longest it could take to stop.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

from duelbox.games.number_circle.solve import backwards, moves
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
    moves.route.cache_clear()


FORGET: dict[str, Callable[[], None]] = {
    "circle-duel": lambda: None,
    "number-circle": _forget_races,
    "sequence-duel": sequence_duel.forget,
    "digit-chain": lambda: None,
    "number-duel": odds.cache_clear,
}
"""What makes a solver forget what it found."""


class Watch(Stop):
    """A flag that knows the longest it was not looked at, in milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = 0.0
        self._looked = process_time()

    def check(self) -> None:
        now = process_time()
        self.longest, self._looked = max(self.longest, 1_000 * (now - self._looked)), now
        super().check()


def rows() -> Iterator[Row]:
    """For each game how long it could take to stop."""
    for game_id in GAME_IDS:
        row = Row(f"{game_id}, {POSITIONS} random positions: longest without a look", reach=OFTEN)
        views = list(random_positions(game_id, POSITIONS, seed=3))
        gc.disable()  # Its pauses are the interpreter's.
        row.cpu = [unwatched(game_id, view) for view in views]
        gc.enable()
        yield row


def unwatched(game_id: str, view: Any) -> float:
    """The longest that the whole analysis of this view goes without a look at the flag or an answer."""
    FORGET[game_id]()
    watch = Watch()
    for _ in solver_of(game_id).stream(view, watch):
        watch.check()
    return watch.longest


if __name__ == "__main__":
    show(rows())
