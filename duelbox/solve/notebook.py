"""An analysis as HTML, which notebooks show."""

from __future__ import annotations

from html import escape

from duelbox.core.model import player
from duelbox.solve.api import Analysis
from duelbox.solve.sentences import reason_and_trap, worth


def page_of(analysis: Analysis) -> str:
    """The verdict, the reason, and a row for each move."""
    verdict = escape(f"{player(analysis.turn)} is to move: {worth(analysis)}.")
    reason = escape(reason_and_trap(analysis))
    rows = "".join(f"<tr><td>{escape(move.move)}</td><td>{escape(worth(move))}</td></tr>" for move in analysis.moves)
    head = "<thead><tr><th>move</th><th>with best play</th></tr></thead>"
    return f"<p><strong>{verdict}</strong> {reason}</p><table>{head}<tbody>{rows}</tbody></table>"
