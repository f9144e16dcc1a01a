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
    rows = [_HEAD]
    for number, row in enumerate(rounds, 1):
        rows.append((str(number), row.draw, row.starter, row.winner or "(a draw)", str(row.turns)))
    if not any(row.draw for row in rounds):
        return columns([(number, *rest) for number, _, *rest in rows])
    return columns(rows)
