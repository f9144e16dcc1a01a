"""The search for the best house rules of a game, by sieves: each one takes the settings that passed the one before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Literal

from duelbox.core.code import format_code
from duelbox.core.errors import OptionError
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.rules_lab.facts import DEALS, MANY_DEALS, Facts, Layer, WorkOut, work_out
from duelbox.rules_lab.house_rules import HouseRule, house_rules
from duelbox.solve.api import Stop
from duelbox.solve.sentences import percent, turns

Asked = Callable[[Options, Layer, int], Facts]
"""Works out the facts of a setting."""

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
NEAR = 5
"""The nearest misses that are shown where no setting passes."""
Bar = Literal["fair", "alive", "one_rule", "length"]
MINUTE = 60
SOON = 3.0
"""After so many seconds a search tells how long it will take."""
STEP = 0.1
"""Seconds between two looks at the stop flag while other processes work."""


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
    """House rules that pass the bars, or nearly do."""

    options: Options
    facts: Facts
    worth: float
    """The margin over the weakest bar, from 0 to 1; negative for a miss."""
    misses: tuple[Bar, ...] = ()
    """The bars it does not pass."""
    place: int = 0
    """Its place in the order of the search, which decides between equal ones."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a search: the settings looked at, their total, and those that pass, best first."""

    done: int
    total: int
    found: tuple[Found, ...]
    """At the end, if none passes, the nearest misses."""
    over: bool = False
    """All settings were looked at."""


def find(
    game: AnyGame,
    *,
    bars: Bars = BARS,
    stop: Stop | None = None,
    told: Callable[[Progress], None] = lambda progress: None,
    work: WorkOut = work_out,
    rules: Sequence[HouseRule] | None = None,
    threads: int = 1,
) -> tuple[Found, ...]:
    """The best house rules, best first, or the nearest misses if none passes; raises Stopped if `stop` ends the search.

    `told` is called at each step; `rules` are the house rules with the values to look at, if not all. With more
    threads `work` is called by all of them at once, and the result is the same.
    """
    stop = stop or Stop()

    def asked(options: Options, layer: Layer, deals: int) -> Facts:
        stop.check()  # a cache does not check
        return work(game, options, layer, deals=deals, stop=stop, limit=None)

    todo = [Found(options, Facts(), 0.0, place=at) for at, options in enumerate(_ordered(game, rules))]
    looked_at = list[Found]()
    told(Progress(0, len(todo), ()))
    for one in _each(lambda one: _sieve(one, bars, asked), todo, threads, stop):
        looked_at.append(one)
        told(Progress(len(looked_at), len(todo), _passing(looked_at)))
    found = _passing(looked_at)
    best = list(_each(lambda one: _look_again(one, bars, asked), found[:BEST], threads, stop))
    found = _passing((*best, *found[BEST:]))
    if not found:
        again = {one.place for one in best}
        near = sorted((one for one in looked_at if one.place not in again), key=_nearest_first)[:BEST]
        whole = _each(lambda one: _looked_at_by_all(one, bars, asked), near, threads, stop)
        found = tuple(sorted((*best, *whole), key=_best_first)[:NEAR])
    told(Progress(len(todo), len(todo), found, over=True))
    return found


def _passing(some: Iterable[Found]) -> tuple[Found, ...]:
    """Those that pass all bars, best first."""
    return tuple(sorted((one for one in some if not one.misses and not one.facts.late), key=_best_first))


def _best_first(one: Found) -> tuple[int, float, int]:
    return len(one.misses), -one.worth, one.place


def _nearest_first(one: Found) -> tuple[int, float, int]:
    """The fewest bars missed or not looked at first."""
    unknown = 2 * (one.facts.changes is None) + (one.facts.one_rule is None)
    return unknown + len(one.misses), -one.worth, one.place


def _each(work: Callable[[Found], Found], things: Sequence[Found], threads: int, stop: Stop) -> Iterator[Found]:
    """The work on each of these things, as it gets done; by several threads, if they are more than one."""
    if threads == 1:
        for one in things:
            stop.check()
            yield work(one)
        return
    todo: SimpleQueue[Found] = SimpleQueue()
    done: SimpleQueue[Found | BaseException] = SimpleQueue()
    for one in things:
        todo.put(one)

    def run() -> None:
        try:
            while not stop.asked:
                done.put(work(todo.get_nowait()))
        except Empty:
            return
        except BaseException as error:
            done.put(error)

    for _ in range(threads):
        Thread(target=run, daemon=True).start()
    for _ in things:
        yield _next(done, stop)


