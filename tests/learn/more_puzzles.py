"""Find puzzles, add them to the files of daily and practice puzzles, or prove all of them anew.

`python -m tests.learn.more_puzzles --find FILE MINUTES` adds to a file what it finds in so many minutes; the games it
looks at are numbered, so that it goes on where it ended and finds the same on every machine. `--lay FILE` adds what
goes with all there is to the days, up to `DAYS`, and to the practice shelf. `--verify` proves what is written.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from functools import partial
from importlib.resources import files
from itertools import combinations_with_replacement
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

from duelbox.core.code import parse_code
from duelbox.core.rng import Rng
from duelbox.learn.daily import A_DAY, ALONE, THREES, daily, days_until
from duelbox.learn.puzzle_maker import essence_of, fault_of, search, varied
from duelbox.learn.puzzles import DAILY, GRADES, PRACTICE, Puzzle, from_line, puzzles_in
from duelbox.registry import find_game, game_ids

DAYS = 731
"""The number of days with puzzles: two years."""
WEEK = (6, 7, 8, 9, 10, 11, 12)
"""The sum of the grades of a day's three puzzles, from Monday on; the nearest possible sum is taken."""
ALIKE, SCARCE = 3, 0.5
"""The penalties, in grades, for two puzzles of one grade and for a scarce puzzle."""
EACH, FIRST_OF = 20, 10
"""The practice puzzles of each grade, and those of a grade or an idea that come before the days."""
SEEDS = 10_000
TRIED = 6
"""The most puzzles of a walk that are looked at."""
FIND, LAY, VERIFY = "--find", "--lay", "--verify"

Pool = Sequence[Puzzle]


def days() -> list[tuple[Puzzle, ...]]:
    """The puzzles of the days, those with puzzles only."""
    return list(map(daily, days_until(date.max)))


def to_line(puzzle: Puzzle) -> str:
    """Write a puzzle as a line of a file."""
    idea = f" # {puzzle.idea}" if puzzle.idea else ""
    return f"{puzzle.grade} {puzzle.code} {' '.join(puzzle.line)}{idea}"


def searched(game_id: str, number: int) -> Puzzle | None:
    """A puzzle of the game's walk with this number; the grades are wanted in turn, as hard puzzles are the most
    frequent, and the nearest grade is taken."""
    game, rng = find_game(game_id), Rng(number)
    wanted, found = GRADES[number % len(GRADES)], list[Puzzle]()
    for puzzle in search(game, varied(game, rng), rng.below(SEEDS)):
        found.append(puzzle)
        if puzzle.grade == wanted or len(found) == TRIED:
            break
    return min(found, key=lambda one: abs(one.grade - wanted), default=None)


def find(path: Path, minutes: float) -> None:
    """For so many minutes, add puzzles of the game that has the fewest of an idea to a file."""
    lines = path.read_text().splitlines() if path.exists() else []
    walked = Counter(line.split()[0] for line in lines)
    many = Counter(line.split()[0] for line in lines if "#" in line)
    end = monotonic() + 60 * minutes
    with path.open("a") as file:
        while monotonic() < end:
            game_id = min(game_ids(), key=lambda one: many[one])
            puzzle = searched(game_id, walked[game_id])
            line = f"{game_id} {to_line(puzzle) if puzzle else ''}"
            walked[game_id] += 1
            many[game_id] += "#" in line
            file.write(f"{line.rstrip()}\n")
            file.flush()


def pool_of(path: Path) -> list[Puzzle]:
    """The puzzles of a file of found ones."""
    return [from_line(line.partition(" ")[2]) for line in path.read_text().splitlines() if " " in line]


# -- puzzles that give others away


def told(puzzle: Puzzle) -> tuple[set[Hashable], set[Hashable], set[Hashable]]:
    """The essences of a puzzle's first position, of all positions in which a move is asked for, and of the positions
    that its code shows."""
    session = parse_code(puzzle.code, find_game)
    solver, turns = session.turn, len(session.moves)
    essences = []
    for turn in range(turns + 1):
        session.go(turn)
        essences.append(essence_of(session))
    asked = {essences.pop()}
    first = asked.copy()
    for text in puzzle.line:
        if session.turn == solver:
            asked.add(essence_of(session))
        session.type(text)
    return first, asked, set(essences)


def deal(puzzle: Puzzle) -> str:
    """The house rules and the deal of a puzzle, or its whole code without a deal."""
    return puzzle.code.partition("/")[0] if "seed=" in puzzle.code else puzzle.code


def spoiled(puzzles: Iterable[Puzzle]) -> Iterator[tuple[Puzzle, str]]:
    """The puzzles with the position or deal of an earlier one, or that show a move of another."""
    posed, asked, shown, deals = set[Hashable](), set[Hashable](), set[Hashable](), set[str]()
    for one in puzzles:
        first, own, seen = told(one)
        twice = "comes twice" if first & asked else "is of a deal that comes twice" if deal(one) in deals else ""
        if fault := twice or (
            "goes with another: one shows the other" if own & shown or own & posed or seen & asked else ""
        ):
            yield one, fault
        else:
            posed |= first
            asked |= own
            shown |= seen
            deals.add(deal(one))


# -- days


Left = dict[tuple[str, str], dict[int, list[Puzzle]]]
"""The remaining puzzles of each game and idea, by their grades."""


