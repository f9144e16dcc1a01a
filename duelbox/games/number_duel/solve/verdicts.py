"""Number Duel, solved as a game of chance over what both players know (`odds`, where the cost is told as well).

The model: what is hidden is equally likely to stand at any hidden position, so all of these are alike. That is exact
for a shuffled deal, as long as one of them is picked at random: a rival who foresees which one gains by knowing what
stands there. With arrange=chosen it is exact against an order that cannot be foreseen, and then all orders are worth
the same; an order chosen by habit, and guessed, is outside the model.

Moves are rated with the best play of both after them: the greatest chance of a win plus half that of a draw, and of two
such ways the one with fewer draws. Plies are told only of an attack that ends the game for certain.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import permutations

from duelbox.core.model import SEATS, other
from duelbox.games.number_duel.rules import View
from duelbox.games.number_duel.solve.odds import Hand, chances, odds, turned
from duelbox.games.number_duel.solve.reasons import attack_idea, attack_reason, met_by, taking, targets
from duelbox.solve.api import ONE, Analysis, Mark, Rated, Stop, Verdict
from duelbox.solve.rating import best_first, region


def stream(view: View, stop: Stop) -> Iterator[Analysis]:
    """The chances and their reason with the first best move, then with the moves of each further number rated."""
    stop.check()
    if view.arranging:
        yield from _arranging(view, stop)
        return
    assert view.turn is not None
    rival = other(view.turn)
    mine, theirs = _hand(view.left(view.turn), view.hidden(view.turn)), _hand(view.left(rival), view.hidden(rival))
    table = odds(view.victors_stay)
    value = table.value(mine, theirs)
    moves: list[Rated] = []
    found = False
    for number in view.left(view.turn):
        stop.check()
        by_face: dict[int | None, Rated] = {}
        for position, face in enumerate(view.faces[rival], 1):
            if face not in by_face:
                met = targets(view, face)
                worth = table.strike(mine, theirs, 1 << number - 1, [1 << one - 1 for one in met])
                by_face[face] = _rated("", worth, 1 if _ends(view, number, met) else None)
                found = found or worth == value
            like = by_face[face]
            moves.append(Rated(f"{number}x{position}", like.verdict, like.plies, like.win, like.draw))
        if found:
            yield _summed(view, value, moves, complete=False)
    yield _summed(view, value, moves)


def _hand(numbers: tuple[int, ...], hidden: tuple[int, ...]) -> Hand:
    return sum(1 << number - 1 for number in hidden), sum(1 << number - 1 for number in numbers)


def _ends(view: View, number: int, met: tuple[int, ...]) -> bool:
    """Whether an attack ends the game, whatever it meets."""
    assert view.turn is not None
    last, only = len(view.left(view.turn)) == 1, len(view.left(other(view.turn))) == 1
    return all((number >= one and only) or (last and not (number > one and view.victors_stay)) for one in met)


def _verdict(win: Fraction, draw: Fraction) -> Verdict:
    if win == ONE:
        return "win"
    if draw == ONE:
        return "draw"
    return "chance" if win or draw else "loss"


def _rated(move: str, value: int, plies: int | None) -> Rated:
    win, draw = chances(value)
    verdict = _verdict(win, draw)
    return Rated(move, verdict, None if verdict == "chance" else plies, win, draw)


def _summed(view: View, value: int, moves: list[Rated], complete: bool = True) -> Analysis:
    assert view.turn is not None
    top = best_first(moves)[0]
    best = max((move for move in moves if _worth(move) == _worth(top)), key=lambda move: taking(view, move.move))
    ranked = best_first(sorted(moves, key=lambda move: move is not best))  # among equals, the one that takes most
    all_in_all = _rated("", value, best.plies)
    return Analysis(
        view.turn,
        all_in_all.verdict,
        all_in_all.plies if complete else None,
        all_in_all.win,
        all_in_all.draw,
        ranked,
        attack_reason(view, ranked),
        complete,
        attack_idea(view, best) if complete else "",
        (*region(ranked), _beats(view, best.move)) if complete else (),
    )


def _beats(view: View, move: str) -> Mark:
    number, met = met_by(view, move)
    beaten = tuple(one for one in met if one < number)
    return Mark("beats", beaten, tuple((str(number), str(one)) for one in met), (move,))


def _worth(move: Rated) -> tuple[Fraction, Fraction, int | None]:
    return move.win, move.draw, move.plies


def _arranging(view: View, stop: Stop) -> Iterator[Analysis]:
    """Every order is worth the same; there are up to 5,040, so they are told at once, unsorted."""
    turn, numbers = view.turn, tuple(range(1, view.hand + 1))
    assert turn is not None
    full = _hand(numbers, numbers)
    value = odds(view.victors_stay).value(full, full)
    worth = _rated("", value if turn == 0 else turned(value), None)
    reason = "Hidden numbers are met at random, so any order is as good as any other."
    orders = ("".join(map(str, order)) for order in permutations(numbers))
    moves = (Rated(order, worth.verdict, None, worth.win, worth.draw) for order in orders)
    for complete in (False, True):
        told = tuple(moves) if complete else ()
        yield Analysis(turn, worth.verdict, None, worth.win, worth.draw, told, reason, complete)
        stop.check()


# -- what a position comes to


def essence(view: View) -> Hashable:
    """What each player has left, the one to move first, and which of it everybody knows."""
    assert view.turn is not None
    if view.arranging:
        return view.hand, view.victors_stay, len(view.faces[other(view.turn)])
    seats = SEATS if view.turn == 0 else tuple(reversed(SEATS))
    return view.victors_stay, tuple((view.left(seat), tuple(sorted(filter(None, view.faces[seat])))) for seat in seats)


def alike(view: View, move: str) -> Hashable:
    """What tells moves apart: of attacks at positions that nobody knows, the number alone."""
    number, _, position = move.partition("x")
    if not position or view.turn is None:
        return move
    return number, view.faces[other(view.turn)][int(position) - 1]
