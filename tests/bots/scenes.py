"""Positions to try computers on: from random games under random house rules, with the slow rules' opinion of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from duelbox.bots import choose
from duelbox.bots.api import Choice
from duelbox.core.game import AnyGame
from duelbox.core.options import Options
from duelbox.registry import find_game
from duelbox.solve import analyse
from duelbox.solve.api import Rated
from tests.effort import sampled
from tests.games.slow_rules import Judge, judge_of
from tests.house_rules import house_rules

LEVELS = ("dash", "peek", "counter", "planner", "oracle")
SCENES = sampled(20, 400)
LONGEST = 200
"""A game that takes more turns is a draw."""
LAST = 6
"""Half of the scenes are so near to the end."""


@dataclass(frozen=True)
class Scene:
    """A position in a game, and the slow rules' opinion of it."""

    game: AnyGame
    state: Any
    judge: Judge
    seed: int

    @property
    def view(self) -> Any:
        """What the player to move knows."""
        return self.game.view(self.state, self.state.turn)

    def choice(self, level: str) -> Choice:
        """What a level plays here."""
        return choose(self.game, self.view, level, self.seed)

    def after(self, text: str) -> Scene:
        """The scene a move on."""
        move = self.game.parse_move(self.view, text)
        state, _ = self.game.apply(self.state, self.state.turn, move)
        return Scene(self.game, state, self.judge.after(text), self.seed)


def opening(game_id: str, rng: Random, seed: int) -> Scene:
    """A game about to begin, under some house rules."""
    game, options = find_game(game_id), house_rules(game_id, rng)
    state = game.start(options)
    return Scene(game, state, judge_of(game_id, options, state), seed)


def played(scene: Scene, rng: Random, most: int = 60) -> list[Scene]:
    """The scenes of a game played at random, as long as somebody is to move."""
    scenes = []
    while scene.state.turn is not None and len(scenes) < most:
        scenes.append(scene)
        scene = scene.after(rng.choice(sorted(scene.judge.moves())))
    return scenes


@cache
def scenes(game_id: str) -> tuple[Scene, ...]:
    """Positions from random games: some from anywhere, some near the end."""
    return tuple(scene_of(game_id, seed) for seed in range(SCENES))


def scene_of(game_id: str, seed: int) -> Scene:
    """A position from a random game: for an odd seed near the end, else from anywhere."""
    rng = Random(f"{game_id} {seed}")
    game = played(opening(game_id, rng, seed), rng)
    return rng.choice(game[-LAST:] if seed % 2 else game)


@cache
def choice(game_id: str, at: int, level: str) -> Choice:
    """What a level plays in one of the scenes."""
    return scenes(game_id)[at].choice(level)


def choices(game_id: str, level: str) -> Iterator[tuple[Scene, Choice]]:
    """All scenes of a game, with what a level plays there."""
    for at, scene in enumerate(scenes(game_id)):
        yield scene, choice(game_id, at, level)


def ratings(scene: Scene) -> dict[str, Rated]:
    """What the solver says of every move."""
    return {one.move: one for one in analyse(scene.game, scene.view).moves}


Player = Callable[[Any, int], str]
"""Who says, by a view and a seed, what to play."""


def level_of(game: AnyGame, level: str) -> Player:
    return lambda view, seed: choose(game, view, level, seed).move


def share_of_points(game: AnyGame, options: Options, one: Player, two: Player, games: int) -> float:
    """What the first of them scores; starts alternate, and two games share a deal."""
    points = 0.0
    for seed in range(1, games + 1):
        players = (one, two) if seed % 2 else (two, one)
        state: Any = game.start(options.changed(seed=(seed + 1) // 2) if options.draws else options)
        for turn in range(LONGEST):
            if state.turn is None:
                break
            view = game.view(state, state.turn)
            text = players[state.turn](view, seed * 1000 + turn)
            state, _ = game.apply(state, state.turn, game.parse_move(view, text))
        winner = None if state.outcome is None else state.outcome.winner
        points += 0.5 if winner is None else players[winner] is one
    return points / games