def laid(pool: Pool, numbers: Iterable[int]) -> list[Puzzle]:
    """The puzzles of the days with these numbers: three of one game and idea that grow harder, with the games in turn.
    It ends at the first day for which there are not enough puzzles."""
    left: Left = defaultdict(lambda: defaultdict(list))
    for one in pool:
        if one.idea:
            left[one.game_id, one.idea][one.grade].append(one)
    many = {key: sum(map(len, some.values())) for key, some in left.items()}
    out: list[Puzzle] = []
    had: Counter[tuple[str, str]] = Counter()
    for number in numbers:
        wanted = WEEK[(THREES + timedelta(days=number)).weekday()]
        turn = game_ids()[number % len(game_ids())]
        ways = [
            (_cost(grades, left[key], wanted), had[key] / many[key], key, grades)
            for key in sorted(left)
            if key[0] == turn
            for grades in _rising(left[key])
        ]
        if not ways:
            break
        _, _, key, grades = min(ways)
        had[key] += 1
        out += [left[key][grade].pop() for grade in grades]
    return out


def _rising(left: dict[int, list[Puzzle]]) -> Iterator[tuple[int, ...]]:
    """Possible grades of the puzzles of a day: the last is harder than the first."""
    for grades in combinations_with_replacement(sorted(left), A_DAY):
        if grades[0] < grades[-1] and all(grades.count(grade) <= len(left[grade]) for grade in grades):
            yield grades


def _cost(grades: tuple[int, ...], left: dict[int, list[Puzzle]], wanted: int) -> float:
    """The distance of a day from its goal; two puzzles of one grade and scarce puzzles cost more."""
    most = max(map(len, left.values()))
    scarce = sum(1 - len(left[grade]) / most for grade in grades)
    return abs(sum(grades) - wanted) + ALIKE * (len({*grades}) < A_DAY) + SCARCE * scarce


def kind(puzzle: Puzzle) -> tuple[str, int]:
    return puzzle.game_id, puzzle.grade


def lesson(puzzle: Puzzle) -> tuple[str, str]:
    return puzzle.game_id, puzzle.idea


def practised(known: Pool, pool: Pool, most: int, alike: Callable[[Puzzle], Hashable]) -> list[Puzzle]:
    """The puzzles to practise: the known ones, then those of a pool, at most so many alike; puzzles with an idea and
    various house rules come first."""
    houses: Counter[tuple[str, Hashable]] = Counter()
    turns: list[tuple[str, bool, int, Puzzle]] = []
    for one in pool:
        house = one.code.partition("/")[0].partition("seed=")[0], alike(one)
        houses[house] += 1
        turns.append((one.game_id, not one.idea, houses[house], one))
    out, there, many = list(known), set(known), Counter(map(alike, known))
    for *_, one in sorted(turns, key=lambda turn: turn[:3]):
        if one not in there and many[alike(one)] < most:
            many[alike(one)] += 1
            out.append(one)
    return out


def lay(path: Path) -> None:
    """Add the puzzles found to the days and to those to practise."""
    known, pool = (*puzzles_in(DAILY), *puzzles_in(PRACTICE)), pool_of(path)
    worse = {id(one) for one, _ in spoiled((*known, *pool))}
    good = [one for one in pool if id(one) not in worse]
    first = practised(practised(puzzles_in(PRACTICE), good, FIRST_OF, lesson), good, FIRST_OF, kind)
    more = laid([one for one in good if one not in first], range(len(days()) - ALONE, DAYS))
    taken = set(more)
    _append(DAILY, more)
    full = practised(first, [one for one in good if one not in taken], EACH, kind)
    _append(PRACTICE, full[len(puzzles_in(PRACTICE)) :])


def _append(name: str, puzzles: Iterable[Puzzle]) -> None:
    with Path(str(files("duelbox.learn"))).joinpath(name).open("a", encoding="utf-8") as file:
        file.writelines(f"{to_line(one)}\n" for one in puzzles)


# -- proof


def workers() -> ProcessPoolExecutor:
    """Fresh processes, without the results of this one."""
    return ProcessPoolExecutor(mp_context=get_context("spawn"))


def faults(puzzles: Pool) -> list[str]:
    """A sentence on each puzzle with a fault; grades are not checked, as the computers may have changed since."""
    with workers() as proving:
        return [fault for fault in proving.map(partial(fault_of, graded=False), puzzles, chunksize=16) if fault]


def misfits(known: Sequence[tuple[Puzzle, ...]]) -> Iterator[str]:
    """The days whose puzzles are not of one game and idea, or do not grow harder."""
    for number, some in enumerate(known[ALONE:]):
        grades = [one.grade for one in some]
        if len({(one.game_id, one.idea) for one in some}) > 1 or len(some) < A_DAY or not some[0].idea:
            yield f"{THREES + timedelta(days=number)}: not three of one game and one idea."
        if grades != sorted(grades) or grades[0] == grades[-1]:
            yield f"{THREES + timedelta(days=number)}: they do not grow harder."


def verified() -> tuple[int, list[str]]:
    """The number of puzzles, and a sentence on each fault."""
    threes, everything = puzzles_in(DAILY)[ALONE:], (*puzzles_in(DAILY), *puzzles_in(PRACTICE))
    found = [*faults((*threes, *puzzles_in(PRACTICE))), *misfits(days())]
    return len(everything), [*found, *(f"{one.code}: {fault}." for one, fault in spoiled(everything))]


def main(argv: Sequence[str]) -> int:
    """Run one of the three commands."""
    if len(argv) == 3 and argv[0] == FIND:
        find(Path(argv[1]), float(argv[2]))
    elif len(argv) == 2 and argv[0] == LAY:
        lay(Path(argv[1]))
    elif argv == [VERIFY]:
        many, found = verified()
        sys.stdout.write("".join(f"{fault}\n" for fault in found))
        sys.stdout.write(f"{many} puzzles, {len(days())} days, {len(found)} faults.\n")
        return 1 if found else 0
    else:
        sys.stderr.write(f"Type: python -m tests.learn.more_puzzles {FIND} FILE MINUTES, {LAY} FILE, or {VERIFY}.\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
