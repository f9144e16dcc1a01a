"""Maps as rows: axes are typed, and each setting becomes a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from duelbox.core.code import read_code
from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.model import listed
from duelbox.core.options import Options, written
from duelbox.core.takes import REAL, TEXT, Kind, is_some, takes, whole
from duelbox.registry import find_game
from duelbox.rules_lab.best_rules import code_of
from duelbox.rules_lab.facts import DEALS, LIMIT, Facts, Layer, facts_so_far
from duelbox.rules_lab.house_rules import HouseRule, house_rules
from duelbox.rules_lab.map import NO_RULE, Map
from duelbox.solve import solver_of

NAMES: dict[Layer, tuple[str, ...]] = {
    "first": ("first", "draw", "deals"),
    "length": ("length",),
    "depth": ("depth",),
    "choice": ("choice",),
    "changes": ("changes", "length", "first_won"),
    "one_rule": ("one_rule", "rule", "proved"),
}
"""The facts of each layer, as they are printed."""
LAYERS = Kind(f"some of {', '.join(NAMES)}", lambda value: is_some(value, NAMES))


def read_map(text: str, x: str | None = None, y: str | None = None) -> Map:
    """The map of GAME[:RULES] with the axes KEY[=FROM-TO], or else the rules with the most values; raises
    DuelboxError."""
    code = read_code(text, find_game)
    game = code.game
    if code.moves:
        raise DuelboxError(f"The Lab takes a game and house rules, but no moves: {text.partition('/')[0][:60]}.")
    solver_of(game.INFO.id)
    usual = Map.of(game, code.options)
    given = [_axis(game, one) if one else None for one in (x, y)]
    keys = {one.key for one in given if one}
    typed = code.options.texts()
    for key in filter(typed.__contains__, code.options.drawn_names()):
        raise DuelboxError(f"The Lab draws what is drawn by itself: leave out {key}={typed[key]}.")
    free = [one for one in (usual.x, usual.y, *usual.fixed) if one.key not in keys]
    left = iter(sorted(free, key=lambda one: one.key in typed))
    across, down = (one or next(left, NO_RULE) for one in given)
    if across.key == down.key:
        raise DuelboxError(f"Both axes are {across.key}: choose two house rules.")
    map_ = replace(usual, x=across, y=down)
    if not any(settings_of(map_)):
        raise DuelboxError(f"None of these settings is allowed: {map_.put(0, 0).why_not}")
    return map_


def _axis(game: AnyGame, text: str) -> HouseRule:
    key, equals, wanted = text.lower().partition("=")
    known = {one.key: one for one in house_rules(game)}
    if key not in known:
        raise DuelboxError(f"{game.INFO.id} has no house rule {key[:24]!a} to turn, but {listed([*known])}.")
    rule, values = known[key], [written(value) for value in known[key].values]
    if not equals:
        return rule
    chosen = _places(values, wanted)
    if not chosen:
        raise DuelboxError(f"{key} takes {_ranges(rule, values)}, not {wanted[:24]!a}.")
    return replace(rule, values=rule.values[chosen.start : chosen.stop])


def _places(values: Sequence[str], wanted: str) -> range:
    """The places of a range, such as 9-24, or of neighbours in any order, such as on,off; empty if there are none."""
    listed_places = sorted({values.index(word) for word in wanted.split(",") if word in values})
    if len(listed_places) == len(wanted.split(",")):
        together = range(listed_places[0], listed_places[-1] + 1)
        if len(together) == len(listed_places):
            return together
    for at, char in enumerate(wanted):  # words have hyphens, too
        first = wanted[:at]
        last = wanted[at + 1 :]
        if char == "-" and first in values and last in values[values.index(first) :]:
            return range(values.index(first), values.index(last) + 1)
    return range(0)


def _ranges(rule: HouseRule, values: Sequence[str]) -> str:
    """The values that may be typed for an axis, in words."""
    if type(rule.values[0]) is int:
        return f"a range from {values[0]} to {values[-1]}"
    return f"{listed(values)}, or several such as {values[0]},{values[1]}"


def rules_to_search(map_: Map) -> tuple[HouseRule, ...]:
    """All house rules: the axes with their ranges, the others fixed if they are not classic."""
    options = map_.options
    typed = {key: (getattr(options, key),) for key in options.texts()}
    rules = {one.key: replace(one, values=typed.get(one.key, one.values)) for one in house_rules(map_.game)}
    return tuple({**rules, **{one.key: one for one in (map_.x, map_.y) if one.key}}.values())


def settings_of(map_: Map) -> list[Options | None]:
    """The settings of all cells, row by row; None if the rules do not go together."""
    wide, high = map_.size
    return [map_.setting(column, row) for row in range(high) for column in range(wide)]


def row(game: AnyGame, options: Options, facts: Facts, layers: Sequence[Layer]) -> dict[str, Any]:
    """A setting as a line of JSON: its code, and the known facts of these layers."""
    names = dict.fromkeys(name for layer in layers for name in NAMES[layer])
    values = {name: value for name in names if (value := getattr(facts, name)) not in (None, "")}
    if facts.first is None:
        values.pop("deals", None)
    short = {name: round(value, 4) if isinstance(value, float) else value for name, value in values.items()}
    return {"code": code_of(game, options), **short, **({"late": True} if facts.late else {})}


@takes(text=TEXT, x=TEXT.or_none(), y=TEXT.or_none(), layers=LAYERS, deals=whole(1, 100_000), limit=REAL.or_none())
def lab(
    text: str,
    x: str | None = None,
    y: str | None = None,
    *,
    layers: Sequence[Layer] = ("first",),
    deals: int = DEALS,
    limit: float | None = LIMIT,
) -> Iterator[dict[str, Any]]:
    """A row for each setting of a map of GAME[:RULES] with the axes KEY[=FROM-TO].

    >>> for row in lab("sequence-duel", "size=6-8", "ring=on"):
    ...     print(row["code"], row["first"])
    sequence-duel:size=6,ring=on 0.0
    sequence-duel:size=7,ring=on 1.0
    sequence-duel:size=8,ring=on 0.0
    """
    map_ = read_map(text, x, y)
    return _rows(map_, layers, deals, limit)


def _rows(map_: Map, layers: Sequence[Layer], deals: int, limit: float | None) -> Iterator[dict[str, Any]]:
    for options in filter(None, settings_of(map_)):
        *_, facts = facts_so_far(map_.game, options, layers, deals=deals, limit=limit)
        yield row(map_.game, options, facts, layers)