def _next(done: SimpleQueue[Found | BaseException], stop: Stop) -> Found:
    """The next result, or its exception, unless the search is stopped before."""
    while True:
        stop.check()
        try:
            result = done.get(timeout=STEP)
        except Empty:
            continue
        if isinstance(result, BaseException):
            raise result
        return result


def time_left(progress: Progress, seconds: float) -> str:
    """The time that a search still takes after so many seconds, roughly and in words; empty at its beginning."""
    if not progress.done or seconds < SOON:
        return ""
    left = seconds / progress.done * (progress.total - progress.done)
    if left < MINUTE:
        return "less than a minute"
    minutes = round(left / MINUTE)
    if minutes == 1:
        return "about 1 minute"
    return f"about {minutes} minutes"


def _ordered(game: AnyGame, rules: Sequence[HouseRule] | None) -> tuple[Options, ...]:
    """All settings in random order, but presets first, as they are likely to pass."""
    shuffled, presets = Rng(0).shuffled([*settings(game, rules)]), {preset.options for preset in game.PRESETS}
    return tuple(sorted(shuffled, key=lambda one: one not in presets))


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


def _sieve(one: Found, bars: Bars, asked: Asked) -> Found:
    """The setting with the facts of the sieves that it passes, and of the first that it does not."""
    facts = Facts()
    easier = replace(bars, alive=bars.alive / 2, length=bars.length * 1.5)  # a few games prove little
    for layer, deals in _SIEVES:
        facts = facts.joined(asked(one.options, layer, deals))
        asked_for = bars
        if deals == GLANCE:
            asked_for = easier
        if facts.late or margin(facts, asked_for) < 0:
            break
    return _judged(one, facts, bars)


def _judged(one: Found, facts: Facts, bars: Bars) -> Found:
    """The same setting with these facts."""
    margins = _margins(facts, bars)
    misses = tuple(bar for bar in margins if margins[bar] < 0)
    return replace(one, facts=facts, worth=margin(facts, bars), misses=misses)


def _look_again(one: Found, bars: Bars, asked: Asked) -> Found:
    """The same setting with more games."""
    more = asked(one.options, "changes", MANY_DEALS)
    if more.late:
        return one
    return _judged(one, one.facts.joined(more), bars)


def _looked_at_by_all(one: Found, bars: Bars, asked: Asked) -> Found:
    """The same setting with the facts of all sieves, whether it passes them or not."""
    facts = one.facts
    for layer, deals in _SIEVES:
        if deals != GLANCE:
            facts = facts.joined(asked(one.options, layer, deals))
    return _judged(one, facts, bars)


def margin(facts: Facts, bars: Bars) -> float:
    """The smallest margin over the bars, as far as the facts go; negative if a bar is not passed."""
    return min(_margins(facts, bars).values(), default=1.0)


def _margins(facts: Facts, bars: Bars) -> dict[Bar, float]:
    """The margin over each bar, as far as the facts go."""
    margins = dict[Bar, float]()
    if facts.first is not None and (facts.deals > 1 or (facts.first + (facts.draw or 0)) % 1):
        low, high = bars.fair
        margins["fair"] = min(facts.first - low, high - facts.first) / (high - low) * 2
    if facts.one_rule is not None:
        margins["one_rule"] = (bars.one_rule - facts.one_rule) / bars.one_rule or -1.0
    if facts.changes is not None:
        margins["alive"] = 1 - bars.alive / max(facts.changes, 0.01)
    if facts.length is not None:
        margins["length"] = 1 - facts.length / bars.length
    return margins


def missed(found: Found) -> str:
    """The facts that miss a bar, in words: "47 turns"; empty if it misses none."""
    facts = found.facts
    words = {
        "fair": f"first wins {percent(facts.first or 0)}",
        "one_rule": f"one rule wins {percent(facts.one_rule or 0)}",
        "alive": f"win changes {facts.changes or 0:.1f}",
        "length": turns(round(facts.length or 0)),
    }
    return ", ".join(words[bar] for bar in found.misses)
