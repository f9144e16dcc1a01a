"""Times Sequence Duel's solver: `python -m tests.bench.bench_solve_sequence_duel`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random

from duelbox.games.sequence_duel import rules
from duelbox.solve import sequence_duel, snort, snort_plies
from duelbox.solve.api import Analysis, Stop
from tests.bench.measure import everything, milliseconds, random_positions, report, verdict, yardstick

Work = Callable[[rules.View], Analysis]


def main() -> None:
    yard = yardstick()
    print(f"yardstick: {yard:.2f} ms; cold: nothing is remembered from before")
    for preset in rules.PRESETS:
        start = [rules.start(preset.options)] * 9
        report(f"{preset.name}: verdict, cold", cold(verdict(sequence_duel), start), yard)
        report(f"{preset.name}: all moves and turns, cold", cold(everything(sequence_duel), start), yard)
    for size, times in ((20, 9), (40, 5), (60, 1)):
        start = [rules.start(rules.Options(size=size))] * times
        report(f"line of {size}: verdict, cold", cold(verdict(sequence_duel), start), yard)
        report(f"line of {size}: all first moves, cold", cold(rated, start), yard)
    for size in (59, 60):
        start = [rules.start(rules.Options(size=size, ring=True))] * 5
        report(f"ring of {size}: verdict, cold", cold(verdict(sequence_duel), start), yard)
    for name, sizes, count in (("5 to 24", range(5, 25), 2_000), ("24", (24,), 500), ("30", (30,), 500)):
        views = list(random_views(count, sizes))
        report(f"random, size {name}: verdict, cold", cold(verdict(sequence_duel), views), yard)
        report(f"random, size {name}: all moves, cold", cold(rated, views), yard)
        report(f"random, size {name}: and turns, cold", cold(everything(sequence_duel), views), yard)
    sequence_duel.forget()
    views = list(random_positions("sequence-duel", 400, seed=1, most=40))
    times = [milliseconds(everything(sequence_duel), view) for view in views]
    report("random house rules: all moves, turns, warm", times, yard)
    print(f"{sum(times) / 1_000:.1f} s together; {remembered()} sums remembered")


def cold(work: Work, views: Iterable[rules.View]) -> list[float]:
    times = []
    for view in views:
        sequence_duel.forget()
        times.append(milliseconds(work, view))
    return times


def rated(view: rules.View) -> Analysis:
    """The first analysis with all moves, before their turns are counted."""
    count = len(rules.legal_moves(view))
    return next(one for one in sequence_duel.stream(view, Stop()) if len(one.moves) == count)


def random_views(count: int, sizes: Iterable[int]) -> Iterator[rules.View]:
    """Views of random games on lines and rings, broken off after a random number of claims, never over."""
    rng, choices = Random(1), list(sizes)
    while count:
        view = rules.start(rules.Options(size=rng.choice(choices), ring=rng.random() < 0.5))
        for _ in range(rng.randrange(view.options.size)):
            if view.turn is not None:
                view, _ = rules.apply(view, view.turn, rng.choice(rules.legal_moves(view)))
        if view.turn is not None:
            count -= 1
            yield view


def remembered() -> int:
    return len(snort._won) + len(snort._lost) + len(snort_plies._bounds)


if __name__ == "__main__":
    main()
