"""Times Sequence Duel's solver: `python -m tests.bench.bench_solve_sequence_duel`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from random import Random

from duelbox.bots import choose
from duelbox.games.sequence_duel import rules
from duelbox.games.sequence_duel.solve import lengths as snort_plies
from duelbox.games.sequence_duel.solve import snort
from duelbox.games.sequence_duel.solve import verdicts as sequence_duel
from duelbox.solve.api import Analysis, Stop
from tests.bench.measure import LATER, Row, everything, presets, random_positions, show, timed, verdict
from tests.positions import at

GAME = "sequence-duel"
forget = sequence_duel.forget
settle, solve = verdict(sequence_duel), everything(sequence_duel)


def rows() -> Iterator[Row]:
    """What the solver is meant to reach."""
    yield from presets(GAME, forget)
    views = list(random_views(2_000, range(5, 25), least=1))
    yield timed(f"{GAME} to size 24, any later position: all moves and turns", solve, views, LATER, forget)
    views = list(random_views(500, (30,), least=1))
    yield timed(f"{GAME} 30, any later position: all moves and turns", solve, views, {"p99": 50}, forget)
    for size, verdict_in, moves_in in ((20, 7, 20), (40, 25, 1_000)):
        start = [rules.start(rules.Options(size=size))] * 5
        yield timed(f"{GAME} {size}: verdict", settle, start, {"p50": verdict_in}, forget)
        yield timed(f"{GAME} {size}: all first moves", rated, start, {"p50": moves_in}, forget)
    views = list(random_views(300, (60,)))
    yield timed(f"{GAME} 60, any position: verdict", settle, views, {"max": 100}, forget)
    yield timed(f"{GAME} 60, any position: all moves", rated, views, {"p99": 1_000, "max": 5_000}, forget)
    hard = [at(f"{GAME}:size=60/{claims}") for claims in ("1", "15.11", "30.20", "33.23")]
    yield timed(f"{GAME} 60, positions that were hard: all moves", rated, hard, {"max": 5_000}, forget)
    yield timed(f"{GAME} 60, the same: the move of the last computer", oracle, hard, {"max": 100}, forget)
    for size, ring in ((60, False), (60, True), (59, True)):
        start = [rules.start(rules.Options(size=size, ring=ring))] * 5
        name = f"{GAME} {size}{', ring' * ring}: verdict"
        yield timed(name, settle, start, {"p50": 100}, forget)


def more() -> Iterator[Row]:
    """What else there is to know."""
    start = [rules.start(rules.Options(size=60))]
    yield timed("line of 60: all first moves", rated, start, forget=forget)
    for name, sizes, count in (("5 to 24", range(5, 25), 2_000), ("24", (24,), 500), ("30", (30,), 500)):
        views = list(random_views(count, sizes))
        yield timed(f"random, size {name}: verdict", settle, views, forget=forget)
        yield timed(f"random, size {name}: all moves", rated, views, forget=forget)
        yield timed(f"random, size {name}: and turns", solve, views, forget=forget)
    forget()
    views = list(random_positions(GAME, 400, seed=1, most=40))
    yield timed("random house rules: all moves and turns, sums kept", solve, views)


def rated(view: rules.View) -> Analysis:
    """The first analysis with all moves, before their turns are counted."""
    count = len(rules.legal_moves(view))
    return next(one for one in sequence_duel.stream(view, Stop()) if len(one.moves) == count)


def oracle(view: rules.View) -> str:
    """What the computer that knows everything plays."""
    return choose(rules.GAME, view, "oracle", 1).move


def random_views(count: int, sizes: Iterable[int], least: int = 0) -> Iterator[rules.View]:
    """Views of random games on lines and rings, broken off after a random number of claims, never over."""
    rng, choices = Random(1), list(sizes)
    while count:
        view = rules.start(rules.Options(size=rng.choice(choices), ring=rng.random() < 0.5))
        for _ in range(rng.randrange(least, view.options.size)):
            if view.turn is not None:
                view, _ = rules.apply(view, view.turn, rng.choice(rules.legal_moves(view)))
        if view.turn is not None:
            count -= 1
            yield view


def main() -> None:
    show(chain(rows(), more()))
    print(f"{len(snort._known) + len(snort_plies._bounds)} sums remembered at the end")


if __name__ == "__main__":
    main()
