"""The speed of all solvers in one run: `python -m tests.bench.bench_solve`; status 1 if one is too slow."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any

from duelbox.bots import choose
from duelbox.bots.api import Choice
from duelbox.core.session import Session
from duelbox.games.circle_duel.solve import shared_trail as circle_duel
from duelbox.games.digit_chain.solve import verdicts as digit_chain
from duelbox.games.number_circle.solve import verdicts as number_circle
from duelbox.games.number_duel import rules as duel
from duelbox.games.number_duel.solve import verdicts as number_duel
from duelbox.games.sequence_duel import rules as line
from duelbox.games.sequence_duel.solve import verdicts as sequence_duel
from duelbox.learn.turning_points import turning_points
from duelbox.registry import find_game
from duelbox.solve.api import Analysis, Stop
from tests.bench import bench_stop
from tests.bench.bench_stop import FORGET
from tests.bench.child import KIB, run
from tests.bench.measure import LATER, Row, everything, presets, random_positions, show, timed, verdict
from tests.core.fuzz import random_code
from tests.house_rules import GAME_IDS
from tests.positions import at

MEGABYTES = 300
WILD = {"p99": 60.0, "max": 300.0}


def command_rows(count: int = 2_000) -> Iterator[Row]:
    """Time many positions of all games, through the command."""
    rng = Random(2_024)
    typed = "\n".join(random_code(rng, GAME_IDS[number % len(GAME_IDS)]) for number in range(count))
    ran = run("-m", "duelbox", "solve", "-", "--json", typed=typed)
    assert ran.status == 0, ran.errors
    name = f"duelbox solve - --json, {count:,} positions of all games"
    yield Row(name, [1_000 * ran.cpu], [1_000 * ran.wall], {"max": 40_000}, by_wall=True)
    print(f"  memory of the command at its greatest: {ran.peak / 1e6:.0f} MB, with all that it found out kept")


def circle_duel_rows() -> Iterator[Row]:
    game_id, forget = "circle-duel", FORGET["circle-duel"]
    yield from presets(game_id, forget)
    views = list(random_positions(game_id, 2_000, seed=1, most=28, least=1))
    yield timed(f"{game_id}, any later position: all moves", everything(circle_duel), views, LATER, forget)
    for gaps in (0, 30):
        places = [ring(10_000, gaps)] * 9
        yield timed(f"{game_id}, ring of 10,000, reach 3, {gaps} % gaps: verdict", settle, places, {"p50": 25}, forget)


def ring(size: int, percent: int) -> list[bool]:
    """Free places except for some drawn gaps and 5 picks."""
    rng = Random(percent)
    places = [rng.randrange(100) >= percent for _ in range(size)]
    places[5] = False
    return places


def settle(places: Sequence[bool]) -> bool:
    """The winner on this ring with reach 3 after the pick of number 5, counted from 0."""
    return circle_duel.wins((at + 1 for at, free in enumerate(places) if free), len(places), 3, 6)


def number_circle_rows() -> Iterator[Row]:
    game_id, forget = "number-circle", FORGET["number-circle"]
    yield from presets(game_id, forget)
    views = list(random_positions(game_id, 2_000, seed=1, most=60, least=1))
    yield timed(f"{game_id}, any later position: all moves", everything(number_circle), views, LATER, forget)


def sequence_duel_rows() -> Iterator[Row]:
    game_id, forget = "sequence-duel", sequence_duel.forget
    first, solve = verdict(sequence_duel), everything(sequence_duel)
    yield from presets(game_id, forget)
    views = list(random_views(2_000, range(5, 25), least=1))
    yield timed(f"{game_id} to size 24, any later position: all moves and turns", solve, views, LATER, forget)
    views = list(random_views(500, (30,), least=1))
    yield timed(f"{game_id} 30, any later position: all moves and turns", solve, views, {"p99": 50}, forget)
    for size, verdict_in, moves_in in ((20, 7, 20), (40, 25, 1_000)):
        start = [line.start(line.Options(size=size))] * 5
        yield timed(f"{game_id} {size}: verdict", first, start, {"p50": verdict_in}, forget)
        yield timed(f"{game_id} {size}: all first moves", rated, start, {"p50": moves_in}, forget)
    views = list(random_views(300, (60,)))
    yield timed(f"{game_id} 60, any position: verdict", first, views, {"max": 100}, forget)
    yield timed(f"{game_id} 60, any position: all moves", rated, views, {"p99": 500, "max": 1_000}, forget)
    # The positions with the slowest verdicts out of 9,000 after 1 to 6 claims.
    known = ("60.56.53", "37.49.41", "52.2.50.27", "6.33.5.40", "30.32.23.56.21", "15.12.29.33.31")
    hard = [at(f"{game_id}:size=60/{claims}") for claims in known]
    yield timed(f"{game_id} 60, the hardest known: verdict", first, hard, {"max": 250}, forget)
    yield timed(f"{game_id} 60, the same: all moves", rated, hard, {"max": 1_000}, forget)
    yield timed(f"{game_id} 60, the same: the move of the last computer", oracle, hard, {"max": 250}, forget)
    for claims in range(1, 7):
        name, views = f"{game_id} 60, after {claims}", list(claimed(200, claims))
        reach = {"max": 250.0} if claims in (4, 5) else {"p99": 100.0, "max": 250.0}
        yield timed(f"{name}: verdict", first, views, reach, forget)
        if claims < 3:
            yield timed(f"{name}: all moves", rated, views, {"p99": 500}, forget)
    games = [whole_game(seed) for seed in range(10)]
    yield timed(f"{game_id} 60, a whole game: review", turning_points, games, {"max": 1_000}, forget)
    for size, ring in ((60, False), (60, True), (59, True)):
        start = [line.start(line.Options(size=size, ring=ring))] * 5
        name = f"{game_id} {size}{', ring' * ring}: verdict"
        yield timed(name, first, start, {"p50": 100}, forget)


def rated(view: line.View) -> Analysis:
    """The first analysis with all moves, before turns are counted."""
    count = len(line.legal_moves(view))
    return next(one for one in sequence_duel.stream(view, Stop()) if len(one.moves) == count)


def oracle(view: line.View) -> str:
    """The move of the perfect computer."""
    return choose(line.GAME, view, "oracle", 1).move


def random_views(count: int, sizes: Iterable[int], least: int = 0) -> Iterator[line.View]:
    """Views of random unfinished games on lines and rings."""
    rng, choices = Random(1), list(sizes)
    while count:
        view = line.start(line.Options(size=rng.choice(choices), ring=rng.random() < 0.5))
        for _ in range(rng.randrange(least, view.options.size)):
            if view.turn is not None:
                view, _ = line.apply(view, view.turn, rng.choice(line.legal_moves(view)))
        if view.turn is not None:
            count -= 1
            yield view


def claimed(count: int, claims: int) -> Iterator[line.View]:
    """Lines and rings of 60 after some random claims: their number matters most for the time."""
    rng = Random(claims)
    for number in range(count):
        view = line.start(line.Options(size=60, ring=number % 4 == 3))
        for _ in range(claims):
            view, _events = line.apply(view, view.mover, rng.choice(line.legal_moves(view)))
        yield view


def whole_game(seed: int) -> Session:
    """A random game on a line of 60."""
    rng, session = Random(seed), Session(line.GAME, line.Options(size=60))
    while session.turn is not None:
        session.play(rng.choice(session.legal_moves()))
    return session


def digit_chain_rows() -> Iterator[Row]:
    """Limits of Digit Chain's solver, which has no cache."""
    game_id, solve = "digit-chain", everything(digit_chain)
    yield from presets(game_id)
    for name, wild, reach in (("but wild", False, LATER), ("wild", True, WILD)):
        views = random_positions(
            game_id, 2_000, seed=1, least=1, keep=lambda view, wild=wild: (view.options.zero == "wild") is wild
        )
        yield timed(f"{game_id} {name}, any later position: all moves", solve, views, reach)


