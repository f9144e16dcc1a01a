"""Add puzzles to those that come with duelbox, or prove all of them anew.

`python -m tests.learn.more_puzzles --add DAYS` adds so many days, and what else there is to practise.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from functools import partial
from importlib.resources import files
from multiprocessing import get_context
from pathlib import Path

from duelbox.core.code import parse_code
from duelbox.core.rng import Rng
from duelbox.learn.puzzles import Puzzle, essence_of, fault_of, make
from duelbox.learn.shelf import DAILY, FIRST, PRACTICE, shelf
from duelbox.registry import find_game, game_ids

WEEK = (1, 2, 2, 3, 3, 3, 4)
"""The grade of each day of the week that is added, Monday first, or the nearest there is: hard ones at its end."""
EACH = 20  # so many of each game and grade there are to practise
APART = 60  # so many days lie between two puzzles of one deal
SEEDS = 20  # so many times each game is searched
AT_ONCE, GAMES = 40, 1_500  # for so many puzzles, in so many games

Pool = Sequence[Puzzle]


def kind(puzzle: Puzzle) -> tuple[str, int]:
    return puzzle.game_id, puzzle.grade


def essence(puzzle: Puzzle) -> Hashable:
    return essence_of(parse_code(puzzle.code, find_game))


def deal(puzzle: Puzzle) -> str:
    """The house rules and the deal of a puzzle; its whole code where there is no deal."""
    return puzzle.code.partition("/")[0] if "seed=" in puzzle.code else puzzle.code


def added(days: Pool, practise: Pool, pool: Pool, count: int) -> list[Puzzle]:
    """So many puzzles from a pool for the days after these, none of them like one there is."""
    left, out = fresh(pool, (*days, *practise)), list(days)
    had = Counter(map(kind, left))
    for number in range(len(days), len(days) + count):
        wanted, last = WEEK[(FIRST + timedelta(days=number)).weekday()], {one.game_id for one in out[-1:]}
        many = Counter(map(kind, left))
        if not many:
            raise SystemExit(f"There are too few puzzles: the days after number {number} have none.")
        # The grade comes first, then another game, then what has most of its puzzles left: few good ones come seldom.
        key = max(sorted(many), key=lambda key: (-abs(key[1] - wanted), key[0] not in last, many[key] / had[key]))
        lately = {deal(one) for one in out[-APART:]}
        out.append(min((one for one in left if kind(one) == key), key=lambda one: deal(one) in lately))
        left.remove(out[-1])
    return out[len(days) :]


def fresh(pool: Pool, known: Pool) -> list[Puzzle]:
    """Those of a pool that are like none there is: of two alike, the one with the shorter code."""
    seen, out = set(map(essence, known)), []
    for one in sorted(pool, key=lambda one: (len(one.code), one.code)):
        alike = essence(one)
        if alike not in seen:
            seen.add(alike)
            out.append(one)
    return list(Rng(len(known)).shuffled(out))


def practised(practise: Pool, days: Pool, pool: Pool) -> Iterator[Puzzle]:
    """What a pool adds to practise, up to `EACH` of a game and grade."""
    many = Counter(map(kind, practise))
    for one in fresh(pool, (*days, *practise)):
        many[kind(one)] += 1
        if many[kind(one)] <= EACH:
            yield one


def workers() -> ProcessPoolExecutor:
    """Fresh processes, which know nothing of what this one has worked out."""
    return ProcessPoolExecutor(mp_context=get_context("spawn"))


def pool_of(seeds: Sequence[int]) -> list[Puzzle]:
    """The puzzles of a search of every game with each of these seeds."""
    jobs = [(game_id, seed) for seed in seeds for game_id in game_ids()]
    with workers() as searching:
        return [one for found in searching.map(search, jobs) for one in found]


def search(job: tuple[str, int]) -> list[Puzzle]:
    game_id, seed = job
    return list(make(find_game(game_id), None, AT_ONCE, seed, tries=GAMES))


def faults(puzzles: Pool) -> list[str]:
    """What is wrong with puzzles, a sentence each; the computers may have changed since, so grades are as they are."""
    with workers() as proving:
        return [fault for fault in proving.map(partial(fault_of, graded=False), puzzles, chunksize=16) if fault]


def append(name: str, puzzles: Iterator[Puzzle]) -> None:
    with Path(str(files("duelbox.learn"))).joinpath(name).open("a", encoding="utf-8") as file:
        file.writelines(f"{one.grade} {one.code} {' '.join(one.line)}\n" for one in puzzles)


def main(argv: Sequence[str]) -> int:
    """Add to the files, or prove them."""
    days, practise = shelf(DAILY), shelf(PRACTICE)
    if len(argv) == 2 and argv[0] == "--add" and argv[1].isdecimal():
        pool = pool_of(range(len(days), len(days) + SEEDS))  # other seeds each time
        more = added(days, practise, pool, int(argv[1]))
        append(DAILY, iter(more))
        append(PRACTICE, practised(practise, (*days, *more), pool))
        return 0
    if argv != ["--verify"]:
        sys.stderr.write("Type: python -m tests.learn.more_puzzles --add DAYS, or --verify.\n")
        return 2
    everything = (*days, *practise)
    found, alike = faults(everything), len(everything) - len(set(map(essence, everything)))
    sys.stdout.write("".join(f"{fault}\n" for fault in found))
    sys.stdout.write(f"{len(everything)} puzzles, {len(found)} faults, {alike} come twice.\n")
    return 1 if found or alike else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
