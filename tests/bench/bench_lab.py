"""The speed of whole maps of house rules, and of stopping a cell: `python -m tests.bench.bench_lab`.

A map must be computed within twice the time of its prototype; status 1 if one is not.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from time import process_time
from typing import Any

from duelbox.core.options import Options
from duelbox.core.packed import Packed, Packer, Packing, play_out
from duelbox.registry import find_game, games, part
from duelbox.rules_lab.best_rules import settings
from duelbox.rules_lab.facts import LAYERS, Layer, work_out
from duelbox.solve.api import Stop
from tests.bench.bench_stop import FORGET
from tests.bench.measure import Row, show, timed

MOVES_A_SECOND = 300_000
"""At least so many moves of a packed game are played at random in a second."""
LONGEST_GAME = 1_000
"""A random game is broken off after so many moves."""
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


def packed_rows(most: int = 300) -> Iterator[Row]:
    """Time random games in plain numbers: the milliseconds of 1,000 moves, and so the moves of a second."""
    for game in games():
        packer = part(game.INFO.id, "packed", Packer)
        for preset in game.PRESETS if packer is not None else ():
            packed = packer.pack(game.start(preset.options))
            if packed is None:
                continue
            count = moves_of(packed, most)
            begun = process_time()
            for seed in range(most):
                play_out(packed, seed, LONGEST_GAME)
            spent = 1_000 * (process_time() - begun)
            name = f"{game.INFO.id}, {preset.name}: 1,000 random moves of {count:,}"
            yield Row(name, [1_000 * spent / count], reach={"max": 1_000 * 1_000 / MOVES_A_SECOND})


def moves_of(packed: Packed, most: int) -> int:
    """The number of moves of so many random games."""
    count = 0

    def counted(position: Packing, move: int) -> Packing:
        nonlocal count
        count += 1
        return packed.after(position, move)

    for seed in range(most):
        play_out(replace(packed, after=counted), seed, LONGEST_GAME)
    return count


def main() -> int:
    """Print the rows; return 1 if a limit is passed."""
    rows = show(chain(map_rows(), stop_rows(), packed_rows()))
    return int(not all(row.met for row in rows))


if __name__ == "__main__":
    sys.exit(main())
