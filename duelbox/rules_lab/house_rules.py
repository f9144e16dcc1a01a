"""The house rules of a game with all their values: the axes of a map, and the order in which a map is worked out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from duelbox.core.game import AnyGame

MOST_VALUES = 100
"""A rule with more values is left out, as no map could show it."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house rule, with all values it can take."""

    key: str
    label: str
    values: tuple[Any, ...]


def house_rules(game: AnyGame) -> tuple[HouseRule, ...]:
    """The house rules that can be chosen, without those that say what was drawn."""
    drawn = game.Options.drawn_names()
    return tuple(
        HouseRule(info.name, info.title, info.values)
        for info in game.Options.infos()
        if info.name not in drawn and 1 < len(info.values) <= MOST_VALUES
    )


def spiral(width: int, height: int, x: int, y: int) -> Iterator[tuple[int, int]]:
    """All cells of a map, from one of them outwards."""
    cells = [(column, row) for row in range(height) for column in range(width)]
    return iter(sorted(cells, key=lambda at: (max(abs(at[0] - x), abs(at[1] - y)), abs(at[0] - x) + abs(at[1] - y))))
