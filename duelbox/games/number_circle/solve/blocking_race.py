"""Number Circle with a total each, no sharing and no floor: a race of two players whose markers block each other.

One player attacks and the other defends. For 1 turn of the attacker, then for 2 and so on, all positions are found that
the attacker wins in this many turns. They are few because slack is counted and not totals: in t turns a player can get
at most 9t nearer to the target, and slack is 9t less the gap. A step onto m wastes 9 - m or 9 + m of it, so slack never
grows. An attacker without slack is beaten; a defender without slack is late, and only their marker matters. For each
pair of markers the slacks of both are the bits of one integer, a row for each slack of the attacker and a column for
each of the defender; a move is a shift.

Cost: for every turn a dozen operations for each pair of markers that can occur (36 if players may turn back, else some
110), on integers with as many bits as the square of the slack. A good turn brings 5, so slack grows with the gap, and
the time with its third power: 3 and 10 ms if the players are 100 from the target, 0.2 and 0.7 s at 500. Positions that
would need more than `MOST_BITS` are given up (`Stopped`): both players are then 900 or more from the target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import and_, or_

from duelbox.games.number_circle.solve.steps import FREE, STEPS, Step
from duelbox.solve.api import Stopped
from duelbox.solve.rating import Sign

MOST_BITS = 1 << 26  # bits of all integers of a turn together: some 30 MB, and some seconds in all
_MOST = 9  # the largest number: nobody gets nearer by more in one turn

Markers = tuple[int, int, int, int]  # place and origin of the mover's marker, then of the other one
Race = tuple[Markers, int, int]  # the markers, and both gaps to the target, the mover's first


class _Window:
    """The layout of the bits: a row for each slack of the attacker from 0, a column for each slack of the defender from
    -1."""

    def __init__(self, slack: int) -> None:
        self.slack, self.rows, self.width = slack, slack + 1, slack + 2
        self.bits = self.rows * self.width
        self._all = (1 << self.bits) - 1
        self._left = self._all // ((1 << self.width) - 1)
        self._keep = [self._all ^ self.columns(by) for by in range(2 * _MOST + 1)]

    def columns(self, count: int) -> int:
        """The first columns of all rows."""
        return self._left * ((1 << min(count, self.width)) - 1)

    def real(self, turns: int) -> int:
        """The rows in which the attacker, with this many turns left, has not yet reached the target."""
        return (1 << min(self.rows, _MOST * turns) * self.width) - 1

    def bit(self, attacker: int, defender: int) -> int:
        """The bit of these slacks."""
        return attacker * self.width + max(defender, -1) + 1

    def attacked(self, won: int, number: int, turns: int) -> int:
        """The positions won by a step onto this number with this many turns, given those won with one turn less."""
        rows = won << (_MOST - number) * self.width | won << (_MOST + number) * self.width
        hit = _MOST * turns - number
        if hit < self.rows:
            rows |= ((1 << min(_MOST * (turns - 1) + 1, self.width)) - 1) << hit * self.width
        return rows

    def defended(self, won: int, number: int, turns: int) -> int:
        """The positions still won after the defender steps onto this number with either sign, short of the target."""
        above = self._all ^ self.columns(_MOST * turns - number + 2)
        return (self._wasted(won, _MOST - number) | above) & self._wasted(won, _MOST + number)

    def _wasted(self, won: int, by: int) -> int:
        """The same positions by the defender's slack before wasting this much."""
        return won << by & self._keep[by] | (won & self._left) * ((1 << by) - 1)


class Blocking:
    """The values of several races under the same rule for turning back, all found together, turn by turn."""

    def __init__(self, backtracking: bool, races: Iterable[Race], check: Callable[[], None]) -> None:
        self._check = check
        self._left = list(dict.fromkeys(races))
        self._nearest = min(gap for _, *gaps in self._left for gap in gaps)
        self._found: dict[Race, tuple[Sign, int]] = {}
        self._next: dict[Markers, list[Markers]] = {}
        todo = [markers for markers, _, _ in self._left]
        while todo:
            place, came, other, other_came = markers = todo.pop()
            if markers not in self._next:
                steps = _open(place, came, other, backtracking)
                self._next[markers] = [freed((other, other_came, to, then), backtracking) for to, then, _ in steps]
                todo += self._next[markers]
        self._begin(4 + self._nearest // 5)

    def worth(self, race: Race) -> tuple[Sign, int]:
        """The value of a race for the player to move, and the moves to the end."""
        while race not in self._found:
            self._turns += 1
            if _MOST * self._turns - self._nearest > self._window.slack:
                self._begin(2 * self._turns)
            else:
                self._turn()
        return self._found[race]

    def _begin(self, turns: int) -> None:
        """Start over with room for this many turns."""
        self._window, self._turns = _Window(_MOST * turns - self._nearest), 0
        if self._window.bits * len(self._next) > MOST_BITS:
            raise Stopped
        self._held = dict.fromkeys(self._next, 0)
        """The positions that the attacker wins with the defender to move."""

    def _turn(self) -> None:
        """Give the attacker one more turn."""
        window, turns, real = self._window, self._turns, self._window.real(self._turns)
        best: dict[Markers, int] = {}
        for markers, won in self._held.items():
            self._check()
            best[markers] = window.attacked(won, markers[2] + 1, turns) & real
        lead = {markers: reduce(or_, (best[one] for one in after), 0) for markers, after in self._next.items()}
        self._settle(lead, 1)
        still_won: dict[Markers, int] = {}
        for markers, won in lead.items():
            self._check()
            still_won[markers] = window.defended(won, markers[2] + 1, turns)
        real &= window.columns(_MOST * turns + 1)
        self._held = {
            markers: reduce(and_, (still_won[one] for one in after), real) for markers, after in self._next.items()
        }
        self._settle(self._held, -1)

    def _settle(self, won: dict[Markers, int], sign: Sign) -> None:
        """Record the races that are now won or lost for the player to move."""
        for race in self._left.copy():
            markers, mine, theirs = race
            attacker, defender = (mine, theirs + _MOST) if sign == 1 else (theirs, mine)
            slack = _MOST * self._turns - attacker
            if slack >= 0 and won[markers] >> self._window.bit(slack, _MOST * self._turns - defender) & 1:
                self._found[race] = sign, 2 * self._turns - (sign == 1)
                self._left.remove(race)


def freed(markers: Markers, backtracking: bool) -> Markers:
    """The markers after forced passes: a stuck player stands head on with the other, so both pass and may turn back."""
    place, came, other, _ = markers
    return markers if _open(place, came, other, backtracking) else (place, FREE, other, FREE)


def _open(place: int, came: int, other: int, backtracking: bool) -> list[Step]:
    """The steps that the other marker does not block."""
    return [step for step in STEPS[backtracking][place][came] if step[0] != other]
