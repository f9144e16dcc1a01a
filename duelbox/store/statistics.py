"""Statistics: games counted by player, game, opponent and level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from duelbox.core.model import Model

SLICES = 20


class Tally(Model):
    """How one person did in one game against one opponent; every round of a match is a game."""

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
    """How many of them with hints."""
    streak: int
    """Games won (or, below zero, lost) in a row up to the last one."""
    best: int
    """The most games won in a row."""
    shares: tuple[float, ...]
    """The win share (1 a win, ½ a draw) over time, oldest first, in at most 20 slices of equally many games."""


class Game(NamedTuple):
    """A round that has ended: the game, (name, level) of both players, who of them won, when, and with hints or not."""

    game: str
    players: tuple[tuple[str, str | None], tuple[str, str | None]]
    winner: int | None
    ended: int
    assisted: bool


class _Score(NamedTuple):
    ended: int
    points: float
    assisted: bool


_Pairing = tuple[str, str, str, str | None]


def tallies(games: Iterable[Game]) -> tuple[Tally, ...]:
    """Count games for every person in them."""
    scores: dict[_Pairing, list[_Score]] = defaultdict(list)
    for one in games:
        points = 0.5 if one.winner is None else float(one.winner == 0)
        for me, share in ((0, points), (1, 1 - points)):
            (name, level), opponent = one.players[me], one.players[1 - me]
            if level is None:
                scores[name, one.game, *opponent].append(_Score(one.ended, share, one.assisted))
    counted = sorted(scores, key=lambda pairing: [part or "" for part in pairing])
    return tuple(_tally(pairing, sorted(scores[pairing], key=lambda score: score.ended)) for pairing in counted)


def _tally(pairing: _Pairing, scores: Sequence[_Score]) -> Tally:
    player, game, opponent, level = pairing
    points = [one.points for one in scores]
    runs = [(value, sum(1 for _ in run)) for value, run in groupby(points)]
    value, length = runs[-1]
    return Tally(
        player=player,
        game=game,
        opponent=opponent,
        level=level,
        played=len(scores),
        won=points.count(1.0),
        drawn=points.count(0.5),
        lost=points.count(0.0),
        assisted=sum(one.assisted for one in scores),
        streak=length if value == 1.0 else -length if value == 0.0 else 0,
        best=max((length for value, length in runs if value == 1.0), default=0),
        shares=_shares(points),
    )


def _shares(points: Sequence[float]) -> tuple[float, ...]:
    slices = min(SLICES, len(points))
    edges = [len(points) * at // slices for at in range(slices + 1)]
    return tuple(sum(points[low:high]) / (high - low) for low, high in pairwise(edges))
