"""Proofs of Number Circle Duel: equal positions, the symmetries of the ring, and the lemma of partners."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from duelbox.core.model import SEATS
from duelbox.games.circle_duel.rules import View
from duelbox.proof.api import SAME, Lemma, Map, Proving


def key(view: View, image: Sequence[int] = SAME) -> tuple[Any, ...]:
    """The free numbers, the last pick (with own trails that of each player), and the turn."""
    free = tuple(sorted(image[number] for number in view.free))
    lasts = [view.picks[-1:]]
    if view.own:
        lasts = [view.picked(seat)[-1:] for seat in SEATS]
    return view.turn, free, tuple(tuple(image[number] for number in last) for last in lasts)


def symmetries(view: View) -> Sequence[Sequence[int]]:
    """All turns and mirrorings of the ring that bring gaps onto gaps."""
    return _symmetries(view.options.size, frozenset(view.gaps))


@cache
def _symmetries(size: int, gaps: frozenset[int]) -> Sequence[Sequence[int]]:
    found: list[Sequence[int]] = []
    for way in (1, -1):
        for shift in range(size):
            image = (0, *((way * place + shift) % size + 1 for place in range(size)))
            if gaps == {image[gap] for gap in gaps}:
                found.append(image)
    found.sort(key=lambda image: image != tuple(range(size + 1)))
    return found


def reachable(view: View) -> set[int]:
    """The free numbers that picks can come to from here."""
    free = set(view.free)
    todo = list(view.choices)
    met = set(todo)
    while todo:
        for near in view.neighbours(todo.pop()):
            if near in free and near not in met:
                met.add(near)
                todo.append(near)
    return met


def partners_fail(view: View, pairs: Map) -> str | None:
    """Partners win for the player who waits: they pick the partner of every pick, which is free and near."""
    if view.own:
        return "Each player has their own trail, so partners prove nothing."
    free = set(view.free)
    for number, partner in sorted(pairs.items()):
        if number not in free:
            return f"{number} is not free."
        if partner not in view.neighbours(number):
            return f"{number} and {partner} are no neighbours."
    alone = reachable(view) - set(pairs)
    if alone:
        return f"{min(alone)} has no partner."
    return None


def free_pairs(view: View, pairs: Map) -> Map:
    """The pairs of which both numbers are free."""
    free = set(view.free)
    return {number: partner for number, partner in pairs.items() if number in free and partner in free}


def partner(view: View, pairs: Map, number: int) -> int | None:
    """The partner of a number."""
    return pairs.get(number)


PARTNERS = Lemma(
    "partners", "pairs", partners_fail, partner, lambda view: (), free_pairs, mapped=True, also=("partners",)
)
PROOF = Proving(key, (PARTNERS,), symmetries)
