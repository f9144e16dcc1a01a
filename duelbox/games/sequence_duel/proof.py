"""Proofs of Sequence Duel: equal positions, the symmetries of line and ring, and the lemmas of copying and counting."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from duelbox.core.model import SEATS
from duelbox.games.sequence_duel.rules import View
from duelbox.proof.api import SAME, Lemma, Map, Proving


def key(view: View, image: Sequence[int] = SAME) -> tuple[Any, ...]:
    """The owner of each number, and the turn."""
    owned = (tuple(sorted(image[number] for number in view.picked(seat))) for seat in SEATS)
    return view.turn, *owned


def symmetries(view: View) -> Sequence[Sequence[int]]:
    """The line as it is and mirrored; a ring in all its turns and mirrorings."""
    return _symmetries(view.options.size, view.options.ring)


@cache
def _symmetries(size: int, ring: bool) -> Sequence[Sequence[int]]:
    if not ring:
        return (tuple(range(size + 1)), (0, *range(size, 0, -1)))
    found: list[Sequence[int]] = []
    for way in (1, -1):
        for shift in range(size):
            found.append((0, *((way * place + shift) % size + 1 for place in range(size))))
    return found


def copy_fails(view: View, images: Map) -> str | None:
    """Copying wins for the player who waits: the image of every claim of the opponent is open to them."""
    for number in view.numbers:
        if number not in images:
            return f"{number} has no image."
        near = {images[neighbour] for neighbour in view.neighbours(number) if neighbour in images}
        if near != set(view.neighbours(images[number])):
            return f"The numbers next to {number} do not stay next to it."
    mine = view.picked(view.rival)
    for number in view.picked(view.mover):
        if images[number] not in mine:
            return f"{number} is claimed, and its image {images[number]} is not."
    for number in view.open_to(view.mover):
        image = images[number]
        if image in view.picks:
            return f"{number} is open, and its image {image} is taken."
        if image == number:
            return f"{number} is its own image."
        if image in view.neighbours(number):
            return f"{number} stands beside its image {image}."
    return None


def image(view: View, images: Map, number: int) -> int | None:
    """The image of a number."""
    return images.get(number)


def count_fails(view: View, _: Map) -> str | None:
    """Counting wins for the player who waits: everybody's numbers are safe, and they have at least as many."""
    theirs = view.open_to(view.mover)
    mine = view.open_to(view.rival)
    for number in mine:
        if number in theirs:
            return f"{number} is still open to both."
        for neighbour in view.neighbours(number):
            if neighbour in theirs:
                return f"{number} is not safe: {neighbour} can be claimed beside it."
    if len(mine) < len(theirs):
        return f"{len(mine)} safe numbers are fewer than {len(theirs)}."
    return None


def safe_number(view: View, _: Map, number: int) -> int | None:
    """The first safe number of the player who answers."""
    return min((safe for safe in view.safe(view.rival) if safe != number), default=None)


def mirrors(view: View) -> Sequence[Map]:
    """The turns and mirrorings that are their own inverse and move something, those that copy the claims first."""
    images = [dict(zip(view.numbers, images[1:], strict=True)) for images in symmetries(view)]
    maps = [one for one in images if any(one[n] != n for n in one) and all(one[one[n]] == n for n in one)]
    mine = view.picked(view.rival)
    return sorted(maps, key=lambda one: sum(one[number] not in mine for number in view.picked(view.mover)))


COPY = Lemma("copy", "copy", copy_fails, image, mirrors, mapped=True)
COUNT = Lemma("count", "count", count_fails, safe_number, also=("only safe numbers are left", "safe"))
PROOF = Proving(key, (COPY, COUNT), symmetries)
