"""The law for the reasons of all solvers; each game's own tests check that they are true."""

from __future__ import annotations

import re

from duelbox.core.model import player
from duelbox.solve.api import Analysis

LONGEST = 220
RECOMMENDED = re.compile(r"(?:Claim|Pick|Play|Attack with) ([-+]?\d+)\b")


def recommended(analysis: Analysis) -> str | None:
    """Check the reason against the law; the number that it recommends, if any.

    It is one or more plain sentences that call the player to move "you". In a lost position it recommends nothing; else
    it recommends the best move, as far as moves are rated.
    """
    text = analysis.reason
    assert re.fullmatch(r"[^!]+\.", text), text
    assert len(text) <= LONGEST, text
    assert player(analysis.turn) not in text, text
    lead = RECOMMENDED.match(text)
    if lead is None:
        return None
    assert analysis.verdict != "loss", text
    if analysis.complete:
        assert analysis.advice.partition("x")[0] == lead[1], text
    return lead[1]
