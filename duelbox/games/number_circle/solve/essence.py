"""What a race comes to, whoever plays it."""

from __future__ import annotations

from collections.abc import Hashable

from duelbox.core.model import other
from duelbox.games.number_circle.rules import View


def essence(view: View) -> Hashable:
    """Where the player to move stands, came from, and how far it is to the target; then the same of the opponent."""
    assert view.turn is not None
    house = view.options
    runners = tuple(
        (view.places[seat], view.came_from[seat], view.target - view.totals[seat])
        for seat in (view.turn, other(view.turn))
    )
    floor = None if house.floor is None else view.target
    return house.backtracking, house.sharing, house.shared_total, floor, runners
