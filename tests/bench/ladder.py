"""Scores of each level against the one below: `python -m tests.bench.ladder FILE [--games N] [--first SEED] [WORD…]`.

Each game is written to FILE as soon as it ends, so that the next run continues where this one stopped. WORD selects the
steps whose names contain it ("digit-chain/wild-zero 3-4", 0 plays at random). Each draw is played from both seats.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

from duelbox.bots import choose
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.registry import BUILT_IN, find_game

LEVELS = ("chance", "dash", "peek", "counter", "planner", "oracle")
LONGEST = 200
"""A game with more turns is a draw."""
Step = tuple[str, str, int, int]


def text_of(game: AnyGame, view: Any, level: int, seed: int) -> str:
    """The move of a level; level 0 plays at random."""
    if not level:
        return game.format_move(Rng(seed).choice(game.legal_moves(view)))
    return choose(game, view, LEVELS[level], seed).move


def play(game: AnyGame, options: Options, lower: int, upper: int, seed: int) -> tuple[float, int]:
    """The points of the upper level and the turns of a game; it begins with odd seeds, and two seeds share a draw."""
    levels = (upper, lower) if seed % 2 else (lower, upper)
    state: Any = game.start(options.changed(seed=(seed + 1) // 2) if options.draws or game.INFO.hidden else options)
    turns = 0
    while state.turn is not None and turns < LONGEST:
        text = text_of(game, view := game.view(state, state.turn), levels[state.turn], seed * 1000 + turns)
        state, _ = game.apply(state, state.turn, game.parse_move(view, text))
        turns += 1
    winner = None if state.outcome is None else state.outcome.winner
    return (0.5 if winner is None else float(winner == 1 - seed % 2)), turns


def steps() -> Iterator[Step]:
    """The steps of all presets, from the lowest level up."""
    for game_id in BUILT_IN:
        for preset in find_game(game_id).PRESETS:
            for lower, upper in pairwise(range(len(LEVELS))):
                yield game_id, preset.id, lower, upper


def named(step: Step) -> str:
    """The name of a step."""
    return f"{step[0]}/{step[1]} {step[2]}-{step[3]}"


def main() -> None:
    """Play missing games, then print a line for each step: points of the upper level, seconds and turns per game."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first game")
    parser.add_argument("words", nargs="*")
    args = parser.parse_intermixed_args()
    seeds = range(args.first, args.first + args.games)
    known: dict[str, dict[int, tuple[float, int, float]]] = defaultdict(dict)
    for line in args.file.read_text().splitlines() if args.file.exists() else []:
        step, seed, *figures = json.loads(line)
        known[step][seed] = tuple(figures)
    with args.file.open("a") as file:
        for step in steps():
            name = named(step)
            if args.words and not all(any(word in name for word in one.split("|")) for one in args.words):
                continue
            game = find_game(step[0])
            options = next(one.options for one in game.PRESETS if one.id == step[1])
            for seed in seeds:
                if seed not in known[name]:
                    began = process_time()
                    points, turns = play(game, options, step[2], step[3], seed)
                    known[name][seed] = points, turns, round(process_time() - began, 4)
                    file.write(json.dumps([name, seed, *known[name][seed]]) + "\n")
                    file.flush()
            columns = zip(*[known[name][seed] for seed in seeds], strict=True)
            points, turns, seconds = (sum(column) / args.games for column in columns)
            print(f"{name:38} {points:6.1%} {args.games:4} {turns:5.1f} turns {seconds:6.3f} s", flush=True)


if __name__ == "__main__":
    main()
