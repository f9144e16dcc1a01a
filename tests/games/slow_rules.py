"""Slow judges of the five games, written straight from the rules on plain lists and sets, without duelbox.games.

Each judge gets the facts of a game, chance included (the gaps, the target, the two hands), then its moves as text.
`result` is "on", "draw", or the number of the winner's seat.
"""

from __future__ import annotations

from copy import copy
from itertools import permutations
from typing import Any

Result = str | int


class Judge:
    """A game in play; `after` returns a new judge, so that trees of moves can be searched."""

    turn = 0
    result: Result = "on"

    def moves(self) -> list[str]:
        """The legal moves as text; empty when the game is over."""
        return self._moves() if self.result == "on" else []

    def after(self, text: str) -> Judge:
        """The game after this move."""
        assert text in self.moves(), f"{text} is not legal by the slow rules"
        judge = copy(self)
        judge._make(text)
        return judge

    def _moves(self) -> list[str]:
        raise NotImplementedError

    def _make(self, text: str) -> None:
        """Make a move. Changed lists are replaced, since earlier judges share the old ones."""
        raise NotImplementedError

    def _stuck_loses(self) -> None:
        """Pass the turn on; a player who then cannot move has lost."""
        self.turn = 1 - self.turn
        if not self._moves():
            self.result = 1 - self.turn


class CircleDuel(Judge):
    def __init__(self, size: int, reach: int, gaps: tuple[int, ...], own: bool = False) -> None:
        self.size, self.reach, self.own = size, reach, own
        self.claimed: list[int] = []
        self.there = set(range(1, size + 1)) - set(gaps)

    def _distance(self, a: int, b: int) -> int:
        return min((a - b) % self.size, (b - a) % self.size)

    def _moves(self) -> list[str]:
        left = self.there - set(self.claimed)
        trail = self.claimed[self.turn :: 2] if self.own else self.claimed
        return [str(number) for number in left if not trail or self._distance(number, trail[-1]) <= self.reach]

    def _make(self, text: str) -> None:
        self.claimed = [*self.claimed, int(text)]
        self._stuck_loses()


class SequenceDuel(Judge):
    def __init__(self, size: int, ring: bool) -> None:
        self.size, self.ring = size, ring
        self.owner: dict[int, int] = {}

    def _next_to_each_other(self, a: int, b: int) -> bool:
        return abs(a - b) == 1 or (self.ring and {a, b} == {1, self.size})

    def _moves(self) -> list[str]:
        theirs = [number for number, owner in self.owner.items() if owner != self.turn]
        return [
            str(number)
            for number in range(1, self.size + 1)
            if number not in self.owner and not any(self._next_to_each_other(number, other) for other in theirs)
        ]

    def _make(self, text: str) -> None:
        self.owner = {**self.owner, int(text): self.turn}
        self._stuck_loses()


class DigitChain(Judge):
    def __init__(self, zero: str, gaps: tuple[int, ...]) -> None:
        self.zero = zero
        self.pool = [str(number) for number in range(1, 100) if number not in gaps]
        if zero == "no-tens":
            self.pool = [text for text in self.pool if not text.endswith("0")]
        self.current = ""

    def _moves(self) -> list[str]:
        if not self.current or (self.zero == "wild" and self.current[-1] == "0"):
            return list(self.pool)
        return [text for text in self.pool if text[0] == self.current[-1]]

    def _make(self, text: str) -> None:
        self.pool = [one for one in self.pool if one != text]
        self.current = text
        self._stuck_loses()


class NumberCircle(Judge):
    def __init__(self, target: int, backtracking: bool, sharing: bool, shared_total: bool, floor: int | None) -> None:
        self.target, self.floor = target, floor
        self.backtracking, self.sharing, self.shared_total = backtracking, sharing, shared_total
        self.paths = [[1], [1]]
        self.totals = [0, 0]

    def _moves(self) -> list[str]:
        return self._open_to(self.turn, self.paths[self.turn])

    def _open_to(self, seat: int, path: list[int]) -> list[str]:
        found = []
        for number in range(1, 10):
            next_to = abs(number - path[-1]) == 1 or {number, path[-1]} == {1, 9}
            back = len(path) > 1 and number == path[-2] and not self.backtracking
            taken = number == self.paths[1 - seat][-1] and not self.sharing
            if not next_to or back or taken:
                continue
            for text, total in ((f"+{number}", self.totals[seat] + number), (f"-{number}", self.totals[seat] - number)):
                if total <= self.target and (self.floor is None or total >= self.floor):
                    found.append(text)
        return found

    def _make(self, text: str) -> None:
        seat = self.turn
        self.paths = [[*path, int(text[1:])] if one == seat else path for one, path in enumerate(self.paths)]
        total = self.totals[seat] + int(text)
        self.totals = [total, total] if self.shared_total else [total if seat == i else self.totals[i] for i in (0, 1)]
        if total == self.target:
            self.result = seat
            return
        self.turn = 1 - seat
        while not self._moves():
            if not any(self._open_to(one, self.paths[one][-1:]) for one in (0, 1)):
                self.result = "draw"
                return
            self.paths = [path[-1:] if one == self.turn else path for one, path in enumerate(self.paths)]
            self.turn = 1 - self.turn


class NumberDuel(Judge):
    """Number Duel with both hands open to the judge."""

    def __init__(self, hand: int, victors_stay: bool, hands: list[list[int]] | None) -> None:
        self.hand, self.victors_stay = hand, victors_stay
        self.arranging = hands is None
        self.hands = hands or [[], []]

    def _moves(self) -> list[str]:
        if self.arranging:
            return ["".join(order) for order in permutations("1234567"[: self.hand])]
        mine, theirs = self.hands[self.turn], self.hands[1 - self.turn]
        return [f"{number}x{at}" for number in mine for at in range(1, len(theirs) + 1)]

    def _make(self, text: str) -> None:
        seat, rival = self.turn, 1 - self.turn
        self.turn, self.hands = rival, [[*hand] for hand in self.hands]
        if self.arranging:
            self.hands[seat] = [int(digit) for digit in text]
            self.arranging = seat == 0
            return
        number, at = map(int, text.split("x"))
        target = self.hands[rival][at - 1]
        if target <= number:
            self.hands[rival].remove(target)
        if not (self.victors_stay and number > target):
            self.hands[seat].remove(number)
        left = [bool(self.hands[0]), bool(self.hands[1])]
        if left == [False, False]:
            self.result = seat if number > target else "draw"
        elif False in left:
            self.result = left.index(True)


JUDGED = ("circle-duel", "number-circle", "sequence-duel", "digit-chain", "number-duel")


def judge_of(game_id: str, options: Any, state: Any) -> Judge:
    """The judge of a game with its options, and the random draws of its first state."""
    if game_id == "circle-duel":
        return CircleDuel(options.size, options.reach, state.gaps, options.trails == "own")
    if game_id == "number-circle":
        return NumberCircle(state.target, options.backtracking, options.sharing, options.shared_total, options.floor)
    if game_id == "sequence-duel":
        return SequenceDuel(options.size, options.ring)
    if game_id == "digit-chain":
        return DigitChain(options.zero, state.gaps)
    dealt = None if options.arrange == "chosen" else [list(hand) for hand in state.hands]
    return NumberDuel(options.hand, options.victors_stay, dealt)
