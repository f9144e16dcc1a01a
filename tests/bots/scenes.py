"""Positions of random games under random house rules, each with the slow rules as a judge."""

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
"""A longer game counts as a draw."""
LAST = 6
"""Half of the scenes are within so many turns of the end."""


@dataclass(frozen=True)
class Scene:
    """A position, and the slow rules as its judge."""

    game: AnyGame
    state: Any
    judge: Judge
    seed: int

    @property
    def view(self) -> Any:
        """The view of the player to move."""
        return self.game.view(self.state, self.state.turn)

    def choice(self, level: str) -> Choice:
        """The choice of a level here."""
        return choose(self.game, self.view, level, self.seed)

    def after(self, text: str) -> Scene:
        """The scene after a move."""
        move = self.game.parse_move(self.view, text)
        state, _ = self.game.apply(self.state, self.state.turn, move)
        return Scene(self.game, state, self.judge.after(text), self.seed)


def opening(game_id: str, rng: Random, seed: int) -> Scene:
    """The first scene of a game."""
    game, options = find_game(game_id), house_rules(game_id, rng)
    state = game.start(options)
    return Scene(game, state, judge_of(game_id, options, state), seed)


def played(scene: Scene, rng: Random, most: int = 60) -> list[Scene]:
    """The scenes of a random game."""
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
    """The choice of a level in one of the scenes."""
    return scenes(game_id)[at].choice(level)


def choices(game_id: str, level: str) -> Iterator[tuple[Scene, Choice]]:
    """All scenes of a game, with the choices of a level."""
    for at, scene in enumerate(scenes(game_id)):
        yield scene, choice(game_id, at, level)


def ratings(scene: Scene) -> dict[str, Rated]:
    """The solver's rating of every move."""
    return {one.move: one for one in analyse(scene.game, scene.view).moves}


Player = Callable[[Any, int], str]
"""Chooses a move by a view and a seed."""


def level_of(game: AnyGame, level: str) -> Player:
    return lambda view, seed: choose(game, view, level, seed).move


def share_of_points(game: AnyGame, options: Options, one: Player, two: Player, games: int) -> float:
    """The first player's share of points; the players begin in turn, and two games share a deal."""
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
