"""Random house rules, written straight from the pages of rules: values of options and which go together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from duelbox.bots import levels_of
from duelbox.core.options import Options
from duelbox.registry import BUILT_IN, find_game
from duelbox.solve import can_solve
from duelbox.testing import random_rules as described

Values = dict[str, Any]

GAME_IDS = tuple(BUILT_IN)
SOLVED = tuple(filter(can_solve, GAME_IDS))
WITH_COMPUTERS = tuple(filter(levels_of, GAME_IDS))


def house_rules(game_id: str, rng: Random) -> Options:
    """Random options of a game: each rule classic one time in three, else any allowed value."""
    options = find_game(game_id).Options
    if game_id not in DRAWS:
        return described(options, rng)
    drawn: Options = options.from_values(DRAWS[game_id](rng))
    return drawn


def _some(rng: Random, **ranges: Sequence[Any]) -> Values:
    return {key: rng.choice(values) for key, values in ranges.items() if rng.randrange(3)}


def _seed(rng: Random) -> int:
    return rng.choice((rng.randrange(100), rng.randrange(2**63)))


def _taken_away(rng: Random, pool: Sequence[int], most: int) -> Values:
    """No gaps, drawn gaps, or named gaps."""
    way = rng.randrange(3)
    if way == 0:
        return {}
    count = rng.randint(1, most)
    if way == 1:
        return {"gaps": count, "seed": _seed(rng)}
    return {"without": tuple(rng.sample(list(pool), count))}


def _circle_duel(rng: Random) -> Values:
    values = _some(rng, size=range(4, 31), reach=(1, 2, 3))
    size = values.get("size", 10)
    if rng.randrange(3) == 0:
        size = min(size, (30, 24, 16)[values.get("reach", 1) - 1])
        values |= {"size": size, "trails": "own"}
    return {**values, **_taken_away(rng, range(1, size + 1), size // 2)}


def _number_circle(rng: Random) -> Values:
    on_off = (True, False)
    values = _some(
        rng,
        target=(*range(10, 21), "drawn"),
        backtracking=on_off,
        sharing=on_off,
        shared_total=on_off,
        floor=(None, 0),
    )
    return {**values, "seed": _seed(rng)} if values.get("target") == "drawn" else values


def _sequence_duel(rng: Random) -> Values:
    return _some(rng, size=range(5, 61), ring=(True, False))


def _digit_chain(rng: Random) -> Values:
    values = _some(rng, zero=("dead-end", "no-tens", "wild"))
    pool = [number for number in range(1, 100) if values.get("zero") != "no-tens" or number % 10]
    return {**values, **_taken_away(rng, pool, 60)}


def _number_duel(rng: Random) -> Values:
    values = _some(rng, hand=range(3, 8), arrange=("shuffled", "chosen"), victors_stay=(True, False))
    if values.get("arrange") == "chosen":
        # Seven numbers have 5,040 orders: too many to list at every second step of a random game.
        return {**values, "hand": min(values.get("hand", 5), 5)}
    if rng.randrange(2):
        return {**values, "seed": _seed(rng)}
    numbers = range(1, values.get("hand", 5) + 1)
    return {**values, "deal": tuple(tuple(rng.sample(numbers, len(numbers))) for _ in range(2))}


DRAWS: dict[str, Callable[[Random], Values]] = {
    "circle-duel": _circle_duel,
    "number-circle": _number_circle,
    "sequence-duel": _sequence_duel,
    "digit-chain": _digit_chain,
    "number-duel": _number_duel,
}
