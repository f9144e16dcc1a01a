"""What a line comes to: its pieces, in any order and either way round."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import groupby

from duelbox.core.model import other
from duelbox.games.sequence_duel.rules import View


def essence(view: View) -> Hashable:
    """For each piece who may claim its numbers: both (b), the player to move (m), the opponent (o)."""
    assert view.turn is not None
    mine, theirs = set(view.open_to(view.turn)), set(view.open_to(other(view.turn)))
    kinds = [
        "b" if one in mine and one in theirs else "m" if one in mine else "o" if one in theirs else " "
        for one in view.numbers
    ]
    if view.options.ring:
        if " " not in kinds:
            return "ring", len(kinds)
        at = kinds.index(" ")
        kinds = kinds[at:] + kinds[:at]
    pieces = ["".join(piece) for empty, piece in groupby(kinds, lambda kind: kind == " ") if not empty]
    return tuple(sorted(min(piece, piece[::-1]) for piece in pieces))
