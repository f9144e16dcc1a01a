"""What the benchmarks of the solvers share: a yardstick, random positions, and lines of figures.

Times are those of this process, so that other work on the machine counts little; on an idle one they are the clock's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from time import process_time
from typing import Any, TypeVar

from duelbox.core.model import Position
from duelbox.registry import find_game
from duelbox.solve.api import Analysis, Stop
from tests.house_rules import house_rules

T = TypeVar("T")
LABELS = ("p50", "p99", "max")


def yardstick() -> float:
    """Milliseconds of a plain loop of 100,000 turns on this machine now: the middle of eleven runs."""
    times = []
    for _ in range(11):
        began = process_time()
        total = 0
        for number in range(100_000):
            total += number & 7
        times.append(1_000 * (process_time() - began))
    return sorted(times)[5]


def milliseconds(work: Callable[[T], object], item: T) -> float:
    """How long this work takes on this item."""
    began = process_time()
    work(item)
    return 1_000 * (process_time() - began)


def verdict(module: Any) -> Callable[[Any], Analysis]:
    """Work for `milliseconds`: the first thing a solver has to say of a view."""
    return lambda view: next(module.stream(view, Stop()))


def everything(module: Any) -> Callable[[Any], Analysis]:
    """Work for `milliseconds`: the last thing a solver has to say of a view."""
    return lambda view: list(module.stream(view, Stop()))[-1]


def report(name: str, times: Sequence[float], yard: float) -> None:
    """One line: the middle, the 99th percentile and the longest, and each as a multiple of the yardstick."""
    ranked = sorted(times)
    figures = [ranked[len(ranked) // 2], ranked[len(ranked) * 99 // 100], ranked[-1]]
    shown = "  ".join(f"{label} {ms:9.2f} ms {ms / yard:7.2f} x" for label, ms in zip(LABELS, figures, strict=True))
    print(f"{name:44} {len(times):5}  {shown}")


def random_positions(game_id: str, count: int, seed: int, most: int = 60) -> Iterator[Any]:
    """Views of random games under random house rules, broken off after a random number of moves, never over."""
    rng, game = Random(seed), find_game(game_id)
    while count:
        state: Position = game.start(house_rules(game_id, rng))
        for _ in range(rng.randrange(most)):
            if state.turn is None:
                break
            view = game.view(state, state.turn)
            state, _events = game.apply(state, state.turn, rng.choice(game.legal_moves(view)))
        if state.turn is not None:
            count -= 1
            yield game.view(state, state.turn)
