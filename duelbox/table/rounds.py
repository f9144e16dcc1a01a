"""The rounds of a match that are over, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duelbox.core.names import columns

_HEAD = ("Round", "Draw", "First", "Winner", "Turns")


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A finished round."""

    draw: str
    """The number of the board drawn by lot, which two rounds share; empty if no boards are drawn in this way."""
    starter: str
    winner: str
    """Empty for a draw."""
    turns: int


def rounds_table(rounds: Sequence[RoundRow]) -> list[str]:
    """The lines of the table: headings, then the rounds, in columns."""
    rows = [
        (str(at), one.draw, one.starter, one.winner or "(a draw)", str(one.turns)) for at, one in enumerate(rounds, 1)
    ]
    drawn = any(one.draw for one in rounds)
    return columns([row if drawn else (row[0], *row[2:]) for row in (_HEAD, *rows)])
