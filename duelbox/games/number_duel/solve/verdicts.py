"""Number Duel, solved as a game of chance on the facts that both players know (`odds`, which also tells the cost).

The model: each hidden number is equally likely at any hidden position, so these positions are alike. That is exact for
a shuffled deal if one of them is attacked at random; a rival who could foresee which one would gain by knowing its
number. With arrange=chosen it is exact against an unpredictable order, and then all orders are worth the same; an order
chosen by habit is outside the model.

Moves are rated with the best play of both after them: the greatest chance of a win plus half that of a draw, and among
equals fewer draws. Plies are given only for an attack that ends the game for certain.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

from duelbox.games.number_duel.rules import View
from duelbox.games.number_duel.solve.odds import Hand, chances, odds, turned
from duelbox.games.number_duel.solve.reasons import attack_reason, lack, met_by, taking, targets
from duelbox.solve.api import ONE, Analysis, Instead, Mark, Rated, Stop, Verdict
from duelbox.solve.rating import best_first, region

_MATTERS = Fraction(1, 20)
"""An attack is a wrong one if it gives up so much."""


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """The chances and their reason once a best move is found, then with the moves of each further number rated."""
    stop.check()
    if view.arranging:
        yield from _arranging(view, stop)
        return
    mine, theirs = (_hand(view.left(seat), view.hidden(seat)) for seat in (view.mover, view.rival))
    table = odds(view.victors_stay)
    value = table.value(mine, theirs)
    moves: list[Rated] = []
    best_rated = False
    for number in view.left(view.mover):
        stop.check()
        by_face: dict[int | None, Rated] = {}
        for position, face in enumerate(view.faces[view.rival], 1):
            if face not in by_face:
                met = targets(view, face)
                worth = table.strike(mine, theirs, 1 << number - 1, [1 << one - 1 for one in met])
                by_face[face] = _rated("", worth, 1 if _ends(view, number, met) else None)
                best_rated = best_rated or worth == value
            moves.append(replace(by_face[face], move=f"{number}x{position}"))
        if best_rated:
            yield _analysis(view, value, moves, complete=False)
    yield _analysis(view, value, moves)


def refuted(view: View, move: str, stop: Stop) -> Instead | None:
    """The fault of an attack, which chance answers; None for an order of numbers and for the best attack."""
    if view.arranging:
        return None
    *_, last = stream(view, stop)
    if move == last.moves[0].move:
        return None
    return Instead(move, "", lack(view, move, last.moves[0].move), counted=False)


def _hand(numbers: tuple[int, ...], hidden: tuple[int, ...]) -> Hand:
    return sum(1 << number - 1 for number in hidden), sum(1 << number - 1 for number in numbers)


def _ends(view: View, number: int, met: tuple[int, ...]) -> bool:
    """True if an attack ends the game, whatever it meets."""
    last, only = (len(view.left(seat)) == 1 for seat in (view.mover, view.rival))
    return all((number >= one and only) or (last and not (number > one and view.victors_stay)) for one in met)


def _rated(move: str, value: int, plies: int | None) -> Rated:
    win, draw = chances(value)
    verdict: Verdict = "win" if win == ONE else "draw" if draw == ONE else "chance" if win or draw else "loss"
    return Rated(move, verdict, None if verdict == "chance" else plies, win, draw)


def _analysis(view: View, value: int, moves: list[Rated], complete: bool = True) -> Analysis:
    top = best_first(moves)[0]
    equals = [move for move in moves if (move.win, move.draw, move.plies) == (top.win, top.draw, top.plies)]
    equals.sort(key=lambda one: taking(view, one.move), reverse=True)
    reason = attack_reason(view, equals, [one for one in moves if top.value - one.value >= _MATTERS])
    best = next(one for one in equals if one.move == reason.advised)
    ranked = best_first(sorted(moves, key=lambda move: move is not best))  # among equals, the advised one comes first
    whole = _rated("", value, best.plies)
    if not complete:
        return Analysis(view.mover, whole.verdict, None, whole.win, whole.draw, ranked, reason.sentence, complete=False)
    worth = whole.verdict, whole.plies, whole.win, whole.draw
    shown = (*region(ranked, reason.instead), _beats(view, best.move))
    why = reason.sentence, True, reason.idea, reason.thought
    return Analysis(view.mover, *worth, ranked, *why, shown=shown, instead=reason.instead)


def _beats(view: View, move: str) -> Mark:
    number, met = met_by(view, move)
    beaten = tuple(one for one in met if one < number)
    return Mark("beats", beaten, tuple((str(number), str(one)) for one in met), (move,))


def _arranging(view: View, stop: Stop) -> Iterator[Analysis]:
    """Rate the orders: all up to 5,040 are worth the same, so they are listed at once, unsorted."""
    numbers = tuple(range(1, view.hand + 1))
    full = _hand(numbers, numbers)
    value = odds(view.victors_stay).value(full, full)
    worth = _rated("", turned(value) if view.mover else value, None)
    reason = "Hidden numbers are met at random: any order is as good as another."
    analysis = Analysis(view.mover, worth.verdict, None, worth.win, worth.draw, (), reason, complete=False)
    yield analysis
    stop.check()
    moves = tuple(replace(worth, move="".join(map(str, order))) for order in permutations(numbers))
    yield replace(analysis, moves=moves, complete=True)


# -- what a position comes to


def essence(view: View) -> Hashable:
    """The numbers that each player has left, the mover first, and which of them are known."""
    if view.arranging:
        return view.hand, view.victors_stay, len(view.faces[view.rival])
    seats = view.mover, view.rival
    return view.victors_stay, tuple((view.left(seat), tuple(sorted(filter(None, view.faces[seat])))) for seat in seats)


def alike(view: View, move: str) -> Hashable:
    """A key equal for attacks by the same number at positions that nobody knows."""
    number, _, position = move.partition("x")
    if not position or view.turn is None:
        return move
    return number, view.faces[view.rival][int(position) - 1]
