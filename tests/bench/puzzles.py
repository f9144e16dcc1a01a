"""Fresh puzzles, proved twice, and what each level finds: `python -m tests.bench.puzzles [COUNT [GAME…]]`.

So many puzzles are made of each game; with a count of 0 they are read from standard input, one a line as `--make`
writes them. Every one is proved anew in a process that made none of them, and by a judge that knows the rules alone
where it is small enough. The table tells for each grade how often each level of the computer finds the right move.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from typing import NamedTuple

from duelbox.core.code import parse_code, read_code
from duelbox.core.session import Session
from duelbox.learn.puzzles import GRADES, LEAD, Puzzle, fault_of, make, right_moves, shares
from duelbox.registry import BUILT_IN, find_game
from tests.games.slow_rules import Judge, judge_of
from tests.learn import test_turning

COUNT = 1_000
NODES = 3_000
"""Positions that a slow judge looks at before it gives up."""
PLAYED_OUT = ("circle-duel", "sequence-duel", "digit-chain")
"""Games that come to an end, and have no draws and no chance."""
HELD = 4
"""A game of chance is small enough where each player has so many numbers at most."""


class Proved(NamedTuple):
    """What came of a puzzle."""

    fault: str | None
    judged: bool | None
    """Whether the slow judge finds the same one right move; None where there is too much to play out."""
    found: list[Fraction]
    """For each level the share of its draws in which it finds the right move."""


class _TooLong(Exception):
    """There is more to play out than a slow judge is given time for."""


def proved(puzzle: Puzzle) -> Proved:
    """Prove a puzzle anew, and see which levels find its right move."""
    session = parse_code(puzzle.code, find_game)
    lone = right_moves(session)
    found = shares(session.game, session.view(session.turn), lone.moves) if lone else []
    return Proved(fault_of(puzzle), _judged(puzzle, session, lone.moves if lone else ()), found)


def _judged(puzzle: Puzzle, session: Session, right: Sequence[str]) -> bool | None:
    view = session.view(session.turn)
    if puzzle.game_id in PLAYED_OUT:
        slow = judge_of(puzzle.game_id, session.options, session.game.start(session.options))
        for text in read_code(puzzle.code, find_game).moves:
            slow = slow.after(text)
        try:
            return sorted(_wins(slow, iter(range(NODES)))) == sorted(right)
        except _TooLong:
            return None
    if puzzle.game_id == "number-duel" and max(len(view.left(seat)) for seat in (0, 1)) <= HELD:
        worths = test_turning.number_duel(view)
        best = max(worths.values())
        lead = best - max(worth for move, worth in worths.items() if move not in right)
        return {worths[move] for move in right} == {best} and (lead >= LEAD or best in (1, Fraction(1, 2)))
    if puzzle.game_id == "number-circle" and session.options.shared_total and session.options.floor == 0:
        worths = test_turning.number_circle(view)
        return [move for move, worth in worths.items() if worth == max(worths.values())] == list(right)
    return None


def _wins(slow: Judge, nodes: Iterator[int]) -> list[str]:
    """The moves that win, by trying everything."""
    if next(nodes, None) is None:
        raise _TooLong
    wins = []
    for move in slow.moves():
        after = slow.after(move)
        if after.result == slow.turn or (after.result == "on" and not _wins(after, nodes)):
            wins.append(move)
    return wins


def row(puzzles: Sequence[Puzzle]) -> Iterator[str]:
    """The table of one game."""
    with ProcessPoolExecutor(2, get_context("spawn")) as workers:
        results = list(workers.map(proved, puzzles, chunksize=8))
    judged = [one.judged for one in results if one.judged is not None]
    faults = [one.fault for one in results if one.fault]
    yield f"{len(results)} puzzles, {len(faults)} faults; {len(judged)} judged slowly, {judged.count(False)} otherwise"
    yield from faults[:5]
    by_grade: dict[int, list[list[Fraction]]] = defaultdict(list)
    for puzzle, one in zip(puzzles, results, strict=True):
        by_grade[puzzle.grade].append(one.found)
    for grade in GRADES:
        if found := by_grade[grade]:
            levels = [float(sum(column) / len(found)) for column in zip(*found, strict=True)]
            told = " ".join(f"{share:6.1%}" for share in levels)
            yield f"  grade {grade}: {len(found):5}  levels 1-{len(levels)}: {told}"


def main(count: int = COUNT, games: Sequence[str] = BUILT_IN) -> None:
    """The tables of these games."""
    given = [] if count else [Puzzle.model_validate_json(line) for line in sys.stdin]
    for game_id in games:
        puzzles = list(make(find_game(game_id), None, count, 1)) if count else []
        puzzles += [one for one in given if one.game_id == game_id]
        print(f"{game_id}:", *row(puzzles), sep="\n  ", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT, sys.argv[2:] or BUILT_IN)
