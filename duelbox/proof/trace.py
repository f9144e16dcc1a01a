"""The walk through a deal that plays itself up to the first position that must be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from duelbox.core.model import Seat
from duelbox.proof.api import NoProof
from duelbox.proof.checker import MOST_POSITIONS
from duelbox.proof.deal import Deal, Spot
from duelbox.proof.rules import Rule
from duelbox.solve.api import Stop


class Trace:
    """A walk depth first, the opponent's moves in their order, each shape of a position once."""

    def __init__(
        self, deal: Deal, side: Seat, given: Mapping[tuple[Any, ...], int], rules: Sequence[Rule], stop: Stop
    ) -> None:
        self.deal = deal
        self.side = side
        self.asked: tuple[str, ...] | None = None
        """The moves to the position that must be asked; None if nothing is left open."""
        self.answers: dict[tuple[Any, ...], int] = {}
        """The answer in each shape that was met, played by itself or given."""
        self.claims: dict[tuple[Any, ...], Rule] = {}
        """The rule that closes each shape, with the map of the shape."""
        self.lines: list[tuple[str, ...]] = []
        """The games that were played out since the last answer, as moves."""
        self.met: set[tuple[Any, ...]] = set()
        self._given = given
        self._rules = rules
        self._stop = stop
        self._stack: list[tuple[Spot, tuple[str, ...]]] = []

    def walk(self, since: tuple[str, ...] | None = None) -> None:
        """Walk up to a question or the end; `since` are the moves to the last answer. Raises NoProof and Stopped."""
        self._stack.append((self.deal.root, ()))
        while self._stack and self.asked is None:
            spot, path = self._stack.pop()
            if path == since:
                self.lines.clear()
            if spot.view.turn is None:
                self._end(spot, path)
            elif spot.shape not in self.met:
                self.met.add(spot.shape)
                self._visit(spot, path)
            if len(self.met) > MOST_POSITIONS:
                raise NoProof(f"This proof goes on after {MOST_POSITIONS:,} positions.")

    def _end(self, spot: Spot, path: tuple[str, ...]) -> None:
        if spot.view.outcome.winner != self.side:
            raise NoProof("This proof was kept with an answer that does not win.")
        self.lines.append(path)

    def _visit(self, spot: Spot, path: tuple[str, ...]) -> None:
        following = self.deal.next(spot)
        if spot.view.turn == self.side:
            number = self._answer(spot)
            if number is None:
                self.asked = path
                return
            self.answers[spot.shape] = number
            moves = [str(spot.number_of(number))]
        else:
            rule = self._closing(spot)
            if rule is not None:
                self.claims[spot.shape] = rule
                return
            moves = list(following)
        for move in reversed(moves):
            self._stack.append((following[move], (*path, move)))

    def _answer(self, spot: Spot) -> int | None:
        """The number that answers a shape, given or played by itself; None for a question."""
        given = self._given.get(spot.shape)
        if given is not None:
            return given
        following = self.deal.next(spot)
        if len(self.deal.right(spot, self._stop)) < len(following):
            return None
        known = self.deal.known.get(spot.shape)
        if known is not None:
            return known
        move = min(following, key=lambda move: replies(self.deal, following[move]))
        return spot.image[int(move)]

    def _closing(self, spot: Spot) -> Rule | None:
        """The rule that closes a position of the opponent, with what of its map counts there."""
        for rule in self._rules:
            images = self.deal.held(spot, rule.lemma, rule.images)
            if images is not None:
                return Rule(rule.lemma, spot.shaped(images), rule.text)
        return None


def replies(deal: Deal, spot: Spot) -> int:
    """The number of moves that differ in a position; 0 when the game is over."""
    if spot.view.turn is None:
        return 0
    return len({after.shape for after in deal.next(spot).values()})
