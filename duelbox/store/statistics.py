"""Statistics: games counted by player, game, opponent and level."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from duelbox.core.model import Model

SLICES = 20
Pairing = tuple[Any, ...]
"""A person, a game, the opponent, and the opponent's level."""
Run = tuple[float, int, int, int]
"""Games in a row with the same points: the points, the number of games, the place of the last, those with hints."""
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


_ASKED = "own_level IS NULL AND ifnull(assisted = ?1, 1)"
_WHO = "player, game, opponent, level"
# Games in a row with the same points have the same difference between the two numbers that each of them has: the one
# among all games of these two, and the one among those with its points.
_RUNS = f"""
    WITH numbered AS (
        SELECT *, row_number() OVER (PARTITION BY {_WHO} ORDER BY place, at) AS nth,
            row_number() OVER (PARTITION BY {_WHO}, points ORDER BY place, at) AS same
        FROM round INDEXED BY round_short WHERE {_ASKED}
    )
    SELECT {_WHO}, points, count(*), max(nth), sum(assisted) FROM numbered
    GROUP BY {_WHO}, points, nth - same ORDER BY max(nth)"""
_SHARES = f"""
    WITH numbered AS (
        SELECT *, row_number() OVER (PARTITION BY {_WHO} ORDER BY place, at) AS nth,
            count(*) OVER (PARTITION BY {_WHO}) AS games
        FROM round INDEXED BY round_short WHERE {_ASKED}
    )
    SELECT {_WHO}, avg(points) FROM numbered
    GROUP BY {_WHO}, (nth * min(games, {SLICES}) - 1) / games ORDER BY min(nth)"""
_BEATEN = """
    SELECT DISTINCT player, game, level, assisted, second FROM round INDEXED BY round_short
    WHERE own_level IS NULL AND level IS NOT NULL AND points = 1 ORDER BY assisted, second"""
_LEFT_OUT = "SELECT count(*) / 2 FROM round WHERE own_level IS NOT NULL AND level IS NOT NULL"


def tallies(db: sqlite3.Connection, assisted: bool | None = None) -> tuple[Tally, ...]:
    """Count games for every person in them: all, those with hints, or those without."""
    runs, shares = defaultdict[Pairing, list[Run]](list), defaultdict[Pairing, list[float]](list)
    beaten = defaultdict[tuple[str, str], dict[str, list[Way]]](dict)
    for *who, points, length, last, helped in db.execute(_RUNS, (assisted,)):
        runs[tuple(who)].append((points, length, last, helped))
    for *who, share in db.execute(_SHARES, (assisted,)):
        shares[tuple(who)].append(share)
    for player, game, level, helped, second in db.execute(_BEATEN):
        beaten[player, game].setdefault(level, []).append((bool(helped), bool(second)))
    ranked = sorted(runs, key=lambda who: (*who[:3], who[3] or ""))
    return tuple(_tally(who, runs[who], shares[who], beaten.get(who[:2], {})) for who in ranked)


def left_out(db: sqlite3.Connection) -> int:
    """The number of games that computers played alone."""
    return int(db.execute(_LEFT_OUT).fetchone()[0])


def _tally(who: Pairing, runs: list[Run], shares: list[float], beaten: Mapping[str, list[Way]]) -> Tally:
    player, game, opponent, level = who
    won, drawn, lost = (sum(run[1] for run in runs if run[0] == points) for points in (1.0, 0.5, 0.0))
    points, length, _, _ = runs[-1]
    return Tally(
        player=player,
        game=game,
        opponent=opponent,
        level=level,
        played=won + drawn + lost,
        won=won,
        drawn=drawn,
        lost=lost,
        assisted=sum(run[3] for run in runs),
        streak={1.0: length, 0.5: 0, 0.0: -length}[points],
        best=max((run[1] for run in runs if run[0] == 1.0), default=0),
        beaten={level: tuple(ways) for level, ways in beaten.items()},
        shares=tuple(shares),
    )
