"""Number Circle, solved in four ways, since house rules make four games of it.

- A total each, sharing allowed, no floor (classic among them): a race of two who never touch. The fewest turns of each
  are found by a search outwards; who is there first wins. Cost: linear in the distance to the target.
- A total each, no sharing, no floor: the same race with blocked places, all its positions at once (`blocking`).
- A total each with a floor: the race with forced passes, and perhaps blocked places, searched (`race`).
- One total for both: solved backwards in full, once for each set of house rules (`tug`).

How each of them grows is told in its module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from duelbox.core.model import Seat, listed, other, player
from duelbox.games.number_circle.rules import Move, View, apply, format_move, legal_moves
from duelbox.games.number_circle.solve.blocking_race import Blocking, Race, freed
from duelbox.games.number_circle.solve.moves import FREE, FROM_ABOVE, FROM_BELOW, House
from duelbox.games.number_circle.solve.separate_totals import Runner, Search, alone
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

    def __init__(self, house: House, widest: int, me: Runner, rival: Runner, stop: Stop) -> None:
        self._search = Search(house, widest, stop.check)
        self._me, self._rival = me, rival

    def now(self) -> Worth:
        return self._search.worth((*self._me, *self._rival, True))

    def after(self, me: Runner) -> Worth:
        race = self._search.settled((*me, *self._rival, False))
        return (0, None) if race is None else _one_more(self._search.worth(race))


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
    """The verdict and its reason, then the same with each further move rated."""
    assert view.turn is not None
    me, rival = _runner(view, view.turn), _runner(view, other(view.turn))
    reached = {format_move(move): _stepped(view, me, move) for move in legal_moves(view)}
    way = _way(view, me, rival, tuple(reached.values()), stop)
    stop.check()
    sign, plies = way.now()
    early = _reason(view, sign, plies, ())
    yield summed(view.turn, sign, plies, (), early, complete=False)
    moves: list[Rated] = []
    for move, to in reached.items():
        stop.check()
        moves.append(rated(move, *(way.after(to) if to[2] else (1, 1))))
        if len(moves) < len(reached):
            yield summed(view.turn, sign, plies, moves, early, complete=False)
    best = best_first(moves)
    yield summed(view.turn, sign, plies, moves, _reason(view, sign, plies, best), idea=_idea(view, sign, plies, best))


def _house(view: View) -> House:
    rules = view.options
    return House(rules.backtracking, rules.sharing, None if rules.floor is None else view.target - rules.floor)


def _way(view: View, me: Runner, rival: Runner, mine: Sequence[Runner], stop: Stop) -> _Way:
    house = _house(view)
    if view.options.shared_total:
        return _Tugging(house, me, rival, stop)
    if house.widest is not None:
        return _Racing(house, house.widest, me, rival, stop)
    return _Apart(house, me, rival) if house.sharing else _Blocking(house, me, rival, mine, stop)


def _runner(view: View, seat: Seat) -> Runner:
    place, source = view.places[seat] - 1, view.came_from[seat]
    came = FREE
    if source is not None and not view.options.backtracking:
        came = FROM_BELOW if (place - source) % 9 == 0 else FROM_ABOVE
    return place, came, view.target - view.totals[seat]


def _stepped(view: View, me: Runner, move: Move) -> Runner:
    place, came = move.number - 1, FREE
    if not view.options.backtracking:
        came = FROM_BELOW if (place - me[0]) % 9 == 1 else FROM_ABOVE
    return place, came, me[2] - move.number if move.sign == "+" else me[2] + move.number


def _reason(view: View, sign: Sign, plies: int | None, moves: Sequence[Rated]) -> str:
    """The race, the win and how soon it comes, or what keeps a draw; `moves` are best first, once all are rated."""
    if sign == 1 and plies == 1:
        return f"{_hit(view)} hits {view.target}, and you win at once."
    if sign == 0 and not _apart(view):
        return _told_draw(view, moves)
    told = _told_force(view, sign, plies)
    if sign != 1 or not moves:
        return told
    return f"Play {moves[0].move}: {told[0].lower()}{told[1:]}"


def _idea(view: View, sign: Sign, plies: int | None, moves: Sequence[Rated]) -> str:
    """The same without the move to play."""
    assert view.turn is not None
    if sign == 1:
        return f"Look for {view.target} itself." if plies == 1 else _told_force(view, sign, plies)
    return _told_draw(view, ()) if sign == 0 else ""


def _apart(view: View) -> bool:
    """Whether the two never touch."""
    return view.options.sharing and not view.options.shared_total


def _told_force(view: View, sign: Sign, plies: int | None) -> str:
    """Who can force the target and how soon, or the race that decides it."""
    assert view.turn is not None
    rival, target = player(other(view.turn)), view.target
    if _apart(view):
        return _told_race(view)
    if sign == -1 and plies == 2:
        return f"Whatever you do, {rival} hits {target} next: {_told_answers(view)}."
    if sign == 1:
        told = f"You can force {target} in at most {plies} turns, {rival}'s included"
    else:
        told = f"Whatever you do, {rival} can force {target} in at most {plies} turns, yours included"
    return f"{told}." if view.options.shared_total else f"{told}; {_told_alone(view, sign)}."


def _hit(view: View) -> str | None:
    """The move with which the player to move hits the target, if there is one."""
    assert view.turn is not None
    me = _runner(view, view.turn)
    return next((format_move(move) for move in legal_moves(view) if _stepped(view, me, move)[2] == 0), None)


def _told_answers(view: View) -> str:
    assert view.turn is not None
    told = []
    for move in legal_moves(view):
        after, _ = apply(view, view.turn, move)
        told.append(f"{_hit(after)} answers {format_move(move)}")
    return listed(told)


def _told_draw(view: View, moves: Sequence[Rated]) -> str:
    held = [move.move for move in moves if move.verdict == "draw"]
    told = f"Neither player can force {view.target}"
    if not moves:
        return f"{told}."
    if len(held) == len(moves):
        return f"{told}, and {'your only move' if len(held) == 1 else 'every move of yours'} keeps it so."
    return f"{told}: {listed(held)} {'keeps' if len(held) == 1 else 'keep'} it so, and anything else loses."


def _told_race(view: View) -> str:
    """The race of two who never touch, which decides."""
    assert view.turn is not None
    rival, target = player(other(view.turn)), view.target
    mine, theirs = _told_moves(view, view.turn), _told_moves(view, other(view.turn))
    own = _told_moves(view, view.turn, "of your own ")
    if not mine and not theirs:
        return f"Neither player can hit {target} any more."
    if not mine:
        return f"You can never hit {target}, and {rival} needs {theirs}."
    if not theirs:
        return f"You need {own} to hit {target}, and {rival} can never do it."
    if mine == theirs:
        return f"You and {rival} need {mine} each to hit {target}, and you go first."
    return f"You need {own} to hit {target}, {rival} needs {theirs}."


def _told_alone(view: View, sign: Sign) -> str:
    """How the race would go without the rival; where it would go the other way, why it does not."""
    assert view.turn is not None
    own, rivals = (alone(_house(view), _runner(view, seat)) or float("inf") for seat in (view.turn, other(view.turn)))
    if (own <= rivals) is not (sign == 1):
        return "the markers are in each other's way"
    mine, theirs = (_told_moves(view, seat) or "for ever" for seat in (view.turn, other(view.turn)))
    return f"left alone, you would need {mine} and {player(other(view.turn))} {theirs}"


def _told_moves(view: View, seat: Seat, whose: str = "") -> str:
    """What a player would need with nobody in the way, as distinct from the turns of both; empty if there is no end."""
    house, runner = _house(view), _runner(view, seat)
    moves = alone(house, runner)
    if moves is None:
        return ""
    passing = "" if alone(house, runner, passes=False) == moves else " (passes included)"
    return f"{moves} {whose}move{'' if moves == 1 else 's'}{passing}"
