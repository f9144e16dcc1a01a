"""Find: the best house rules of a game, by three sieves, each of which is asked only what passed the one before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from time import monotonic

from duelbox.core.code import format_code
from duelbox.core.errors import OptionError
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.lab.facts import DEALS, MANY_DEALS, Facts, Layer, work_out
from duelbox.lab.house_rules import HouseRule, house_rules
from duelbox.solve.api import Stopped

SECONDS = 300.0
"""Time for a game; what was not looked at by then is left."""
LOOKED, BEST = 30, 10
"""Deals for the last sieve, with two games each; and for the best of those that pass, and how many these are."""
_SIEVES: dict[Layer, int] = {"first": DEALS, "one_rule": DEALS, "changes": LOOKED}
"""Layers with the number of deals, the quickest first."""
MOST_SETTINGS = 10_000
MOST = 10.0
"""Seconds for one sieve and one setting."""

WorkOut = Callable[..., Facts]
"""`work_out`, or what does the same from facts that are kept."""


@dataclass(frozen=True, slots=True)
class Bars:
    """The bars that good house rules pass."""

    fair: tuple[float, float] = (0.35, 0.65)
    """The share of draws that the first player wins, where anything is drawn or hidden."""
    alive: float = 1.5
    """The win changes hands so often at least."""
    one_rule: float = 0.5
    """The best fixed rule wins less than this share."""
    length: float = 30.0
    """So many turns at most."""


BARS = Bars()


@dataclass(frozen=True, slots=True)
class Found:
    """House rules that pass, with what is known of them."""

    options: Options
    fact: Facts
    worth: float
    """The margin over the weakest bar: 0 passes just so, 1 could not be better."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a search: settings looked at, of how many, and those found, best first."""

    done: int
    total: int
    found: tuple[Found, ...]


def find(
    game: AnyGame,
    *,
    bars: Bars = BARS,
    stop: Callable[[], bool] = lambda: False,
    told: Callable[[Progress], None] = lambda progress: None,
    seconds: float = SECONDS,
    work: WorkOut = work_out,
    turned: Sequence[HouseRule] | None = None,
) -> tuple[Found, ...]:
    """The best house rules, best first; `told` hears of each step. Raises Stopped when `stop` says so.

    `turned` are the knobs with the values to look at, if not all.
    """
    end = monotonic() + seconds

    def asked(options: Options, layer: Layer, deals: int) -> Facts:
        if stop():  # facts that are kept do not ask
            raise Stopped
        return work(game, options, layer, deals=deals, stop=stop, limit=min(end - monotonic(), MOST))

    rules, found, done = _ordered(game, turned), list[Found](), 0

    def tell() -> None:
        told(Progress(done, len(rules), tuple(found)))

    tell()
    for options in rules:
        if monotonic() > end - seconds / 5:  # the rest is for the best of them
            break
        if passed := _sieved(options, bars, asked):
            found = sorted([*found, passed], key=_best_first)
        done += 1
        tell()
    best = [_looked_at_again(one, bars, asked) for one in found[:BEST]]
    found = sorted((one for one in (*best, *found[BEST:]) if one.worth >= 0), key=_best_first)
    tell()
    return tuple(found)


def _ordered(game: AnyGame, turned: Sequence[HouseRule] | None) -> tuple[Options, ...]:
    """All settings in random order, the presets first: then there is something to see at once."""
    rules, presets = Rng(0).shuffled([*settings(game, turned)]), {preset.options for preset in game.PRESETS}
    return tuple(sorted(rules, key=lambda one: one not in presets))


def _best_first(one: Found) -> float:
    return -one.worth


def settings(game: AnyGame, turned: Sequence[HouseRule] | None = None) -> Iterator[Options]:
    """All settings of these knobs that go together; of more than can be looked at, some drawn at random."""
    turned = house_rules(game) if turned is None else turned
    rng, each = Rng(0), [one.values for one in turned]
    many = prod(map(len, each)) > MOST_SETTINGS
    drawn = (tuple(map(rng.choice, each)) for _ in range(MOST_SETTINGS))
    for values in drawn if many else product(*each):
        try:
            yield game.Options.from_values({one.key: value for one, value in zip(turned, values, strict=True)})
        except OptionError:
            continue


def code_of(game: AnyGame, options: Options) -> str:
    """The code of a setting, whatever was drawn."""
    return format_code(game, options.rules_only(), ())


def _sieved(options: Options, bars: Bars, asked: Callable[[Options, Layer, int], Facts]) -> Found | None:
    fact = Facts()
    for layer, deals in _SIEVES.items():
        more = asked(options, layer, deals)
        if more.late:
            return None
        fact = fact.joined(more)
        found = _found(options, fact, bars)
        if found.worth < 0:
            return None
    return found


def _looked_at_again(one: Found, bars: Bars, asked: Callable[[Options, Layer, int], Facts]) -> Found:
    """The same with more games; as it was, where there is no time for them."""
    fact = asked(one.options, "changes", MANY_DEALS)
    return one if fact.late else _found(one.options, one.fact.joined(fact), bars)


def _found(options: Options, fact: Facts, bars: Bars) -> Found:
    margins = []
    if fact.first is not None and (fact.deals > 1 or (fact.first + (fact.draw or 0)) % 1):
        low, high = bars.fair
        share = fact.first + (fact.draw or 0) / 2
        margins.append(min(share - low, high - share) / (high - low) * 2)
    if fact.one_rule is not None:
        margins.append((bars.one_rule - fact.one_rule) / bars.one_rule or -1.0)
    if fact.changes is not None:
        margins.append(1 - bars.alive / max(fact.changes, 0.01))
    if fact.length is not None:
        margins.append(1 - fact.length / bars.length)
    return Found(options, fact, min(margins, default=1.0))
