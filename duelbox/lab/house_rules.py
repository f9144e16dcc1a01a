"""House rules as knobs: the values of each, the setting of two of them, and the order in which a map is worked out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from duelbox.core.errors import OptionError
from duelbox.core.game import AnyGame
from duelbox.core.options import Options

MOST_VALUES = 100
"""An option with more values than this is no knob: a map could not show it."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house rule, with all values it takes."""

    key: str
    label: str
    values: tuple[Any, ...]


def house_rules(game: AnyGame) -> tuple[HouseRule, ...]:
    """The house rules that can be turned: all but those that tell what was drawn."""
    drawn = game.Options.drawn_names()
    return tuple(
        HouseRule(info.name, info.title, info.values)
        for info in game.Options.infos()
        if info.name not in drawn and 1 < len(info.values) <= MOST_VALUES
    )


def setting(game: AnyGame, options: Options, x: HouseRule, xv: Any, y: HouseRule, yv: Any) -> Options | None:
    """The house rules with two knobs turned; None where they do not go together."""
    rules = options.rules_only()
    values = {name: getattr(rules, name) for name in type(rules).model_fields}
    try:
        turned: Options = game.Options.from_values({**values, x.key: xv, y.key: yv})
    except OptionError:
        return None
    return turned


def spiral(width: int, height: int, x: int, y: int) -> Iterator[tuple[int, int]]:
    """All cells of a map, from one of them outwards."""
    cells = [(column, row) for row in range(height) for column in range(width)]
    return iter(sorted(cells, key=lambda at: (max(abs(at[0] - x), abs(at[1] - y)), abs(at[0] - x) + abs(at[1] - y))))
