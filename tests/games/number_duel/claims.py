"""Every kind of premise in the reasons of Number Duel, evaluated for any attack straight from the rules."""

from __future__ import annotations

import re
from fractions import Fraction

from tests.games.claims import THEM, Claim, Sides

Told = re.Match[str]


def met(sides: Sides, move: str = "") -> tuple[int, tuple[int, ...]]:
    """The number that attacks, and those that may stand there."""
    number, position = map(int, (move or sides.move).split("x"))
    face = sides.before.faces[sides.them][position - 1]
    return number, (face,) if face else sides.before.hidden(sides.them)


def mine(sides: Sides) -> list[int]:
    return sorted(sides.before.left(sides.me))


def smallest(sides: Sides, least: Fraction) -> bool:
    """No smaller number beats as large a share there, and this one does."""
    number, there = met(sides)
    beating = [one for one in mine(sides) if Fraction(sum(two < one for two in there), len(there)) >= least]
    return bool(beating) and beating[0] == number


def beats(sides: Sides, count: str, of: str | None, ties: str | None) -> bool:
    number, there = met(sides)
    wins = sum(one < number for one in there)
    told = {"all": len(there), "none": 0}.get(count, int(count) if count.isdigit() else -1)
    return (wins, len(there), number in there) == (told, int(of or 0), bool(ties)) if sides.told else True


def sums(sides: Sides) -> tuple[int, int]:
    number, there = met(sides)
    stays = sides.before.victors_stay
    return sum(one for one in there if one <= number), sum(number for one in there if not stays or one >= number)


def weighed(sides: Sides, takes: str, costs: str, best: tuple[int, int, int]) -> bool:
    took, cost = sums(sides)
    if sides.told:
        return (took, cost) == (int(takes), int(costs))
    return Fraction(took - cost, len(met(sides)[1])) >= Fraction(best[0] - best[1], best[2])


def share(sides: Sides, move: str = "") -> Fraction:
    number, there = met(sides, move)
    return Fraction(2 * sum(one < number for one in there) + there.count(number), 2 * len(there))


def highest(sides: Sides, taken: str) -> bool:
    number, there = met(sides)
    most = max((one for one in there if one <= number), default=0)
    return most == int(taken) if sides.told else most >= int(taken)


def swap(sides: Sides, number: str) -> bool:
    attacker, there = met(sides)
    meeting = [one for one in mine(sides) if one >= int(number)]
    return (attacker, there) == (int(number), (int(number),)) and meeting == [int(number)]


CLAIMS: tuple[Claim, ...] = (
    (r"and you win at once", lambda m, s: len(sides_left(s)) == 1 and met(s)[0] >= max(met(s)[1])),
    (rf"Nothing else of yours meets {THEM}'s (\d)", lambda m, s: swap(s, m[1])),
    (r"Nothing there beats it, and an attacker that wins stays", lambda m, s: met(s)[0] >= max(met(s)[1])),
    (
        r"You are ahead, (\d) to (\d): trade where you cannot fail",
        lambda m, s: met(s)[0] >= max(met(s)[1]) and (len(mine(s)), len(sides_left(s))) == (int(m[1]), int(m[2])),
    ),
    (r"It is your smallest that beats (\d)", lambda m, s: met(s)[1] == (int(m[1]),) and smallest(s, Fraction(1))),
    (r"An attack costs its number: this is your smallest", lambda m, s: met(s)[0] == mine(s)[0]),
    (
        r"It is your smallest that beats one in three",
        lambda m, s: len(met(s)[1]) > 1 and smallest(s, Fraction(1, 3)),
    ),
    (
        r"It is your smallest that beats anything there",
        lambda m, s: len(met(s)[1]) > 1 and smallest(s, Fraction(1, len(met(s)[1]))),
    ),
    (r"it beats (\w+) of (\d) hidden numbers( and ties)?", lambda m, s: beats(s, m[1], m[2], m[3])),
    (r"it beats (all) (\d) hidden numbers", lambda m, s: beats(s, m[1], m[2], None)),
    (r"it may take the (\d)|It may take the (\d)", lambda m, s: highest(s, m[1] or m[2])),
    (
        r"with (\d) at position (\d).*No worse attack beats as many",
        lambda m, s: share(s) >= share(s, f"{m[1]}x{m[2]}"),
    ),
    (
        r"with (\d) at position (\d).*it takes (\d+) and costs (\d+)",
        lambda m, s: weighed(s, m[3], m[4], (int(m[3]), int(m[4]), len(met(s, f"{m[1]}x{m[2]}")[1]))),
    ),
)
"""Premises of an attack."""
REPLIES: tuple[Claim, ...] = ()


def sides_left(sides: Sides) -> tuple[int, ...]:
    """The numbers that the opponent has left."""
    numbers: tuple[int, ...] = sides.before.left(sides.them)
    return numbers
