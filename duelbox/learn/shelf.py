"""The puzzles that come with duelbox: one a day for years, and some of every grade to practise.

Both are text files of a line a puzzle: grade, code, and the moves of its line. They are never changed, only added to,
so that everybody has the same puzzle on the same day. `python -m duelbox.learn.shelf --add DAYS` adds so many days, and
what else there is to practise; `--verify` proves all of them anew.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from functools import cache, partial
from importlib.resources import files
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.core.rng import Rng
from duelbox.learn.puzzles import Puzzle, essence_of, fault_of, make
from duelbox.learn.strength import near, next_of, strength_of
from duelbox.learn.tallies import attempts_of, firsts
from duelbox.registry import find_game, game_ids

DAILY, PRACTICE = "daily.txt", "practice.txt"
FIRST = date(2026, 11, 16)
WEEK = (1, 2, 2, 3, 3, 3, 4)
"""The grade of each day of the week that is added, Monday first, or the nearest there is: hard ones at its end."""
EACH = 20
"""So many of each game and grade there are to practise."""
APART = 60
"""So many days lie between two puzzles of one deal."""


@cache
def shelf(name: str) -> tuple[Puzzle, ...]:
    """The puzzles of a file, in its order."""
    text = files("duelbox.learn").joinpath(name).read_text("utf-8")
    lines = (line.split() for line in text.splitlines())
    return tuple(Puzzle(code=code, grade=int(grade), line=tuple(moves)) for grade, code, *moves in lines)


def daily(day: date) -> Puzzle:
    """The puzzle of a day; raises DuelboxError outside the days there are."""
    puzzles, at = shelf(DAILY), (day - FIRST).days
    if not 0 <= at < len(puzzles):
        last = FIRST + timedelta(days=len(puzzles) - 1)
        raise DuelboxError(f"There is no puzzle of the day for {day}: there is one from {FIRST} to {last}.")
    return puzzles[at]


def days_until(day: date) -> list[date]:
    """The days up to this one that have a puzzle, oldest first; raises DuelboxError where there are none."""
    daily(min(day, FIRST + timedelta(days=len(shelf(DAILY)) - 1)))
    return [FIRST + timedelta(days=at) for at in range(min(len(shelf(DAILY)), (day - FIRST).days + 1))]


def practice(game_id: str | None = None, grade: int | None = None) -> tuple[Puzzle, ...]:
    """What there is to practise, of a game or a grade where they are named."""
    return tuple(one for one in shelf(PRACTICE) if game_id in (None, one.game_id) and grade in (None, one.grade))


def offered(tried: Sequence[tuple[str, Any]], game_id: str | None = None, grade: int | None = None) -> Puzzle:
    """A puzzle that was not tried yet, as near to the player's strength as there is; raises DuelboxError.

    What was tried are the codes of puzzles, and what was kept of each attempt.
    """
    puzzles = practice(game_id, grade)
    if not puzzles:
        raise DuelboxError("There are no such puzzles. To make some: duelbox puzzle GAME --make N --grade N")
    wanted = grade or near(strength_of(firsts(attempts_of(tried)).values()))
    left = next_of(puzzles, [code for code, _ in tried], wanted, len(tried))
    return left or puzzles[len(tried) % len(puzzles)]


# -- making and proving

Pool = Sequence[Puzzle]


def _kind(puzzle: Puzzle) -> tuple[str, int]:
    return puzzle.game_id, puzzle.grade


def added(days: Pool, practise: Pool, pool: Pool, count: int) -> list[Puzzle]:
    """So many puzzles from a pool for the days after these, none of them like one there is."""
    left, out = _fresh(pool, (*days, *practise)), list(days)
    had = Counter(map(_kind, left))
    for number in range(len(days), len(days) + count):
        wanted, last = WEEK[(FIRST + timedelta(days=number)).weekday()], {one.game_id for one in out[-1:]}
        many = Counter(map(_kind, left))
        if not many:
            raise DuelboxError(f"There are too few puzzles: the days after number {number} have none.")
        # The grade comes first, then another game, then what has most of its puzzles left: few good ones come seldom.
        key = max(sorted(many), key=lambda key: (-abs(key[1] - wanted), key[0] not in last, many[key] / had[key]))
        lately = {_start(one) for one in out[-APART:]}
        chosen = min((one for one in left if _kind(one) == key), key=lambda one: _start(one) in lately)
        out.append(chosen)
        left.remove(chosen)
    return out[len(days) :]


def _start(puzzle: Puzzle) -> str:
    """The house rules and the deal of a puzzle; its whole code where there is no deal."""
    return puzzle.code.partition("/")[0] if "seed=" in puzzle.code else puzzle.code


def _essence(puzzle: Puzzle) -> Hashable:
    return essence_of(parse_code(puzzle.code, find_game))


def _fresh(pool: Pool, known: Pool) -> list[Puzzle]:
    """Those of a pool that are like none there is: of two alike, the one with the shorter code."""
    seen = set(map(_essence, known))
    out = []
    for one in sorted(pool, key=lambda one: (len(one.code), one.code)):
        alike = _essence(one)
        if alike not in seen:
            seen.add(alike)
            out.append(one)
    return list(Rng(len(known)).shuffled(out))


def practised(practise: Pool, days: Pool, pool: Pool) -> list[Puzzle]:
    """What a pool adds to practise, up to `EACH` of a game and grade."""
    many, out = Counter(map(_kind, practise)), []
    for one in _fresh(pool, (*days, *practise)):
        many[_kind(one)] += 1
        if many[_kind(one)] <= EACH:
            out.append(one)
    return out


SEEDS = 20
"""So many times each game is searched,"""
AT_ONCE, GAMES = 40, 1_500
"""for so many puzzles, in so many games."""


def pool_of(seeds: Sequence[int]) -> list[Puzzle]:
    """The puzzles of a search of every game with each of these seeds; how it goes is told on standard error."""
    pool: list[Puzzle] = []
    jobs = [(game_id, seed) for seed in seeds for game_id in game_ids()]
    with _workers() as workers:
        for (game_id, seed), found in zip(jobs, workers.map(_found, jobs), strict=True):
            pool += found
            sys.stderr.write(f"{game_id} {seed}: {len(pool)}\n")
    return pool


def _found(job: tuple[str, int]) -> list[Puzzle]:
    game_id, seed = job
    return list(make(find_game(game_id), None, AT_ONCE, seed, tries=GAMES))


def _workers() -> ProcessPoolExecutor:
    """Fresh processes, which know nothing of what this one has worked out."""
    return ProcessPoolExecutor(mp_context=get_context("spawn"))


def faults(puzzles: Pool) -> Iterator[str]:
    """What is wrong with puzzles, a sentence each; the computers may have changed since, so grades are as they are."""
    with _workers() as workers:
        yield from filter(None, workers.map(partial(fault_of, graded=False), puzzles, chunksize=16))


def main(argv: Sequence[str]) -> int:
    """Add to the files, or prove them."""
    days, practise = shelf(DAILY), shelf(PRACTICE)
    if len(argv) == 2 and argv[0] == "--add" and argv[1].isdecimal():
        pool = pool_of(range(len(days), len(days) + SEEDS))  # other seeds each time
        fresh = added(days, practise, pool, int(argv[1]))
        _append(DAILY, fresh)
        _append(PRACTICE, practised(practise, (*days, *fresh), pool))
        return 0
    if argv != ["--verify"]:
        sys.stderr.write("Type: python -m duelbox.learn.shelf --add DAYS, or --verify.\n")
        return 2
    everything = (*days, *practise)
    found = list(faults(everything))
    alike = len(everything) - len(set(map(_essence, everything)))
    sys.stdout.write("".join(f"{fault}\n" for fault in found))
    sys.stdout.write(f"{len(everything)} puzzles, {len(found)} faults, {alike} come twice.\n")
    return 1 if found or alike else 0


def _append(name: str, puzzles: Sequence[Puzzle]) -> None:
    lines = "".join(f"{one.grade} {one.code} {' '.join(one.line)}\n" for one in puzzles)
    with Path(str(files("duelbox.learn"))).joinpath(name).open("a", encoding="utf-8") as file:
        file.write(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
