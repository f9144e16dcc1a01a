"""Maps as rows: the axes as they are typed, and a row a setting, as it comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from duelbox.core.code import read_code
from duelbox.core.errors import DuelboxError
from duelbox.core.game import AnyGame
from duelbox.core.model import listed
from duelbox.core.options import Options, written
from duelbox.lab.best_rules import WorkOut, code_of
from duelbox.lab.facts import DEALS, LIMIT, Facts, Layer, work_out
from duelbox.lab.house_rules import HouseRule, house_rules, setting
from duelbox.lab.map import NO_RULE, Map
from duelbox.registry import find_game
from duelbox.solve import solver_of

NAMES: dict[Layer, tuple[str, ...]] = {
    "first": ("first", "draw", "deals"),
    "length": ("length",),
    "choice": ("choice",),
    "changes": ("changes", "length", "first_won"),
    "one_rule": ("one_rule", "rule", "proved"),
}
"""The facts of each layer."""


@dataclass(frozen=True, slots=True)
class Axes:
    """A game with the house rules that stay, and the two that are turned."""

    game: AnyGame
    options: Options
    x: HouseRule
    y: HouseRule

    @classmethod
    def read(cls, text: str, x: str | None = None, y: str | None = None) -> Axes:
        """From GAME[:RULES] and KEY[=FROM-TO] twice; without keys, the rules with the most values. Raises
        DuelboxError."""
        asked = read_code(text, find_game)
        game, options = asked.game, asked.options
        if asked.moves:
            raise DuelboxError(f"The Lab takes a game and house rules, but no moves: {text.partition('/')[0][:60]}.")
        solver_of(game.INFO.id)
        usual = Map.of(game, options)
        given = [_axis(game, one) if one else None for one in (x, y)]
        keys = {one.key for one in given if one}
        typed = options.texts()
        free = [one for one in (usual.x, usual.y, *usual.fixed) if one.key not in keys]
        left = iter(sorted(free, key=lambda one: one.key in typed))
        across, down = (one or next(left, NO_RULE) for one in given)
        if across.key == down.key:
            raise DuelboxError(f"Both axes are {across.key}: choose two house rules.")
        return cls(game, options, across, down)

    @property
    def house_rules(self) -> tuple[HouseRule, ...]:
        """All house rules: the axes, the others held where they were typed."""
        typed = {key: (getattr(self.options, key),) for key in self.options.texts()}
        known = {one.key: replace(one, values=typed.get(one.key, one.values)) for one in house_rules(self.game)}
        return tuple({**known, **{one.key: one for one in (self.x, self.y) if one.key}}.values())

    def settings(self) -> Iterator[tuple[str, str, Options | None]]:
        """Every cell, row by row: the values of both axes as written, and the setting, if the rules go together."""
        for down, across in product(self.y.values, self.x.values):
            yield written(across), written(down), self._setting(across, down)

    def _setting(self, across: Any, down: Any) -> Options | None:
        other = self.y if self.y.key else self.x
        return setting(self.game, self.options, self.x, across, other, down if self.y.key else across)


def _axis(game: AnyGame, text: str) -> HouseRule:
    key, equals, wanted = text.lower().partition("=")
    known = {one.key: one for one in house_rules(game)}
    if key not in known:
        raise DuelboxError(f"{game.INFO.id} has no house rule {key[:24]!a} to turn, but {listed([*known])}.")
    knob, values = known[key], [written(value) for value in known[key].values]
    if not equals:
        return knob
    cuts = ((wanted[:at], wanted[at + 1 :]) for at, char in enumerate(wanted) if char == "-")  # words have hyphens, too
    for first, last in ((wanted, wanted), *cuts):
        if first in values and last in values[values.index(first) :]:
            return HouseRule(key, knob.label, knob.values[values.index(first) : values.index(last) + 1])
    raise DuelboxError(f"{key} takes a range from {values[0]} to {values[-1]}, not {wanted[:24]!a}.")


def known(
    game: AnyGame, options: Options, layers: Sequence[Layer], deals: int, limit: float | None, work: WorkOut
) -> Facts:
    """Several layers of one setting."""
    fact = Facts()
    for layer in layers:
        fact = fact.joined(work(game, options, layer, deals=deals, stop=lambda: False, limit=limit))
    return fact


def row(game: AnyGame, options: Options, fact: Facts, layers: Sequence[Layer]) -> dict[str, Any]:
    """A setting as a line of JSON has it: the code, then the facts that are known of those asked for."""
    names = dict.fromkeys(name for layer in layers for name in NAMES[layer])
    values = {name: value for name in names if (value := getattr(fact, name)) not in (None, "")}
    if fact.first is None:
        values.pop("deals", None)
    short = {name: round(value, 4) if isinstance(value, float) else value for name, value in values.items()}
    return {"code": code_of(game, options), **short, **({"late": True} if fact.late else {})}


def lab(
    text: str,
    x: str | None = None,
    y: str | None = None,
    *,
    layers: Sequence[Layer] = ("first",),
    deals: int = DEALS,
    limit: float | None = LIMIT,
) -> Iterator[dict[str, Any]]:
    """A row a setting, as it comes, of a map of GAME[:RULES] with the axes KEY[=FROM-TO].

    >>> for row in lab("sequence-duel", "size=6-8", "ring=on"):
    ...     print(row["code"], row["first"])
    sequence-duel:size=6,ring=on 0.0
    sequence-duel:size=7,ring=on 1.0
    sequence-duel:size=8,ring=on 0.0
    """
    axes = Axes.read(text, x, y)
    for _, _, options in axes.settings():
        if options is not None:
            fact = known(axes.game, options, layers, deals, limit, work_out)
            yield row(axes.game, options, fact, layers)
