"""A deal to be proved: its positions up to symmetry, and who wins them by the exact solver; all of it remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from duelbox.core.model import Seat
from duelbox.proof.api import SAME, Lemma, Map
from duelbox.proof.checker import code_to_prove, proving_of, session_to_prove
from duelbox.proof.ladder import answers_on_ladder
from duelbox.solve import worth
from duelbox.solve.api import Stop


@dataclass(eq=False)
class Spot:
    """A position of a deal."""

    view: Any
    shape: tuple[Any, ...]
    """The same for positions that are equal when turned, mirrored or reached in another order of picks."""
    image: Sequence[int]
    """The number in the shape for each number of the view."""
    next: dict[str, Spot] | None = None
    """The positions after each move; None until somebody asks."""
    holds: dict[Any, Map | None] = field(default_factory=dict)
    """For each rule that was tried here its map, or None if it does not hold."""

    def number_of(self, shaped: int) -> int:
        """The number here of a number in the shape."""
        return self.image.index(shaped)

    def shaped(self, images: Map) -> dict[int, int]:
        """A map of numbers here as a map of numbers in the shape."""
        return {self.image[one]: self.image[two] for one, two in images.items()}

    def unshaped(self, images: Map) -> dict[int, int]:
        """A map of numbers in the shape as a map of numbers here."""
        return {self.number_of(one): self.number_of(two) for one, two in images.items()}


class Deal:
    """The positions that follow a code."""

    def __init__(self, code: str) -> None:
        self.session = session_to_prove(code)
        self.game = self.session.game
        self.proving = proving_of(self.game)
        self._spots: dict[tuple[Any, ...], Spot] = {}
        self._won: dict[tuple[Any, ...], bool] = {}

    @cached_property
    def known(self) -> dict[tuple[Any, ...], int]:
        """The answers of the proof on the ladder, if the deal is on it, as numbers of shapes."""
        answers: dict[tuple[Any, ...], int] = {}
        for view, number in answers_on_ladder(code_to_prove(self.session)):
            spot = self.spot(view)
            answers[spot.shape] = spot.image[number]
        return answers

    @cached_property
    def root(self) -> Spot:
        """The position of the code."""
        return self.spot(self.session.state)

    def spot(self, view: Any) -> Spot:
        """The place of a view among the positions of the deal."""
        if view.turn is None:
            return Spot(view, (), SAME)
        key = self.proving.key(view, SAME)
        known = self._spots.get(key)
        if known is None:
            images = self.proving.symmetries(view)
            shape, place = min((self.proving.key(view, image), place) for place, image in enumerate(images))
            known = Spot(view, shape, images[place])
            self._spots[key] = known
        return known

    def next(self, spot: Spot) -> dict[str, Spot]:
        """The positions after each legal move, in the order of the moves."""
        if spot.next is None:
            view = spot.view
            after: dict[str, Spot] = {}
            for move in self.game.legal_moves(view):
                state, _ = self.game.apply(view, view.turn, move)
                after[self.game.format_move(move)] = self.spot(state)
            spot.next = after
        return spot.next

    def after(self, path: Sequence[str], start: Spot | None = None) -> Spot | None:
        """The position after these moves; None if they cannot all be played."""
        spot = start or self.root
        for move in path:
            following = self.next(spot).get(move)
            if following is None:
                return None
            spot = following
        return spot

    def winner(self, spot: Spot, stop: Stop) -> Seat | None:
        """The player who wins a position with best play."""
        view = spot.view
        if view.turn is None:
            seat: Seat | None = view.outcome.winner
            return seat
        won = self._won.get(spot.shape)
        if won is None:
            won = worth(self.game, view, stop)[0] == 1
            self._won[spot.shape] = won
        winner: Seat = view.turn
        if not won:
            winner = view.rival
        return winner

    def right(self, spot: Spot, stop: Stop) -> list[str]:
        """The moves that win for the player to move."""
        return [move for move, after in self.next(spot).items() if self.winner(after, stop) == spot.view.turn]

    def held(self, spot: Spot, lemma: Lemma, images: Map) -> Map | None:
        """The part of a rule's map that proves a position for the player who waits; None if it does not hold."""
        rule = (lemma.name, *sorted(images.items()))
        if rule not in spot.holds:
            fitted = lemma.fitted(spot.view, images)
            if lemma.fails(spot.view, fitted) is None:
                spot.holds[rule] = fitted
            else:
                spot.holds[rule] = None
        return spot.holds[rule]


@lru_cache(maxsize=2)
def deal_of(code: str) -> Deal:
    """The deal of a code, with all that was worked out of it; raises NoProof and CodeError."""
    return Deal(code)
