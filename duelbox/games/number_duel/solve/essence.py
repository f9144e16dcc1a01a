"""What two hands come to, whatever the positions are."""

from __future__ import annotations

from collections.abc import Hashable

from duelbox.core.model import SEATS, other
from duelbox.games.number_duel.rules import View


def essence(view: View) -> Hashable:
    """What each player has left, the one to move first, and which of it everybody knows."""
    assert view.turn is not None
    if view.arranging:
        return view.hand, view.victors_stay, len(view.faces[other(view.turn)])
    seats = SEATS if view.turn == 0 else tuple(reversed(SEATS))
    return view.victors_stay, tuple((view.left(seat), tuple(sorted(filter(None, view.faces[seat])))) for seat in seats)
