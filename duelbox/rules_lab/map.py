"""A map of house rules: two rules are its axes, the others are fixed, and one setting is under the cursor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from duelbox.core.errors import DuelboxError, OptionError
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.rules_lab.best_rules import BARS
from duelbox.rules_lab.facts import Facts, Layer
from duelbox.rules_lab.house_rules import HouseRule, house_rules

NO_RULE = HouseRule("", "", (None,))
"""The second axis for a game with only one house rule."""
LEGENDS: dict[Layer, str] = {
    "first": "{0} first always   {1} second always   {2} draw   75 first wins 75%",
    "length": "11 turns in a game",
    "depth": "40 at most 40 questions prove who wins",
    "choice": "75 a choice matters in 75% of positions",
    "changes": "2.2 the win changes hands so often in a game",
    "one_rule": "75 one rule wins every game in 75% of deals",
}
"""Explanations of the figures of each layer, with the signs of the players and of a draw."""
ALL_TRIED = "{0} first in all tried   {1} second in all   {2} draw   75 first 75%"
"""Explanations of who wins where only some of the deals are looked at."""
SIGNS = "F", "S", "="
Winner = Literal["first", "second", "neither"]


@dataclass(frozen=True, slots=True)
class Map:
    """Settings of the house rules in columns and rows."""

    game: AnyGame
    values: Mapping[str, Any]
    """The house rules under the cursor; they need not go together."""
    x: HouseRule
    y: HouseRule
    cells: dict[tuple[int, int], Options | None] = field(default_factory=dict, compare=False)
    """The settings computed so far, shared by maps that differ only by the cursor."""

    @classmethod
    def of(cls, game: AnyGame, options: Options) -> Map:
        """A map with these rules under the cursor and the rules of most values as axes; raises DuelboxError."""
        known = sorted(house_rules(game), key=lambda rule: -len(rule.values))
        if not known:
            raise DuelboxError(f"{game.INFO.title} has no house rules, so it has no map.")
        values = _values(options)
        across, down = [*known, NO_RULE][:2]
        return cls(game, values, across, down)

    def by(self, options: Options) -> Map:
        """The map with the same axes and these rules under the cursor."""
        return replace(self, values=_values(options), cells={})

    @property
    def options(self) -> Options:
        """The setting under the cursor; raises OptionError if its rules do not go together."""
        options: Options = self.game.Options.from_values({key: value for key, value in self.values.items() if key})
        return options

    @property
    def at(self) -> tuple[int, int]:
        """The column and the row under the cursor."""
        return self.x.values.index(self.values[self.x.key]), self.y.values.index(self.values.get(self.y.key))

    @property
    def size(self) -> tuple[int, int]:
        """The number of columns and rows."""
        return len(self.x.values), len(self.y.values)

    @property
    def fixed(self) -> tuple[HouseRule, ...]:
        """The rules that are not axes."""
        return tuple(rule for rule in house_rules(self.game) if rule.key not in (self.x.key, self.y.key))

    def legend(self, layer: Layer, signs: tuple[str, str, str] = SIGNS) -> str:
        """The explanation of the figures of a layer on this map."""
        wide, high = self.size
        cells = (self.setting(column, row) for column in range(wide) for row in range(high))
        text = LEGENDS[layer]
        if layer == "first" and not self.game.INFO.hidden and any(cell.draws for cell in cells if cell is not None):
            text = ALL_TRIED
        return text.format(*signs)

    def put(self, column: int, row: int) -> Map:
        """The map with the cursor there, or at the nearest cell."""
        wide, high = self.size
        x, y = max(0, min(wide - 1, column)), max(0, min(high - 1, row))
        turned = {self.x.key: self.x.values[x], self.y.key: self.y.values[y]}
        return replace(self, values={**self.values, **turned})

    def setting(self, column: int, row: int) -> Options | None:
        """The house rules of a cell; None if they do not go together."""
        at = column, row
        if at not in self.cells:
            try:
                self.cells[at] = self.put(*at).options
            except OptionError:
                self.cells[at] = None
        return self.cells[at]

    @property
    def why_not(self) -> str:
        """The reason that the house rules under the cursor do not go together, if they do not."""
        try:
            _ = self.options
        except OptionError as error:
            return error.sentence
        return ""

    def turned(self, across: bool) -> Map:
        """The map with the next rule as its horizontal or vertical axis; if that is the other axis, they swap."""
        known = list(house_rules(self.game))
        mine, other = self.y, self.x
        if across:
            mine, other = self.x, self.y
        if mine not in known or len(known) < 2:
            return self
        new = known[(known.index(mine) + 1) % len(known)]
        if new == other:
            other = mine
        if across:
            return replace(self, x=new, y=other, cells={})
        return replace(self, x=other, y=new, cells={})

    def stepped(self, by: int, key: str = "") -> Map:
        """The map with the next or previous values of the fixed rules, counted like an odometer; or of one rule."""
        values = dict(self.values)
        for rule in (one for one in reversed(self.fixed) if key in ("", one.key)):
            at = rule.values.index(values[rule.key]) + by
            values[rule.key] = rule.values[at % len(rule.values)]
            if 0 <= at < len(rule.values):
                break
        return replace(self, values=values, cells={})


def _values(options: Options) -> dict[str, Any]:
    rules = options.rules_only()
    return {name: getattr(rules, name) for name in type(rules).model_fields}


def is_fair(facts: Facts, layer: Layer) -> bool:
    """The fact of a layer passes the bar that it has in the search for the best rules."""
    value: float | None = getattr(facts, layer)
    if value is None:
        return False
    low, high = BARS.fair
    passes = {"first": low <= value <= high, "length": value <= BARS.length, "changes": value >= BARS.alive}
    return passes.get(layer, layer == "one_rule" and value < BARS.one_rule)


def winner_of(facts: Facts) -> Winner:
    """The player who wins all deals with best play, if one does."""
    if facts.first is None:
        return "neither"
    if facts.first == 1:
        return "first"
    if facts.second == 1:
        return "second"
    return "neither"


def figure(facts: Facts, layer: Layer, signs: tuple[str, str, str] = SIGNS) -> str:
    """A figure of a few characters; the signs stand for a win of the first player, of the second, and for a draw."""
    value: float | None = getattr(facts, layer)
    if value is None and facts.late:
        return "?"
    if value is None:
        return "-"
    if layer == "first":
        draw = facts.draw or 0.0
        sure = {value: signs[0], draw: signs[2], 1 - value - draw: signs[1]}
        return sure.get(1.0) or f"{100 * value:.0f}"
    if layer == "changes":
        return f"{value:.1f}"
    if layer in ("length", "depth"):
        return f"{value:.0f}"
    return f"{100 * value:.0f}"
