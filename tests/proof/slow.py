"""A slow judge of positions, straight from the rules, and all positions of small games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from duelbox.core.code import parse_code
from duelbox.core.game import AnyGame
from duelbox.registry import find_game


def start_of(code: str) -> Any:
    """The position that a code names."""
    return parse_code(code, find_game).state


def positions(game: AnyGame, start: Any) -> Iterator[Any]:
    """All positions from one on that are not over, each set of picks in one order for each last pick."""
    todo = [start]
    met = set()
    while todo:
        view = todo.pop()
        if view.turn is None or view.position_key in met:
            continue
        met.add(view.position_key)
        yield view
        todo.extend(game.apply(view, view.turn, move)[0] for move in game.legal_moves(view))


class Judge:
    """Tells if the player to move wins, by playing everything out."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.known: dict[Any, bool] = {}

    def wins(self, view: Any) -> bool:
        """True if the player to move can force a win."""
        key = (view.options, view.position_key)
        if key not in self.known:
            self.known[key] = any(
                after.outcome or not self.wins(after)
                for after, _ in (self.game.apply(view, view.turn, move) for move in self.game.legal_moves(view))
            )
        return self.known[key]
