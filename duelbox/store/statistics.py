"""Statistics: games counted by player, game, opponent and level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby, pairwise
from typing import NamedTuple

from duelbox.core.match import Player
from duelbox.core.model import Model
from duelbox.store.summary import Summary

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


class _Game(NamedTuple):
    ended: datetime
    points: float
    assisted: bool


_PLAYERS: tuple[Player, Player] = (0, 1)
_Pairing = tuple[str, str, str, str | None]


def tallies(matches: Iterable[Summary], assisted: bool | None = None) -> tuple[Tally, ...]:
    """Count the finished rounds, for every person in them; with or without hints only, if asked."""
    games: dict[_Pairing, list[_Game]] = defaultdict(list)
    for match in matches:
        for me in _PLAYERS:
            person, opponent = match.players[me], match.players[1 - me]
            if person.level is not None:
                continue
            pairing = (person.name, match.game, opponent.name, opponent.level)
            games[pairing] += [
                _Game(one.ended, 0.5 if one.winner is None else float(one.winner == me), one.assisted)
                for one in match.finished
                if assisted in (None, one.assisted)
            ]
    counted = sorted(
        (pairing for pairing in games if games[pairing]), key=lambda pairing: [one or "" for one in pairing]
    )
    return tuple(_tally(pairing, sorted(games[pairing], key=lambda game: game.ended)) for pairing in counted)


def _tally(pairing: _Pairing, games: Sequence[_Game]) -> Tally:
    player, game, opponent, level = pairing
    points = [one.points for one in games]
    runs = [(value, sum(1 for _ in run)) for value, run in groupby(points)]
    value, length = runs[-1]
    return Tally(
        player=player,
        game=game,
        opponent=opponent,
        level=level,
        played=len(games),
        won=points.count(1.0),
        drawn=points.count(0.5),
        lost=points.count(0.0),
        assisted=sum(one.assisted for one in games),
        streak=length if value == 1.0 else -length if value == 0.0 else 0,
        best=max((length for value, length in runs if value == 1.0), default=0),
        shares=_shares(points),
    )


def _shares(points: Sequence[float]) -> tuple[float, ...]:
    slices = min(SLICES, len(points))
    edges = [len(points) * at // slices for at in range(slices + 1)]
    return tuple(sum(points[low:high]) / (high - low) for low, high in pairwise(edges))
