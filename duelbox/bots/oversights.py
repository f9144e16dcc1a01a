"""Slips of short-sighted levels: moves that a near answer refutes, which they did not look at.

A level slips only where that throws something away, never where it can win at once, and never beyond the turns that
its opponents look ahead: whoever looks as far can use the slip. It slips into the move that tempts it most. Those are
tempting first of which a person overlooks the refutation: an answer far from the last moves, or one against which the
own answer is used up (a game tells these by `Missable`), or the only one of three or more that refutes the move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from duelbox.bots.perfect_play import Foresight
from duelbox.core.game import AnyGame
from duelbox.core.model import listed
from duelbox.solve.api import Stop

Missable = Callable[[Any, Any], bool]
"""Tells if a move in a view is easily missed."""

MANY = 3
"""A single refutation among so many answers is easily missed."""
NAMED = 3
"""The most refutations that are named."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A move with the answers that refute it, the quickest first."""

    move: str
    answers: tuple[str, ...]
    easy: bool
    """A person overlooks these answers easily."""

    @property
    def told(self) -> str:
        """A sentence on what was overlooked."""
        return f"I did not see your {listed(self.answers[:NAMED], 'or')} after it."


def slips_within(
    game: AnyGame, foresee: Foresight, missable: Missable, view: Any, lost: Mapping[str, Any], turns: int, stop: Stop
) -> list[Slip]:
    """The slips among moves that lose within so many turns; a move that ends the game is none."""
    found = []
    for text, move in lost.items():
        after, _ = game.apply(view, view.turn, move)
        if after.turn in (None, view.turn):
            continue
        replies = {game.format_move(reply): reply for reply in game.legal_moves(after)}
        wins = {reply: end for reply, end in foresee(after, turns - 1, stop).items() if end > 0}
        if not wins or len(replies) == 1:
            continue
        alone = len(wins) == 1 and len(replies) >= MANY
        easy = alone or all(missable(after, replies[reply]) for reply in wins)
        found.append(Slip(text, tuple(sorted(wins, key=wins.__getitem__)), easy))
    return found
