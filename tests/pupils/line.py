"""Sequence Duel, as a pupil counts it, and the rules of its lessons."""

from __future__ import annotations

from typing import Any

from duelbox.core.model import other
from duelbox.registry import find_game
from tests.pupils.pupil import Moves, Rule, least, most


def after(view: Any, move: Any) -> Any:
    """The view after a claim."""
    return find_game("sequence-duel").apply(view, view.turn, move)[0]


def private(view: Any, seat: int) -> set[int]:
    """The numbers that only this player can claim."""
    return set(view.open_to(seat)) - set(view.open_to(other(seat)))


def safe(view: Any, seat: int) -> set[int]:
    """The numbers that the other player can neither claim nor close."""
    theirs = set(view.open_to(other(seat)))
    return {one for one in view.open_to(seat) if not theirs & {one, *view.neighbours(one)}}


def lead(view: Any, seat: int) -> int:
    """The numbers that only this player can claim, less those that only the other one can."""
    return len(private(view, seat)) - len(private(view, other(seat)))


# -- the rules


def copied(view: Any, moves: Moves) -> Moves:
    """Begin in the middle; then copy each claim on the other side."""
    size = view.options.size
    if not view.picks:
        return least(moves, lambda move: abs(2 * move.number - size - 1))
    began = len(view.picks) % 2 == 0 and abs(2 * view.picks[0] - size - 1) < 2
    mirror = size + 1 - view.picks[-1]
    return [move for move in moves if began and move.number == mirror]


def shared_first(view: Any, moves: Moves) -> Moves:
    """Hold back the numbers that only you can claim: claim what both can claim."""
    mine = private(view, view.turn)
    return [move for move in moves if move.number not in mine]


def ahead(view: Any, moves: Moves) -> Moves:
    """Claim what puts you furthest ahead."""
    return most(moves, lambda move: lead(after(view, move), view.turn))


def at_stake(view: Any, moves: Moves) -> Moves:
    """Claim where you gain most and prevent them from gaining most."""
    me = view.turn
    they = other(me)
    now = lead(view, me)

    def theirs(number: int) -> int:
        game = find_game("sequence-duel")
        if number not in view.open_to(they):
            return 0
        turned = view.changed(turn=they)
        then, _ = game.apply(turned, they, game.parse_move(turned, str(number)))
        return lead(then, they) + now

    return most(moves, lambda move: lead(after(view, move), me) - now + theirs(move.number))


def next_to_end(view: Any, moves: Moves) -> Moves:
    """Claim the number next to an open end."""
    size = view.options.size
    if view.options.ring:
        return moves
    ends = [(2, (1, 2, 3)), (size - 1, (size, size - 1, size - 2))]
    shared = set(view.open_to(0)) & set(view.open_to(1))
    good = [number for number, around in ends if set(around) <= shared]
    return [move for move in moves if move.number in good]


HELD: tuple[Rule, ...] = (shared_first,)
STAKE: tuple[Rule, ...] = (shared_first, at_stake)
COUNTED: tuple[Rule, ...] = (shared_first, ahead, at_stake)
MIRROR: tuple[Rule, ...] = (copied,)
"""A pupil who goes first copies; the other lessons are for one who goes second, or in a ring."""
END: tuple[Rule, ...] = (*MIRROR, shared_first, ahead, next_to_end, at_stake)
