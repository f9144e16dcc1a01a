"""The puzzles that come with duelbox: one a day for years, and some of every grade to practise.

Both are text files of a line a puzzle: grade, code, and the moves of its line. The daily file is never changed, only
added to, so that everybody has the same puzzle on the same day. `python -m duelbox.learn.shelf --make` writes them,
`--verify` proves all of them anew.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from duelbox.core.code import parse_code
from duelbox.core.errors import DuelboxError
from duelbox.learn.puzzles import Puzzle, essence_of, fault_of, make
from duelbox.learn.strength import Attempt, near, next_of, strength_of
from duelbox.registry import find_game, game_ids

DAILY, PRACTICE = "daily.txt", "practice.txt"
FIRST = date(2026, 11, 16)
DAYS = 400
"""So many days the daily file is made for at first: a year and a month. Later versions add to it."""
WEEK = (1, 1, 2, 2, 3, 3, 4)
"""The grade of each day of the week, Monday first, or the nearest there is: hard ones at its end."""
EACH = 20
"""So many of each game and grade there are to practise."""


@cache
def shelf(name: str) -> tuple[Puzzle, ...]:
    """The puzzles of a file, in its order."""
    text = files("duelbox.learn").joinpath(name).read_text("utf-8")
    return tuple(_read(line) for line in text.splitlines())


def _read(line: str) -> Puzzle:
    grade, code, *moves = line.split()
    return Puzzle(code=code, grade=int(grade), line=tuple(moves))


def _written(puzzles: Sequence[Puzzle]) -> str:
    return "".join(f"{one.grade} {one.code} {' '.join(one.line)}\n" for one in puzzles)


def daily(day: date) -> Puzzle:
    """The puzzle of a day; raises DuelboxError outside the days there are."""
    puzzles, at = shelf(DAILY), (day - FIRST).days
    if not 0 <= at < len(puzzles):
        last = FIRST + timedelta(days=len(puzzles) - 1)
        raise DuelboxError(f"There is no puzzle of the day for {day}: there is one from {FIRST} to {last}.")
    return puzzles[at]


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
    strength = strength_of(Attempt.model_validate_json(json.dumps(value)) for _, value in tried)
    left = next_of(puzzles, [code for code, _ in tried], grade or near(strength), len(tried))
    return left or puzzles[len(tried) % len(puzzles)]


# -- making and proving


def laid(pool: dict[tuple[str, int], list[Puzzle]]) -> tuple[list[Puzzle], list[Puzzle]]:
    """The daily puzzles, and of what is left those to practise."""
    left = {key: list(pool[key]) for key in sorted(pool)}
    days: list[Puzzle] = []
    for number in range(DAYS):
        wanted = WEEK[(FIRST + timedelta(days=number)).weekday()]
        last = {one.game_id for one in days[-2:]}
        # The grade comes first, then another game, then the game of which most are left: few good ones come seldom.
        key = max(left, key=lambda key: (bool(left[key]), -abs(key[1] - wanted), key[0] not in last, len(left[key])))
        if not left[key]:
            raise DuelboxError(f"There are too few puzzles: the days after number {number} have none.")
        days.append(left[key].pop(0))
    return days, [one for key in left for one in left[key][:EACH]]


def _pool(tell: Callable[[str], None]) -> dict[tuple[str, int], list[Puzzle]]:
    pool: dict[tuple[str, int], list[Puzzle]] = defaultdict(list)
    jobs = [(game_id, seed) for seed in range(SEEDS) for game_id in game_ids()]
    seen = set[Hashable]()
    with ProcessPoolExecutor() as workers:
        for (game_id, seed), found in zip(jobs, workers.map(_found, jobs), strict=True):
            for puzzle in found:
                alike = essence_of(parse_code(puzzle.code, find_game))
                if alike not in seen:
                    seen.add(alike)
                    pool[game_id, puzzle.grade].append(puzzle)
            tell(f"{game_id} {seed}: {sum(map(len, pool.values()))}")
    return pool


SEEDS = 20
"""So many times each game is searched,"""
AT_ONCE, GAMES = 40, 1_500
"""for so many puzzles, in so many games."""


def _found(job: tuple[str, int]) -> list[Puzzle]:
    game_id, seed = job
    return list(make(find_game(game_id), None, AT_ONCE, seed, tries=GAMES))


def faults(puzzles: Sequence[Puzzle]) -> Iterator[str]:
    """What is wrong with puzzles, a sentence each; the computers may have changed since, so grades are as they are."""
    with ProcessPoolExecutor() as workers:
        yield from filter(None, workers.map(_fault, puzzles, chunksize=16))


def _fault(puzzle: Puzzle) -> str | None:
    return fault_of(puzzle, graded=False)


def main(argv: Sequence[str]) -> int:
    """Write the files, or prove them."""
    if argv == ["--make"]:
        folder = Path(str(files("duelbox.learn")))
        days, practise = laid(_pool(lambda told: print(told, file=sys.stderr)))  # noqa: T201
        (folder / DAILY).write_text(_written(days), encoding="utf-8")
        (folder / PRACTICE).write_text(_written(practise), encoding="utf-8")
        return 0
    if argv != ["--verify"]:
        sys.stderr.write("Type: python -m duelbox.learn.shelf --make, or --verify.\n")
        return 2
    everything = (*shelf(DAILY), *shelf(PRACTICE))
    found = list(faults(everything))
    alike = len(everything) - len({essence_of(parse_code(one.code, find_game)) for one in everything})
    sys.stdout.write("".join(f"{fault}\n" for fault in found))
    sys.stdout.write(f"{len(everything)} puzzles, {len(found)} faults, {alike} come twice.\n")
    return 1 if found or alike else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
