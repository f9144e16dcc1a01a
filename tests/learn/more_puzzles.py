"""Find puzzles, add them to the files of daily and practice puzzles, or prove all of them anew.

`python -m tests.learn.more_puzzles --find FILE MINUTES` adds to a file what it finds in so many minutes; the games it
looks at are numbered, so that it goes on where it ended and finds the same on every machine. `--lay FILE` adds what
goes with all there is to the days, up to `DAYS`, and to the practice shelf. `--fill` adds exercises to ideas that have
few puzzles. `--anew FILE DAY` names every idea as the solver does today and lays the days after this one anew, from
what they had and what was found. `--verify` proves what is written.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from importlib.resources import files
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

from duelbox.core.code import parse_code
from duelbox.core.errors import OptionError
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.core.session import Session
from duelbox.games.circle_duel.solve.ideas import PARTNERS
from duelbox.learn.daily import A_DAY, ALONE, APART, DAY, FIRST, MIXED, THREES, daily, own_days
from duelbox.learn.practice import practice
from duelbox.learn.puzzle_maker import LATE, SEEDS, essence_of, fault_of, kinds_of, search, varied
from duelbox.learn.puzzles import DAILY, EXERCISES, GRADES, PAPER, PRACTICE, Puzzle, from_line, puzzles_in, right_moves
from duelbox.registry import find_game, game_ids
from duelbox.solve import analyse, rate_moves, solver_of

DAYS = 731
"""The number of days that are wanted: two years."""
PLACES = (range(1, 3), range(2, 4), range(3, 6))
"""The grades of the three puzzles of a day."""
CHANCE, THIS_GRADE, MOST, LOOKED_AT = 0.3, 0.6, 3, 14
"""The share of chance and of the right grade in what is wanted, the most that an idea is wanted, and the puzzles
looked at for a place."""
EACH, FIRST_OF = 20, 10
"""The practice puzzles of each grade, and those of a grade or an idea that come before the days."""
TRIED = 6
"""The most puzzles of a walk that are looked at."""
ENOUGH, FEW_KINDS, MOST_KINDS, GAMES = 12, 3, 14, 6_000
"""The puzzles wanted of each idea, the kinds of moves in an exercise, and the games played for one idea."""
FIND, LAY, FILL, ANEW, VERIFY = "--find", "--lay", "--fill", "--anew", "--verify"

Pool = Sequence[Puzzle]


def days() -> list[tuple[Puzzle, ...]]:
    """The puzzles of the days that have some of their own."""
    return [daily(FIRST + DAY * at) for at in range(own_days())]


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


# -- exercises


def exercises(game_id: str, idea: str, count: int, known: Iterable[Puzzle]) -> Iterator[Puzzle]:
    """Positions of an idea with one right move that are none of the known ones; from games of random moves."""
    game, posed = find_game(game_id), {essence_of(parse_code(one.code, find_game)) for one in known}
    rules = every_house_rule(game)
    for number in range(GAMES):
        rng = Rng(number)
        options = rules[number % len(rules)]
        session = Session(game, options.changed(seed=rng.below(SEEDS)) if options.draws else options)
        begin = rng.below(2) * rng.below(LATE)
        while session.turn is not None and len(session.plies) < begin + TRIED and count:
            if len(session.plies) >= begin and (exercise := _exercise(session, idea)):
                essence = essence_of(session)
                if essence not in posed:
                    posed.add(essence)
                    count -= 1
                    yield exercise
                    break
            session.play(rng.choice(session.legal_moves()))


def every_house_rule(game: AnyGame) -> list[Options]:
    """The house rules of all presets, and the same with one of them changed."""
    rules = dict.fromkeys(preset.options for preset in game.PRESETS)
    for preset in game.PRESETS:
        kind = type(preset.options)
        for one in kind.infos():
            for choice in one.choices:
                with suppress(OptionError):  # house rules that do not go together
                    rules[kind.from_texts({**preset.options.texts(), one.name: choice})] = None
    return list(rules)


def _exercise(session: Session, idea: str) -> Puzzle | None:
    """The exercise at a position, if it is one of this idea."""
    legal, kinds = session.legal_moves(), 0
    if len(legal) <= MOST_KINDS and not legal[0].secret:
        kinds = kinds_of(session)
    if kinds < FEW_KINDS:
        return None
    view = session.view(session.turn)
    if not right_moves(session, rate_moves(session.game, view)):  # quicker than the whole analysis
        return None
    analysis = analyse(session.game, view)
    lone = right_moves(session, analysis)
    if lone is None or analysis.idea is None or analysis.idea.name != idea:
        return None
    return Puzzle(code=session.code(), grade=1 if kinds == FEW_KINDS else 2, line=lone.moves[:1], idea=idea)


def fill() -> None:
    """Add exercises to the ideas that have fewer than `ENOUGH` puzzles."""
    for game_id in game_ids():
        known = [one for file in (DAILY, PRACTICE, EXERCISES) for one in puzzles_in(file) if one.game_id == game_id]
        for idea in solver_of(game_id).ideas:
            left = ENOUGH - len(practice(game_id, idea=idea.name))
            if left > 0:
                _append(EXERCISES, exercises(game_id, idea.name, left, known))


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


@dataclass(frozen=True, slots=True)
class Pick:
    """A puzzle that may take a place of a day: its game and idea, its grade, and how much it is wanted there."""

    lesson: tuple[str, str]
    grade: int
    wanted: float


def laid(pool: Pool, days_wanted: int, seed: int = 5) -> list[Puzzle]:
    """The puzzles of so many days: three of three games that grow harder, and no idea again within `APART` days.

    It ends at the first day for which there are not enough puzzles.
    """
    left: Left = defaultdict(lambda: defaultdict(list))
    for one in reversed(pool):
        if one.idea:
            left[one.game_id, one.idea][one.grade].append(one)
    rng, out, last = Rng(seed), list[Puzzle](), dict[tuple[str, str], int]()
    for day in range(days_wanted):
        free = {key: some for key, some in left.items() if day - last.get(key, -APART) >= APART}
        places = [_picks(free, left, grades, days_wanted - day, rng) for grades in PLACES]
        ways = [way for way in product(*places) if len({pick.lesson[0] for pick in way}) == A_DAY]
        if not ways:
            break
        for pick in max(ways, key=lambda way: sum(pick.wanted for pick in way)):
            last[pick.lesson] = day
            out.append(left[pick.lesson][pick.grade].pop())
    return out


def _picks(free: Left, left: Left, grades: range, days_left: int, rng: Rng) -> list[Pick]:
    """The puzzles most wanted at a place with these grades: of ideas that much is left of, and of one grade."""
    of_grade = {grade: sum(len(some[grade]) for some in left.values()) for grade in GRADES}
    grade_wanted = _grade_wanted(grades, of_grade, days_left, rng)
    picks = []
    for key in sorted(free):
        many = sum(map(len, free[key].values()))
        for grade in grades:
            if free[key][grade]:
                chance = CHANCE * rng.below(100) / 100
                wanted = min(MOST, A_DAY * many / days_left) + THIS_GRADE * (grade == grade_wanted) + chance
                picks.append(Pick(key, grade, wanted))
    return sorted(picks, key=lambda pick: pick.wanted)[-LOOKED_AT:]


def _grade_wanted(grades: range, of_grade: dict[int, int], days_left: int, rng: Rng) -> int:
    """The grade for a place, drawn so that each grade is there to the end; grade 3 is kept for the middle."""
    drawn = rng.below(1000) / 1000
    if grades == PLACES[0]:
        return 1 if drawn < of_grade[1] / days_left else 2
    if grades == PLACES[1]:
        return 2 if drawn < (of_grade[2] + of_grade[1] - days_left) / days_left else 3
    return 5 if drawn < of_grade[5] / (of_grade[4] + of_grade[5] or 1) else 4


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


@dataclass(frozen=True, slots=True)
class Shelf:
    """The puzzles of the days, and those to practise."""

    days: Pool
    practice: Pool

    def with_more(self, pool: Pool) -> Shelf:
        """The shelf with more days, up to `DAYS`, and more to practise; puzzles that give others away are left out."""
        worse = {id(one) for one, _ in spoiled((*self.days, *self.practice, *pool))}
        good = [one for one in pool if id(one) not in worse]
        first = practised(practised(self.practice, good, FIRST_OF, lesson), good, FIRST_OF, kind)
        known = (len(self.days) - ALONE) // A_DAY
        practice_only = set(first)
        more = laid([one for one in good if one not in practice_only], DAYS - known)
        taken = set(more)
        full = practised(first, [one for one in good if one not in taken], EACH, kind)
        return Shelf((*self.days, *more), full)


def lay(path: Path) -> None:
    """Add the puzzles found to the days and to those to practise."""
    known = Shelf(puzzles_in(DAILY), puzzles_in(PRACTICE))
    _write(known.with_more(pool_of(path)))


def lay_anew(path: Path, last: date) -> None:
    """Name all ideas anew, keep the days up to the last one, and lay later days from their puzzles and those found."""
    count = ALONE + ((last - THREES).days + 1) * A_DAY
    known = named_anew(puzzles_in(DAILY))
    kept = Shelf(known[:count], _proved(named_anew(puzzles_in(PRACTICE))))
    _write(kept.with_more(_proved([*known[count:], *named_anew(pool_of(path))])))
    for file in (EXERCISES, PAPER):
        _replace(file, named_anew(puzzles_in(file)))


def _proved(puzzles: Pool) -> list[Puzzle]:
    """Those of the puzzles that have no fault."""
    with workers() as proving:
        found = proving.map(partial(fault_of, graded=False), puzzles, chunksize=16)
        return [one for one, fault in zip(puzzles, found, strict=True) if not fault]


def named_anew(puzzles: Pool) -> list[Puzzle]:
    """The puzzles with the ideas that the solver names today."""
    with workers() as naming:
        return list(naming.map(_named, puzzles, chunksize=16))


def _named(puzzle: Puzzle) -> Puzzle:
    if puzzle.idea == PARTNERS.name and len(puzzle.line) > 2:
        return puzzle  # partners decide later in the line, after the odd one out was picked
    session = parse_code(puzzle.code, find_game)
    idea = analyse(session.game, session.view(session.turn)).idea
    return puzzle.changed(idea=idea.name if idea else "")


def _write(shelf: Shelf) -> None:
    _replace(DAILY, shelf.days)
    _replace(PRACTICE, shelf.practice)


def _replace(name: str, puzzles: Iterable[Puzzle]) -> None:
    path = Path(str(files("duelbox.learn"))).joinpath(name)
    path.write_text("".join(f"{to_line(one)}\n" for one in puzzles), encoding="utf-8")


def _append(name: str, puzzles: Iterable[Puzzle]) -> None:
    with Path(str(files("duelbox.learn"))).joinpath(name).open("a", encoding="utf-8") as file:
        file.writelines(f"{to_line(one)}\n" for one in puzzles)


# -- proof


def workers() -> ProcessPoolExecutor:
    """Fresh processes, without the results of this one."""
    return ProcessPoolExecutor(mp_context=get_context("spawn"))


def faults(puzzles: Pool) -> list[str]:
    """A sentence on each puzzle with a fault. Grades are not checked, as the computers may have changed since."""
    with workers() as proving:
        return [fault for fault in proving.map(partial(fault_of, graded=False), puzzles, chunksize=16) if fault]


def misfits(known: Sequence[tuple[Puzzle, ...]]) -> Iterator[str]:
    """The days from `MIXED` on that break a rule: three games, rising grades, and no idea again within `APART` days."""
    last: dict[tuple[str, str], int] = {}
    for number in range((MIXED - FIRST).days, len(known)):
        some, day = known[number], FIRST + timedelta(days=number)
        if len({one.game_id for one in some}) < A_DAY:
            yield f"{day}: not three games."
        if any(one.grade not in grades for one, grades in zip(some, PLACES, strict=True)):
            yield f"{day}: they do not grow harder."
        for one in some:
            if not one.idea or number - last.get(lesson(one), -APART) < APART:
                yield f"{day}: no idea, or one of the days before."
            last[lesson(one)] = number


def verified() -> tuple[int, list[str]]:
    """The number of puzzles, and a sentence on each fault."""
    threes, everything = puzzles_in(DAILY)[ALONE:], (*puzzles_in(DAILY), *puzzles_in(PRACTICE))
    found = [*faults((*threes, *puzzles_in(PRACTICE))), *misfits(days())]
    return len(everything), [*found, *(f"{one.code}: {fault}." for one, fault in spoiled(everything))]


def main(argv: Sequence[str]) -> int:
    """Run one of the commands."""
    if len(argv) == 3 and argv[0] == FIND:
        find(Path(argv[1]), float(argv[2]))
    elif len(argv) == 2 and argv[0] == LAY:
        lay(Path(argv[1]))
    elif len(argv) == 3 and argv[0] == ANEW:
        lay_anew(Path(argv[1]), date.fromisoformat(argv[2]))
    elif argv == [FILL]:
        fill()
    elif argv == [VERIFY]:
        many, found = verified()
        sys.stdout.write("".join(f"{fault}\n" for fault in found))
        sys.stdout.write(f"{many} puzzles, {len(days())} days, {len(found)} faults.\n")
        return 1 if found else 0
    else:
        sys.stderr.write(
            "Type: python -m tests.learn.more_puzzles "
            f"{FIND} FILE MINUTES, {LAY} FILE, {FILL}, {ANEW} FILE DAY, or {VERIFY}.\n"
        )
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
