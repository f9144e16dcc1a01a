"""The reason for an attack in a Number Duel: the numbers it may meet, and the idea behind it.

The verdict tells the chances of the whole game, so the reason does not repeat them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from duelbox.core.model import listed, player
from duelbox.games.number_duel.rules import View
from duelbox.solve.api import Idea, Instead, Rated, Reason
from duelbox.solve.premises import Premise, reason_by

SWAP = Idea(
    "top for top",
    "Where only your highest number still meets your opponent's, let the two go together.",
    "Which number can nothing of yours beat? What becomes of the rest if it goes?",
)
TRADE = Idea(
    "trade when ahead",
    "With more numbers than the opponent, attack where you cannot fail: every trade brings the end nearer.",
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


def attack_reason(view: View, right: Sequence[Rated], wrong: Sequence[Rated]) -> Reason:
    """The reason for one of the attacks of equal chances, by what no worse attack has."""
    reason = _why(view, right, wrong)
    if not wrong:
        return reason
    tempting = wrong[0].move
    if reason.instead is not None:
        tempting = reason.instead.move
    return replace(reason, instead=_fault(view, reason.advised, tempting))


def _why(view: View, right: Sequence[Rated], wrong: Sequence[Rated]) -> Reason:
    best = right[0]
    number, met = met_by(view, best.move)
    if best.verdict == "loss":
        tried = f"Try {_attack(best.move)}: {_deed(number, met)}."
        mine, theirs = (listed(view.left(seat)) for seat in (view.mover, view.rival))
        thought = f"Every attack loses: you have {mine}, {player(view.rival)} has {theirs}."
        return Reason(f"Every attack loses. {tried}", None, thought, best.move)
    if best.verdict == "win" and best.plies == 1:
        sentence = f"Attack with {_attack(best.move)}: {_deed(number, met)}, and you win at once."
        return Reason(sentence, SPEND_LEAST, "You can win now.", best.move)
    good = [one.move for one in right]
    bad = [one.move for one in wrong]
    reason = reason_by(_premises(view, good, bad), good, bad, partial(_fault, view, best.move))
    if reason is None:
        nearest = sorted(wrong, key=lambda one: one.value, reverse=True)
        compared = _compared(view, best.move, [one.move for one in nearest])
        return Reason(_told(view, best.move, compared), None, _seen(view, met), best.move)
    return reason


def _fault(view: View, better: str, move: str) -> Instead:
    """The fault of a wrong attack, against a better one; chance answers it."""
    return Instead(move, "", lack(view, move, better), counted=False)


def _attack(move: str) -> str:
    number, _, position = move.partition("x")
    return f"{number} at position {position}"


def _told(view: View, move: str, sentence: str) -> str:
    """An attack, its effect, and a sentence about it."""
    return f"Attack with {_attack(move)}: {_deed(*met_by(view, move))}. {sentence}".rstrip()


def _premises(view: View, right: Sequence[str], wrong: Sequence[str]) -> Iterator[Premise]:
    """The ideas, then the counts of what attacks beat and cost; each for all attacks of which it holds."""
    moves = [*right, *wrong]
    thought = _seen(view, met_by(view, moves[0])[1])
    for idea, argue in _ARGUMENTS:
        holds = dict.fromkeys((move for move in moves if argue(view, move)), 1)
        yield Premise(holds, partial(_said, view, argue), idea, thought)
    for idea, count, tell in _COUNTED:
        counts = {move: float(count(view, move)) for move in moves}
        rival = max(wrong, key=lambda move: counts[move], default="")
        yield Premise(counts, partial(_said, view, partial(_beside, tell, rival)), idea, thought)


def _beside(tell: Callable[[View, str, str], str], rival: str, view: View, move: str) -> str:
    """A count in words, against the worse attack that comes nearest to it."""
    return tell(view, move, rival)


def _said(view: View, tell: Callable[[View, str], str], move: str) -> str:
    sentence = tell(view, move)
    return _told(view, move, sentence) if sentence else ""


# -- ideas, as a sentence on each attack of which they hold


def _swap(view: View, move: str) -> str:
    number, met = met_by(view, move)
    others = [one for one in view.left(view.mover) if one != number]
    if met != (number,) or number != max(view.left(view.rival)) or any(one >= number for one in others):
        return ""
    return f"Nothing else of yours meets {player(view.rival)}'s {number}: swap them."


def _sure(view: View, move: str) -> str:
    number, met = met_by(view, move)
    if not view.victors_stay or number < max(met):
        return ""
    return "Nothing there beats it, and an attacker that wins stays."


def _trade(view: View, move: str) -> str:
    number, met = met_by(view, move)
    mine, theirs = len(view.left(view.mover)), len(view.left(view.rival))
    if mine <= theirs or number < max(met):
        return ""
    return f"You are ahead, {mine} to {theirs}: trade where you cannot fail."


def _smallest_on(view: View, move: str) -> str:
    """The smallest number that beats a known one."""
    number, met = met_by(view, move)
    if len(met) > 1 or met[0] >= number or any(met[0] < one < number for one in view.left(view.mover)):
        return ""
    return f"It is your smallest that beats {met[0]}."


def _least(view: View, move: str) -> str:
    if met_by(view, move)[0] > min(view.left(view.mover)):
        return ""
    return "An attack costs its number: this is your smallest."


def _third(view: View, move: str) -> str:
    """The smallest number that beats one in three."""
    number, met = met_by(view, move)
    enough = [one for one in view.left(view.mover) if 3 * sum(two < one for two in met) >= len(met)]
    if len(met) == 1 or not enough or number != min(enough):
        return ""
    return f"It is your smallest that beats one in three{_next_below(view, move)}."


def _anything(view: View, move: str) -> str:
    """The smallest number that beats anything at a hidden place."""
    number, met = met_by(view, move)
    beating = [one for one in view.left(view.mover) if one > min(met)]
    if len(met) == 1 or not beating or number != min(beating):
        return ""
    return f"It is your smallest that beats anything there{_next_below(view, move)}."


def _next_below(view: View, move: str) -> str:
    """A clause on the next smaller number, or else on the next larger one."""
    number, met = met_by(view, move)
    mine = view.left(view.mover)
    smaller = max((one for one in mine if one < number), default=None)
    if smaller is not None:
        wins = sum(one < smaller for one in met)
        return f": your {smaller} beats {wins or 'none'}"
    larger = min((one for one in mine if one > number), default=None)
    if larger is None or view.victors_stay:
        return ""
    return f": your {larger} costs more"


_ARGUMENTS = (
    (SWAP, _swap),
    (SAFE, _sure),
    (TRADE, _trade),
    (SPEND_LEAST, _smallest_on),
    (SPEND_LEAST, _least),
    (ONE_IN_THREE, _third),
    (SPEND_LEAST, _anything),
)


# -- counts


def _beaten(view: View, move: str) -> Fraction:
    wins, ties = taking(view, move)
    return wins + ties / 2


def _worse(rival: str, clause: str) -> str:
    """A worse attack with what it takes or lacks."""
    if not rival:
        return "No attack is much worse."
    return f"Worse is {_attack(rival)}: {clause}."


def _beats(view: View, move: str, rival: str) -> str:
    if not taking(view, move)[0]:
        return ""
    clause = ""
    if rival:
        clause = _deed(*met_by(view, rival))
    return _worse(rival, clause)


def _sums(view: View, move: str) -> tuple[int, int]:
    """The numbers that an attack takes and costs, summed over all that it may meet."""
    number, met = met_by(view, move)
    costs = sum(number for one in met if not view.victors_stay or one >= number)
    return sum(one for one in met if one <= number), costs


def _net(view: View, move: str) -> Fraction:
    takes, costs = _sums(view, move)
    return Fraction(takes - costs, len(met_by(view, move)[1]))


def _weighed(view: View, move: str, rival: str) -> str:
    """The sums of two attacks, each made as often as there are numbers that one of them may meet."""
    compared = [one for one in (move, rival) if one]
    tries = max(len(met_by(view, one)[1]) for one in compared)
    sums = []
    for one in compared:
        times = tries // len(met_by(view, one)[1])
        takes, costs = _sums(view, one)
        if tries == 1:
            sums.append(f"it takes {takes} and costs {costs}")
        else:
            sums.append(f"{tries} such attacks take {times * takes} and cost {times * costs}")
    lead = "Add up: " if tries == 1 else "On average, "
    return f"{lead}{sums[0]}. {_worse(rival, sums[-1])}"


def _highest(view: View, move: str) -> int:
    """The highest number that an attack may take."""
    number, met = met_by(view, move)
    return max((one for one in met if one <= number), default=0)


def _high(view: View, move: str, rival: str) -> str:
    highest = _highest(view, move)
    if not highest:
        return ""
    clause = ""
    if rival:
        clause = _at_most(view, rival)
    return f"It may take the {highest}. {_worse(rival, clause)}"


def _at_most(view: View, move: str) -> str:
    highest = _highest(view, move)
    return f"it takes at most the {highest}" if highest else "it takes nothing"


def _compared(view: View, move: str, worse: Sequence[str]) -> str:
    """A sentence on the nearest worse attack that beats less, costs more or takes no number as high."""
    number, _ = met_by(view, move)
    for rival in worse:
        attacker, met_there = met_by(view, rival)
        if _beaten(view, rival) < _beaten(view, move):
            return _worse(rival, _deed(attacker, met_there))
        if attacker > number and not view.victors_stay:
            return _worse(rival, f"it costs your {attacker}, which is more")
        if _highest(view, rival) < _highest(view, move):
            return _worse(rival, _at_most(view, rival))
    return ""


_COUNTED: tuple[tuple[Idea, Callable[[View, str], Fraction | int], Callable[[View, str, str], str]], ...] = (
    (ONE_IN_THREE, _beaten, _beats),
    (ONE_IN_THREE, _net, _weighed),
    (ONE_IN_THREE, _highest, _high),
)


def lack(view: View, move: str, better: str) -> str:
    """A clause on what an attack costs or misses, against a better one."""
    number, met = met_by(view, move)
    instead, met_instead = met_by(view, better)
    top = max(view.left(view.rival))
    meeting = [one for one in view.left(view.mover) if one >= top]
    kept = instead != number or met_instead == (top,)
    if meeting == [number] and met != (top,) and kept:
        return f"it costs your {number}, all that meets {player(view.rival)}'s {top}"
    if _beaten(view, move) < _beaten(view, better):
        return f"{_deed(number, met)}; better: {_deed(instead, met_instead)} with {_attack(better)}"
    if number > instead:
        return f"it costs your {number}, and {_attack(better)} costs less"
    highest = _highest(view, better)
    if highest > _highest(view, move):
        return f"{_deed(number, met)}, but {_attack(better)} may take the {highest}"
    return f"{_deed(number, met)}, and {_attack(better)} is better"


def _seen(view: View, met: Sequence[int]) -> str:
    """The facts to weigh, without the attack."""
    them = player(view.rival)
    if len(met) == 1:
        hidden = view.hidden(view.rival)
        known = [face for face in view.faces[view.rival] if face is not None]
        known += hidden if len(hidden) == 1 else ()
        return f"Attack what you know of {them}: {listed(sorted(known))}."
    return f"{them} hides {listed(met)}. Each is as likely at any hidden position."


def _deed(number: int, met: Sequence[int]) -> str:
    """The effect of an attack: certain if the number it meets is known, else how many it beats."""
    if len(met) == 1:
        if number == met[0]:
            return f"it ties with the {met[0]} there, and both go"
        return f"it {'beats' if number > met[0] else 'cannot beat'} the {met[0]} there"
    wins = sum(one < number for one in met)
    if wins == len(met):
        return f"it beats all {wins} hidden numbers"
    ties = f" and ties with the {number}" if number in met else ""
    return f"it beats {wins or 'none'} of {len(met)} hidden numbers{ties}"
