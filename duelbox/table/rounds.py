"""The rounds of a match that are over, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from duelbox.core.names import cells

_HEAD = ("Round", "Draw", "First", "Winner", "Turns")
_DRAW = _HEAD.index("Draw")


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
    body = [
        (str(at), one.draw, one.starter, one.winner or "(a draw)", str(one.turns)) for at, one in enumerate(rounds, 1)
    ]
    columns = list(zip(_HEAD, *body, strict=True))
    if not any(one.draw for one in rounds):
        del columns[_DRAW]
    widths = [max(map(cells, column)) for column in columns]
    lines = zip(*columns, strict=True)
    return [
        "  ".join(text + " " * (width - cells(text)) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
