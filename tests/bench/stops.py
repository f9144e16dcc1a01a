"""How soon every solver answers its stop flag: `python -m tests.bench.stops`.

Long searches are run in a thread and told to stop at random moments; what counts is the time from `stop()` to the end
of the search (wall), nothing where it was over before. And over many positions, every one cold: the longest that a
solver goes without looking at the flag, or telling something (CPU), which is the longest it could take to stop.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from threading import Thread
from time import perf_counter, process_time, sleep
from typing import Any

from duelbox.core.code import parse_code
from duelbox.games.circle_duel.solve import matching
from duelbox.games.number_circle import rules as circle
from duelbox.games.number_circle.solve import backwards, moves
from duelbox.games.number_duel.solve.odds import odds
from duelbox.games.sequence_duel.solve import verdicts as sequence_duel
from duelbox.registry import find_game
from duelbox.solve import solver_of
from duelbox.solve.api import Stop, Stopped
from tests.bench.measure import Row, random_positions, show
from tests.house_rules import GAME_IDS

SOON = {"p50": 16.0, "max": 100.0}
OFTEN = {"max": 10.0}
TRIES = 40
POSITIONS = 400


def _forget_races() -> None:
    backwards._tables.clear()
    backwards._links.cache_clear()
    moves.route.cache_clear()


FORGET: dict[str, Callable[[], None]] = {
    "circle-duel": matching._profile.cache_clear,
    "number-circle": _forget_races,
    "sequence-duel": sequence_duel.forget,
    "digit-chain": lambda: None,
    "number-duel": odds.cache_clear,
}
"""What makes a solver forget what it found."""

LONG = {
    "circle-duel": "circle-duel:size=30,reach=2",
    "sequence-duel": "sequence-duel:size=60/20",
    "digit-chain": "digit-chain:zero=wild,gaps=40,seed=12",
    "number-duel": "number-duel:hand=7",
}
"""Positions that take long; Number Circle's take too many moves to get to."""


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
    """For each game how long it took to stop, and how long it could have taken."""
    for game_id in GAME_IDS:
        yield stopped(game_id)
        row = Row(f"{game_id}, {POSITIONS} random positions: longest without a look", reach=OFTEN)
        views = list(random_positions(game_id, POSITIONS, seed=3))
        gc.disable()  # Its pauses are the interpreter's.
        row.cpu = [unwatched(game_id, view) for view in views]
        gc.enable()
        yield row


def far_race() -> circle.View:
    """A close race 500 from the target, where the players block each other and may turn."""
    rng = Random(500)
    start = circle.start(circle.Options(target=20, sharing=False, backtracking=True))
    places = tuple(rng.sample(range(1, 10), 2))
    return start.changed(places=places, totals=tuple(20 - 500 + rng.randrange(-4, 5) for _ in places))


def unwatched(game_id: str, view: Any) -> float:
    """The longest that the whole analysis of this view goes without a look at the flag or an answer."""
    FORGET[game_id]()
    watch = Watch()
    for _ in solver_of(game_id).stream(view, watch):
        watch.check()
    return watch.longest


def stopped(game_id: str) -> Row:
    """Times from `stop()` to the end of a long search of this game, at random moments of it."""
    if game_id in LONG:
        state = parse_code(LONG[game_id], find_game).state
        view = find_game(game_id).view(state, state.turn)
    else:
        view = far_race()
    FORGET[game_id]()
    began = perf_counter()
    whole = _search(game_id, view, Stop(), []) - began
    rng, row = Random(1), Row(f"{game_id}, a long search: from stop() to its end", reach=SOON, by_wall=True)
    for _ in range(TRIES):
        stop, ended = Stop(), list[float]()
        FORGET[game_id]()
        thread = Thread(target=_search, args=(game_id, view, stop, ended))
        thread.start()
        sleep(0.6 * rng.random() * whole)
        asked = perf_counter()
        stop.stop()
        thread.join()
        row.wall.append(1_000 * max(0.0, ended[0] - asked))
    return row


def _search(game_id: str, view: Any, stop: Stop, ended: list[float]) -> float:
    """Solve all of it or until stopped; the moment when that was."""
    with suppress(Stopped):
        for _ in solver_of(game_id).stream(view, stop):
            pass
    ended.append(perf_counter())
    return ended[0]


if __name__ == "__main__":
    show(rows())
