"""The speed table of the solvers, in one run: `python -m tests.bench.bench_solve`; status 1 where one is too slow."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from duelbox.bots import choose
from duelbox.bots.api import Choice
from duelbox.games.digit_chain.solve import verdicts as digit_chain
from duelbox.registry import find_game
from tests.bench import (
    answers,
    bench_solve_circle_duel,
    bench_solve_number_circle,
    bench_solve_number_duel,
    bench_solve_sequence_duel,
    stops,
)
from tests.bench.child import KIB
from tests.bench.measure import LATER, Row, everything, presets, random_positions, show, timed
from tests.house_rules import GAME_IDS
from tests.positions import at

MEGABYTES = 300
WILD = {"p99": 60.0, "max": 300.0}


def digit_chain_rows() -> Iterator[Row]:
    """What Digit Chain's solver is meant to reach; it keeps nothing."""
    game_id, solve = "digit-chain", everything(digit_chain)
    yield from presets(game_id)
    for name, wild, reach in (("but wild", False, LATER), ("wild", True, WILD)):
        views = random_positions(
            game_id, 2_000, seed=1, least=1, keep=lambda view, wild=wild: (view.options.zero == "wild") is wild
        )
        yield timed(f"{game_id} {name}, any later position: all moves", solve, views, reach)


def top_level_rows() -> Iterator[Row]:
    """What the computers that know everything are meant to reach."""
    for game_id in GAME_IDS:
        views = list(random_positions(game_id, 300, seed=9, most=40))
        name = f"{game_id}, any position: the top level's move"
        yield timed(name, _top_level(game_id), views, {"max": 200}, stops.FORGET[game_id])
    for code in ("circle-duel:size=30,reach=3", "circle-duel:size=30,reach=3/1", "sequence-duel:size=60/1"):
        game_id = code.partition(":")[0]
        work = _top_level(game_id)
        yield timed(f"{code}: the top level's move", work, [at(code)] * 3, {"max": 100}, stops.FORGET[game_id])


def _top_level(game_id: str) -> Callable[[Any], Choice]:
    return lambda view: choose(find_game(game_id), view, "oracle", 1)


def main() -> int:
    shown = show(
        chain(
            answers.rows(),
            bench_solve_circle_duel.rows(),
            bench_solve_number_circle.rows(),
            bench_solve_sequence_duel.rows(),
            digit_chain_rows(),
            bench_solve_number_duel.rows(),
            top_level_rows(),
            stops.rows(),
        )
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIB / 1e6
    print(f"memory of this process at its greatest: {peak:.0f} MB, under {MEGABYTES}: {peak < MEGABYTES}")
    missed = [row.work for row in shown if not row.met]
    print(f"met: {sum(bool(row.reach) for row in shown) - len(missed)}; not met: {'; '.join(missed) or 'none'}")
    return 1 if missed or peak >= MEGABYTES else 0


if __name__ == "__main__":
    sys.exit(main())
