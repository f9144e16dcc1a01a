"""Why an attack in a Number Duel is the one to make: what it beats, what it leaves, and what the next best one lacks.

The chances of the whole game are told by the verdict, so they are not said again here.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from duelbox.core.model import listed, player
from duelbox.games.number_duel.rules import View
from duelbox.solve.api import Rated


def targets(view: View, face: int | None) -> tuple[int, ...]:
    """What an attack on this face may meet."""
    return view.hidden(view.rival) if face is None else (face,)


def met_by(view: View, move: str) -> tuple[int, tuple[int, ...]]:
    """The number that attacks, and what it may meet."""
    number, position = map(int, move.split("x"))
    return number, targets(view, view.faces[view.rival][position - 1])


def taking(view: View, move: str) -> tuple[Fraction, Fraction]:
    """How often an attack beats what it meets, and how often it ties."""
    number, met = met_by(view, move)
    return Fraction(sum(one < number for one in met), len(met)), Fraction(met.count(number), len(met))


def attack_reason(view: View, moves: Sequence[Rated]) -> str:
    """Why the first of these moves, best first, is the one to make."""
    best, mine, theirs = moves[0], view.left(view.mover), view.left(view.rival)
    number, met = met_by(view, best.move)
    attack = f"{number} at position {best.move.partition('x')[2]}"
    if best.verdict == "loss":
        has = f"you have {'only ' * (len(mine) == 1)}{listed(mine)}, {player(view.rival)} has {listed(theirs)}"
        return f"Every attack loses: {has}. Try {attack}: {_deed(number, met)}."
    if best.verdict == "win" and best.plies == 1:
        return f"Attack with {attack}: {_deed(number, met)}, and you win at once."
    return f"Attack with {attack}: {_deed(number, met)}, and {_kept(view, best.move)}. {_next(view, moves)}"


def attack_idea(view: View, best: Rated) -> str:
    """What to weigh, without the attack."""
    if best.verdict == "loss":
        return ""
    rival = player(view.rival)
    _, met = met_by(view, best.move)
    hidden = view.hidden(view.rival)
    if len(met) == 1:
        known = [face for face in view.faces[view.rival] if face is not None]
        known += hidden if len(hidden) == 1 else ()
        return f"Attack what you know: {rival}'s {listed(sorted(known))}."
    likely = f"{rival} hides {listed(hidden)}, each as likely at any hidden position"
    return f"{likely}. Compare what each of your numbers beats there with what it could beat later."


def _deed(number: int, met: Sequence[int]) -> str:
    """What an attack does: for certain where it is known what it meets, else how often."""
    if len(met) == 1:
        if number == met[0]:
            return f"it ties with the {met[0]} there, and both are removed"
        return f"it {'beats' if number > met[0] else 'cannot beat'} the {met[0]} there"
    wins, ties = sum(one < number for one in met), " and ties with 1" if number in met else ""
    if wins == len(met):
        return f"it beats all {wins} hidden numbers"
    return f"of {len(met)} hidden numbers it beats {wins or 'none'}{ties}"


def _kept(view: View, move: str) -> str:
    """What is left of one's own numbers."""
    number, met = met_by(view, move)
    kept = listed([one for one in view.left(view.mover) if one != number])
    if view.victors_stay and number > met[0]:
        if number > met[-1]:
            return "it stays, so you keep every number"
        return f"you keep {kept}, and the {number} if it wins" if kept else f"you keep the {number} if it wins"
    return f"you keep {kept}" if kept else "it is your last number"


def _next(view: View, moves: Sequence[Rated]) -> str:
    """What the next best attack lacks."""
    best = moves[0]
    worse = next((one for one in moves if (one.value, -one.draw) < (best.value, -best.draw)), None)
    if worse is None:
        return "No attack does better."
    number, met = met_by(view, worse.move)
    less = taking(view, worse.move) < taking(view, best.move)
    place, at = best.move.partition("x")[2], worse.move.partition("x")[2]
    where = "" if at == place else f" at position {at}"
    lead = f"Next best is {number}{where}, which {_briefly(number, met, less)}"
    if less:
        return f"{lead}."
    if number != int(best.move.partition("x")[0]) and not (view.victors_stay and number > met[0]):
        return f"{lead}, but {_kept(view, worse.move).replace('you keep', 'leaves you').replace('it is', 'is')}."
    return f"{lead}, but leaves you a smaller chance."


def _briefly(number: int, met: Sequence[int], less: bool) -> str:
    """What an attack beats, in short."""
    only = "only " if less else ""
    if len(met) == 1:
        does = f"ties {only}with" if number == met[0] else "beats" if number > met[0] else "cannot beat"
        return f"{does} the {met[0]}"
    wins, ties = sum(one < number for one in met), " and ties with 1" if number in met else ""
    return f"beats {only * bool(wins)}{wins or 'none'} of {len(met)}{ties}"
