"""Number Duel, as a pupil counts it, and the rules of its lessons."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from duelbox.core.model import other
from tests.pupils.pupil import Moves, Rule, least, most


def there(view: Any, move: Any) -> tuple[int, ...]:
    """The numbers that may stand at the position attacked."""
    they = other(view.turn)
    face = view.faces[they][move.position - 1]
    return (face,) if face else tuple(view.hidden(they))


def takes(view: Any, move: Any) -> Fraction:
    """The share of what may stand there that the attack beats or ties."""
    met = there(view, move)
    return Fraction(sum(one <= move.number for one in met), len(met))


def beats(view: Any, move: Any) -> Fraction:
    """The share of what may stand there that the attack beats."""
    met = there(view, move)
    return Fraction(sum(one < move.number for one in met), len(met))


def loses(view: Any, move: Any) -> Fraction:
    """The share of what may stand there that beats the attack."""
    return 1 - takes(view, move)


def costs(view: Any, move: Any) -> Fraction:
    """The place of the number in the own hand, from the smallest, as a share of the hand."""
    mine = sorted(view.left(view.turn))
    return Fraction(mine.index(move.number) + 1, len(mine))


# -- the rules; the secret orders of Own Order are left to chance


def biting(view: Any, moves: Moves) -> Moves:
    """Attack where the number beats or ties something."""
    return [move for move in moves if moves[0].secret or takes(view, move)]


def cheapest(view: Any, moves: Moves) -> Moves:
    """Use the smallest number."""
    return moves if moves[0].secret else least(moves, lambda move: move.number)


def worth_most(view: Any, moves: Moves) -> Moves:
    """Choose by the share that an attack takes, less the place of its number in the own hand."""
    return moves if moves[0].secret else most(moves, lambda move: takes(view, move) - costs(view, move))


def top_for_top(view: Any, moves: Moves) -> Moves:
    """Swap the highest numbers, if theirs lies open and equals yours."""
    if moves[0].secret:
        return moves
    they = other(view.turn)
    top = max(view.left(they))
    if max(view.left(view.turn)) != top:
        return moves
    return [move for move in moves if move.number == top == view.faces[they][move.position - 1]]


def sure_when_ahead(view: Any, moves: Moves) -> Moves:
    """With more numbers than they have, attack where you cannot fail."""
    if moves[0].secret or len(view.left(view.turn)) <= len(view.left(other(view.turn))):
        return moves
    return [move for move in moves if takes(view, move) == 1]


def open_ones(view: Any, moves: Moves) -> Moves:
    """Beat what lies open."""
    they = other(view.turn)
    return [move for move in moves if view.faces[they][move.position - 1] and beats(view, move)]


def sure(view: Any, moves: Moves) -> Moves:
    """Attack where the least can beat you."""
    return least(moves, lambda move: loses(view, move))


def beating_most(view: Any, moves: Moves) -> Moves:
    """Attack where you beat most."""
    return most(moves, lambda move: beats(view, move))


BITE: tuple[Rule, ...] = (biting, cheapest)
NET: tuple[Rule, ...] = (biting, worth_most, cheapest)
TOP_BITE: tuple[Rule, ...] = (top_for_top, *BITE)
TOP: tuple[Rule, ...] = (top_for_top, *NET)
AHEAD: tuple[Rule, ...] = (top_for_top, sure_when_ahead, *NET)
SURE: tuple[Rule, ...] = (open_ones, sure)
MOST: tuple[Rule, ...] = (*SURE, beating_most)
