"""Every kind of premise in the reasons of Number Duel, evaluated for any attack straight from the rules."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from duelbox.solve import analyse
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


def weighed(sides: Sides, tries: str | None, takes: str, costs: str) -> bool:
    times = Fraction(int(tries or 1), len(met(sides)[1]))
    took, cost = sums(sides)
    if sides.told:
        return (times * took, times * cost) == (int(takes), int(costs))
    return times * (took - cost) >= int(takes) - int(costs)


def worse(sides: Sides, told: Told) -> bool:
    """The named attack is worse by the odds, and has the fault that is told."""
    rival, fault = f"{told[1]}x{told[2]}", told[3]
    if not sides.told:
        return True
    values = {one.move: one.value for one in analyse(sides.game, sides.before).moves}
    there = replace(sides, move=rival)
    number, meets = met(there)
    if values[rival] >= values[sides.move]:
        return False
    if weigh := re.fullmatch(r"(?:(\d) such attacks|it) takes? (\d+) and costs? (\d+)", fault):
        own = Fraction(sums(sides)[0] - sums(sides)[1], len(met(sides)[1]))
        other = Fraction(sums(there)[0] - sums(there)[1], len(meets))
        return weighed(there, weigh[1], weigh[2], weigh[3]) and other < own
    if fault == f"it costs your {number}, which is more":
        return number > met(sides)[0] and not sides.before.victors_stay
    if high := re.fullmatch(r"it takes (?:at most the (\d)|nothing)", fault):
        taken = high[1] or "0"
        return highest(there, taken) and not highest(sides, taken) and highest(replace(sides, told=False), taken)
    if many := re.fullmatch(r"it beats (\w+)(?: of)? (\d) hidden numbers( and ties with the \d)?", fault):
        return beats(there, many[1], many[2], many[3]) and share(there) < share(sides)
    known = f"it cannot beat the {meets[0]} there"
    if number > meets[0]:
        known = f"it beats the {meets[0]} there"
    elif number == meets[0]:
        known = f"it ties with the {meets[0]} there, and both go"
    return len(meets) == 1 and fault == known and share(there) < share(sides)


def next_below(sides: Sides, told: Told) -> bool:
    """The next smaller number beats as many as told, or the next larger is named if none is smaller."""
    number, there = met(sides)
    if not sides.told:
        return True
    smaller = [one for one in mine(sides) if one < number]
    if told[3]:
        larger = [one for one in mine(sides) if one > number]
        return not smaller and larger[0] == int(told[3]) and not sides.before.victors_stay
    wins = sum(one < smaller[-1] for one in there)
    return (smaller[-1], wins) == (int(told[1]), int(told[2].replace("none", "0")))


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


OWN = r"(?<!Worse is \d at position \d: )"
"""The clause that follows is on the advised attack."""

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
    (r"(?:anything there|one in three): your (?:(\d) beats (\w+)|(\d) costs more)", lambda m, s: next_below(s, m)),
    (rf"{OWN}it beats (\w+) of (\d) hidden numbers( and ties)?", lambda m, s: beats(s, m[1], m[2], m[3])),
    (rf"{OWN}it beats (all) (\d) hidden numbers", lambda m, s: beats(s, m[1], m[2], None)),
    (r"It may take the (\d)", lambda m, s: highest(s, m[1])),
    (
        r"(?:Add up: it takes|On average, (\d) such attacks take) (\d+) and costs? (\d+)",
        lambda m, s: weighed(s, *m.groups()),
    ),
    (r"Worse is (\d) at position (\d): (.*?)\.", lambda m, s: worse(s, m)),
    (
        r"^Attack with (\d) at position (\d): .*\. Worse is \d at position \d: it (?:beats|ties|cannot)",
        lambda m, s: share(s) >= share(s, f"{m[1]}x{m[2]}"),
    ),
)
"""Premises of an attack."""
REPLIES: tuple[Claim, ...] = ()


def sides_left(sides: Sides) -> tuple[int, ...]:
    """The numbers that the opponent has left."""
    numbers: tuple[int, ...] = sides.before.left(sides.them)
    return numbers
