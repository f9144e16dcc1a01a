"""Statistics: counts games by player, game, opponent and level."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

from pydantic import Field

from duelbox.core.model import Model
from duelbox.core.record import PROGRAM

SLICES = 20
Way = tuple[bool, bool]
"""The way a computer was beaten: with help or without, and as the second player or the first."""


class Tally(Model):
    """The results of one person in one game against one opponent; every round of a match is a game."""

    player: str
    game: str
    opponent: str
    level: str | None
    """The computer's level; None for a person."""
    played: int
    won: int
    drawn: int
    lost: int
    assisted: int
    """The number of games with hints."""
    streak: int
    """Games won in a row up to the last one; negative for games lost."""
    best: int
    """The most games won in a row."""
    beaten: dict[str, tuple[Way, ...]] = Field(default_factory=dict)
    """The computers this person has beaten in this game, by their levels, and how."""
    shares: tuple[float, ...]
    """The win share (1 a win, ½ a draw) over time, oldest first, in at most 20 slices of equally many games."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that a person played against a computer."""

    player: str
    game: str
    level: str
    points: float
    """1 for a win, ½ for a draw, 0 for a loss."""
    helped: bool

    @property
    def won_alone(self) -> bool:
        """The game was won without help."""
        return self.points == 1 and not self.helped


LOST_DEAL = "lost-deal"
"""The kind of progress that notes a lost match as left out: its deal was lost from the start."""
_COUNTS = f"NOT (points = 0 AND id IN (SELECT key FROM progress WHERE kind = '{LOST_DEAL}'))"
_NO_PROGRAM = f"level IS NOT '{PROGRAM}'"
_WHO = "player, game, opponent, level"
# This index has the rounds of a group in the order of play, so the letters for win, draw and loss are in that order.
_RESULTS = f"""
    SELECT {_WHO}, count(*), sum(points = 1), sum(points = 0.5), sum(points = 0), sum(assisted),
        group_concat(substr('ldw', points * 2 + 1, 1), '')
    FROM round INDEXED BY round_short WHERE own_level IS NULL AND {_COUNTS}
        AND {_NO_PROGRAM}
    GROUP BY {_WHO} ORDER BY {_WHO}"""
_BEATEN = f"""
    SELECT DISTINCT player, game, level, assisted, second FROM round INDEXED BY round_short
    WHERE own_level IS NULL AND level IS NOT NULL AND {_NO_PROGRAM} AND points = 1
    ORDER BY assisted, second"""
_LATEST = f"""
    SELECT player, game, level, points, assisted FROM round INDEXED BY round_short
    WHERE own_level IS NULL AND level IS NOT NULL AND {_NO_PROGRAM} AND {_COUNTS}
    ORDER BY place DESC, at DESC LIMIT ?"""
LATEST = 200
"""The number of games that `latest_played` looks back."""


def tallies(db: sqlite3.Connection) -> tuple[Tally, ...]:
    """Count games for every person in them."""
    beaten = defaultdict[tuple[str, str], dict[str, list[Way]]](dict)
    for player, game, level, helped, second in db.execute(_BEATEN):
        beaten[player, game].setdefault(level, []).append((bool(helped), bool(second)))
    found = []
    for *counted, letters in db.execute(_RESULTS):
        known = dict(zip(Tally.model_fields, counted, strict=False))  # the columns are the first fields
        last = len(letters) - len(letters.rstrip(letters[-1]))
        streak = 0
        if letters[-1] == "w":
            streak = last
        elif letters[-1] == "l":
            streak = -last
        best = max(map(len, letters.replace("d", "l").split("l")))
        ways = {level: tuple(those) for level, those in beaten.get((known["player"], known["game"]), {}).items()}
        found.append(Tally(**known, streak=streak, best=best, beaten=ways, shares=_shares(letters)))
    return tuple(found)


def latest_played(db: sqlite3.Connection) -> tuple[Played, ...]:
    """The last games of people against computers, the latest first."""
    return tuple(
        Played(player, game, level, points, helped=bool(helped))
        for player, game, level, points, helped in db.execute(_LATEST, (LATEST,))
    )


def _shares(letters: str) -> tuple[float, ...]:
    slices = min(SLICES, len(letters))
    edges = [len(letters) * at // slices for at in range(slices + 1)]
    parts = [letters[start:end] for start, end in pairwise(edges)]
    return tuple((part.count("w") + part.count("d") / 2) / len(part) for part in parts)
