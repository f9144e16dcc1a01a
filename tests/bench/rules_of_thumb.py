"""Scores of rules of thumb: `python -m tests.bench.rules_of_thumb FILE [WORD…] [--games N] [--level N]`.

Each rule of `tests/learn/rules_of_thumb.py` plays its presets against a level, from both seats of each draw; the solver
gives the points lost by every choice that matters. Each game is written to FILE as soon as it ends, so that the next
run continues where this one stopped. WORD selects the rules whose names contain it ("pairs", "room").
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from duelbox.bots import choose
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.core.rng import Rng
from duelbox.registry import find_game
from duelbox.solve import rate_moves
from tests.bench.ladder import LEVELS, LONGEST
from tests.learn.rules_of_thumb import MEASURED, Rule

Choices = list[float]


def play(game: AnyGame, options: Options, rule: Rule, level: int, seed: int, judged: bool) -> tuple[float, Choices]:
    """The points of the rule in a game, and the points lost by each choice that mattered."""
    state: Any = game.start(options.changed(seed=(seed + 1) // 2) if options.draws or game.INFO.hidden else options)
    mine, given = 1 - seed % 2, Choices()
    for turn in range(LONGEST):
        if state.turn is None:
            break
        view = game.view(state, state.turn)
        if state.turn != mine:
            text = choose(game, view, LEVELS[level], seed * 1000 + turn).move
        else:
            text = rule(view, Rng(seed * 1000 + turn))
            if judged and not game.legal_moves(view)[0].secret:
                values = {one.move: one.value for one in rate_moves(game, view).moves}
                if len({*values.values()}) > 1:
                    given.append(float(max(values.values()) - values[text]))
        state, _ = game.apply(state, state.turn, game.parse_move(view, text))
    winner = None if state.outcome is None else state.outcome.winner
    return (0.5 if winner is None else float(winner == mine)), given


def main(argv: Sequence[str] | None = None) -> None:
    """Play missing games, and print a line for each rule and preset."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--blind", action="store_true", help="points given up are not counted")
    parser.add_argument("words", nargs="*")
    asked = parser.parse_args(argv)
    done: dict[str, dict[int, tuple[float, Choices]]] = defaultdict(dict)
    for line in asked.file.read_text().splitlines() if asked.file.exists() else ():
        name, seed, points, given = json.loads(line)
        done[name][seed] = points, given
    for game_id, preset, rule in MEASURED:
        name = f"{game_id}/{preset} {rule.__name__} {asked.level}"
        if not all(word in name for word in asked.words):
            continue
        game = find_game(game_id)
        options = next(one.options for one in game.PRESETS if one.id == preset)
        for seed in range(asked.first, asked.first + asked.games):
            if seed not in done[name]:
                done[name][seed] = play(game, options, rule, asked.level, seed, not asked.blind)
                with asked.file.open("a") as file:
                    file.write(json.dumps([name, seed, *done[name][seed]]) + "\n")
        print(told(name, list(done[name].values())), flush=True)


def told(name: str, games: Sequence[tuple[float, Choices]]) -> str:
    """The score, and of the choices that mattered: their number, lost points, and best choices."""
    score = sum(points for points, _ in games) / len(games)
    choices = [cost for _, given in games for cost in given]
    mean, best = (sum(choices) / len(choices), choices.count(0) / len(choices)) if choices else (0.0, 1.0)
    return f"{name:44} {score:6.1%} of {len(games)}; {len(choices)} choices, {mean:.3f} given up, best {best:.0%}"


if __name__ == "__main__":
    main()
