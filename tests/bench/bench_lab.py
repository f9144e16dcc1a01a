"""The speed of whole maps of house rules, and of stopping a cell: `python -m tests.bench.bench_lab`.

A map must be computed within twice the time of its prototype; status 1 if one is not.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise
from time import process_time
from typing import Any

from duelbox.core.options import Options
from duelbox.lab.best_rules import settings
from duelbox.lab.facts import LAYERS, Layer, work_out
from duelbox.registry import find_game
from duelbox.solve.api import Stop
from tests.bench.bench_stop import FORGET
from tests.bench.measure import Row, show, timed

SOON = {"max": 100.0}
"""Most milliseconds until a cell has stopped."""
MAPS: Sequence[tuple[str, str, Mapping[str, Sequence[Any]], float]] = (
    ("sequence-duel", "all 112 settings", {}, 200),
    ("number-circle", "all 192 settings", {}, 1_200),
    ("digit-chain", "48 settings", {"gaps": range(0, 61, 4)}, 200),
    ("circle-duel", "shared, reach 1, all", {"reach": (1,), "trails": ("shared",)}, 1_400),
    (
        "circle-duel",
        "own, reach 2",
        {"reach": (2,), "trails": ("own",), "size": range(9, 25), "gaps": range(7)},
        25_000,
    ),
)
"""The maps of the prototype with their times in milliseconds."""
HEAVY: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("circle-duel", {"size": 26, "reach": 2, "trails": "own", "gaps": 2}),
    ("circle-duel", {"size": 18, "reach": 3, "trails": "own", "gaps": 2}),
    ("number-circle", {"sharing": False}),
    ("sequence-duel", {"size": 59, "ring": True}),
    ("digit-chain", {"zero": "wild"}),
    ("number-duel", {"hand": 7, "victors_stay": True}),
)


def chosen(game_id: str, values: Mapping[str, Sequence[Any]]) -> list[Options]:
    """The settings of a map."""
    every = settings(find_game(game_id))
    return [one for one in every if all(getattr(one, key) in wanted for key, wanted in values.items())]


def map_rows() -> Iterator[Row]:
    """Time the layer "who wins" of whole maps."""
    for game_id, name, values, prototype in MAPS:
        game, cells = find_game(game_id), chosen(game_id, values)

        def whole(cells: Sequence[Options], game: Any = game) -> None:
            for options in cells:
                work_out(game, options, "first", limit=None)

        reach = {"max": 2 * prototype}
        yield timed(f"{game_id}, {name}: who wins", whole, [cells], reach, FORGET[game_id])


def stop_rows(seconds: float = 3.0) -> Iterator[Row]:
    """Time the longest gap between two checks of the stop flag in a heavy cell."""
    for layer in LAYERS:
        row = Row(f"six heavy cells, {layer}: longest without a look", reach=SOON)
        row.cpu = [unwatched(game_id, rules, layer, seconds) for game_id, rules in HEAVY]
        yield row


def unwatched(game_id: str, rules: Mapping[str, Any], layer: Layer, seconds: float) -> float:
    """The longest time between two checks of the flag in milliseconds."""
    game, looked = find_game(game_id), [process_time()]

    class Watched(Stop):
        def check(self) -> None:
            looked.append(process_time())
            super().check()

    stop = Watched()

    FORGET[game_id]()
    gc.disable()  # Pauses for garbage collection do not count.
    work_out(game, game.Options(**rules), layer, stop=stop, limit=seconds)
    gc.enable()
    looked.append(process_time())
    return 1_000 * max(then - now for now, then in pairwise(looked))


def main() -> int:
    """Print the rows; return 1 if a limit is passed."""
    rows = show(chain(map_rows(), stop_rows()))
    return int(not all(row.met for row in rows))


if __name__ == "__main__":
    sys.exit(main())
