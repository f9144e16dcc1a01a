"""Times Number Circle Duel's solver: `python -m tests.bench.bench_solve_circle_duel`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random

from duelbox.games.circle_duel.solve import matching
from duelbox.games.circle_duel.solve import verdicts as circle_duel
from tests.bench.measure import LATER, Row, everything, presets, random_positions, show, timed, verdict

GAME = "circle-duel"


def forget() -> None:
    matching._profile.cache_clear()


def rows() -> Iterator[Row]:
    """What the solver is meant to reach."""
    yield from presets(GAME, forget)
    views = list(random_positions(GAME, 2_000, seed=1, most=28, least=1))
    yield timed(f"{GAME}, any later position: all moves", everything(circle_duel), views, LATER, forget)
    for gaps in (0, 30):
        places = [ring(10_000, gaps)] * 9
        yield timed(f"{GAME}, ring of 10,000, reach 3, {gaps} % gaps: verdict", settle, places, {"p50": 25}, forget)


def more() -> Iterator[Row]:
    """What else there is to know."""
    views = list(random_positions(GAME, 2_000, seed=1, most=28))
    yield timed("random positions: verdict, profiles kept", verdict(circle_duel), views)
    yield timed("random positions: all moves, profiles kept", everything(circle_duel), views)
    for gaps in (10, 50):
        yield timed(f"ring of 10,000, {gaps} % gaps", settle, [ring(10_000, gaps)] * 9, forget=forget)


def ring(size: int, percent: int) -> list[bool]:
    """Places that are free, but for so many drawn gaps, and 5 picked."""
    rng = Random(percent)
    places = [rng.randrange(100) >= percent for _ in range(size)]
    places[5] = False
    return places


def settle(places: Sequence[bool]) -> bool:
    """Who wins on this ring, reach 3, after the pick of number 5."""
    return circle_duel.wins(places, 3, 5)


def main() -> None:
    show(chain(rows(), more()))
    views = list(random_positions(GAME, 2_000, seed=1, most=28))
    uncounted = sum(everything(circle_duel)(view).plies is None for view in views)
    print(f"turns not counted: {uncounted} of {len(views)}")


if __name__ == "__main__":
    main()
