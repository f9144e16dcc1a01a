"""Number Circle, solved in four ways, since house rules make four games of it.

- A total each, sharing allowed, no floor (classic among them): a race of two who never touch. The fewest turns of each
  are found by a search outwards; who is there first wins. Cost: linear in the distance to the target.
- A total each, no sharing, no floor: the same race with blocked places, all its positions at once (`blocking`).
- A total each with a floor: the race with forced passes, and perhaps blocked places, searched (`race`).
- One total for both: solved backwards in full, once for each set of house rules (`tug`).

How each of them grows is told in its module.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Protocol

from duelbox.core.model import other
from duelbox.games.number_circle.rules import View, apply, format_move, legal_moves, parse_move
from duelbox.games.number_circle.solve import reasons
from duelbox.games.number_circle.solve.blocking_race import Blocking, Race, freed
from duelbox.games.number_circle.solve.moves import House, Runner, house_of, runner_of, stepped
from duelbox.games.number_circle.solve.separate_totals import Search, alone
from duelbox.games.number_circle.solve.shared_total import pair, tug
from duelbox.solve.api import Analysis, Rated, Stop
from duelbox.solve.rating import Sign, best_first, flipped, rated, summed

Worth = tuple[Sign, int | None]
"""A value for the player to move, and the moves to the end."""


class _Way(Protocol):
    """One way to solve a position, for the player to move."""

    def now(self) -> Worth:
        """What the position is worth."""

    def after(self, me: Runner) -> Worth:
        """What a move that brings me here, short of the target, is worth, itself counted."""


class _Apart:
    """Two who never touch: who needs fewer turns wins."""

    def __init__(self, house: House, me: Runner, rival: Runner) -> None:
        self._house, self._me, self._theirs = house, me, _turns(house, rival)

    def now(self) -> Worth:
        return self._against(_turns(self._house, self._me))

    def after(self, me: Runner) -> Worth:
        return self._against(1 + _turns(self._house, me))

    def _against(self, mine: int) -> Worth:
        return (1, 2 * mine - 1) if mine <= self._theirs else (-1, 2 * self._theirs)


class _Blocking:
    """Two who may block each other, wherever they are."""

    def __init__(self, house: House, me: Runner, rival: Runner, mine: Sequence[Runner], stop: Stop) -> None:
        self._me, self._rival, self._backtracking = me, rival, house.backtracking
        races = [self._race(me, rival), *(self._race(rival, to) for to in mine if to[2])]
        self._races = Blocking(house.backtracking, races, stop.check)

    def now(self) -> Worth:
        return self._races.worth(self._race(self._me, self._rival))

    def after(self, me: Runner) -> Worth:
        sign, plies = self._races.worth(self._race(self._rival, me))
        return flipped(sign), plies + 1

    def _race(self, mover: Runner, other: Runner) -> Race:
        return freed((*mover[:2], *other[:2]), self._backtracking), mover[2], other[2]


class _Racing:
    """Two with a floor, who may be stuck there."""

    def __init__(self, search: Search, me: Runner, rival: Runner) -> None:
        self.search, self._me, self._rival = search, me, rival

    def now(self) -> Worth:
        return self.search.worth((*self._me, *self._rival, True))

    def after(self, me: Runner) -> Worth:
        race = self.search.settled((*me, *self._rival, False))
        return (0, None) if race is None else _one_more(self.search.worth(race))


class _Tugging:
    """One total for both."""

    def __init__(self, house: House, me: Runner, rival: Runner, stop: Stop) -> None:
        self._table = tug(house, stop.check)
        self._me, self._rival = me, rival

    def now(self) -> Worth:
        place, came, gap = self._me
        return self._table.value(pair(place, came, *self._rival[:2]), gap)

    def after(self, me: Runner) -> Worth:
        place, came, gap = me
        sign, plies = self._table.value(pair(*self._rival[:2], place, came), gap)
        return _one_more((flipped(sign), plies))


def _turns(house: House, runner: Runner) -> int:
    turns = alone(house, runner)
    assert turns is not None, "without a floor every total can be brought to the target"
    return turns


def _one_more(worth: Worth) -> Worth:
    sign, plies = worth
    return sign, None if plies is None else plies + 1


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """The verdict and its reason, then the same with each further move rated, then with what answers what."""
    assert view.turn is not None
    way, reached = _open(view, None, stop)
    stop.check()
    sign, plies = way.now()
    early = reasons.early(view, sign, plies)
    yield summed(view.turn, sign, plies, (), early, complete=False)
    moves: list[Rated] = []
    for move, to in reached.items():
        stop.check()
        moves.append(_rated(way, move, to))
        yield summed(view.turn, sign, plies, moves, early, complete=False)
    best = best_first(moves)
    told = reasons.reason(view, best, _answers(view, way, best[0], stop))
    yield summed(view.turn, sign, plies, moves, told.sentence, idea=told.idea, shown=told.shown)


def _rated(way: _Way, move: str, to: Runner) -> Rated:
    return rated(move, *(way.after(to) if to[2] else (1, 1)))


def _answers(view: View, way: _Way, best: Rated, stop: Stop) -> reasons.Answers:
    """What answers each move after the best one, or each in a lost position; empty where the race itself is told."""
    if reasons.apart(view) or best.plies == 1:
        return {}
    if best.verdict == "loss":
        return _answered(view, way, stop)
    after, _ = apply(view, view.turn or 0, parse_move(view, best.move))
    if after.turn == view.turn:  # the other player has to pass
        return {"": _best(after, way, stop).move}
    return {} if after.turn is None else _answered(after, way, stop)


def _answered(view: View, way: _Way, stop: Stop) -> reasons.Answers:
    """Each move here with the best answer to it, or none where who should answer has to pass."""
    assert view.turn is not None
    found: dict[str, str] = {}
    for move in legal_moves(view):
        after, _ = apply(view, view.turn, move)
        if after.turn is not None:
            found[format_move(move)] = "" if after.turn == view.turn else _best(after, way, stop).move
    return found


def _best(view: View, way: _Way, stop: Stop) -> Rated:
    way, reached = _open(view, way, stop)
    return best_first(_rated(way, move, to) for move, to in reached.items())[0]


def _open(view: View, known: _Way | None, stop: Stop) -> tuple[_Way, dict[str, Runner]]:
    """The way to solve a position, with what is known from another one of the same game; and where its moves lead."""
    assert view.turn is not None
    house, me, rival = house_of(view), runner_of(view, view.turn), runner_of(view, other(view.turn))
    reached = {format_move(move): stepped(house, me, move) for move in legal_moves(view)}
    if house.sharing and house.widest is None and not view.options.shared_total:
        return _Apart(house, me, rival), reached
    if view.options.shared_total:
        return _Tugging(house, me, rival, stop), reached
    if house.widest is None:
        return _Blocking(house, me, rival, tuple(reached.values()), stop), reached
    search = known.search if isinstance(known, _Racing) else Search(house, house.widest, stop.check)
    return _Racing(search, me, rival), reached


# -- what a position comes to


def essence(view: View) -> Hashable:
    """Where the player to move stands, came from, and how far it is to the target; then the same of the opponent."""
    assert view.turn is not None
    house = view.options
    runners = tuple(
        (view.places[seat], view.came_from[seat], view.target - view.totals[seat])
        for seat in (view.turn, other(view.turn))
    )
    floor = None if house.floor is None else view.target
    return house.backtracking, house.sharing, house.shared_total, floor, runners
