"""Moves that short-sighted levels overlook, as people do.

People overlook a move far from the last moves, a move against which their own answer is used up (a game tells these by
`Missable`), and the one answer of three or more that refutes a move. The seed decides which of them a level overlooks.
It never overlooks a win at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from duelbox.bots.perfect_play import PerfectPlayer
from duelbox.core.model import listed, ranges
from duelbox.core.rng import Rng
from duelbox.solve.api import Stop

Missable = Callable[[Any, Any], bool]
"""Tells if a move in a view is easily missed."""

MANY = 3
"""A single refutation among so many answers is easily missed."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A level's view of a position: the moves it looks at, the ends it sees, and the moves it overlooks."""

    moves: Mapping[str, Any]
    ends: Mapping[str, int]
    """The turns to a win, or, negative, to a loss."""
    overlooked: tuple[str, ...] = ()
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each move whose refutation it missed, the answers that it looked at."""

    def oversights_told(self, move: str) -> str:
        """Sentences on what was overlooked, for the reason of a choice; empty if it changes nothing."""
        looked, text = tuple(self.moves), ""
        if self.overlooked:
            few = len(looked) < len(self.overlooked)
            text = f" I looked at {_named(looked)} only." if few else f" I did not look at {_named(self.overlooked)}."
        if move not in self.answers:
            return text
        answers = self.answers[move]
        return f"{text} I looked at {f'your answers {_named(answers)} only' if answers else 'none of your answers'}."


def _named(moves: tuple[str, ...]) -> str:
    """Moves in a sentence, runs of numbers shortened."""
    return ranges(list(map(int, moves))) if all(map(str.isdigit, moves)) else listed(moves)


def overlooking(
    perfect: PerfectPlayer, missable: Missable, turns: int, misses: int, view: Any, seen: Seen, seed: int, stop: Stop
) -> Seen:
    """Take from `seen` what a level overlooks that looks so many turns ahead and misses `misses` of 100 such moves."""
    game = perfect.game
    here = crc32(" ".join(seen.moves).encode())

    def overlooked(text: str) -> bool:
        return Rng(seed ^ crc32(text.encode(), here)).below(100) < misses

    ends, answers = dict(seen.ends), {}
    for text, end in seen.ends.items():
        if end > 0:
            continue
        after, _ = game.apply(view, view.turn, seen.moves[text])
        replies = {game.format_move(move): move for move in game.legal_moves(after)}
        if after.turn in (None, view.turn) or len(replies) < 2:
            continue
        refuting = {reply for reply, won in perfect.foresee(after, turns - 1, stop).items() if won > 0}
        missed = {reply for reply in replies if overlooked(reply) and missable(after, replies[reply])}
        if len(refuting) == 1 and len(replies) >= MANY and overlooked(f"{text} {min(refuting)}"):
            missed |= refuting
        if refuting and refuting <= missed:
            del ends[text]
            answers[text] = tuple(reply for reply in replies if reply not in missed)
    lost = {
        text for text, move in seen.moves.items() if ends.get(text, 2) > 1 and missable(view, move) and overlooked(text)
    }
    if all(text in lost or ends.get(text, 0) < 0 for text in seen.moves):
        lost = set()  # every other move loses, so it looks again
    looked = {text: move for text, move in seen.moves.items() if text not in lost}
    ends = {text: end for text, end in ends.items() if text in looked}
    return Seen(looked, ends, tuple(text for text in seen.moves if text in lost), answers)
