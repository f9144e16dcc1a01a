"""Number Circle, solved in three ways, since its house rules make three kinds of game.

- A total each, sharing allowed, no floor (the classic game): a race of two who never meet. A search outwards finds the
  fewest turns of each, and the first to arrive wins. Cost: linear in the distance to the target.
- A total each, no sharing, no floor: the same race with blocked places, all positions at once (`blocking_race`).
- One total for both, or a floor: solved backwards in full, once for each set of house rules (`backwards`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple

from duelbox.games.number_circle.rules import View, apply, format_move, legal_moves, parse_move
from duelbox.games.number_circle.solve import reasons
from duelbox.games.number_circle.solve.backwards import table
from duelbox.games.number_circle.solve.blocking_race import Blocking, Race, freed
from duelbox.games.number_circle.solve.steps import HouseRules, Runner, house_rules_of, route, runner_of, stepped
from duelbox.solve.api import Analysis, Instead, Rated, Stop
from duelbox.solve.rating import Sign, analysis_from, best_first, flipped, rated

Worth = tuple[Sign, int | None]  # the value for the player to move, and the moves to the end


class _Way(NamedTuple):
    """A way to solve a position, for the player to move."""

    now: Callable[[], Worth]
    """The value of the position."""
    after: Callable[[Runner], Worth]
    """The value of a move that brings the mover here, short of the target; the move is counted."""


def _apart(house: HouseRules, me: Runner, rival: Runner) -> _Way:
    """A race of two who never meet: the player who needs fewer turns wins."""
    turns = house.backtracking
    theirs = len(route(turns, rival))

    def against(mine: int) -> Worth:
        return (1, 2 * mine - 1) if mine <= theirs else (-1, 2 * theirs)

    return _Way(lambda: against(len(route(turns, me))), lambda to: against(1 + len(route(turns, to))))


def _blocking(house: HouseRules, me: Runner, rival: Runner, reached: Iterable[Runner], stop: Stop) -> _Way:
    """A race of two who may block each other."""

    def race(mover: Runner, other: Runner) -> Race:
        return freed((*mover[:2], *other[:2]), house.backtracking), mover[2], other[2]

    races = Blocking(house.backtracking, [race(me, rival), *(race(rival, to) for to in reached if to[2])], stop.check)
    return _Way(lambda: races.worth(race(me, rival)), lambda to: _turned(races.worth(race(rival, to))))


def _backwards(house: HouseRules, me: Runner, rival: Runner, stop: Stop) -> _Way:
    """A game with one total or with a floor, in which a player may have to pass."""
    known = table(house, stop.check)
    return _Way(lambda: known.value(me, rival), lambda to: _turned(known.value(rival, to)))


def _turned(worth: Worth) -> Worth:
    """The value for the other player, one move earlier."""
    sign, plies = worth
    return flipped(sign), None if plies is None else plies + 1


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """The verdict and its reason, then with each further move rated, then with the answers."""
    way, reached = _open(view, stop)
    stop.check()
    sign, plies = way.now()
    early = reasons.early(view, sign, plies)
    yield analysis_from(view.mover, sign, plies, (), early, complete=False)
    moves: list[Rated] = []
    for move, to in reached.items():
        stop.check()
        moves.append(_rated(way, move, to))
        yield analysis_from(view.mover, sign, plies, moves, early, complete=False)
    best = best_first(moves)
    answers = _answers(view, best[0], stop)
    reason = reasons.reason(view, best, answers, lambda move: refuted(view, move, stop))
    yield analysis_from(view.mover, sign, plies, moves, reason)


def refuted(view: View, move: str, stop: Stop) -> Instead | None:
    """The answer to a wrong move, and what it takes; None if the opponent does not come to answer."""
    after, _ = apply(view, view.mover, parse_move(view, move))
    if after.turn != view.rival:
        return None
    best = _best(after, stop)
    return reasons.answered(view, move, best.move, best.plies)


def _rated(way: _Way, move: str, to: Runner) -> Rated:
    return rated(move, *(way.after(to) if to[2] else (1, 1)))


def _answers(view: View, best: Rated, stop: Stop) -> reasons.Answers:
    """The answers after the best move, or to each move of a lost position; empty if the race is the reason."""
    if reasons.apart(view) or best.plies == 1:
        return {}
    if best.verdict == "loss":
        return _answered(view, stop)
    after, _ = apply(view, view.mover, parse_move(view, best.move))
    if after.turn == view.turn:  # the other player has to pass
        return {"": _best(after, stop).move}
    return {} if after.turn is None else _answered(after, stop)


def _answered(view: View, stop: Stop) -> reasons.Answers:
    """The best answer to each move; empty text if the other player has to pass."""
    answers: dict[str, str] = {}
    for move in legal_moves(view):
        after, _ = apply(view, view.mover, move)
        if after.turn is not None:
            answers[format_move(move)] = "" if after.turn == view.turn else _best(after, stop).move
    return answers


def _best(view: View, stop: Stop) -> Rated:
    way, reached = _open(view, stop)
    return best_first(_rated(way, move, to) for move, to in reached.items())[0]


def _open(view: View, stop: Stop) -> tuple[_Way, dict[str, Runner]]:
    """The way to solve a position, and the runner after each of its moves."""
    house, me, rival = house_rules_of(view), runner_of(view, view.mover), runner_of(view, view.rival)
    reached = {format_move(move): stepped(house, me, move) for move in legal_moves(view)}
    if house.shared or house.widest:
        return _backwards(house, me, rival, stop), reached
    if house.sharing:
        return _apart(house, me, rival), reached
    return _blocking(house, me, rival, reached.values(), stop), reached


# -- what a position comes to


def essence(view: View) -> Hashable:
    """The place, origin and gap of both runners, the mover's first; the origin only if it matters."""
    house = view.options
    came_from = (None, None) if house.backtracking else view.came_from
    runners = tuple(
        (view.places[seat], came_from[seat], view.target - view.totals[seat]) for seat in (view.mover, view.rival)
    )
    floor = None if house.floor is None else view.target
    return house.backtracking, house.sharing, house.shared_total, floor, runners
