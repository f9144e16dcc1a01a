"""Number Circle in plain numbers: the seat to move, then total, place and last place of each, the mover's first."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from duelbox.core.model import Seat
from duelbox.core.packed import DRAWN, OVER, Packed, Packer, Packing, ended
from duelbox.games.number_circle.rules import NUMBERS, SIGNS, Options, State, neighbours, result

STEPS = [(number, result(0, sign, number)) for number in NUMBERS for sign in SIGNS]
"""Every move, as the number stepped to and the change of the total."""
REMEMBERED = 1 << 16
"""The most places and totals whose moves are kept."""


@cache
def _open_to(options: Options, target: int) -> Callable[[int, int, int, int], tuple[int, ...]]:
    """The moves by total, place, last place (0 for none) and the opponent's place."""
    near = [[at for at, (number, _) in enumerate(STEPS) if number in neighbours(place)] for place in NUMBERS]
    floor = options.floor
    sharing, backtracking = options.sharing, options.backtracking

    @lru_cache(REMEMBERED)
    def open_to(total: int, place: int, came_from: int, theirs: int) -> tuple[int, ...]:
        found = []
        for move in near[place - 1]:
            number, gain = STEPS[move]
            if number == came_from and not backtracking:
                continue
            if number == theirs and not sharing:
                continue
            if floor is not None and total + gain < floor:
                continue
            if total + gain <= target:
                found.append(move)
        return tuple(found)

    return open_to


def _pack(state: State) -> Packed:
    target, shared = state.target, state.options.shared_total
    open_to = _open_to(state.options.rules_only(), target)

    def moves(position: Packing) -> tuple[int, ...]:
        _, total, place, came_from, _, theirs, _ = position
        return open_to(total, place, came_from, theirs)

    def after(position: Packing, move: int) -> Packing:
        seat, total, place, _, other_total, theirs, their_last = position
        number, gain = STEPS[move]
        total += gain
        if total == target:
            return OVER + seat, 0, 0, 0, 0, 0, 0
        if shared:
            other_total = total
        if open_to(other_total, theirs, their_last, number):
            return 1 - seat, other_total, theirs, their_last, total, number, place
        return passed_on((1 - seat, other_total, theirs, their_last, total, number, place))

    def passed_on(position: Packing) -> Packing:
        """Skip turns until a player can move; nobody can, even turning round: a draw."""
        while not moves(position):
            seat, total, place, _, other_total, theirs, their_last = position
            if not open_to(total, place, 0, theirs) and not open_to(other_total, theirs, 0, place):
                return DRAWN, 0, 0, 0, 0, 0, 0
            position = 1 - seat, other_total, theirs, their_last, total, place, 0
        return position

    def side(seat: Seat) -> Packing:
        return state.totals[seat], state.places[seat], state.came_from[seat] or 0

    if state.outcome is not None:
        return Packed((ended(state.outcome.winner), 0, 0, 0, 0, 0, 0), moves, after)
    return Packed((state.mover, *side(state.mover), *side(state.rival)), moves, after)


PACKED = Packer(_pack)
