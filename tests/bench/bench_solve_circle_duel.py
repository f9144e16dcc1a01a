"""Times Number Circle Duel's solver: `python -m tests.bench.bench_solve_circle_duel`."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from duelbox.games.circle_duel import rules
from duelbox.solve import circle_duel, matching
from tests.bench.measure import everything, milliseconds, random_positions, report, verdict, yardstick


def main() -> None:
    yard = yardstick()
    print(f"yardstick: {yard:.2f} ms")
    for preset in rules.PRESETS:
        matching._profile.cache_clear()
        start = rules.start(preset.options)
        report(f"{preset.name}: verdict, cold", [milliseconds(verdict(circle_duel), start)], yard)
        report(f"{preset.name}: all moves", [milliseconds(everything(circle_duel), start)], yard)
    views = list(random_positions("circle-duel", 2_000, seed=1, most=28))
    report("random positions: verdict", [milliseconds(verdict(circle_duel), view) for view in views], yard)
    report("random positions: all moves", [milliseconds(everything(circle_duel), view) for view in views], yard)
    uncounted = sum(everything(circle_duel)(view).plies is None for view in views)
    print(f"turns not counted: {uncounted} of {len(views)}")
    for gaps in (0, 10, 30, 50):
        places = ring(10_000, gaps)
        report(f"ring of 10,000, {gaps} % gaps, cold", [milliseconds(settle_cold, places) for _ in range(9)], yard)
    compare(ring(2_000, 30), yard)


def ring(size: int, percent: int) -> list[bool]:
    rng = Random(percent)
    places = [rng.randrange(100) >= percent for _ in range(size)]
    places[5] = False
    return places


def settle_cold(places: Sequence[bool]) -> bool:
    """Who wins on this ring, reach 3, after the pick of number 5."""
    matching._profile.cache_clear()
    return circle_duel.wins(places, 3, 5)


def compare(places: Sequence[bool], yard: float) -> None:
    """One general matching on the same ring by a library, where it is installed; a verdict needs up to seven."""
    try:
        import networkx
    except ImportError:
        print("networkx is not installed: no comparison")
        return
    size = len(places)
    free = [place for place, there in enumerate(places) if there]
    graph = networkx.Graph()
    graph.add_nodes_from(free)
    links = ((place, (place + step) % size) for place in free for step in (1, 2, 3))
    graph.add_edges_from((a, b) for a, b in links if places[b])
    report("ring of 2,000, 30 % gaps, cold", [milliseconds(settle_cold, places)], yard)
    report("the same, a matching by networkx", [milliseconds(networkx.max_weight_matching, graph)], yard)


if __name__ == "__main__":
    main()
