"""Every kind of premise in the reasons of Sequence Duel, evaluated for any claim straight from the rules."""

from __future__ import annotations

from duelbox.games.sequence_duel.rules import View
from tests.games.claims import THEM, Claim, Sides
from tests.games.sequence_duel.slow import Numbers, next_to, open_to, private


def sets(view: View, seat: int) -> tuple[int, bool, Numbers, Numbers]:
    """The line as one seat sees it: its own numbers, then the other's."""
    return view.options.size, view.options.ring, frozenset(view.picked(seat)), frozenset(view.picked(1 - seat))


def only(view: View, seat: int) -> set[int]:
    """The numbers that only this seat can claim at present."""
    return set(open_to(*sets(view, seat))) - set(open_to(*sets(view, 1 - seat)))


def tally(sides: Sides) -> tuple[int, int]:
    return len(only(sides.after, sides.me)), len(only(sides.after, sides.them))


def ahead(sides: Sides, mine: str, theirs: str) -> bool:
    """A lead as large as the one told."""
    own, others = tally(sides)
    if sides.told:
        return (own, others) == (int(mine), int(theirs))
    return own - others >= int(mine) - int(theirs)


def few(sides: Sides, left: str) -> bool:
    others = tally(sides)[1]
    return others == int(left) if sides.told else others <= int(left)


def gain(view: View, seat: int, number: int) -> int:
    """The change of this seat's numbers less the other's by a claim."""
    size, ring, own, others = sets(view, seat)

    def lead(claimed: Numbers) -> int:
        mine, theirs = set(open_to(size, ring, claimed, others)), set(open_to(size, ring, others, claimed))
        return len(mine - theirs) - len(theirs - mine)

    return lead(own | {number}) - lead(own)


def at_stake(sides: Sides, mine: str, theirs: str) -> bool:
    number = int(sides.move)
    gained, prevented = gain(sides.before, sides.me, number), 0
    if number in open_to(*sets(sides.before, sides.them)):
        prevented = gain(sides.before, sides.them, number)
    if sides.told:
        return (gained, prevented) == (int(mine), int(theirs))
    return gained + prevented >= int(mine) + int(theirs)


def counted(sides: Sides, mine: str, theirs: str) -> bool:
    """Safe numbers of one's own, and the claims left to the opponent."""
    if sides.after.turn is None:
        return not sides.told
    safe, left = len(private(*sets(sides.after, sides.me))), len(open_to(*sets(sides.after, sides.them)))
    if sides.told:
        return (safe, left) == (int(mine), int(theirs))
    return safe >= int(mine) and left <= int(theirs)


def at_the_end(sides: Sides) -> bool:
    """The claim is next to an open end of the line, which becomes one's own."""
    size, _, _, _ = sets(sides.before, sides.me)
    end = {2: 1, size - 1: size}.get(int(sides.move))
    return end is not None and end in only(sides.after, sides.me) - only(sides.before, sides.me)


def effect(sides: Sides, made: str | None, shut: str | None) -> bool:
    """The numbers that a claim makes one's own, and those that it takes from the opponent."""
    if not sides.told:
        return True  # they belong to one claim alone; the figures after them are compared
    before, after = only(sides.before, sides.me), only(sides.after, sides.me)
    theirs, left = only(sides.before, sides.them), only(sides.after, sides.them)
    return (numbers(made), numbers(shut)) == (after - before, theirs - left - {int(sides.move)})


def numbers(told: str | None) -> set[int]:
    return {int(one) for one in (told or "").replace(",", " ").split() if one.isdigit()}


LIST = r"\d+(?:, \d+)*(?: and \d+)?"

CLAIMS: tuple[Claim, ...] = (
    (rf"{THEM} cannot claim any number", lambda m, s: s.after.turn is None),
    (r"copy: answer each with its partner", lambda m, s: s.loses(s.after)),
    (
        rf"you then have (\d+|no) safe numbers?, {THEM} at most (\d+|no) claims?",
        lambda m, s: counted(s, m[1].replace("no", "0"), m[2].replace("no", "0")),
    ),
    (r"Next to the end", lambda m, s: not s.told or at_the_end(s)),
    (rf"makes ({LIST}) yours(?: and takes ({LIST}) from)?", lambda m, s: effect(s, m[1], m[2])),
    (rf"\d+ takes ({LIST}) from", lambda m, s: effect(s, None, m[1])),
    (r": (\d+) to (\d+)\.", lambda m, s: ahead(s, m[1], m[2])),
    (rf"It gains you (\d+), and would gain {THEM} (\d+)", lambda m, s: at_stake(s, m[1], m[2])),
    (rf"It leaves (\d+|no) numbers? to {THEM} alone, the fewest", lambda m, s: few(s, m[1].replace("no", "0"))),
)
"""Premises of a claim."""


def shut_after(sides: Sides, told: str) -> bool:
    """The answer takes these numbers: they are next to it, and were one's own."""
    size, ring, _, theirs = sets(sides.after, sides.me)
    return all(any(other in theirs for other in next_to(size, ring, one)) for one in numbers(told))


REPLIES: tuple[Claim, ...] = (
    (r"has (\d+) to (\d+)\.", lambda m, s: tally(s) == (int(m[2]), int(m[1])) and int(m[1]) > int(m[2])),
    (r": (\d+) to (\d+), and it is your turn", lambda m, s: tally(s) == (int(m[2]), int(m[1])) and m[1] == m[2]),
    (rf"takes ({LIST}) from you", lambda m, s: shut_after(s, m[1])),
)
"""Claims about an answer; the sides then hold the position after the answer."""
