"""`duelbox lab`: a map of a game's house rules, or the best of them."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable
from csv import DictWriter
from typing import Any

from duelbox.core.errors import DuelboxError
from duelbox.core.options import Options, written
from duelbox.lab import LAYERS, Facts, Layer, Progress, code_of, find, sentences
from duelbox.lab.cache import Cache
from duelbox.lab.map import LEGENDS, figure
from duelbox.lab.map_rows import NAMES, Axes, known, row
from duelbox.store.files import find_folders

MOST_DEALS = 1000


def run(args: Namespace) -> int:
    """Print facts of every setting of two house rules, or the best settings of a game."""
    axes, cache = Axes.read(args.game, args.x, args.y), Cache(find_folders().cells)
    try:
        return _find(args, axes, cache) if args.find else _map(args, axes, cache)
    finally:
        cache.close()


def _map(args: Namespace, axes: Axes, cache: Cache) -> int:
    layers: tuple[Layer, ...] = tuple(dict.fromkeys(args.layer or ["first"]))
    if not 1 <= args.deals <= MOST_DEALS:
        raise DuelboxError(f"--deals takes a number from 1 to {MOST_DEALS}, not {args.deals}.")

    def fact(options: Options) -> Facts:
        return known(axes.game, options, layers, args.deals, float(args.seconds) or None, cache.work_out)

    if args.json or args.csv:
        settings = (options for _, _, options in axes.settings() if options is not None)
        _print((row(axes.game, one, fact(one), layers) for one in settings), layers, csv=args.csv)
        return 0
    across, down = ([written(value) for value in knob.values] for knob in (axes.x, axes.y))
    wide, side = max(4, *(len(one) + 1 for one in across)), max(map(len, down)) if axes.y.key else 0
    title = f"{axes.game.INFO.title}: {axes.x.label} across"
    sys.stdout.write(f"{title}{f', {axes.y.label} down' if side else ''}\n")
    sys.stdout.write(" " * side + "".join(f"{one:>{wide}}" for one in across))
    for at, (_, label, options) in enumerate(axes.settings()):
        sys.stdout.write(f"\n{label if side else '':>{side}}" if at % len(across) == 0 else "")
        sys.stdout.write(f"{'.' if options is None else figure(fact(options), layers[0]):>{wide}}")
        sys.stdout.flush()
    legend = LEGENDS[layers[0]].format("F", "S")
    sys.stdout.write(f"\n{legend}   . not allowed   ? takes longer to work out\n")
    return 0


def _print(rows: Iterable[dict[str, Any]], layers: Iterable[Layer], *, csv: bool) -> None:
    """The rows as lines of JSON, or as a table; each at once."""
    names = dict.fromkeys(name for layer in layers for name in NAMES[layer])
    table = DictWriter(sys.stdout, ["code", *names, "late"], lineterminator="\n")
    if csv:
        table.writeheader()
    for one in rows:
        if csv:
            table.writerow(one)
        else:
            sys.stdout.write(f"{json.dumps(one)}\n")
        sys.stdout.flush()


def _find(args: Namespace, axes: Axes, cache: Cache) -> int:
    def told(progress: Progress) -> None:
        filled = 20 * progress.done // max(progress.total, 1)
        bar = f"{'#' * filled}{'.' * (20 - filled)} {progress.done} of {progress.total} house rules"
        sys.stderr.write(f"\r{bar}, {len(progress.found)} pass ")
        sys.stderr.flush()

    shown = sys.stderr.isatty()
    found = find(axes.game, work=cache.work_out, told=told if shown else lambda progress: None, turned=axes.house_rules)
    sys.stderr.write("\n" * shown)
    if args.json or args.csv:
        _print((row(axes.game, one.options, one.fact, LAYERS) for one in found), LAYERS, csv=args.csv)
        return 0
    for one in found:
        words = " ".join(sentences(axes.game, one.options, one.fact))
        sys.stdout.write(f"{code_of(axes.game, one.options)}\n  {words}\n")
    if not found:
        sys.stdout.write("No house rules pass all bars.\n")
    return 0
