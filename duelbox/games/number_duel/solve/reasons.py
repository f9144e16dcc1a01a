"""The reason for an attack in a Number Duel: the numbers it may meet, and the idea behind it.

The verdict tells the chances of the whole game, so the reason does not repeat them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from duelbox.core.model import listed
from duelbox.games.number_duel.rules import View
from duelbox.solve.api import Idea, Instead, Rated, Reason, Stop

SWAP = Idea(
    "top for top",
    "Where only your highest number can still meet theirs, let the two go together.",
    "Which of their numbers can nothing of yours beat? What becomes of the rest if it goes?",
)
TRADE = Idea(
    "trade when ahead",
    "With more numbers than they have, attack where you cannot fail: every trade brings the end nearer.",
    "How many numbers has each of you? Which attack cannot fail?",
)
SAFE = Idea(
    "sure attacks",
    "Where winners stay, attack what cannot beat you: at worst it is a swap.",
    "Which of your numbers beats everything that may stand there?",
)
SPEND_LEAST = Idea(
    "the cheapest that bites",
    "An attack costs its number: use the smallest that does the job.",
    "An attack costs its number. Which is the smallest of yours that does the job?",
)
ONE_IN_THREE = Idea(
    "one in three",
    "Weigh what an attack beats with what it costs: a small number that beats one in three is worth it.",
    "How many of the numbers that may stand there does each of yours beat? What does each cost you?",
)
IDEAS = (SPEND_LEAST, TRADE, SWAP, ONE_IN_THREE, SAFE)
_THIRD = Fraction(1, 3)
_NAMED = 5  # with at most this many numbers, those that stay are listed


def targets(view: View, face: int | None) -> tuple[int, ...]:
    """The numbers that an attack on this face may meet."""
    return view.hidden(view.rival) if face is None else (face,)


def met_by(view: View, move: str) -> tuple[int, tuple[int, ...]]:
    """The number that attacks, and the numbers that it may meet."""
    number, position = map(int, move.split("x"))
    return number, targets(view, view.faces[view.rival][position - 1])


def taking(view: View, move: str) -> tuple[Fraction, Fraction]:
    """The chances that an attack wins and that it ties."""
    number, met = met_by(view, move)
    return Fraction(sum(one < number for one in met), len(met)), Fraction(met.count(number), len(met))


def easiest(view: View, equals: Sequence[Rated]) -> Rated:
    """Of attacks with equal chances, one with an idea, then the one that beats most."""
    return max(equals, key=lambda one: (_argued(view, one.move) is not None, taking(view, one.move)))


def attack_reason(view: View, best: Rated) -> Reason:
    """The reason for the best attack."""
    number, met = met_by(view, best.move)
    attack = f"{number} at position {best.move.partition('x')[2]}"
    if best.verdict == "loss":
        return Reason(f"Every attack loses. Try {attack}: {_deed(number, met)}.")
    if best.verdict == "win" and best.plies == 1:
        return Reason(
            f"Attack with {attack}: {_deed(number, met)}, and you win at once.", SPEND_LEAST, "You can win now."
        )
    idea, sentence = _argued(view, best.move) or (None, _staying(view, best.move))
    return Reason(f"Attack with {attack}: {_deed(number, met)}. {sentence}", idea, _seen(view, met))


def _argued(view: View, move: str) -> tuple[Idea, str] | None:
    """The idea of an attack and a sentence about it; None if no idea fits."""
    number, met = met_by(view, move)
    mine, theirs = view.left(view.mover), view.left(view.rival)
    if met == (number,) and number == max(theirs) and all(one < number for one in mine if one != number):
        return SWAP, f"Nothing else of yours meets their {number}: swap them."
    if view.victors_stay and number >= max(met):
        return SAFE, "Nothing there beats it, and an attacker that wins stays."
    if len(mine) > len(theirs) and number >= max(met):
        return TRADE, f"You are ahead, {len(mine)} to {len(theirs)}: trade where you cannot fail."
    wins = sum(one < number for one in met)
    if len(met) == 1 and wins and not any(met[0] < one < number for one in mine):
        return SPEND_LEAST, f"It is your smallest that beats {met[0]}."
    if number == min(mine):
        return SPEND_LEAST, "An attack costs its number: this is your smallest."
    smaller = [one for one in mine if one < number]
    enough = Fraction(wins, len(met)) >= _THIRD
    if len(met) > 1 and enough and all(sum(two < one for two in met) * 3 < len(met) for one in smaller):
        return ONE_IN_THREE, "It is your smallest that beats one in three."
    if wins and not any(min(met) < one for one in smaller):
        return SPEND_LEAST, "It is your smallest that beats anything there."
    return None


def _seen(view: View, met: Sequence[int]) -> str:
    """The facts to weigh, without the attack."""
    if len(met) == 1:
        hidden = view.hidden(view.rival)
        known = [face for face in view.faces[view.rival] if face is not None]
        known += hidden if len(hidden) == 1 else ()
        return f"Attack what you know: their {listed(sorted(known))}."
    return f"They hide {listed(met)}, each as likely at any hidden position."


def _deed(number: int, met: Sequence[int]) -> str:
    """The effect of an attack: certain if the number it meets is known, else how many it beats."""
    if len(met) == 1:
        if number == met[0]:
            return f"it ties with the {met[0]} there, and both go"
        return f"it {'beats' if number > met[0] else 'cannot beat'} the {met[0]} there"
    wins, ties = sum(one < number for one in met), ", ties one" if number in met else ""
    return f"it beats {'all' if wins == len(met) else wins or 'none'} of {len(met)} hidden{ties}"


def refuted(view: View, move: str, stop: Stop) -> Instead | None:
    """The effect of an attack, which chance answers; None for an order of numbers."""
    if view.arranging:
        return None
    return Instead(move, "", _deed(*met_by(view, move)))


def _staying(view: View, move: str) -> str:
    """A sentence about the numbers that stay in the hand."""
    number, met = met_by(view, move)
    staying = listed([one for one in view.left(view.mover) if one != number])
    if view.victors_stay and number > met[0]:
        return f"You keep {staying}, the {number} if it wins." if staying else f"You keep the {number} if it wins."
    if len(view.left(view.mover)) > _NAMED:
        return "You keep all the others."
    return f"You keep {staying}." if staying else "It is your last number."
