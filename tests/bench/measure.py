"""Shared parts of the solvers' benchmarks: a yardstick, random positions, and rows of times.

Times are CPU times of this process, so that other work on the machine counts little; the wall time stands beside them.
A limit applies to CPU time unless the row says otherwise.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any, TypeVar

from duelbox.core.model import Position
from duelbox.registry import find_game
from duelbox.solve import solver_of
from duelbox.solve.api import Analysis, Stop
from tests.house_rules import house_rules

T = TypeVar("T")
LABELS = ("p50", "p99", "max")
LATER = {"p99": 16.0, "max": 100.0}
"""The limit for any later position, in milliseconds."""
WIDTH = 72
HEAD = f"{'work':{WIDTH}}{'times':>6}{'CPU p50':>10}{'p99':>10}{'max ms':>10}{'wall p50':>11}{'p99':>10}{'max ms':>10}"


def yardstick() -> float:
    """Milliseconds of a plain loop of 100,000 steps: the median of eleven runs."""
    times = []
    for _ in range(11):
        began = process_time()
        total = 0
        for number in range(100_000):
            total += number & 7
        times.append(1_000 * (process_time() - began))
    return sorted(times)[5]


def verdict(module: Any) -> Callable[[Any], Analysis]:
    """Work to time: the first analysis of a view."""
    return lambda view: next(module.stream(view, Stop()))


def everything(module: Any) -> Callable[[Any], Analysis]:
    """Work to time: the last analysis of a view."""
    return lambda view: list(module.stream(view, Stop()))[-1]


def figures(times: Sequence[float]) -> dict[str, float]:
    """The median, the 99th percentile and the maximum."""
    ranked = sorted(times)
    return dict(zip(LABELS, (ranked[len(ranked) // 2], ranked[len(ranked) * 99 // 100], ranked[-1]), strict=True))


@dataclass
class Row:
    """A piece of work with its times in milliseconds, and limits for some of them."""

    work: str
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    reach: Mapping[str, float] = field(default_factory=dict)
    by_wall: bool = False

    @property
    def judged(self) -> dict[str, float]:
        """The times that the limits apply to."""
        return figures(self.wall if self.by_wall else self.cpu)

    @property
    def met(self) -> bool:
        """True if all limits are kept."""
        return all(self.judged[label] <= most for label, most in self.reach.items())

    def line(self, yard: float) -> str:
        """The row under `HEAD`; times with a limit also as multiples of the yardstick."""
        shown = f"{self.work:{WIDTH}}{len(self.cpu or self.wall):6}{_cells(self.cpu, 10)}{_cells(self.wall, 11)}"
        if not self.reach:
            return shown.rstrip()
        told = ", ".join(f"{label} {most:g} ms" for label, most in self.reach.items())
        ratios = ", ".join(f"{self.judged[label] / yard:.2f} x" for label in self.reach)
        clock = ", by wall" if self.by_wall else ""
        return f"{shown}  {told}: {'met' if self.met else 'NOT MET'} ({ratios}{clock})"


def _cells(times: Sequence[float], first: int) -> str:
    if not times:
        return " " * (first + 20)
    middle, high, longest = figures(times).values()
    return f"{middle:{first}.2f}{high:10.2f}{longest:10.2f}"


def timed(
    name: str,
    work: Callable[[T], object],
    items: Iterable[T],
    reach: Mapping[str, float] | None = None,
    forget: Callable[[], None] = lambda: None,
) -> Row:
    """Time this work on each item; `forget` is called before each, to clear caches."""
    row = Row(name, reach=reach or {})
    items = list(items)
    gc.collect()
    gc.freeze()  # Objects of the bench must not slow the solver's garbage collection.
    for item in items:
        forget()
        began, began_wall = process_time(), perf_counter()
        work(item)
        row.cpu.append(1_000 * (process_time() - began))
        row.wall.append(1_000 * (perf_counter() - began_wall))
    gc.unfreeze()
    return row


def show(rows: Iterable[Row]) -> list[Row]:
    """Print the rows as they come, below the yardstick."""
    yard, shown = yardstick(), []
    print(f"yardstick, a plain loop of 100,000 turns: {yard:.2f} ms; every time cold, unless something is kept\n{HEAD}")
    for row in rows:
        print(row.line(yard), flush=True)
        shown.append(row)
    return shown


def presets(game_id: str, forget: Callable[[], None] = lambda: None) -> Iterator[Row]:
    """Time the verdict at the start of every preset, the median of three; then all its moves, without a limit."""
    game, solver = find_game(game_id), solver_of(game_id)
    starts = [game.start(preset.options) for preset in game.PRESETS]
    for what, work, reach in (("verdict", verdict(solver), {"max": 50.0}), ("all moves", everything(solver), {})):
        row = Row(f"{game_id}, start of any preset: {what}", reach=reach)
        for start in starts:
            three = timed("", work, [game.view(start, start.turn)] * 3, forget=forget)
            row.cpu.append(median(three.cpu))
            row.wall.append(median(three.wall))
        longest = game.PRESETS[row.cpu.index(max(row.cpu))]
        row.work += f" (longest: {longest.name})"
        yield row


def random_positions(
    game_id: str,
    count: int,
    seed: int,
    most: int = 60,
    least: int = 0,
    keep: Callable[[Any], bool] = lambda view: True,
) -> Iterator[Any]:
    """Views of random unfinished games with random house rules."""
    rng, game = Random(seed), find_game(game_id)
    while count:
        state: Position = game.start(house_rules(game_id, rng))
        for _ in range(rng.randrange(least, most)):
            if state.turn is None:
                break
            view = game.view(state, state.turn)
            state, _events = game.apply(state, state.turn, rng.choice(game.legal_moves(view)))
        if state.turn is not None and keep(view := game.view(state, state.turn)):
            count -= 1
            yield view
