"""Times Number Circle's solver: `python -m tests.bench.bench_solve_number_circle`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random

from duelbox.games.number_circle import rules
from duelbox.games.number_circle.solve import separate_totals as race
from duelbox.games.number_circle.solve import shared_total as tug
from duelbox.games.number_circle.solve import verdicts as number_circle
from tests.bench.measure import LATER, Row, everything, presets, random_positions, show, timed

GAME = "number-circle"
solve = everything(number_circle)


def forget() -> None:
    tug.forget()
    race._fewest.cache_clear()


def rows() -> Iterator[Row]:
    """What the solver is meant to reach."""
    yield from presets(GAME, forget)
    views = list(random_positions(GAME, 2_000, seed=1, most=60, least=1))
    yield timed(f"{GAME}, any later position: all moves", solve, views, LATER, forget)


def more() -> Iterator[Row]:
    """What else there is to know."""
    views = list(random_positions(GAME, 2_000, seed=1, most=60))
    shared = [view for view in views if view.options.shared_total]
    apart = [view for view in views if not view.options.shared_total]
    yield timed("random, one total: all moves", solve, shared, forget=forget)
    yield timed("random, a total each: all moves", solve, apart, forget=forget)
    yield timed("random: all moves, tables kept", solve, views)
    for turning in (False, True):
        for below in (30, 60, 100, 200, 500):
            title = f"no sharing, {below} below the target, {'turning' if turning else 'no turning'}: all moves"
            yield timed(title, solve, far(below, turning))


def far(below: int, backtracking: bool) -> list[rules.View]:
    """Close races a long way from the target, where the players block each other."""
    rng = Random(below)
    start = rules.start(rules.Options(target=20, sharing=False, backtracking=backtracking))
    views = []
    for _ in range(15):
        places = rng.sample(range(1, 10), 2)
        totals = [20 - below + rng.randrange(-4, 5) for _ in places]
        views.append(start.changed(places=tuple(places), totals=tuple(totals)))
    return views


def main() -> None:
    show(chain(rows(), more()))


if __name__ == "__main__":
    main()
