"""`duelbox lab`: prints a map of a game's house rules, or the best settings."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable
from contextlib import closing
from csv import DictWriter
from time import monotonic
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.core.options import Options, written
from duelbox.rules_lab.best_rules import Found, Progress, code_of, find, missed, time_left
from duelbox.rules_lab.cache import Cache
from duelbox.rules_lab.facts import DEALS, LAYERS, Facts, Layer, facts_so_far
from duelbox.rules_lab.laws import laws_on
from duelbox.rules_lab.map import Map, figure
from duelbox.rules_lab.map_rows import NAMES, read_map, row, rules_to_search, settings_of
from duelbox.rules_lab.pool import shared_work
from duelbox.rules_lab.preset_maps import facts_on_maps
from duelbox.rules_lab.sentences import sentences
from duelbox.store.files import find_folders

MOST_DEALS = 1000


def run(args: Namespace) -> int:
    """Print facts about every setting of two house rules, or the best settings of a game."""
    map_ = read_map(args.game, args.x, args.y)
    if args.find:
        return _find(args, map_)
    with closing(Cache(find_folders().cells)) as cache:
        if args.laws:
            return _laws(args, map_, cache)
        return _map(args, map_, cache)


def _map(args: Namespace, map_: Map, cache: Cache) -> int:
    layers: tuple[Layer, ...] = tuple(dict.fromkeys(args.layer or ["first"]))
    _check_deals(args)

    def facts(options: Options) -> Facts:
        limit = float(args.seconds) or None
        *_, last = facts_so_far(map_.game, options, layers, work=cache.work_out, deals=args.deals, limit=limit)
        return last

    if args.json or args.csv:
        settings = filter(None, settings_of(map_))
        _print((row(map_.game, one, facts(one), layers) for one in settings), layers, csv=args.csv)
        return 0
    across, down = ([written(value) for value in rule.values] for rule in (map_.x, map_.y))
    wide, side = max(4, *(len(one) + 1 for one in across)), max(map(len, down)) if map_.y.key else 0
    title = f"{map_.game.INFO.title}: {map_.x.label} across"
    sys.stdout.write(f"{title}{f', {map_.y.label} down' if side else ''}\n")
    sys.stdout.write(" " * side + "".join(f"{one:>{wide}}" for one in across))
    for at, options in enumerate(settings_of(map_)):
        sys.stdout.write(f"\n{down[at // len(across)] if side else '':>{side}}" if at % len(across) == 0 else "")
        sys.stdout.write(f"{'.' if options is None else figure(facts(options), layers[0]):>{wide}}")
        sys.stdout.flush()
    legend = map_.legend(layers[0])
    sys.stdout.write(f"\n{legend}   . not allowed   ? takes longer to work out\n")
    return 0


def _misses(one: Found, *, csv: bool) -> object:
    if csv:
        return " ".join(one.misses)
    return one.misses


def _check_deals(args: Namespace) -> None:
    if not 1 <= args.deals <= MOST_DEALS:
        raise DuelboxError(f"--deals takes a number from 1 to {MOST_DEALS}, not {args.deals}.")


def _laws(args: Namespace, map_: Map, cache: Cache) -> int:
    """Print the laws of the rows and columns of a map."""
    if args.csv:
        raise DuelboxError("Laws are printed as sentences, or with --json: leave out --csv.")
    _check_deals(args)
    stored = facts_on_maps(map_.game)

    def facts(options: Options) -> Facts:
        code = code_of(map_.game, options)
        if args.deals == DEALS and code in stored:
            return stored[code]
        return cache.work_out(map_.game, options, "first", deals=args.deals, limit=float(args.seconds) or None)

    laws = list(laws_on(map_, facts))
    for law in laws:
        if args.json:
            sys.stdout.write(f"{json.dumps(law.row())}\n")
        else:
            sys.stdout.write(f"{law.place(map_)}\n  {law.sentences()}\n")
    if not laws and not args.json:
        sys.stdout.write("No row has a law: six cells and three periods are needed.\n")
    return 0


def _print(rows: Iterable[dict[str, Any]], layers: Iterable[Layer], *, csv: bool, more: tuple[str, ...] = ()) -> None:
    """Print each row as soon as it is known, as JSON or CSV."""
    names = dict.fromkeys(name for layer in layers for name in NAMES[layer])
    table = DictWriter(sys.stdout, ["code", *names, "late", *more], lineterminator="\n")
    if csv:
        table.writeheader()
    for one in rows:
        if csv:
            table.writerow(one)
        else:
            sys.stdout.write(f"{json.dumps(one)}\n")
        sys.stdout.flush()


def _find(args: Namespace, map_: Map) -> int:
    def show_progress(progress: Progress) -> None:
        if not sys.stderr.isatty():
            return
        left = ""
        if not progress.over:
            left = time_left(progress, monotonic() - began)
        count = f"{progress.done:,} of {progress.total:,}"
        sys.stderr.write("\r\x1b[K" + ", ".join(filter(None, [count, left])) + "\n" * progress.over)
        sys.stderr.flush()

    began = monotonic()
    rules = rules_to_search(map_)
    with shared_work(find_folders().cells) as (work, threads):
        best = find(map_.game, work=work, told=show_progress, rules=rules, threads=threads)
    if args.json or args.csv:
        rows = (
            {**row(map_.game, one.options, one.facts, LAYERS), "misses": _misses(one, csv=args.csv)} for one in best
        )
        _print(rows, LAYERS, csv=args.csv, more=("misses",))
        return 0
    if not any(not one.misses for one in best):
        sys.stdout.write("No house rules pass all bars. These come nearest:\n")
    for one in best:
        words = " ".join(sentences(map_.game, one.options, one.facts))
        if one.misses:
            words = f"Misses: {missed(one)}. {words}"
        sys.stdout.write(f"{code_of(map_.game, one.options)}\n  {words}\n")
    return 0
