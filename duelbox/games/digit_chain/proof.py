"""Proofs of Digit Chain Duel: equal positions, and the lemma of numbers answered by their reverse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from duelbox.games.digit_chain.rules import View
from duelbox.proof.api import SAME, Lemma, Map, Proving


def key(view: View, image: Sequence[int] = SAME) -> tuple[Any, ...]:
    """The free numbers, the last number, and the turn."""
    free = tuple(sorted(image[number] for number in view.pool))
    return view.turn, free, tuple(image[number] for number in view.picks[-1:])


def reversed_number(number: int) -> int:
    """The number with which reversing answers: 21 answers 12; 4 and 44 answer each other."""
    if number < 10:
        return number * 11
    tens, ones = divmod(number, 10)
    if tens == ones:
        return ones
    return ones * 10 + tens


def reverse_fails(view: View, _: Map) -> str | None:
    """Reversing wins for the player who waits: the reverse of every pick is free, begins well, and ends as before."""
    if view.options.zero != "no-tens":
        return "The tens are in the pool, and they have no reverse."
    free = set(view.pool)
    for number in view.choices:
        if reversed_number(number) not in free:
            return f"{number} is free, and {reversed_number(number)} is not."
    return None


def reverse(view: View, _: Map, number: int) -> int | None:
    """The reverse of a number."""
    return reversed_number(number)


REVERSE = Lemma("reverse", "reverse", reverse_fails, reverse)
PROOF = Proving(key, (REVERSE,))
