"""Solvers of other packages on the same work in the same run: `python -m tests.bench.rivals [SECONDS]`.

`pip install '.[rivals]'` installs them. Each runs in a Python process that is killed after so many seconds; its time
(CPU and wall) is that of the work without imports, its memory that of the whole process. The adapters are written as a
user would: the rules, packed if that is as easy, and the package's own solver.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from signal import SIGKILL
from time import perf_counter, process_time
from typing import Any

from tests.bench.child import run

LIMIT = 120.0
MISSING = 3
"""The exit status if a package is not installed."""

Work = Callable[[], str]
"""Does the work once and returns the answer."""


def our_search(size: str) -> Work:
    """The winner on an empty line, by our search; our solver would answer by the mirror rule without a search."""
    from duelbox.games.sequence_duel.solve.line import line_of
    from duelbox.games.sequence_duel.solve.snort import Search

    line, search = line_of(int(size), False, {}), Search(lambda: None)
    after = [line.after(number).turned().runs for number in line.choices]
    return lambda: "win" if any(not search.wins(0, runs) for runs in after) else "loss"


def our_best_move(code: str) -> Work:
    """All moves of a position by our own solver."""
    from duelbox.core.code import parse_code
    from duelbox.registry import find_game
    from duelbox.solve import analyse, solver_of

    played = parse_code(code, find_game)
    state = played.state
    solver_of(played.game.INFO.id)  # Imported before the time starts, like the others.
    return lambda: analyse(played.game, played.game.view(state, state.turn)).moves[0].move


def our_ring(size: str) -> Work:
    """The verdict on a big ring by our own solver."""
    from tests.bench.bench_solve import settle

    places = _ring(int(size))
    return lambda: "win" if settle(places) else "loss"


def easyai(size: str, best_move: bool = False) -> Work:
    """Sequence Duel for easyAI, on two integers, with its transposition table."""
    from easyAI import Negamax, TranspositionTable, TwoPlayerGame, solve_with_depth_first_search

    class Line(TwoPlayerGame):
        def __init__(self) -> None:
            self.players, self.current_player = [None, None], 1
            self.numbers, self.claims = int(size), [0, 0]

        def possible_moves(self) -> list[int]:
            theirs = self.claims[self.opponent_index - 1]
            barred = self.claims[0] | self.claims[1] | theirs << 1 | theirs >> 1
            return [number for number in range(self.numbers) if not barred >> number & 1]

        def make_move(self, move: int) -> None:
            self.claims[self.current_player - 1] |= 1 << move

        def unmake_move(self, move: int) -> None:
            self.claims[self.current_player - 1] ^= 1 << move

        def is_over(self) -> bool:
            return not self.possible_moves()

        def scoring(self) -> int:
            return -100 if self.is_over() else 0

        def ttentry(self) -> tuple[int, int]:
            return self.claims[self.current_player - 1], self.claims[self.opponent_index - 1]

    line, table = Line(), TranspositionTable()
    if best_move:
        return lambda: str(Negamax(int(size), win_score=100, tt=table)(line) + 1)
    return lambda: _word(solve_with_depth_first_search(line, win_score=100, maxdepth=int(size) + 1, tt=table))


def easyai_best_move(size: str) -> Work:
    """A best move of Sequence Duel, by easyAI's search to the end."""
    return easyai(size, best_move=True)


def cgt(size: str) -> Work:
    """The winner of Sequence Duel as Snort on a path, by cgt-py's canonical form."""
    from cgt_py import Graph

    path = Graph(int(size), [(number, number + 1) for number in range(int(size) - 1)])
    return lambda: "loss" if path.snort.canonical_form == 0 else "win"


def networkx_ring(size: str) -> Work:
    """The verdict on a big ring by networkx: does a maximum matching exist that leaves out the last pick?"""
    import networkx

    places = _ring(int(size))
    free = [place for place, there in enumerate(places) if there]

    def pairs(numbers: list[int]) -> int:
        graph = networkx.Graph()
        graph.add_nodes_from(numbers)
        steps = ((a, (a + step) % len(places)) for a in numbers for step in (1, 2, 3))
        graph.add_edges_from((a, b) for a, b in steps if b in graph)
        return len(networkx.max_weight_matching(graph, maxcardinality=True))

    return lambda: "win" if pairs([*free, 5]) > pairs(free) else "loss"


def _ring(size: int) -> list[bool]:
    from tests.bench.bench_solve import ring

    return ring(size, 30)


def _word(value: float) -> str:
    return "win" if value > 0 else "loss" if value < 0 else "draw"


ADAPTERS: dict[str, Callable[[str], Work]] = {
    "duelbox, search": our_search,
    "duelbox, all moves": our_best_move,
    "duelbox, ring": our_ring,
    "easyAI": easyai,
    "easyAI, best move": easyai_best_move,
    "cgt-py": cgt,
    "networkx": networkx_ring,
}

WORKS: dict[str, tuple[tuple[str, str], ...]] = {
    "sequence-duel 16, start: verdict": (
        ("duelbox, search", "16"),
        ("easyAI", "16"),
        ("cgt-py", "16"),
    ),
    "sequence-duel 20, start: verdict": (
        ("duelbox, search", "20"),
        ("easyAI", "20"),
        ("cgt-py", "20"),
    ),
    "sequence-duel 20, start: one best move": (("duelbox, all moves", "sequence-duel"), ("easyAI, best move", "20")),
    "circle-duel, ring of 1,000, reach 3: verdict": (("duelbox, ring", "1000"), ("networkx", "1000")),
    "circle-duel, ring of 10,000, reach 3: verdict": (("duelbox, ring", "10000"), ("networkx", "10000")),
}


def main(limit: float) -> None:
    for title, entries in WORKS.items():
        print(title, flush=True)
        base = 0.0
        for who, what in entries:
            print(f"  {who:20}", end="", flush=True)
            ran = run("-m", "tests.bench.rivals", who, what, limit=limit)
            peak = f"{ran.peak / 1e6:6.0f} MB"
            if ran.status == MISSING:
                print("is not installed: pip install '.[rivals]'")
            elif ran.status == -SIGKILL:
                print(f"not finished in {limit:.0f} s{'':34}{peak}")
            elif ran.status:
                print(f"failed with status {ran.status}: {' '.join(ran.errors.split())[-100:]}")
            else:
                told = json.loads(ran.out)
                base = base or told["cpu"]
                times = f"{1_000 * told['cpu']:10.2f} ms CPU {1_000 * told['wall']:10.2f} ms wall"
                print(f"{times} {told['cpu'] / base:10.1f} x {peak}  {told['answer']}")


def child(who: str, what: str) -> int:
    """Do one piece of work and print the result as JSON."""
    sys.setrecursionlimit(10_000)
    try:
        work = ADAPTERS[who](what)
    except ModuleNotFoundError:
        return MISSING
    began, began_wall = process_time(), perf_counter()
    answer = work()
    told: dict[str, Any] = {"cpu": process_time() - began, "wall": perf_counter() - began_wall, "answer": answer}
    print(json.dumps(told))
    return 0


if __name__ == "__main__":
    if len(sys.argv) == 3:
        sys.exit(child(*sys.argv[1:]))
    main(float(sys.argv[1]) if len(sys.argv) > 1 else LIMIT)