def number_duel_rows() -> Iterator[Row]:
    game_id, solve, forget = "number-duel", everything(number_duel), FORGET["number-duel"]
    yield from presets(game_id, forget)
    views = list(random_positions(game_id, 2_000, seed=1, most=12, least=1, keep=lambda view: view.hand < 7))
    yield timed(f"{game_id} to hand 6, any later position: all moves", solve, views, LATER, forget)
    for hand, most in ((5, 10), (7, 250)):
        name = f"{game_id}, hand {hand}, start: verdict"
        yield timed(name, verdict(number_duel), [start(hand)] * (9 if hand < 7 else 3), {"p50": most}, forget)
    views = list(random_positions(game_id, 300, seed=2, most=14, least=1, keep=lambda view: view.hand == 7))
    yield timed(f"{game_id}, hand 7, any later position: all moves", solve, views, {"p99": 100}, forget)


def start(hand: int) -> duel.View:
    return duel.view(duel.start(duel.Options(hand=hand)), 0)


def top_level_rows() -> Iterator[Row]:
    """Limits of the perfect computers."""
    for game_id in GAME_IDS:
        views = list(random_positions(game_id, 300, seed=9, most=40))
        name = f"{game_id}, any position: the top level's move"
        yield timed(name, _top_level(game_id), views, {"max": 200}, FORGET[game_id])
    for code in ("circle-duel:size=30,reach=3", "circle-duel:size=30,reach=3/1", "sequence-duel:size=60/1"):
        game_id = code.partition(":")[0]
        work = _top_level(game_id)
        yield timed(f"{code}: the top level's move", work, [at(code)] * 3, {"max": 100}, FORGET[game_id])


def _top_level(game_id: str) -> Callable[[Any], Choice]:
    return lambda view: choose(find_game(game_id), view, "oracle", 1)


def main() -> int:
    shown = show(
        chain(
            command_rows(),
            circle_duel_rows(),
            number_circle_rows(),
            sequence_duel_rows(),
            digit_chain_rows(),
            number_duel_rows(),
            top_level_rows(),
            bench_stop.rows(),
        )
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIB / 1e6
    print(f"memory of this process at its greatest: {peak:.0f} MB, under {MEGABYTES}: {peak < MEGABYTES}")
    missed = [row.work for row in shown if not row.met]
    print(f"met: {sum(bool(row.reach) for row in shown) - len(missed)}; not met: {'; '.join(missed) or 'none'}")
    return 1 if missed or peak >= MEGABYTES else 0


if __name__ == "__main__":
    sys.exit(main())
