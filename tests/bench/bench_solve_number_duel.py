"""Times Number Duel's solver: `python -m tests.bench.bench_solve_number_duel`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from duelbox.games.number_duel import rules
from duelbox.games.number_duel.solve import verdicts as number_duel
from duelbox.games.number_duel.solve.odds import odds
from tests.bench.measure import LATER, Row, everything, presets, random_positions, show, timed, verdict

GAME = "number-duel"
solve = everything(number_duel)
forget = odds.cache_clear


def rows() -> Iterator[Row]:
    """What the solver is meant to reach."""
    yield from presets(GAME, forget)
    views = list(random_positions(GAME, 2_000, seed=1, most=12, least=1, keep=lambda view: view.hand < 7))
    yield timed(f"{GAME} to hand 6, any later position: all moves", solve, views, LATER, forget)
    for hand, most in ((5, 10), (7, 250)):
        name = f"{GAME}, hand {hand}, start: verdict"
        yield timed(name, verdict(number_duel), [start(hand)] * (9 if hand < 7 else 3), {"p50": most}, forget)
    views = list(random_positions(GAME, 300, seed=2, most=14, least=1, keep=lambda view: view.hand == 7))
    yield timed(f"{GAME}, hand 7, any later position: all moves", solve, views, {"p99": 100}, forget)


def more() -> Iterator[Row]:
    """What else there is to know."""
    for stays in (False, True):
        for hand in range(3, 8):
            views = [start(hand, stays)] * (9 if hand < 7 else 2)
            yield timed(f"hand {hand}{', victors stay' * stays}, start: all moves", solve, views, forget=forget)
    views = list(random_positions(GAME, 2_000, seed=1, most=12))
    yield timed("random positions: all moves, what was found kept", solve, views)


def start(hand: int, stays: bool = False) -> rules.View:
    return rules.view(rules.start(rules.Options(hand=hand, victors_stay=stays)), 0)


def main() -> None:
    show(chain(rows(), more()))


if __name__ == "__main__":
    main()
