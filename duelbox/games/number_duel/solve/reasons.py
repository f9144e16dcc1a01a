"""Why a strike in a Number Duel is the one to make, in one sentence: what it takes how often, and what it keeps.

The chances of the whole game are told by the verdict, so they are not said again here.
"""

from __future__ import annotations

from collections.abc import Sequence

from duelbox.core.model import listed, other, player
from duelbox.games.number_duel.rules import View
from duelbox.solve.api import Rated


def targets(view: View, face: int | None) -> tuple[int, ...]:
    """What an attack on this face may meet."""
    assert view.turn is not None
    return view.hidden(other(view.turn)) if face is None else (face,)


def met_by(view: View, move: str) -> tuple[int, tuple[int, ...]]:
    """The number that attacks, and what it may meet."""
    assert view.turn is not None
    number, position = map(int, move.split("x"))
    return number, targets(view, view.faces[other(view.turn)][position - 1])


def strike_reason(view: View, moves: Sequence[Rated]) -> str:
    """Why the first of these moves, best first, is the one to make."""
    assert view.turn is not None
    best, mine, theirs = moves[0], view.left(view.turn), view.left(other(view.turn))
    rival = player(other(view.turn))
    if best.verdict == "loss":
        if len(mine) == 1:
            left = f"the {theirs[0]}" if len(theirs) == 1 else listed(theirs)
            return f"Your {mine[0]} is your last number, and {rival} has {left} left: no strike of it wins."
        return f"{rival} can win whatever you do: you have {listed(mine)} left, and {rival} has {listed(theirs)}."
    number, met = met_by(view, best.move)
    deed = _deed(view, best.move)
    kept = [one for one in mine if one != number]
    keeps = f"striking with it keeps your {listed(kept)}"
    if kept and kept[-1] > theirs[-1]:
        keeps += f", and {kept[-1]} is higher than all {rival} has left"
    if best.verdict == "win" and best.plies == 1:
        return f"{deed}, and you win at once."
    if best.verdict == "win" and kept:
        return f"{deed}; {keeps}."
    if kept and number <= min(met) and number not in met:
        return f"{deed}; {keeps}, and no strike does better."
    if spared := _spared(view, moves):
        return f"{deed}; your {spared} would take more, but is worth more kept."
    return f"{deed}; no strike does better."


def strike_idea(view: View, best: Rated) -> str:
    """What to weigh, without the strike."""
    assert view.turn is not None
    if best.verdict == "loss":
        return ""
    rival = player(other(view.turn))
    _, met = met_by(view, best.move)
    known = [face for face in view.faces[other(view.turn)] if face is not None]
    hidden = view.hidden(other(view.turn))
    if len(met) == 1:
        known += hidden if len(hidden) == 1 else ()
        return f"Strike at what you know: {rival}'s {listed(sorted(known))}."
    likely = f"{rival} hides {listed(hidden)}, each as likely at any hidden position"
    return f"{likely}: weigh what a number of yours beats there against what it is worth kept."


def _spared(view: View, moves: Sequence[Rated]) -> int | None:
    """A number that would take more often at the same place, and yet is worth less there."""
    best = moves[0]
    number, met = met_by(view, best.move)
    place = best.move.partition("x")[2]
    beaten = sum(one < number for one in met)
    for move in moves:
        attacker, _, at = move.move.partition("x")
        more = sum(one < int(attacker) for one in met) > beaten
        if at == place and more and (move.value, -move.draw) < (best.value, -best.draw):
            return int(attacker)
    return None


def _deed(view: View, move: str) -> str:
    """What an attack does: for certain where it is known what it meets, else how often."""
    assert view.turn is not None
    number, met = met_by(view, move)
    if len(met) > 1:
        return _told_hidden(number, met)
    known = view.faces[other(view.turn)][int(move.split("x")[1]) - 1] is not None
    target = f"the {'known' if known else 'hidden'} {met[0]}"
    if number > met[0]:
        return f"Your {number} takes {target} for certain"
    if number == met[0]:
        return f"Your {number} and {target} take each other"
    return f"Your {number} can't take {target}"


def _told_hidden(number: int, met: Sequence[int]) -> str:
    wins, ties = sum(one < number for one in met), number in met
    if wins == len(met):
        return f"Your {number} beats whatever is hidden"
    if wins:
        return f"Your {number} beats what is hidden {_times(wins, len(met))}" + ", and ties once" * ties
    if ties:
        return f"Your {number} never beats what is hidden, but ties {_times(1, len(met))}"
    return f"Your {number} beats nothing that is hidden"


def _times(count: int, total: int) -> str:
    return f"{count} time{'s' if count > 1 else ''} in {total}"
