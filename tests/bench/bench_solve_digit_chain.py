"""Times Digit Chain Duel's solver: `python -m tests.bench.bench_solve_digit_chain`. Nothing is kept between views."""

from __future__ import annotations

from duelbox.games.digit_chain import rules
from duelbox.games.digit_chain.solve import verdicts as digit_chain
from tests.bench.measure import everything, milliseconds, random_positions, report, verdict, yardstick


def main() -> None:
    yard = yardstick()
    print(f"yardstick: {yard:.2f} ms")
    for preset in rules.PRESETS:
        starts = [rules.start(preset.options.changed(seed=seed)) for seed in range(100 if preset.options.draws else 1)]
        report(f"{preset.name}: verdict", [milliseconds(verdict(digit_chain), start) for start in starts], yard)
        report(f"{preset.name}: all moves", [milliseconds(everything(digit_chain), start) for start in starts], yard)
    views = list(random_positions("digit-chain", 2_000, seed=1, most=60))
    for zero in ("dead-end", "no-tens", "wild"):
        some = [view for view in views if view.options.zero == zero and view.picks]
        report(f"random, {zero}: verdict", [milliseconds(verdict(digit_chain), view) for view in some], yard)
        report(f"random, {zero}: all moves", [milliseconds(everything(digit_chain), view) for view in some], yard)
        uncounted = sum(everything(digit_chain)(view).plies is None for view in some)
        print(f"turns not counted: {uncounted} of {len(some)}")


if __name__ == "__main__":
    main()
