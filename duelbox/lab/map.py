"""A map of house rules: two knobs are its axes, the others stay as they are, and one setting is under the cursor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from duelbox.core.errors import DuelboxError, OptionError
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.lab.best_rules import BARS
from duelbox.lab.facts import Facts, Layer
from duelbox.lab.house_rules import HouseRule, house_rules

NO_RULE = HouseRule("", "", (None,))
"""The other axis of a game with one house rule."""
LEGENDS: dict[Layer, str] = {
    "first": "{0} first always   {1} second always   75 first wins 75%",
    "length": "11 turns in a game",
    "choice": "75 a choice matters in 75% of positions",
    "changes": "2.2 the win changes hands so often in a game",
    "one_rule": "75 one rule wins every game in 75% of deals",
}
"""The figures of each layer in words, with the signs of the two players."""
Winner = Literal["first", "second", "neither"]


@dataclass(frozen=True, slots=True)
class Map:
    """Columns and rows of settings."""

    game: AnyGame
    values: Mapping[str, Any]
    """The house rules under the cursor, whether they go together or not."""
    x: HouseRule
    y: HouseRule
    cells: dict[tuple[int, int], Options | None] = field(default_factory=dict, compare=False)
    """The settings that were asked for; maps that differ only by the cursor share them."""

    @classmethod
    def of(cls, game: AnyGame, options: Options) -> Map:
        """A map with these rules under the cursor, its axes the knobs of most values; raises DuelboxError."""
        known = sorted(house_rules(game), key=lambda knob: -len(knob.values))
        if not known:
            raise DuelboxError(f"{game.INFO.title} has no house rules, so it has no map.")
        values = _values(options)
        return cls(game, values, known[0], known[1] if len(known) > 1 else NO_RULE)

    def by(self, options: Options) -> Map:
        """The map with the same axes and these rules under the cursor."""
        return replace(self, values=_values(options), cells={})

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
        """The knobs that are no axes."""
        return tuple(knob for knob in house_rules(self.game) if knob.key not in (self.x.key, self.y.key))

    def put(self, column: int, row: int) -> Map:
        """The map with the cursor there, or as near as it goes."""
        wide, high = self.size
        x, y = max(0, min(wide - 1, column)), max(0, min(high - 1, row))
        turned = {self.x.key: self.x.values[x], self.y.key: self.y.values[y]}
        return replace(self, values={**self.values, **turned})

    def setting(self, column: int, row: int) -> Options | None:
        """The house rules there; None where they do not go together."""
        at = column, row
        if at not in self.cells:
            try:
                self.cells[at] = self._options(self.put(*at).values)
            except OptionError:
                self.cells[at] = None
        return self.cells[at]

    @property
    def why_not(self) -> str:
        """A sentence where the house rules under the cursor do not go together; else nothing."""
        try:
            self._options(self.values)
        except OptionError as error:
            return error.sentence
        return ""

    def _options(self, values: Mapping[str, Any]) -> Options:
        options: Options = self.game.Options.from_values({key: value for key, value in values.items() if key})
        return options

    def turned(self, across: bool) -> Map:
        """The map with the next knob as its horizontal or vertical axis; if that is the other axis, they swap."""
        known = list(house_rules(self.game))
        mine, other = (self.x, self.y) if across else (self.y, self.x)
        if mine not in known or len(known) < 2:
            return self
        new = known[(known.index(mine) + 1) % len(known)]
        other = mine if new == other else other
        return replace(self, x=new, y=other, cells={}) if across else replace(self, x=other, y=new, cells={})

    def stepped(self, by: int, key: str = "") -> Map:
        """The map with the next values of the fixed knobs, or those before, counted through like an odometer; or with
        the next value of one of them."""
        values = dict(self.values)
        for knob in (one for one in reversed(self.fixed) if key in ("", one.key)):
            at = knob.values.index(values[knob.key]) + by
            values[knob.key] = knob.values[at % len(knob.values)]
            if 0 <= at < len(knob.values):
                break
        return replace(self, values=values, cells={})


def _values(options: Options) -> dict[str, Any]:
    rules = options.rules_only()
    return {name: getattr(rules, name) for name in type(rules).model_fields}


def is_fair(fact: Facts, layer: Layer) -> bool:
    """The fact passes the bar that finding sets for its layer."""
    value: float | None = getattr(fact, layer)
    if value is None:
        return False
    low, high = BARS.fair
    passes = {"first": low <= value <= high, "length": value <= BARS.length, "changes": value >= BARS.alive}
    return passes.get(layer, layer == "one_rule" and value < BARS.one_rule)


def winner_of(fact: Facts) -> Winner:
    """The player who wins every deal with best play, if one does."""
    sign = figure(fact, "first", ("first", "second", "neither"))
    return "first" if sign == "first" else "second" if sign == "second" else "neither"


def figure(fact: Facts, layer: Layer, signs: tuple[str, str, str] = ("F", "S", "=")) -> str:
    """A fact in few characters; the signs are for deals that the first or the second player always wins, and draws."""
    value: float | None = getattr(fact, layer)
    if value is None:
        return "?" if fact.late else "-"
    if layer == "first":
        draw = fact.draw or 0.0
        sure = {value: signs[0], draw: signs[2], 1 - value - draw: signs[1]}
        return sure.get(1.0) or f"{100 * value:.0f}"
    return f"{value:.1f}" if layer == "changes" else f"{value if layer == 'length' else 100 * value:.0f}"
