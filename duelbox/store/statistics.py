"""Statistics: games counted by player, game, opponent and level."""

from __future__ import annotations

from duelbox.core.model import Model


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
