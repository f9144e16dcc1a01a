"""The contract of a game whose wins can be proved: its `proof` module offers it as `PROOF`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duelbox.core.errors import DuelboxError

Map = Mapping[int, int]
"""Numbers and their partners or images, in both directions: 1: 2 and 2: 1."""
SAME = range(1000)
"""The symmetry that leaves every number where it is."""


class NoProof(DuelboxError):
    """A game without proofs, or a text that is no proof."""


@dataclass(frozen=True, slots=True)
class Lemma:
    """A rule that wins a position for the player who waits, and that can be checked without playing on."""

    name: str
    """The name in words: "partners"."""
    typed: str
    """The word that a player types to claim it."""
    fails: Callable[[Any, Map], str | None]
    """The sentence that says why the rule does not hold in a view; None if it holds, and the waiting player wins."""
    reply: Callable[[Any, Map, int], int | None]
    """The number with which the rule answers a number of the opponent; None if it names none."""
    offers: Callable[[Any], Sequence[Map]] = lambda view: ({},)
    """The maps that a player need not type: of these, the one that holds is meant; none if pairs are typed."""
    fitted: Callable[[Any, Map], Map] = lambda view, images: images
    """The part of a map that still counts in a later view."""
    mapped: bool = False
    """True if the rule comes with a map of numbers."""
    also: tuple[str, ...] = ()
    """Other words for it that are typed."""


@dataclass(frozen=True, slots=True)
class Proving:
    """All that proofs need of a game in which players pick numbers, nothing is hidden and nothing drawn."""

    key: Callable[[Any, Sequence[int]], tuple[Any, ...]]
    """A key of a view that is not over, after a symmetry: an image for each number.

    Positions with the same key are one position in a proof. Format 1 freezes these keys.
    """
    lemmas: tuple[Lemma, ...]
    """The rules that can be claimed, in the order of their numbers in a proof."""
    symmetries: Callable[[Any], Sequence[Sequence[int]]] = lambda view: (SAME,)
    """The symmetries of the board of a view, the one that moves nothing first; no proof rests on them."""
