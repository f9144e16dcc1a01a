"""Scores of pupils who follow a course to the letter: `python -m tests.bench.courses FILE [--games N] [--words WORD]`.

For each preset a table: chance, then the pupil after each lesson, against levels 1, 3 and 5, from both seats of each
draw, all on the same draws. Each game is written to FILE as soon as it ends, so that the next run continues where this
one stopped. WORD selects presets whose names contain it. A lesson FALLS where the pupil after it scores more than 3
points less than before it, beyond two standard errors of the difference.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from duelbox.bots import choose
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.registry import find_game
from tests.bench.ladder import LEVELS, LONGEST
from tests.pupils import pupil
from tests.pupils.courses import COURSES
from tests.pupils.pupil import Rule

CHANCE = "chance"
MEASURED = (1, 3, 5)
FALL = 3.0
"""Points of a hundred that a lesson may cost."""


def play(game: AnyGame, options: Options, rules: Sequence[Rule], level: int, seed: int) -> float:
    """The points of the pupil in a game; the pupil begins with odd seeds, and two seeds share a draw."""
    drawn = options.draws or game.INFO.hidden
    state: Any = game.start(options.changed(seed=(seed + 1) // 2) if drawn else options)
    mine = 1 - seed % 2
    for turn in range(LONGEST):
        if state.turn is None:
            break
        view = game.view(state, state.turn)
        luck = seed * 1000 + turn
        if state.turn == mine:
            text = pupil.choose(game.INFO.id, rules, view, Rng(luck))
        else:
            text = choose(game, view, LEVELS[level], luck).move
        state, _ = game.apply(state, state.turn, game.parse_move(view, text))
    if state.outcome is None or state.outcome.winner is None:
        return 0.5
    return float(state.outcome.winner == mine)


def fall(before: Sequence[float], now: Sequence[float]) -> float:
    """The points of a hundred by which a pupil is worse than before, less two standard errors of the difference."""
    lost = [100 * (one - two) for one, two in zip(before, now, strict=True)]
    if len(lost) < 2:
        return 0.0
    return mean(lost) - 2 * stdev(lost) / len(lost) ** 0.5


def row(name: str, scores: Sequence[Sequence[float]], before: Sequence[Sequence[float]] | None) -> str:
    """A line of the table: the share of points at each level, with a sign where it falls."""
    cells = []
    for at, points in enumerate(scores):
        fell = before is not None and fall(before[at], points) > FALL
        cells.append(f"{100 * mean(points):6.1f}{' FALLS' if fell else '      '}")
    return f"  {name:<28}{''.join(cells)}".rstrip()


def main(argv: Sequence[str] | None = None) -> None:
    """Play missing games, and print a table for each preset."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first game")
    parser.add_argument("--levels", type=int, nargs="+", default=MEASURED)
    parser.add_argument("--words", nargs="*", default=())
    asked = parser.parse_args(argv)
    known: dict[tuple[str, str, int], dict[int, float]] = defaultdict(dict)
    for line in asked.file.read_text().splitlines() if asked.file.exists() else ():
        preset, name, level, seed, points = json.loads(line)
        known[preset, name, level][seed] = points
    seeds = range(asked.first, asked.first + asked.games)
    with asked.file.open("a") as file:
        for (game_id, preset), course in COURSES.items():
            place = f"{game_id}/{preset}"
            if not all(word in place for word in asked.words):
                continue
            levels = "".join(f"{f'level {level}':<12}" for level in asked.levels)
            print(f"{place}, {asked.games} games each\n  {'':<28}{levels}".rstrip(), flush=True)
            game = find_game(game_id)
            options = next(one.options for one in game.PRESETS if one.id == preset)
            before = None
            for name, rules in {CHANCE: (), **course}.items():
                scores = []
                for level in asked.levels:
                    done = known[place, name, level]
                    for seed in seeds:
                        if seed not in done:
                            done[seed] = play(game, options, rules, level, seed)
                            file.write(json.dumps([place, name, level, seed, done[seed]]) + "\n")
                            file.flush()
                    scores.append([done[seed] for seed in seeds])
                print(row(name, scores, before), flush=True)
                before = scores


if __name__ == "__main__":
    main()
