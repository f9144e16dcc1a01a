"""Times Number Duel's solver: `python -m tests.bench.bench_solve_number_duel`."""

from __future__ import annotations

from duelbox.games.number_duel import rules
from duelbox.solve import number_duel
from duelbox.solve.api import Analysis, Stop
from duelbox.solve.odds import odds
from tests.bench.measure import everything, milliseconds, random_positions, report, verdict, yardstick


def main() -> None:
    yard = yardstick()
    print(f"yardstick: {yard:.2f} ms")
    for preset in rules.PRESETS:
        odds.cache_clear()
        start = rules.view(rules.start(preset.options), 0)
        report(f"{preset.name}: verdict, cold", [milliseconds(verdict(number_duel), start)], yard)
        report(f"{preset.name}: all moves", [milliseconds(everything(number_duel), start)], yard)
    for stays in (False, True):
        for hand in range(3, 8):
            start = rules.view(rules.start(rules.Options(hand=hand, victors_stay=stays)), 0)
            times = [milliseconds(cold, start) for _ in range(2 if hand == 7 else 9)]
            report(f"hand {hand}{', victors stay' * stays}: start, all moves, cold", times, yard)
    views = [view for view in random_positions("number-duel", 2_600, seed=1, most=12) if view.hand < 7][:2_000]
    report("random to hand 6, every one cold", [milliseconds(cold, view) for view in views], yard)
    odds.cache_clear()
    report(
        "random to hand 6, what was found kept", [milliseconds(everything(number_duel), view) for view in views], yard
    )


def cold(view: rules.View) -> Analysis:
    odds.cache_clear()
    return list(number_duel.stream(view, Stop()))[-1]


if __name__ == "__main__":
    main()
