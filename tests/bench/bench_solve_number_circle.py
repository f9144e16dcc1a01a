"""Times Number Circle's solver: `python -m tests.bench.bench_solve_number_circle`."""

from __future__ import annotations

from random import Random

from duelbox.games.number_circle import rules
from duelbox.solve import number_circle, race, tug
from duelbox.solve.api import Analysis, Stop
from tests.bench.measure import everything, milliseconds, random_positions, report, verdict, yardstick


def main() -> None:
    yard = yardstick()
    print(f"yardstick: {yard:.2f} ms")
    for preset in rules.PRESETS:
        forget()
        start = rules.start(preset.options)
        report(f"{preset.name}: verdict, cold", [milliseconds(verdict(number_circle), start)], yard)
        report(f"{preset.name}: all moves", [milliseconds(everything(number_circle), start)], yard)
    views = list(random_positions("number-circle", 2_000, seed=1, most=60))
    for name, some in (
        ("everything", views),
        ("one total", [view for view in views if view.options.shared_total]),
        ("a total each", [view for view in views if not view.options.shared_total]),
    ):
        report(f"random: {name}, every one cold", [milliseconds(cold, view) for view in some], yard)
    forget()
    report("random: everything, tables kept", [milliseconds(everything(number_circle), view) for view in views], yard)
    for backtracking in (False, True):
        for below in (30, 60, 100):
            title = f"no sharing, {below} below, {'turning' if backtracking else 'no turning'}"
            report(title, [milliseconds(everything(number_circle), view) for view in far(below, backtracking)], yard)


def forget() -> None:
    tug.tug.cache_clear()
    tug.links.cache_clear()
    race._fewest.cache_clear()


def cold(view: rules.View) -> Analysis:
    forget()
    return list(number_circle.stream(view, Stop()))[-1]


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


if __name__ == "__main__":
    main()
