"""Every kind of premise in the reasons of Digit Chain Duel, evaluated for any pick straight from the rules."""

from __future__ import annotations

import re
from typing import Any

from tests.games.claims import THEM, Claim, Sides

Told = re.Match[str]


def reverse(number: int) -> int:
    """21 for 12, 77 for 7, and 7 for 77; no number for 30."""
    first, last = divmod(number, 10)
    if not last:
        return -1
    if not first:
        return 11 * number
    return number // 11 if first == last else 10 * last + first


def open_now(view: Any) -> list[int]:
    """The numbers that the player to move may pick."""
    if view.turn is None:
        return []
    return [number for number in view.pool if follows(view, number)]


def follows(view: Any, number: int) -> bool:
    if not view.picks or (view.options.zero == "wild" and view.picks[-1] % 10 == 0):
        return True
    return str(number)[0] == str(view.picks[-1])[-1]


def broken(view: Any) -> list[int]:
    """The numbers that may be picked and have lost their reverse."""
    return [number for number in open_now(view) if reverse(number) not in view.pool]


def ended(sides: Sides) -> bool:
    return sides.after.outcome is not None and sides.after.outcome.winner == sides.me


def paired(sides: Sides, told: Told) -> bool:
    numbers = open_now(sides.after)
    lost = len(broken(sides.after))
    if sides.told:
        return (len(numbers) - lost, len(numbers)) == (int(told[1]), int(told[2]))
    return lost <= int(told[2]) - int(told[1])


def door(sides: Sides, told: Told) -> bool:
    """One pick is left, and the answer to it is as told: it wins, and ends the game if the sentence says so."""
    numbers = open_now(sides.after)
    if not sides.told:
        return len(numbers) == 1 and (told[3] is None or wins(sides))
    return numbers == [int(told[1])] and answers(sides, {told[1]: told[2]}, ends=told[3] is not None)


def answers(sides: Sides, told: dict[str, str], *, ends: bool = False) -> bool:
    for pick, answer in told.items():
        then = sides.applied(sides.applied(sides.after, pick), answer)
        if not sides.loses(then) or (ends and then.outcome is None):
            return False
    return True


def wins(sides: Sides) -> bool:
    return sides.after.turn is None or sides.loses(sides.after)


def named(sides: Sides, text: str) -> bool:
    """The named answers win; told of one pick alone."""
    return not sides.told or answers(sides, dict(re.findall(r"(\d+) with (\d+)", text)))


def fewest(sides: Sides, count: str) -> bool:
    numbers = len(open_now(sides.after))
    return numbers == int(count) if sides.told else numbers <= int(count)


def most(sides: Sides, count: str) -> bool:
    whole = len(open_now(sides.after)) - len(broken(sides.after))
    return whole == int(count) if sides.told else whole >= int(count)


def fewest_of_all(sides: Sides) -> bool:
    """No other pick leaves fewer numbers."""
    left = [len(open_now(sides.applied(sides.before, text))) for text in sides.moves(sides.before)]
    return len(open_now(sides.after)) == min(left)


def most_of_all(sides: Sides) -> bool:
    """No other pick leaves more numbers with their reverse."""
    afters = [sides.applied(sides.before, text) for text in sides.moves(sides.before)]
    whole = [len(open_now(after)) - len(broken(after)) for after in afters]
    return len(open_now(sides.after)) - len(broken(sides.after)) == max(whole)


def each(sides: Sides) -> bool:
    numbers = open_now(sides.after)
    return bool(numbers) and not broken(sides.after)


CLAIMS: tuple[Claim, ...] = (
    (r"^Pick \d+: (?:then no number|it ends in 0)", lambda m, s: ended(s)),
    (rf"{THEM} can only pick (\d+), and you can answer with (\d+)(: (?:then|it))?", lambda m, s: door(s, m)),
    (rf"(\d+) of {THEM}'s (\d+) numbers ha(?:ve their|s its) reverse", lambda m, s: paired(s, m)),
    (rf"(\d+) of {THEM}'s numbers have their reverse(?:\.|, the most)", lambda m, s: most(s, m[1])),
    (r"Answer any number with its reverse", lambda m, s: each(s)),
    (r"Answer any number with one that ends in 0", lambda m, s: wins(s)),
    (r"Answer .*", lambda m, s: named(s, m[0])),
    (r"the fewest you can leave", lambda m, s: fewest_of_all(s)),
    (r"the most you can leave", lambda m, s: most_of_all(s)),
    (rf"{THEM} then has only (\d+) numbers?", lambda m, s: fewest(s, m[1])),
)
"""Premises of a pick."""


def left(sides: Sides, told: Told) -> bool:
    numbers = open_now(sides.after)
    return (len(numbers) - len(broken(sides.after)), len(numbers)) == (int(told[1]), int(told[2]))


def answered(sides: Sides, text: str) -> bool:
    """The answers win, and are for all numbers that have lost their reverse."""
    told = dict(re.findall(r"(\d+) with (\d+)", text))
    return sorted(map(int, told)) == broken(sides.after) and answers(sides, told)


REPLIES: tuple[Claim, ...] = (
    (rf"of your \d+\. {THEM} answers (.*)", lambda m, s: answered(s, m[1])),
    (r"and you cannot go on", lambda m, s: s.after.outcome is not None and s.after.outcome.winner == s.them),
    (r"has the reverse of all you can pick", lambda m, s: each(s)),
    (r"and you can only pick (\d+)", lambda m, s: open_now(s.after) == [int(m[1])]),
    (r"has the reverse of (\d+) of your (\d+)", lambda m, s: left(s, m)),
)
"""Claims about an answer; the sides then hold the position after the answer."""
