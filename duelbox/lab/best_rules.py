"""The search for the best house rules of a game, by sieves: each one takes the settings that passed the one before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from time import monotonic
from typing import Any

from duelbox.core.code import format_code
from duelbox.core.errors import OptionError
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.lab.facts import DEALS, MANY_DEALS, Facts, Layer, WorkOut, work_out
from duelbox.lab.house_rules import HouseRule, house_rules
from duelbox.solve.api import Stop

SECONDS = 300.0
"""The time of a search; settings not reached by then are left out."""
GLANCE, LOOKED = 4, 30
"""The deals of the last two sieves, with two games each."""
BEST = 10
"""The number of best settings that are looked at again with `MANY_DEALS`."""
_SIEVES: tuple[tuple[Layer, int], ...] = (
    ("first", DEALS),
    ("one_rule", DEALS),
    ("changes", GLANCE),
    ("changes", LOOKED),
)
"""Layers with their number of deals, the quickest first."""
MOST_SETTINGS = 10_000
MOST_SECONDS = 10.0
"""The time of one sieve for one setting."""


@dataclass(frozen=True, slots=True)
class Bars:
    """The bars that good house rules pass."""

    fair: tuple[float, float] = (0.35, 0.65)
    """The share of deals that the first player wins, if anything is drawn or hidden."""
    alive: float = 1.5
    """The least number of times that the win changes hands."""
    one_rule: float = 0.5
    """The best fixed rule wins less than this share."""
    length: float = 30.0
    """The most turns."""


BARS = Bars()


@dataclass(frozen=True, slots=True)
class Found:
    """House rules that pass the bars."""

    options: Options
    facts: Facts
    worth: float
    """The margin over the weakest bar, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a search: the settings looked at, their total, and those that pass, best first."""

    done: int
    total: int
    found: tuple[Found, ...]
    over: bool = False
    """The search has ended, with all settings looked at or the time up."""


def find(
    game: AnyGame,
    *,
    bars: Bars = BARS,
    stop: Stop | None = None,
    told: Callable[[Progress], None] = lambda progress: None,
    seconds: float = SECONDS,
    work: WorkOut = work_out,
    rules: Sequence[HouseRule] | None = None,
) -> tuple[Found, ...]:
    """The best house rules, best first; raises Stopped if `stop` ends the search.

    `told` is called at each step; `rules` are the house rules with the values to look at, if not all.
    """
    end, stop = monotonic() + seconds, stop or Stop()

    def asked(options: Options, layer: Layer, deals: int) -> Facts:
        stop.check()  # a cache does not check
        return work(game, options, layer, deals=deals, stop=stop, limit=min(end - monotonic(), MOST_SECONDS))

    todo = _ordered(game, rules)
    found: list[Found] = []
    done = 0

    def tell(*, over: bool = False) -> None:
        told(Progress(done, len(todo), tuple(found), over))

    tell()
    for options in todo:
        if monotonic() > end - seconds / 5:  # the last fifth is for the second look
            break
        if passed := _sieve(options, bars, asked):
            found = sorted([*found, passed], key=_best_first)
        done += 1
        tell()
    best = [_look_again(one, bars, asked) for one in found[:BEST]]
    found = sorted((one for one in (*best, *found[BEST:]) if one.worth >= 0), key=_best_first)
    tell(over=True)
    return tuple(found)


def _ordered(game: AnyGame, rules: Sequence[HouseRule] | None) -> tuple[Options, ...]:
    """All settings in random order, but presets first, as they are likely to pass."""
    shuffled, presets = Rng(0).shuffled([*settings(game, rules)]), {preset.options for preset in game.PRESETS}
    return tuple(sorted(shuffled, key=lambda one: one not in presets))


def _best_first(one: Found) -> float:
    return -one.worth


def settings(game: AnyGame, rules: Sequence[HouseRule] | None = None) -> Iterator[Options]:
    """All settings of these rules that go together, or a random choice if they are too many."""
    if rules is None:
        rules = house_rules(game)
    rng, each = Rng(0), [one.values for one in rules]
    drawn: Iterator[tuple[Any, ...]] = product(*each)
    if prod(map(len, each)) > MOST_SETTINGS:
        drawn = (tuple(map(rng.choice, each)) for _ in range(MOST_SETTINGS))
    for values in drawn:
        try:
            yield game.Options.from_values({one.key: value for one, value in zip(rules, values, strict=True)})
        except OptionError:
            continue


def code_of(game: AnyGame, options: Options) -> str:
    """The code of a setting, without its deal."""
    return format_code(game, options.rules_only(), ())


def _sieve(options: Options, bars: Bars, asked: Callable[[Options, Layer, int], Facts]) -> Found | None:
    facts = Facts()
    easier = replace(bars, alive=bars.alive / 2, length=bars.length * 1.5)  # a few games prove little
    for layer, deals in _SIEVES:
        more = asked(options, layer, deals)
        facts = facts.joined(more)
        found = Found(options, facts, margin(facts, easier if deals == GLANCE else bars))
        if more.late or found.worth < 0:
            return None
    return found


def _look_again(one: Found, bars: Bars, asked: Callable[[Options, Layer, int], Facts]) -> Found:
    """The same setting with more games, if there is time for them."""
    more = asked(one.options, "changes", MANY_DEALS)
    if more.late:
        return one
    facts = one.facts.joined(more)
    return Found(one.options, facts, margin(facts, bars))


def margin(facts: Facts, bars: Bars) -> float:
    """The smallest margin over the bars, as far as the facts go; negative if a bar is not passed."""
    margins = []
    if facts.first is not None and (facts.deals > 1 or (facts.first + (facts.draw or 0)) % 1):
        low, high = bars.fair
        margins.append(min(facts.first - low, high - facts.first) / (high - low) * 2)
    if facts.one_rule is not None:
        margins.append((bars.one_rule - facts.one_rule) / bars.one_rule or -1.0)
    if facts.changes is not None:
        margins.append(1 - bars.alive / max(facts.changes, 0.01))
    if facts.length is not None:
        margins.append(1 - facts.length / bars.length)
    return min(margins, default=1.0)
