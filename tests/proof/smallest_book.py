"""A search for the answers that prove a win with the fewest questions; an upper bound, not a proof of the least."""

from __future__ import annotations

from collections.abc import Hashable
from math import exp
from random import Random

from duelbox.core.model import Seat
from duelbox.proof.deal import Deal
from duelbox.solve.api import Stop

Shape = Hashable


class Book:
    """The positions that winning answers can come to, and the answers chosen in them."""

    def __init__(self, deal: Deal, most: int = 100_000) -> None:
        self.deal = deal
        self.stop = Stop()
        winner = deal.winner(deal.root, self.stop)
        assert winner is not None
        self.side: Seat = winner
        self.options: dict[Shape, dict[Shape, int]] = {}
        """For each position to be answered, the positions that winning answers lead to, and these answers."""
        self.asked: set[Shape] = set()
        """The positions where a move would lose."""
        self.replies: dict[Shape, tuple[Shape, ...]] = {}
        """For each position of the opponent, the positions that follow and are to be answered."""
        self.too_large = False
        self._explore(most)
        self.choice: dict[Shape, Shape] = {}
        if not self.too_large:
            self._begin(Random(0))

    def _explore(self, most: int) -> None:
        stack = [self.deal.root]
        while stack:
            spot = stack.pop()
            if spot.view.turn is None or spot.shape in self.options or spot.shape in self.replies:
                continue
            if len(self.options) > most:
                self.too_large = True
                return
            following = self.deal.next(spot)
            if spot.view.turn == self.side:
                right = self.deal.right(spot, self.stop)
                if len(right) < len(following):
                    self.asked.add(spot.shape)
                ends = [move for move in right if following[move].view.turn is None]
                right = ends[:1] or right
                self.options[spot.shape] = {following[move].shape: spot.image[int(move)] for move in right}
                stack.extend(following[move] for move in right)
            else:
                after = [one for one in following.values() if one.view.turn is not None]
                self.replies[spot.shape] = tuple({one.shape: None for one in after})
                stack.extend(after)

    def _begin(self, rng: Random) -> None:
        """Choose from the last positions up: the answer after which the fewest questions follow in all; of several,
        one at random."""
        sets: dict[Shape, frozenset[Shape]] = {(): frozenset()}
        order: list[Shape] = []
        met: set[Shape] = set()
        todo: list[tuple[Shape, bool]] = [(self.deal.root.shape, False)]
        while todo:
            shape, done = todo.pop()
            if done:
                order.append(shape)
                continue
            if shape in met or shape == ():
                continue
            met.add(shape)
            todo.append((shape, True))
            todo.extend((after, False) for after in self.options.get(shape, self.replies.get(shape, ())))
        for shape in order:
            if shape in self.options:
                best = min(self.options[shape], key=lambda after: (len(sets[after]), rng.random()))
                self.choice[shape] = best
                own = {shape} if shape in self.asked else set()
                sets[shape] = sets[best] | own
            else:
                sets[shape] = frozenset().union(*(sets[after] for after in self.replies[shape]))

    def reached(self) -> set[Shape]:
        """The positions that are answered by the answers chosen."""
        met: set[Shape] = set()
        stack = [self.deal.root.shape]
        while stack:
            shape = stack.pop()
            if shape in met or shape == ():
                continue
            met.add(shape)
            if shape in self.options:
                stack.append(self.choice[shape])
            else:
                stack.extend(self.replies[shape])
        return {shape for shape in met if shape in self.options}

    @property
    def questions(self) -> int:
        """The questions that the answers chosen come to."""
        return len(self.reached() & self.asked)

    def improve(self, steps: int, starts: int = 8) -> None:
        """Begin anew so many times, try so many other answers at random, cooling down, and keep the best."""
        best = self.questions
        kept = dict(self.choice)
        for start in range(starts):
            rng = Random(start)
            self._begin(rng)
            self._anneal(rng, steps // starts)
            if self.questions < best:
                best = self.questions
                kept = dict(self.choice)
        self.choice = kept

    def _anneal(self, rng: Random, steps: int) -> None:
        reached = self.reached()
        cost = len(reached & self.asked)
        best = cost
        kept = dict(self.choice)
        for step in range(steps):
            heat = max(0.01, 1 - step / steps)
            loose = [shape for shape in reached if len(self.options[shape]) > 1]
            if not loose:
                break
            shape = rng.choice(loose)
            before = self.choice[shape]
            self.choice[shape] = rng.choice(list(self.options[shape]))
            after = self.reached()
            count = len(after & self.asked)
            if count <= cost or rng.random() < exp((cost - count) / heat):
                reached = after
                cost = count
                if cost < best:
                    best = cost
                    kept = dict(self.choice)
            else:
                self.choice[shape] = before
        self.choice = kept

    def answers(self) -> dict[Shape, int]:
        """The answer in each position that is reached, as a number of its shape."""
        return {shape: self.options[shape][self.choice[shape]] for shape in self.reached()}
